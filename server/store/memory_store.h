// The Store of a server that keeps worlds in memory only: a catalogue and logs in memory.
#pragma once

#include <map>
#include <mutex>

#include "store/store.h"

namespace repath {

class MemoryStore final : public Store {
 public:
  bool is_durable() const override { return false; }
  absl::StatusOr<std::vector<CatalogEntry>> worlds() override;
  // Does not read the base.
  absl::StatusOr<StoredWorld> create(CatalogEntry entry, ByteSource& base, Revision first,
                                     const HistoryBound& history) override;
  absl::Status remove(WorldKey key) override;
  // NOT_FOUND: a world's records are in its log, and there is at most one.
  absl::StatusOr<StoredWorld> load(WorldKey key, const HistoryBound& history) override;
  // As load().
  absl::StatusOr<std::vector<LogRecord>> read(WorldKey key, Revision start, std::size_t records_max,
                                              std::size_t bytes_max) override;
  // As load().
  absl::StatusOr<StoredSnapshot> snapshot_at(WorldKey key, Revision revision) override;
  absl::Status snapshot(WorldKey, Lsn, Revision, ByteSource&) override { return absl::OkStatus(); }
  void save_positions(WorldKey, std::vector<PositionRow>, WallMicros) override {}
  absl::Status health() const override { return absl::OkStatus(); }
  StoreFigures figures() const override { return {}; }

 private:
  std::mutex mutex_;  // guards all members below
  std::map<std::string, CatalogEntry> by_name_;
  std::map<WorldKey, std::string> names_;
  std::uint64_t next_key_ = 1;
};

}  // namespace repath
