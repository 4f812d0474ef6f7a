// The state that the log of a loaded world shares with the store's threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "store/log_table.h"
#include "store/store.h"
#include "store/world_files.h"

namespace repath {

struct LogState {
  LogState(WorldKey world, const HistoryBound& bound) : key(world), history(bound) {}

  const WorldKey key;
  const HistoryBound history;

  // Any thread.
  std::atomic<std::uint64_t> durable{0};           // number of a unit
  std::atomic<std::uint64_t> durable_revision{0};  // of the newest record that is durable
  std::atomic<std::uint64_t> floor{0};             // first revision kept
  std::atomic<std::uint64_t> snapshot_revision{0};
  std::atomic<bool> is_damaged{false};  // its units cannot be written
  std::atomic<bool> is_removed{false};
  std::atomic<bool> is_open{true};  // its WorldLog lives

  // Calls what WorldLog::on_progress set, unless the log is gone.
  void notify() {
    const std::lock_guard lock(progress_mutex);
    if (progress) progress();
  }
  void set_progress(std::function<void()> call) {
    const std::lock_guard lock(progress_mutex);
    progress = std::move(call);
  }
  std::mutex progress_mutex;
  std::function<void()> progress;  // guarded by progress_mutex

  // The thread that commits.
  LogChain chain;             // with what the open transaction wrote
  LogChain kept_chain;        // as of the last commit
  bool is_touched = false;    // written in the open transaction, and not flushed since
  bool is_dirty = false;      // written since the last flush
  bool has_new_rows = false;  // agents or sessions changed since its tally was written
  bool has_grown = false;     // in the list of those to tell

  // The thread that writes a snapshot.
  std::mutex files_mutex;
  std::uint64_t first = 0;              // revision after the base; constant
  std::vector<SnapshotName> snapshots;  // whole ones, newest first; guarded by files_mutex
};

}  // namespace repath
