// The server's threads: for the worlds' strands, for queries, for making worlds, for building and
// writing messages, and for searches that a world's step runs in parallel. Made once; the
// destructor joins them.
//
// Thread rule: every member may be used from any thread.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "base/ids.h"
#include "limits/pressure.h"
#include "runtime/config.h"
#include "runtime/query_pool.h"
#include "runtime/worker_pool.h"
#include "runtime/world_pool.h"

namespace repath {

// Returns the microseconds since the first call; does not go back.
Micros now_us();
// Returns the microseconds since 1970, for time limits that go on over a restart.
std::uint64_t wall_now_us();
// Returns a span of time as the standard library has it.
inline std::chrono::microseconds microseconds(Micros us) {
  return std::chrono::microseconds(static_cast<std::chrono::microseconds::rep>(us));
}

// Limits how many queries may wait or run. A query holds a slot; dropping the slot frees it.
class QueryGate {
 public:
  using Slot = std::shared_ptr<void>;

  explicit QueryGate(std::uint64_t most) : most_(most) {}
  // Returns a slot; null if all are taken.
  Slot enter();
  std::uint64_t most() const { return most_; }
  // RESOURCE_EXHAUSTED, QUERY_QUEUE_FULL.
  absl::Status full() const;

 private:
  const std::uint64_t most_;
  std::atomic<std::uint64_t> taken_{0};
};

// Checks that the machine can give a server with these limits its threads, including those of gRPC,
// by making them and letting them end. Returns RESOURCE_EXHAUSTED with reason THREADS, naming the
// number. A pool that gets only some of its threads cannot be given up cleanly, and gRPC aborts.
absl::Status check_threads(const Limits& limits);

class Threads {
 public:
  // Throws std::system_error if the machine has no more threads; call check_threads() first.
  explicit Threads(const Limits& limits);
  // Waits for running jobs, and drops jobs that still wait. Jobs of the writers are not dropped,
  // because a stream that has ended lets go of itself there.
  ~Threads();
  void stop_and_join();

  boost::asio::io_context& worlds() { return worlds_.context(); }
  // Number of pieces of worlds' work so far that got a stand-in, or would have.
  std::uint64_t long_pieces() const { return worlds_.long_pieces(); }
  QueryPool& queries() { return queries_; }
  // For making and loading worlds, and for freeing them; apart for files above kLargeFileBytes,
  // which may take minutes.
  boost::asio::thread_pool& makers(std::uint64_t file_bytes = 0) {
    return file_bytes > kLargeFileBytes ? large_makers_ : makers_;
  }
  boost::asio::thread_pool& writers() { return writers_; }
  // For work that waits for the disk.
  boost::asio::thread_pool& disk() { return disk_; }
  Executor& planners() { return planners_; }
  QueryGate& query_gate() { return query_gate_; }
  // Tells how short memory is; main's watch sets it.
  Pressure& pressure() { return pressure_; }

 private:
  static constexpr std::uint64_t kLargeFileBytes = 1u << 20;

  Pressure pressure_;
  WorkerPool planners_;
  QueryGate query_gate_;
  WorldPool worlds_;
  QueryPool queries_;
  boost::asio::thread_pool makers_;
  boost::asio::thread_pool large_makers_;
  boost::asio::thread_pool writers_;
  boost::asio::thread_pool disk_;
};

}  // namespace repath
