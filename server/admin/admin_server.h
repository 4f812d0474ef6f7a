// The HTTP side door for whoever runs the server: /livez answers 200 while the process runs,
// /readyz 200 while it serves and 503 while it drains, /metrics what Prometheus reads. GET and HEAD
// only; every connection has a deadline and a bounded request.
//
// Thread rule: has one thread of its own; set_ready() and the destructor from any other.
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

#include "absl/status/statusor.h"

namespace repath {

class AdminServer {
 public:
  struct Bounds {
    std::uint64_t connections_max = 64;  // more are closed as they come
    std::uint64_t timeout_ms = 5000;     // for a request and its answer
  };

  // Gives the text of /metrics, on the server's thread; it must not wait for a world.
  using MetricsText = std::function<std::string()>;

  // Serves at once, not ready. `address` is HOST:PORT. UNAVAILABLE if it cannot be listened on.
  static absl::StatusOr<std::unique_ptr<AdminServer>> start(const std::string& address,
                                                            const Bounds& bounds,
                                                            MetricsText metrics);
  // Closes every connection.
  ~AdminServer();

  void set_ready(bool ready) { ready_.store(ready); }
  // HOST:PORT with the port chosen where 0 was asked for.
  std::string address() const;

 private:
  class Connection;
  AdminServer(const Bounds& bounds, MetricsText metrics)
      : bounds_(bounds), metrics_(std::move(metrics)) {}
  absl::Status listen(const std::string& address);
  void accept();

  const Bounds bounds_;
  const MetricsText metrics_;
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  std::atomic<bool> ready_{false};
  std::uint64_t connections_ = 0;  // open now; of the thread
  std::thread thread_;
};

}  // namespace repath
