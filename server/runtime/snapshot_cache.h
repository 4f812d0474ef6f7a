// Snapshots that the queries of one world read. A query touches the world's strand only if the
// world has changed since the last query for the same profile and team.
//
// Thread rule: any thread. Invariant: a snapshot handed out belongs to the revision published last,
// or to a later one.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "engine/engine.h"

namespace repath {

class SnapshotCache {
 public:
  // Publishes the world's revision; older snapshots are no longer handed out.
  void publish(Revision revision) { revision_.store(value(revision), std::memory_order_release); }
  Revision revision() const { return Revision{revision_.load(std::memory_order_acquire)}; }

  // Returns a snapshot of the revision published last; empty if there is none. O(kept).
  std::optional<AnySnapshot> find(const std::string& profile, TeamId team) const {
    const Revision now = revision();
    const std::lock_guard lock(mutex_);
    for (const Entry& e : entries_)
      if (e.team == team && e.profile == profile && e.snapshot.revision >= now) return e.snapshot;
    return std::nullopt;
  }
  // Keeps the snapshot instead of an older one of the same profile and team, or of the one kept
  // longest.
  void keep(const std::string& profile, TeamId team, AnySnapshot snapshot) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [&](const Entry& e) { return e.team == team && e.profile == profile; });
    if (entries_.size() == kKept) entries_.erase(entries_.begin());
    entries_.push_back({profile, team, std::move(snapshot)});
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
  }

 private:
  static constexpr std::size_t kKept = 64;
  struct Entry {
    std::string profile;
    TeamId team{};
    AnySnapshot snapshot;
  };
  std::atomic<std::uint64_t> revision_{0};
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  // longest kept first
};

}  // namespace repath
