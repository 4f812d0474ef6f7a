#include <algorithm>
#include <atomic>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <charconv>
#include <chrono>
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
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  if (is_same_name(type, kJsonType)) return Encoding::kJson;
  if (is_same_name(type, kProtoType)) return Encoding::kProto;
  return std::nullopt;
}

// Reads Connect-Timeout-Ms.
absl::StatusOr<std::chrono::milliseconds> timeout_of(std::string_view text,
                                                     std::chrono::milliseconds most) {
  if (text.empty()) return most;
  std::int64_t ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (error != std::errc() || end != text.data() + text.size() || ms < 1 || text.size() > 10)
    return invalid_field("HEADER_INVALID", "connect-timeout-ms",
                         "a timeout is a number from 1 to 9999999999, in milliseconds");
  return std::min(most, std::chrono::milliseconds(ms));
}

// Returns why the request is no call of a unary method; nothing if it is one.
std::optional<Door::Response> not_a_call(const Door::Request& request,
                                         const MethodDescriptor* method) {
  if (method == nullptr)
    return error_response(
        http::status::not_found,
        make_error(absl::StatusCode::kUnimplemented, "METHOD_UNKNOWN", "",
                   "there is no method of this path; /docs of the admin port lists them"));
  if (request.method() != http::verb::post) {
    Door::Response response = error_response(
        http::status::method_not_allowed,
        make_error(absl::StatusCode::kUnimplemented, "POST_ONLY", "", "a call is a POST"));
    response.set(http::field::allow, "POST");
    return response;
  }
  if (method->client_streaming() || method->server_streaming())
    return error_response(make_error(absl::StatusCode::kUnimplemented, "METHOD_STREAMS", "",
                                     "a stream is a WebSocket at this path"));
  if (!encoding_of(header_of(request, http::field::content_type))) {
    Door::Response response =
        error_response(http::status::unsupported_media_type,
                       invalid_field("HEADER_INVALID", "content-type",
                                     "the media type is application/json or application/proto"));
    response.set("Accept-Post", "application/json, application/proto");
    return response;
  }
  const std::string_view coding = header_of(request, http::field::content_encoding);
  if (!coding.empty() && !is_same_name(coding, "identity"))
    return error_response(make_error(absl::StatusCode::kUnimplemented, "HEADER_INVALID",
                                     "content-encoding", "requests are not compressed"));
  const std::string_view version = header_of(request, "connect-protocol-version");
  if (!version.empty() && version != "1")
    return error_response(
        invalid_field("HEADER_INVALID", "connect-protocol-version", "the version is 1"));
  return std::nullopt;
}

// A unary call under way. Keeps itself alive until it is answered.
class UnaryCall : public std::enable_shared_from_this<UnaryCall> {
 public:
  UnaryCall(std::shared_ptr<GatewayCore> core, Door::Request request, HttpPeer peer,
            Door::Done done)
      : core_(std::move(core)),
        http_(std::move(request)),
        peer_(std::move(peer)),
        done_(std::move(done)) {}

  // Decides about the call on the port's thread, and leaves its request to the threads for JSON.
  void begin() {
    const auto target = http_.target();
    const std::string_view path(target.data(), target.size());
    method_ = find_api_method(path.substr(0, path.find('?')));
    if (std::optional<Door::Response> response = not_a_call(http_, method_))
      return done_(*std::move(response));
    if (const absl::Status status = prepare(); !status.ok()) return done_(error_response(status));
    core_->threads.post(client_, text_bytes(encoding_, http_.body().size()),
                        [self = shared_from_this()] { self->start(); });
  }
  // The client has gone. Any thread.
  void cancel() {
    is_client_gone_ = true;
    context_.TryCancel();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void start() {
    if (const absl::Status status = read_request(); !status.ok())
      return done_(error_response(status));
    const std::shared_lock making(core_->making);
    if (const absl::Status status = enter(*core_, peer_, context_); !status.ok())
      return done_(error_response(status));
    core_->stub->UnaryCall(&context_, path_of(*method_), {}, &request_, &response_,
                           [self = shared_from_this()](const grpc::Status& status) {
                             self->core_->threads.post(
                                 self->client_,
                                 text_bytes(self->encoding_, self->response_.Length()),
                                 [self, status] { self->finish(status); });
                           });
  }

  absl::Status prepare() {
    const auto timeout = timeout_of(header_of(http_, "connect-timeout-ms"), core_->bounds.timeout);
    if (!timeout.ok()) return timeout.status();
    deadline_ = came_ + *timeout;
    const auto authorization = authorization_of(http_);
    REPATH_RETURN_IF_ERROR(copy_headers(http_, authorization, context_));
    REPATH_ASSIGN_OR_RETURN(client_, admit(*core_, *method_, authorization, peer_));
    encoding_ = *encoding_of(header_of(http_, http::field::content_type));
    return absl::OkStatus();
  }

  absl::Status read_request() {
    if (core_->phase != GatewayCore::Phase::kOpen) return not_serving(*core_);
    REPATH_RETURN_IF_ERROR(check_due());
    REPATH_ASSIGN_OR_RETURN(request_,
                            to_grpc_bytes(*method_->input_type(), encoding_, http_.body()));
    http_ = {};
    context_.set_deadline(std::chrono::system_clock::now() + (deadline_ - Clock::now()));
    return absl::OkStatus();
  }

  // Returns why the call need not go on; OK if it shall.
  absl::Status check_due() const {
    REPATH_RETURN_IF_ERROR(check_wanted(*core_, is_client_gone_));
    if (Clock::now() < deadline_) return absl::OkStatus();
    return deadline_passed();
  }

  void finish(const grpc::Status& status) {
    done_(status.ok() ? answer()
                      : error_response(for_client(
                            *core_, with_cause(status, *method_->input_type(), request_))));
    core_->calls.leave(context_);
  }

  Door::Response answer() {
    if (const absl::Status status = check_due(); !status.ok()) return error_response(status);
    auto text = from_grpc_bytes(*method_->output_type(), encoding_, response_);
    if (!text.ok()) return error_response(text.status());
    return make_response(200, encoding_ == Encoding::kJson ? kJsonType : kProtoType,
                         *std::move(text));
  }

  const std::shared_ptr<GatewayCore> core_;
  Door::Request http_;  // empty once the call is made
  const HttpPeer peer_;
  const Door::Done done_;
  const Clock::time_point came_ = Clock::now();  // when the whole request was there
  Clock::time_point deadline_;
  std::atomic<bool> is_client_gone_{false};
  const MethodDescriptor* method_ = nullptr;
  std::string client_;  // as admit() names it
  Encoding encoding_ = Encoding::kJson;
  grpc::ClientContext context_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
};

}  // namespace

Door::Cancel call_unary(const std::shared_ptr<GatewayCore>& core, Door::Request request,
                        HttpPeer peer, Door::Done done) {
  const auto call =
      std::make_shared<UnaryCall>(core, std::move(request), std::move(peer), std::move(done));
  call->begin();
  return [weak = std::weak_ptr<UnaryCall>(call)] {
    if (const auto under_way = weak.lock()) under_way->cancel();
  };
}

}  // namespace repath
