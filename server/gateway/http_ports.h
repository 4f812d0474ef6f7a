// The HTTP ports of a server: --admin, with health, metrics, pages and the API; and --http, if it
// is asked for, with the API alone.
//
// Thread rule: owned by the main thread.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "admin/admin_server.h"
#include "gateway/gateway.h"
#include "rpc/protection.h"
#include "runtime/config.h"

namespace repath {

class HttpPorts {
 public:
  // Starts to serve, not ready yet. Borrows what `protection` borrows; its access must be given.
  // Errors: NOT_FOUND for a console folder that is not there; those of AdminServer::start().
  static absl::StatusOr<std::unique_ptr<HttpPorts>> start(const Config& config,
                                                          const Protection& protection,
                                                          AdminServer::MetricsText metrics);

  void set_ready(bool ready);
  std::string admin_address() const { return admin_->address(); }
  std::string http_address() const { return http_ == nullptr ? "none" : http_->address(); }
  // Calls of the API can be made between open() and close(), see Gateway.
  void open(const RpcServer& server) { gateway_.open(server); }
  void stop_calls() { gateway_.stop_calls(); }
  // Ends the calls as Gateway::close() does, and lets their answers go out.
  void close(std::chrono::steady_clock::time_point time);

 private:
  HttpPorts(const Gateway::Bounds& bounds, Pages pages);

  Gateway gateway_;  // before the ports, which borrow it
  std::unique_ptr<AdminServer> admin_;
  std::unique_ptr<AdminServer> http_;  // null: none
};

}  // namespace repath
