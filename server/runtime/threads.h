// The server's threads: for the worlds' strands, for queries, for building and writing messages,
// and for searches that a world's step runs in parallel. Made once; joined by the destructor.
//
// Thread rule: every member may be used from any thread.
#pragma once

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "base/ids.h"
#include "runtime/config.h"
#include "runtime/worker_pool.h"

namespace repath {

// Microseconds since the process began to ask; never goes back.
Micros now_us();

// How many queries may wait or run. A slot is held by whoever runs the query and given back when it
// is dropped.
class QueryGate {
 public:
  using Slot = std::shared_ptr<void>;

  explicit QueryGate(std::uint64_t most) : most_(most) {}
  // Null when all are taken.
  Slot enter();
  std::uint64_t most() const { return most_; }

 private:
  const std::uint64_t most_;
  std::atomic<std::uint64_t> taken_{0};
};

// Whether the machine gives a server with these limits its threads, those of gRPC included: makes
// them and lets them end. RESOURCE_EXHAUSTED, reason THREADS, naming the number. A pool that gets
// only some of its threads cannot be given up cleanly, and gRPC aborts.
absl::Status check_threads(const Limits& limits);

class Threads {
 public:
  // Throws std::system_error if the machine has no more threads; ask check_threads() first.
  explicit Threads(const Limits& limits);
  // Jobs that are running end; those that wait are dropped.
  ~Threads();
  void stop_and_join();

  boost::asio::thread_pool& worlds() { return worlds_; }
  boost::asio::thread_pool& queries() { return queries_; }
  boost::asio::thread_pool& writers() { return writers_; }
  Executor& planners() { return planners_; }
  QueryGate& query_gate() { return query_gate_; }

 private:
  WorkerPool planners_;
  QueryGate query_gate_;
  boost::asio::thread_pool worlds_;
  boost::asio::thread_pool queries_;
  boost::asio::thread_pool writers_;
};

}  // namespace repath
