// An HTTP port: health and metrics for operators, and a Door for everybody. The room's README has
// its pages and its limits.
//
// Thread rule: has one thread of its own; call set_ready() and the destructor from any other
// thread.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "access/access.h"
#include "admin/door.h"

namespace repath {

class AdminServer {
 public:
  struct Bounds {
    std::uint64_t connections_max = 64;  // further connections are closed at once
    std::uint64_t timeout_ms = 5000;     // to read a request, and to write its answer
  };

  // Rules for the pages that are not about health.
  struct Rules {
    std::vector<std::string> hosts;  // names allowed in the Host header, see is_allowed_host()
    // Returns why the caller may not see /metrics; null: everyone may.
    std::function<absl::Status(const Credentials&)> may_see;
  };

  // Returns the text of /metrics. It runs on the server's thread and must not wait for a world.
  using MetricsText = std::function<std::string()>;

  // Starts to serve, not ready yet. `address` is HOST:PORT. The port has no page /metrics if
  // `metrics` is null, and no other pages than its own without a door. Borrows the door, which must
  // not call back after this object is gone. Returns UNAVAILABLE if the server cannot listen there.
  static absl::StatusOr<std::unique_ptr<AdminServer>> start(const std::string& address,
                                                            const Bounds& bounds,
                                                            MetricsText metrics, Rules rules = {},
                                                            Door* door = nullptr);
  // Closes every connection.
  ~AdminServer();

  void set_ready(bool ready) { ready_.store(ready); }
  // Returns HOST:PORT, with the port that was chosen if 0 was asked for.
  std::string address() const;

 private:
  class Connection;
  AdminServer(const Bounds& bounds, MetricsText metrics, Rules rules, Door* door)
      : bounds_(bounds), metrics_(std::move(metrics)), rules_(std::move(rules)), door_(door) {}
  absl::Status listen(const std::string& address);
  void accept();

  const Bounds bounds_;
  const MetricsText metrics_;
  const Rules rules_;
  Door* const door_;
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  std::atomic<bool> ready_{false};
  std::uint64_t connections_ = 0;  // open connections; used by the server's thread only
  std::thread thread_;
};

}  // namespace repath
