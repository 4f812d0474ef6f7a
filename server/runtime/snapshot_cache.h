// The snapshots that queries of one world read, so that a query touches the world's strand only
// when the world has changed since the last one for its profile and team.
//
// Thread rule: any thread. Invariant: a snapshot handed out is of the revision published last, or
// of a later one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "engine/engine.h"

namespace repath {

class SnapshotCache {
 public:
  // The world is at this revision now; older snapshots are no longer handed out.
  void publish(Revision revision) { revision_.store(value(revision), std::memory_order_release); }
  Revision revision() const { return Revision{revision_.load(std::memory_order_acquire)}; }

  // Empty if there is none of the revision published last. O(kept).
  std::optional<AnySnapshot> find(const std::string& profile, TeamId team) const;
  // Keeps it, instead of an older one of the same profile and team or of the one kept longest.
  void keep(const std::string& profile, TeamId team, AnySnapshot snapshot);

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
