#include "store/memory_store.h"

#include <utility>

#include "base/error.h"
#include "store/memory_world_log.h"
#include "store/store_errors.h"

namespace repath {

absl::StatusOr<std::vector<CatalogEntry>> MemoryStore::worlds() {
  const std::lock_guard lock(mutex_);
  std::vector<CatalogEntry> found;
  found.reserve(by_name_.size());
  for (const auto& [name, entry] : by_name_) found.push_back(entry);
  return found;
}

absl::StatusOr<StoredWorld> MemoryStore::create(CatalogEntry entry, ByteSource&, Revision first,
                                                const HistoryBound& history) {
  StoredWorld world;
  {
    const std::lock_guard lock(mutex_);
    if (by_name_.contains(entry.name)) return world_exists(entry.name);
    entry.key = WorldKey{next_key_++};
    names_.emplace(entry.key, entry.name);
    by_name_.emplace(entry.name, entry);
  }
  world.entry = std::move(entry);
  world.snapshot_revision = previous(first);
  world.log = std::make_unique<MemoryWorldLog>(first, history);
  return world;
}

absl::Status MemoryStore::remove(WorldKey key) {
  const std::lock_guard lock(mutex_);
  const auto at = names_.find(key);
  if (at == names_.end()) return key_unknown(key);
  by_name_.erase(at->second);
  names_.erase(at);
  return absl::OkStatus();
}

absl::StatusOr<StoredWorld> MemoryStore::load(WorldKey key, const HistoryBound&) {
  return key_unknown(key);
}

absl::StatusOr<std::vector<LogRecord>> MemoryStore::read(WorldKey key, Revision, std::size_t,
                                                         std::size_t) {
  return key_unknown(key);
}

absl::StatusOr<StoredSnapshot> MemoryStore::snapshot_at(WorldKey key, Revision) {
  return key_unknown(key);
}

}  // namespace repath
