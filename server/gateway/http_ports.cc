#include "gateway/http_ports.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

// Clients have so much longer to take the answers of calls that were ended.
constexpr std::chrono::milliseconds kLastAnswers(250);

}  // namespace

HttpPorts::HttpPorts(const Gateway::Bounds& bounds, Pages pages)
    : gateway_(bounds, std::move(pages)) {}

absl::StatusOr<std::unique_ptr<HttpPorts>> HttpPorts::start(const Config& config,
                                                            const Protection& protection,
                                                            AdminServer::MetricsText metrics) {
  const Limits& limits = config.limits;
  auto pages = config.console_dir.empty() ? absl::StatusOr<Pages>(Pages::built_in())
                                          : Pages::with_console_of(config.console_dir);
  if (!pages.ok()) return pages.status();
  std::unique_ptr<HttpPorts> ports(
      new HttpPorts({std::chrono::milliseconds(limits.http_call_ms), limits.http_sockets_max},
                    *std::move(pages)));
  AdminServer::Rules rules{config.admin_hosts,
                           [access = protection.access](const Credentials& caller) {
                             return access->may_see_all(caller);
                           }};
  const auto tls_of = [&](const std::string& address) {
    return has_http_tls(config, address) ? protection.tls : nullptr;
  };
  REPATH_ASSIGN_OR_RETURN(
      ports->admin_,
      AdminServer::start(config.admin, {limits.admin_connections_max, limits.admin_timeout_ms},
                         std::move(metrics), std::move(rules), &ports->gateway_.console(),
                         tls_of(config.admin)));
  if (config.http == "none") return ports;
  REPATH_ASSIGN_OR_RETURN(
      ports->http_,
      AdminServer::start(config.http,
                         {limits.http_connections_max, limits.admin_timeout_ms,
                          std::max<std::uint64_t>(limits.http_connections_max / 2, 1)},
                         nullptr, {config.admin_hosts, nullptr}, &ports->gateway_.api(),
                         tls_of(config.http)));
  return ports;
}

void HttpPorts::close(std::chrono::steady_clock::time_point time) {
  gateway_.close(time);
  const auto last_moment = std::max(time, std::chrono::steady_clock::now()) + kLastAnswers;
  admin_->finish(last_moment);
  if (http_ != nullptr) http_->finish(last_moment);
}

void HttpPorts::set_ready(bool ready) {
  admin_->set_ready(ready);
  if (http_ != nullptr) http_->set_ready(ready);
}

}  // namespace repath
