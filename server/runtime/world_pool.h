// The threads of the worlds' strands.
//
// A piece of work that keeps its thread for long (a large batch, a large world's first view) gets a
// stand-in: a further thread that serves other worlds until the piece is over. So one world's work
// does not stall the others, even if the pool has one thread.
//
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ids.h"

namespace repath {

class WorldPool {
  // The piece of work of one thread of the pool. Each slot has a cache line of its own, because
  // each thread writes to its slot.
  struct alignas(64) Slot {
    WorldPool* pool = nullptr;
    std::atomic<Micros> since{0};  // when the piece began; 0: none
    Micros counted = 0;            // `since` of the last piece that was counted; the watch's
  };

 public:
  static constexpr Micros kLongUs = 10'000;  // from then on a piece is long
  static constexpr std::size_t kStandIns = 4;

  // Marks a piece of work of this thread while it exists. Does nothing inside another piece, and on
  // threads of no pool.
  class Piece {
   public:
    Piece();
    ~Piece();
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    Slot* slot_;  // null: nothing to do
  };

  // Throws std::system_error if the machine has no more threads. It makes kStandIns and one more
  // than asked for.
  explicit WorldPool(std::size_t threads);
  // REQUIRES: stop() and join() were called.
  ~WorldPool();
  // Drops the work that waits.
  void stop();
  // Waits for the work under way. REQUIRES: stop() was called.
  void join();

  boost::asio::io_context& context() { return context_; }
  // Number of pieces so far that kept their thread for longer than kLongUs, as seen every kLongUs.
  std::uint64_t long_pieces() const { return long_pieces_.load(std::memory_order_relaxed); }

 private:
  void work(Slot& slot);
  void stand_in(Slot& slot, std::size_t number);
  void watch();
  // Returns the number of long pieces, and whether there is any piece at all.
  std::size_t look(Micros now, bool* is_busy);
  void wake_watch();

  static thread_local Slot* mine_;

  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keeps_open_;
  std::deque<Slot> slots_;  // never moved
  std::atomic<bool> is_watch_asleep_{false};
  std::atomic<std::uint64_t> long_pieces_{0};
  std::mutex mutex_;  // guards the next two
  bool is_stopping_ = false;
  std::size_t wanted_ = 0;  // stand-ins that serve
  std::condition_variable wake_watch_;
  std::condition_variable wake_stand_ins_;
  std::vector<std::thread> threads_;
};

}  // namespace repath
