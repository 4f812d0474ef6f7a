// Worlds as they were at earlier revisions, which queries and pages of the past read. The few used
// last are kept.
//
// Thread rule: any thread. Invariants:
// 1. One past world is made once at a time, however many ask for it.
// 2. A past world has no agents and never changes.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <compare>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/ids.h"
#include "base/stop_token.h"
#include "engine/engine.h"
#include "runtime/imports.h"
#include "runtime/world_commands.h"

namespace repath {

// An engine that several threads use, one after the other.
class PastWorld {
 public:
  // Its memory counts in `total`, which must outlive it.
  PastWorld(std::unique_ptr<Engine> engine, MemoryTotal& total);
  ~PastWorld();
  PastWorld(const PastWorld&) = delete;
  PastWorld& operator=(const PastWorld&) = delete;

  // Returns what `work(Engine&)` returns. Work waits for the work of other threads.
  template <class Work>
  auto use(Work work) {
    const std::lock_guard lock(mutex_);
    auto result = work(*engine_);
    count_memory();
    return result;
  }

 private:
  void count_memory();

  std::mutex mutex_;
  const std::unique_ptr<Engine> engine_;
  MemoryTotal& total_;
  std::uint64_t counted_ = 0;  // memory that total_ has of it
};

class PastWorlds {
 public:
  static constexpr std::size_t kKeptMax = 4;
  static constexpr std::chrono::seconds kIdle{60};  // since its last use a world is kept so long

  struct Key {
    std::string epoch;  // of the world; no two worlds have the same
    Revision revision{};
    auto operator<=>(const Key&) const = default;
  };
  using Made = absl::StatusOr<std::shared_ptr<PastWorld>>;
  using Take = std::function<void(const Made&)>;

  // Borrows the pool and the flag, which must outlive it.
  PastWorlds(boost::asio::io_context& pool, const std::atomic<bool>& draining)
      : draining_(draining), timer_(pool) {}

  // Hands the past world to `take`, at once if it is kept, else when it is made, on the thread that
  // makes it. If it is not being made yet, returns the object that can stop the making: the caller
  // must make it and call settle(). `caller` tells whether the caller has gone; it is asked until
  // `take` is called. Null: the caller stays.
  std::shared_ptr<const MakingStop> want(const Key& key, std::shared_ptr<const StopToken> caller,
                                         Take take);
  // Hands it to all who wait. Returns false if it must be made once more, for a caller that came
  // after the others had gone.
  bool settle(const Key& key, const Made& made);
  // Drops all kept worlds that no query uses now.
  void clear();

 private:
  struct Making {
    std::shared_ptr<MakingStop> stop;
    std::vector<Take> waiting = {};
  };
  struct Kept {
    Key key;
    std::shared_ptr<PastWorld> world;
    std::chrono::steady_clock::time_point used_at;
  };

  // REQUIRES of both: the mutex is held.
  void schedule_dropping();
  void drop_idle();

  const std::atomic<bool>& draining_;
  std::mutex mutex_;  // guards all members below
  std::map<Key, Making> making_;
  std::list<Kept> kept_;  // used last first
  boost::asio::steady_timer timer_;
  bool is_scheduled_ = false;
};

}  // namespace repath
