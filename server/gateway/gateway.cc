#include "gateway/gateway.h"

#include <boost/beast/http/verb.hpp>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <utility>

#include "gateway/api_methods.h"
#include "gateway/gateway_core.h"

namespace repath {

class Gateway::ApiDoor : public Door {
 public:
  explicit ApiDoor(std::shared_ptr<GatewayCore> core) : core_(std::move(core)) {}

  Cancel serve(Request request, HttpPeer peer, Done done) override {
    const std::shared_lock lock(core_->making);
    if (core_->phase == GatewayCore::Phase::kOpen)
      return call_unary(core_, std::move(request), std::move(peer), std::move(done));
    done(error_response(not_serving(*core_)));
    return nullptr;
  }
  void upgrade(Stream stream, HttpPeer peer, Request request, RequestBytes held) override {
    call_by_socket(core_, std::move(stream), std::move(peer), std::move(request), std::move(held));
  }
  Response refusal(const absl::Status& why) const override { return error_response(why); }

 private:
  const std::shared_ptr<GatewayCore> core_;
};

class Gateway::ConsoleDoor final : public ApiDoor {
 public:
  ConsoleDoor(std::shared_ptr<GatewayCore> core, Pages pages)
      : ApiDoor(std::move(core)), pages_(std::move(pages)) {}

  Cancel serve(Request request, HttpPeer peer, Done done) override {
    using boost::beast::http::verb;
    const auto target = request.target();
    const std::string_view path(target.data(), target.size());
    const bool is_read = request.method() == verb::get || request.method() == verb::head;
    const bool is_api = find_api_method(path.substr(0, path.find('?'))) != nullptr;
    if (!is_read || is_api)
      return ApiDoor::serve(std::move(request), std::move(peer), std::move(done));
    done(pages_.answer(request));
    return nullptr;
  }

 private:
  const Pages pages_;
};

Gateway::Gateway(const Bounds& bounds, Pages pages)
    : core_(std::make_shared<GatewayCore>(bounds)),
      api_(std::make_unique<ApiDoor>(core_)),
      console_(std::make_unique<ConsoleDoor>(core_, std::move(pages))) {}

Gateway::~Gateway() = default;

Door& Gateway::api() { return *api_; }
Door& Gateway::console() { return *console_; }

void Gateway::open(const RpcServer& server) {
  core_->server = &server;
  core_->stub = std::make_unique<grpc::GenericStub>(server.channel());
  core_->phase = GatewayCore::Phase::kOpen;
}

void Gateway::stop_calls() {
  const std::unique_lock lock(core_->making);
  if (core_->phase != GatewayCore::Phase::kEnding) core_->phase = GatewayCore::Phase::kDraining;
}

void Gateway::close(std::chrono::steady_clock::time_point time) {
  stop_calls();
  core_->calls.wait_until(time);
  core_->phase = GatewayCore::Phase::kEnding;
  core_->calls.close();
  core_->threads.join();
}

}  // namespace repath
