// The connections to the server's addresses, as gRPC names their peers.
//
// gRPC owns the sockets and does not say when it closes one. A connection counts until its
// descriptor is closed or belongs to another socket, which sweep() finds by the socket's inode.
//
// Thread rule: note_*() of a Connection and find() from any thread, the rest on the acceptor's
// thread. It is the only one that opens sockets for the table, so a descriptor whose inode it has
// just seen is still that socket.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "base/ids.h"
#include "limits/pressure.h"

namespace repath {

// One connection. All connections of the unix sockets share one, because their peers have no names.
class Connection {
 public:
  // Takes note that a request, or a message of a stream, has arrived whole, with so many bytes of
  // its own and of its metadata.
  void note_message(std::uint64_t bytes) {
    messages_.fetch_add(1, std::memory_order_relaxed);
    whole_bytes_.fetch_add(bytes + kFrameBytes, std::memory_order_relaxed);
  }
  // Returns the address of its peer, as address_of_peer().
  const std::string& address() const { return address_; }
  // Returns whether its peer has a name of its own.
  bool is_named() const { return socket_ >= 0; }
  // Take note that a call has come whole, or its first part if it streams, and that it is over.
  void begin_call() { calls_.fetch_add(1, std::memory_order_relaxed); }
  void end_call() { calls_.fetch_sub(1, std::memory_order_relaxed); }
  // Takes note that the client has cancelled a call.
  void note_reset() { resets_.fetch_add(1, std::memory_order_relaxed); }

 private:
  friend class ConnectionTable;
  static constexpr std::uint64_t kFrameBytes = 1024;  // that HTTP/2 and TLS may add to a message
  std::string address_ = "unix:";                     // constant once the connection can be found
  std::atomic<std::uint64_t> messages_{0};
  std::atomic<std::uint64_t> whole_bytes_{0};
  std::atomic<std::uint64_t> calls_{0};  // under way
  std::atomic<std::uint64_t> resets_{0};
  // The rest belongs to the acceptor's thread.
  int socket_ = -1;  // -1: not a TCP socket
  ino_t inode_ = 0;
  std::uint64_t whole_bytes_seen_ = 0;
  std::uint64_t bytes_seen_ = 0;  // that had arrived in all
  std::uint64_t unfinished_ = 0;
  std::uint64_t waiting_ = 0;  // calls that have not come whole
  std::uint64_t resets_seen_ = 0;
  Micros resets_since_ = 0;
  bool is_shut_ = false;  // gRPC has yet to close it
};

class ConnectionTable {
 public:
  struct Bounds {
    std::uint64_t connections_max = 10'000;
    std::uint64_t per_address_max = 5'000;
    std::uint64_t resets_max = 2000;  // within a second
    std::uint64_t unfinished_max = 256u << 20;
  };
  // Limit of the bytes of one connection's messages that are not whole yet; they may arrive side by
  // side. For all connections together there is Bounds::unfinished_max.
  static constexpr std::uint64_t kUnfinishedBytesMax = 64u << 20;
  // The memory that a call takes in gRPC while only its metadata have come, which may be 8 KiB.
  static constexpr std::uint64_t kWaitingCallBytes = 16u << 10;
  // Time for which an address gets no new connections after one of its was shut down for what it
  // holds. gRPC needs some time to free that.
  static constexpr Micros kHoldOffUs = 1'000'000;

  explicit ConnectionTable(const Bounds& bounds) : bounds_(bounds) {}

  // Returns RESOURCE_EXHAUSTED with reason CONNECTIONS_MAX if there are too many connections, in
  // all or from this address, or if the address is held off. `socket` is connected.
  absl::Status add(int socket);
  // Returns the connection of a peer as gRPC names it, "ipv4:10.0.0.1:4711".
  std::shared_ptr<Connection> find(const std::string& peer) const;

  // Forgets the connections that are closed. Shuts those down that cancel too many calls, or whose
  // messages do not come whole; returns why, for the log. When memory is short, fewer
  // calls are too many: gRPC works off cancelled calls more slowly than a client makes them.
  std::vector<std::string> sweep(Micros now, MemoryStage stage);
  // Shuts the TCP connections down on which no call has come yet, so that they do not hold up the
  // end of the server.
  void close_silent();
  std::uint64_t size() const { return count_.load(std::memory_order_relaxed); }

 private:
  // Counts a connection out.
  void forget(const Connection& connection);
  // Counts the closed connections of unix sockets out.
  void forget_local();
  // Returns why the connection must go; empty if it may stay.
  static std::string fault_of(Connection& connection, std::uint64_t resets_max, Micros now);
  // Brings Connection::unfinished_ up to date, `us` after the last time. Returns the number of
  // bytes that have come since.
  static std::uint64_t count_unfinished(Connection& connection, Micros us);
  // Returns whether waiting calls must be counted now.
  bool must_count_streams(Micros now, MemoryStage stage) const;
  // Brings Connection::waiting_ up to date for all connections.
  void count_waiting(Micros now);
  // Forgets the connections that are closed, and brings the bytes of the others up to date.
  void update(Micros now);

  const Bounds bounds_;
  Micros swept_at_ = 0;
  std::uint64_t bytes_since_count_ = 0;  // received since open streams were counted
  bool has_waiting_ = false;             // at that count
  Micros count_after_ = 0;
  std::atomic<std::uint64_t> count_{0};
  const std::shared_ptr<Connection> local_ = std::make_shared<Connection>();
  struct Local {
    int socket;
    ino_t inode;
  };
  std::vector<Local> local_sockets_;             // of unix sockets
  std::map<std::string, std::uint64_t> counts_;  // by address
  std::map<std::string, Micros> held_off_;       // addresses, and until when
  mutable std::mutex mutex_;                     // guards the member below
  absl::flat_hash_map<std::string, std::shared_ptr<Connection>> by_peer_;
};

// Returns the address that an equal share of calls and connections belongs to: the peer without its
// port.
std::string address_of_peer(const std::string& peer);

}  // namespace repath
