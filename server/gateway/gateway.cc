#include "gateway/gateway.h"

#include <boost/asio/post.hpp>
#include <boost/beast/http/verb.hpp>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <utility>

#include "gateway/gateway_core.h"

namespace repath {

class Gateway::ApiDoor : public Door {
 public:
  explicit ApiDoor(std::shared_ptr<GatewayCore> core) : core_(std::move(core)) {}

  void serve(Request request, HttpPeer peer, Done done) override {
    const std::shared_lock lock(core_->making);
    if (!core_->is_open) return done(error_response(not_serving()));
    boost::asio::post(core_->pool, [core = core_, request = std::move(request),
                                    peer = std::move(peer), done = std::move(done)]() mutable {
      call_unary(core, std::move(request), peer, std::move(done));
    });
  }
  void upgrade(Stream stream, HttpPeer peer, Request request) override {
    call_by_socket(core_, std::move(stream), std::move(peer), std::move(request));
  }

 private:
  const std::shared_ptr<GatewayCore> core_;
};

class Gateway::ConsoleDoor final : public ApiDoor {
 public:
  ConsoleDoor(std::shared_ptr<GatewayCore> core, Pages pages)
      : ApiDoor(std::move(core)), pages_(std::move(pages)) {}

  void serve(Request request, HttpPeer peer, Done done) override {
    using boost::beast::http::verb;
    const bool is_read = request.method() == verb::get || request.method() == verb::head;
    if (!is_read) return ApiDoor::serve(std::move(request), std::move(peer), std::move(done));
    done(pages_.answer(request));
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
  core_->is_open = true;
}

void Gateway::stop_calls() {
  const std::unique_lock lock(core_->making);
  core_->is_open = false;
}

void Gateway::close() {
  stop_calls();
  core_->calls.close();
  core_->pool.join();
}

}  // namespace repath
