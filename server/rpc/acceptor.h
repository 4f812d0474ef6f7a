// Accepts connections and hands them to gRPC.
//
// gRPC 1.51 has no limit of connections. Once the process has run out of descriptors, it stops
// accepting for good. So this acceptor owns the listening sockets. It closes connections beyond its
// limits, waits when descriptors are short, and shuts down connections that ConnectionTable finds
// at fault. It also connects to the server now and then to see whether it answers.
//
// Thread rule: owned by main's thread; has a thread of its own.
#pragma once

#include <atomic>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "limits/pressure.h"
#include "rpc/connection_table.h"

namespace repath {

class Acceptor {
 public:
  // Takes an accepted socket, which it must close in the end.
  class Receiver {
   public:
    virtual ~Receiver() = default;
    virtual void take(int socket) = 0;
  };

  // `on_sweep` is called ten times a second. Borrows `pressure`.
  Acceptor(const ConnectionTable::Bounds& bounds, const Pressure& pressure,
           std::function<void()> on_sweep);
  ~Acceptor();

  // Listens on HOST:PORT, on all addresses of the host. Returns the address with the port that was
  // chosen if 0 was asked for. UNAVAILABLE, reason ADDRESS_IN_USE, if it cannot. `answers`: gRPC
  // without TLS serves there, so the server's own check may wait for an answer.
  absl::StatusOr<std::string> listen_tcp(const std::string& address, bool answers,
                                         std::unique_ptr<Receiver> to);
  absl::Status listen_unix(const std::string& path, std::unique_ptr<Receiver> to);

  // Begins to accept. Call it once, after all addresses.
  void start();
  // Ends listening, the checks and connections without a call; all else goes on.
  void stop_listening();
  // Ends all that this does.
  void stop();

  ConnectionTable& table() { return table_; }
  // Returns whether the server answered one of the last checks of its own addresses.
  bool answers() const { return failed_checks_.load() < kFailedChecksMax; }
  std::string metrics_text() const;

 private:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using Endpoint = boost::asio::generic::stream_protocol::endpoint;
  struct Door;
  class Check;
  static constexpr int kFailedChecksMax = 3;

  boost::system::error_code open(const Endpoint& at, bool answers, Receiver* to);
  void wait(Door& door);
  void accept(Door& door);
  void take(Door& door, int socket);
  bool is_own(int socket) const;
  void sweep();
  void check();
  void log_refused(const absl::Status& why);

  boost::asio::io_context context_{1};
  boost::asio::steady_timer sweep_timer_{context_};
  boost::asio::steady_timer check_timer_{context_};
  boost::asio::steady_timer pause_timer_{context_};
  ConnectionTable table_;
  const Pressure& pressure_;
  const std::function<void()> on_sweep_;
  std::vector<std::unique_ptr<Receiver>> receivers_;
  std::vector<std::unique_ptr<Door>> doors_;
  std::vector<Door*> paused_;  // doors that wait for descriptors
  std::shared_ptr<Check> check_;
  std::atomic<int> failed_checks_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::atomic<std::uint64_t> ended_{0};
  std::uint64_t refused_before_log_ = 0;
  Micros log_after_ = 0;
  std::thread thread_;
};

}  // namespace repath
