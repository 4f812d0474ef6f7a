// An HTTP port. It has pages of its own, health and metrics, and gives all other requests to a
// door. The room's README has its pages and its limits.
//
// Thread rule: has one thread of its own, and one for the figures; call set_ready() and the
// destructor from any other thread.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "access/access.h"
#include "admin/door.h"
#include "admin/shares.h"
#include "admin/tls_contexts.h"

namespace repath {

// See AdminServer::Bounds::held_bytes_max.
constexpr std::uint64_t kHttpHeldBytesMax = 64 << 20;

class AdminServer {
 public:
  struct Bounds {
    // For a further connection, the one is closed that has waited longest for a request. Requests
    // for the door may take half of the connections, and half of those of one address.
    std::uint64_t connections_max = 64;
    std::uint64_t timeout_ms = 5000;  // to read a request, and to write its answer
    // The same from one address; 0: any number of them.
    std::uint64_t per_address_max = 0;
    // Unfinished requests and frames may hold so many bytes, those of one address half as many. A
    // request or frame that would hold more is refused.
    std::uint64_t held_bytes_max = kHttpHeldBytesMax;
    std::uint64_t idle_ms = 120'000;  // for a connection to begin another request
  };

  // Rules for the pages that are not about health.
  struct Rules {
    std::vector<std::string> hosts;  // names allowed in the Host header, see is_allowed_host()
    // Returns why the caller may not see /metrics; null: everyone may.
    std::function<absl::Status(const Credentials&)> may_see;
  };

  // Returns the text of /metrics. It runs on a thread of its own, once at a time.
  using MetricsText = std::function<std::string()>;

  // Starts to serve, not ready yet. `address` is HOST:PORT. The port has a page /metrics
  // unless `metrics` is null. Without a door it has only its own pages. With `tls` every connection
  // has TLS. Borrows `tls` and the door, which must not call back after this object is gone.
  // Returns UNAVAILABLE if the server cannot listen there.
  static absl::StatusOr<std::unique_ptr<AdminServer>> start(const std::string& address,
                                                            const Bounds& bounds,
                                                            MetricsText metrics, Rules rules = {},
                                                            Door* door = nullptr,
                                                            const CertificateKeeper* tls = nullptr);
  // Closes every connection.
  ~AdminServer();

  void set_ready(bool ready) { ready_.store(ready); }
  // Takes no new connections, and closes each after its next answer. Returns when no answer is
  // being made or written, or at that time. To be called once, before the end.
  void finish(std::chrono::steady_clock::time_point time);
  // Returns HOST:PORT, with the port that was chosen if 0 was asked for.
  std::string address() const;

 private:
  class Connection;
  AdminServer(const Bounds& bounds, MetricsText metrics, Rules rules, Door* door,
              const CertificateKeeper* tls);
  absl::Status listen(const std::string& address);
  void accept();
  void take(boost::asio::ip::tcp::socket socket);

  const Bounds bounds_;
  const MetricsText metrics_;
  const Rules rules_;
  Door* const door_;
  // The next seven are used by the server's thread only. They stand before the context, which ends
  // the connections that are left when it goes: each takes itself out of the list.
  bool is_finishing_ = false;
  TlsContexts tls_;
  std::list<Connection*> waiting_;  // connections without a request, the longest first
  Shares door_calls_;               // requests that the door answers now
  std::uint64_t connections_ = 0;   // open connections
  std::map<std::string, std::uint64_t> of_address_;  // open connections of each address
  const std::shared_ptr<Shares> held_;
  std::atomic<std::uint64_t> answers_{0};  // being made or written; counted by the port's thread
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  std::atomic<bool> ready_{false};
  boost::asio::steady_timer pause_{context_};  // used by the server's thread only
  boost::asio::thread_pool figures_{1};        // makes the text of /metrics
  std::thread thread_;
};

}  // namespace repath
