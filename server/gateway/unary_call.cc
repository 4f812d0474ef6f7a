#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <charconv>
#include <shared_mutex>
#include <utility>

#include "base/error.h"
#include "gateway/api_methods.h"
#include "gateway/gateway_core.h"

namespace repath {
namespace {

namespace http = boost::beast::http;
using google::protobuf::MethodDescriptor;

constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kProtoType = "application/proto";

std::optional<Encoding> encoding_of(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  if (type == kJsonType) return Encoding::kJson;
  if (type == kProtoType) return Encoding::kProto;
  return std::nullopt;
}

// Reads Connect-Timeout-Ms: up to ten digits.
absl::StatusOr<std::chrono::milliseconds> timeout_of(std::string_view text,
                                                     std::chrono::milliseconds most) {
  if (text.empty()) return most;
  std::int64_t ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (error != std::errc() || end != text.data() + text.size() || ms < 1 || text.size() > 10)
    return invalid_field("HEADER_INVALID", "connect-timeout-ms",
                         "a timeout has one to ten digits, in milliseconds");
  return std::min(most, std::chrono::milliseconds(ms));
}

// A unary call under way. Keeps itself alive until it is answered.
class UnaryCall : public std::enable_shared_from_this<UnaryCall> {
 public:
  UnaryCall(std::shared_ptr<GatewayCore> core, const MethodDescriptor& method, Encoding encoding,
            Door::Done done)
      : core_(std::move(core)), method_(method), encoding_(encoding), done_(std::move(done)) {}

  void start(const Door::Request& request, const HttpPeer& peer) {
    if (const absl::Status status = prepare(request); !status.ok())
      return done_(error_response(status));
    const std::shared_lock making(core_->making);
    if (const absl::Status status = enter(*core_, peer, context_); !status.ok())
      return done_(error_response(status));
    core_->stub->UnaryCall(&context_, path_of(method_), {}, &request_, &response_,
                           [self = shared_from_this()](const grpc::Status& status) {
                             boost::asio::post(self->core_->pool,
                                               [self, status] { self->finish(status); });
                           });
  }

 private:
  absl::Status prepare(const Door::Request& request) {
    const auto timeout =
        timeout_of(header_of(request, "connect-timeout-ms"), core_->bounds.timeout);
    if (!timeout.ok()) return timeout.status();
    REPATH_RETURN_IF_ERROR(
        copy_headers(request, header_of(request, http::field::authorization), context_));
    REPATH_ASSIGN_OR_RETURN(request_,
                            to_grpc_bytes(*method_.input_type(), encoding_, request.body()));
    context_.set_deadline(std::chrono::system_clock::now() + *timeout);
    return absl::OkStatus();
  }

  void finish(const grpc::Status& status) {
    Door::Response response;
    if (status.ok()) {
      auto text = from_grpc_bytes(*method_.output_type(), encoding_, response_);
      response = text.ok()
                     ? make_response(200, encoding_ == Encoding::kJson ? kJsonType : kProtoType,
                                     *std::move(text))
                     : error_response(text.status());
    } else {
      response = error_response(with_cause(status, *method_.input_type(), request_));
    }
    done_(std::move(response));
    core_->calls.leave(context_);
  }

  const std::shared_ptr<GatewayCore> core_;
  const MethodDescriptor& method_;
  const Encoding encoding_;
  const Door::Done done_;
  grpc::ClientContext context_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
};

// Returns why the request is no call of a unary method; nothing if it is one.
std::optional<Door::Response> not_a_call(const Door::Request& request,
                                         const MethodDescriptor* method) {
  if (method == nullptr) {
    Door::Response response = error_response(
        make_error(absl::StatusCode::kUnimplemented, "METHOD_UNKNOWN", "",
                   "there is no method of this path; /docs of the admin port lists them"));
    response.result(http::status::not_found);
    return response;
  }
  if (request.method() != http::verb::post) {
    Door::Response response = make_response(405, "text/plain", "only POST\n");
    response.set(http::field::allow, "POST");
    return response;
  }
  if (method->client_streaming() || method->server_streaming())
    return error_response(make_error(absl::StatusCode::kUnimplemented, "METHOD_STREAMS", "",
                                     "a stream is a WebSocket at this path"));
  if (!encoding_of(header_of(request, http::field::content_type))) {
    Door::Response response = make_response(
        415, "text/plain", "the Content-Type is application/json or application/proto\n");
    response.set("Accept-Post", "application/json, application/proto");
    return response;
  }
  const std::string_view coding = header_of(request, http::field::content_encoding);
  if (!coding.empty() && coding != "identity")
    return error_response(make_error(absl::StatusCode::kUnimplemented, "HEADER_INVALID",
                                     "content-encoding", "requests are not compressed"));
  const std::string_view version = header_of(request, "connect-protocol-version");
  if (!version.empty() && version != "1")
    return error_response(
        invalid_field("HEADER_INVALID", "connect-protocol-version", "the version is 1"));
  return std::nullopt;
}

}  // namespace

void call_unary(const std::shared_ptr<GatewayCore>& core, Door::Request request,
                const HttpPeer& peer, Door::Done done) {
  const auto target = request.target();
  const std::string_view path(target.data(), target.size());
  const MethodDescriptor* method = find_api_method(path.substr(0, path.find('?')));
  if (std::optional<Door::Response> response = not_a_call(request, method))
    return done(*std::move(response));
  const Encoding encoding = *encoding_of(header_of(request, http::field::content_type));
  std::make_shared<UnaryCall>(core, *method, encoding, std::move(done))->start(request, peer);
}

}  // namespace repath
