#include "rpc/guard.h"

#include <grpc/byte_buffer.h>
#include <grpc/grpc_security_constants.h>
#include <grpcpp/security/auth_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "rpc/call_meter.h"
#include "rpc/raw_message.h"
#include "rpc/status.h"
#include "rpc/trace_context.h"

namespace repath {
namespace {

using grpc::ByteBuffer;
using grpc::internal::MethodHandler;
using grpc::internal::RpcMethod;
using grpc::internal::RpcServiceMethod;

// A service's own handlers, which only services see.
struct Handlers : grpc::Service {
  static MethodHandler* of(grpc::Service& service, int method) {
    return (service.*&Handlers::GetHandler)(method);
  }
};

// A stream that ends at once.
template <class Reactor>
class Refusal final : public Reactor {
 public:
  explicit Refusal(grpc::Status status) { this->Finish(std::move(status)); }
  void OnDone() override { delete this; }
};

// Runs a handler that ends the call with `status`. It takes the request as bytes and leaves them
// unread.
void refuse_call(RpcMethod::RpcType type, const MethodHandler::HandlerParameter& call,
                 const grpc::Status& status) {
  using namespace grpc::internal;  // NOLINT: the handlers that generated code uses
  switch (type) {
    case RpcMethod::NORMAL_RPC:
      return CallbackUnaryHandler<ByteBuffer, ByteBuffer>(
                 [&](CallContext* context, const ByteBuffer*, ByteBuffer*) {
                   auto* reactor = context->DefaultReactor();
                   reactor->Finish(status);
                   return reactor;
                 })
          .RunHandler(call);
    case RpcMethod::CLIENT_STREAMING:
      return CallbackClientStreamingHandler<ByteBuffer, ByteBuffer>([&](CallContext*, ByteBuffer*) {
               return new Refusal<grpc::ServerReadReactor<ByteBuffer>>(status);
             })
          .RunHandler(call);
    case RpcMethod::SERVER_STREAMING:
      return CallbackServerStreamingHandler<ByteBuffer, ByteBuffer>(
                 [&](CallContext*, const ByteBuffer*) {
                   return new Refusal<grpc::ServerWriteReactor<ByteBuffer>>(status);
                 })
          .RunHandler(call);
    case RpcMethod::BIDI_STREAMING:
      return CallbackBidiHandler<ByteBuffer, ByteBuffer>([&](CallContext*) {
               return new Refusal<grpc::ServerBidiReactor<ByteBuffer, ByteBuffer>>(status);
             })
          .RunHandler(call);
  }
}

// Reads bytes as the request of refuse_call().
void* take_bytes(RpcMethod::RpcType type, grpc_call* call, grpc_byte_buffer* bytes,
                 grpc::Status* status, void** data) {
  using namespace grpc::internal;  // NOLINT: as above
  if (type == RpcMethod::NORMAL_RPC)
    return CallbackUnaryHandler<ByteBuffer, ByteBuffer>(nullptr).Deserialize(call, bytes, status,
                                                                             data);
  return CallbackServerStreamingHandler<ByteBuffer, ByteBuffer>(nullptr).Deserialize(call, bytes,
                                                                                     status, data);
}

// Returns the names of the certificate that the client has shown to gRPC, or to the HTTP port.
std::vector<std::string> certificate_names(const grpc::ServerContextBase& context,
                                           const PassedPeer& http_peer) {
  if (const auto passed = http_peer.of(context)) return passed->names;
  std::vector<std::string> names;
  const auto peer = context.auth_context();
  if (peer == nullptr || !peer->IsPeerAuthenticated()) return names;
  const auto add = [&](const char* property, const std::string& type) {
    for (const grpc::string_ref& name : peer->FindPropertyValues(property))
      names.push_back(type + std::string(name.data(), name.size()));
  };
  add(GRPC_PEER_URI_PROPERTY_NAME, "uri:");
  add(GRPC_PEER_DNS_PROPERTY_NAME, "dns:");
  return names;
}

Credentials credentials_of(const grpc::ServerContextBase& context, const PassedPeer& http_peer) {
  Credentials credentials;
  const auto& metadata = context.client_metadata();
  const auto [first, last] = metadata.equal_range("authorization");
  if (first != last) {
    credentials.authorization = std::string_view(first->second.data(), first->second.size());
    // Two headers could be read in two ways by two readers, so neither counts.
    if (std::next(first) != last) credentials.authorization = "";
  }
  credentials.trace = trace_of(context);
  credentials.certificate_names = [&] { return certificate_names(context, http_peer); };
  return credentials;
}

RpcMethod::RpcType type_of(const google::protobuf::MethodDescriptor& method) {
  if (method.client_streaming())
    return method.server_streaming() ? RpcMethod::BIDI_STREAMING : RpcMethod::CLIENT_STREAMING;
  return method.server_streaming() ? RpcMethod::SERVER_STREAMING : RpcMethod::NORMAL_RPC;
}

class GuardedHandler final : public MethodHandler {
 public:
  GuardedHandler(const google::protobuf::MethodDescriptor& descriptor, std::string_view method,
                 MethodHandler& handler, const Judges& judges)
      : type_(type_of(descriptor)),
        request_type_(*descriptor.input_type()),
        method_(method),
        rule_(rule_of(descriptor.full_name())),
        handler_(handler),
        judges_(judges) {}

  void RunHandler(const HandlerParameter& call) override {
    Access& access = judges_.access;
    const auto allowed = CallAccess::decide(
        access, rule_,
        access.is_open() ? Credentials() : credentials_of(*call.server_context, judges_.http_peer));
    const bool has_request = type_ == RpcMethod::NORMAL_RPC || type_ == RpcMethod::SERVER_STREAMING;
    auto* const bytes = static_cast<grpc_byte_buffer*>(call.request);  // may be null in a bad call
    grpc_call* const core = call.call->call();
    grpc::Status status;
    void* data = nullptr;
    void* request = nullptr;
    const absl::Status refused =
        judge(*call.server_context, allowed, has_request ? bytes : nullptr);
    if (!refused.ok()) {
      if (has_request) request = take_bytes(type_, core, bytes, &status, &data);
      if (method_ == kFindPathMethod)
        judges_.metrics.count_call(method_, absl::StatusCodeToString(refused.code()), 0);
      refuse_call(type_, with(call, request, status, data), to_grpc(refused));
      return;
    }
    if (has_request) request = handler_.Deserialize(core, bytes, &status, &data);
    const CallAccess::Scope scope(*allowed);
    handler_.RunHandler(with(call, request, status, data));
  }

  // Keeps the request's bytes until the call is let in.
  void* Deserialize(grpc_call*, grpc_byte_buffer* bytes, grpc::Status*, void**) override {
    return bytes;
  }

 private:
  // Counts the call, and returns why it is refused; OK if it is let in.
  absl::Status judge(grpc::ServerContextBase& context, const absl::StatusOr<CallAccess>& allowed,
                     grpc_byte_buffer* request) {
    CallLedger::Request size;
    absl::Status fits;
    if (request != nullptr) {
      size.wire_bytes = grpc_byte_buffer_length(request);
      size.bytes = decoded_bytes(request_type_, request);
      fits = check_decoded(size.bytes);
      if (!fits.ok()) size.bytes = size.wire_bytes;
    }
    const absl::Status counted =
        judges_.calls.begin(context, allowed.ok() ? allowed->caller_name() : "", size);
    REPATH_RETURN_IF_ERROR(allowed.status());
    REPATH_RETURN_IF_ERROR(counted);
    REPATH_RETURN_IF_ERROR(fits);
    return judges_.pressure.check(rule_->load);
  }
  static HandlerParameter with(const HandlerParameter& call, void* request,
                               const grpc::Status& status, void* data) {
    return {call.call, call.server_context, request, status, data, call.call_requester};
  }

  const RpcMethod::RpcType type_;
  const google::protobuf::Descriptor& request_type_;
  const std::string_view method_;
  const MethodRule* const rule_;
  MethodHandler& handler_;
  const Judges judges_;
};

}  // namespace

GuardedService::GuardedService(const google::protobuf::ServiceDescriptor& descriptor,
                               grpc::Service& service, const Judges& judges) {
  for (int i = 0; i < descriptor.method_count(); ++i) {
    const google::protobuf::MethodDescriptor& method = *descriptor.method(i);
    names_.push_back("/" + descriptor.full_name() + "/" + method.name());
    AddMethod(new RpcServiceMethod(names_.back().c_str(), type_of(method), nullptr));
    MarkMethodCallback(
        i, new GuardedHandler(method, names_.back(), *Handlers::of(service, i), judges));
  }
}

}  // namespace repath
