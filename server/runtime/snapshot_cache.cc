#include "runtime/snapshot_cache.h"

#include <algorithm>
#include <utility>

namespace repath {

std::optional<AnySnapshot> SnapshotCache::find(const std::string& profile, TeamId team) const {
  const Revision now = revision();
  const std::lock_guard lock(mutex_);
  for (const Entry& e : entries_) {
    if (e.team == team && e.profile == profile && e.snapshot.revision >= now) return e.snapshot;
  }
  return std::nullopt;
}

void SnapshotCache::keep(const std::string& profile, TeamId team, AnySnapshot snapshot) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& e) { return e.team == team && e.profile == profile; });
  if (entries_.size() == kKept) entries_.erase(entries_.begin());
  entries_.push_back({profile, team, std::move(snapshot)});
}

}  // namespace repath
