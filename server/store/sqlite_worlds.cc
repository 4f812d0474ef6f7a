// SqliteStore's part that makes, loads, reads and removes worlds, and takes snapshots.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "store/read_range.h"
#include "store/sqlite_store_impl.h"
#include "store/sqlite_world_log.h"
#include "store/store_errors.h"

namespace repath {
namespace {

// Rows that one job reads, so that commits run in between.
constexpr std::size_t kRowsAtOnce = 1000;
constexpr std::size_t kSnapshotsKept = 2;
// Worlds that were put out are forgotten once there are as many as are loaded, and so many more.
constexpr std::size_t kStatesMin = 1024;

}  // namespace

absl::StatusOr<std::vector<CatalogEntry>> SqliteStoreImpl::worlds() {
  std::vector<CatalogEntry> found;
  REPATH_RETURN_IF_ERROR(call(/*writes=*/false, [&] {
    found = db_->worlds.worlds();
    return absl::OkStatus();
  }));
  for (const CatalogEntry& entry : found)
    if (entry.is_damaged)
      spdlog::critical("repath.db, table worlds, row {} is damaged; world {} is not served",
                       value(entry.key), entry.name);
  return found;
}

std::shared_ptr<LogState> SqliteStoreImpl::make_state(WorldKey key, const HistoryBound& history,
                                                      const WorldState& world,
                                                      const LogChain& chain) {
  auto state = std::make_shared<LogState>(key, history);
  state->first = world.first;
  state->floor = world.floor;
  state->chain = state->kept_chain = chain;
  state->durable_revision = std::max(chain.revision, world.first - 1);
  state->snapshot_revision = world.first - 1;
  const std::lock_guard lock(mutex_);
  if (states_.size() >= forget_states_at_) {
    std::erase_if(states_, [](const auto& entry) { return entry.second.expired(); });
    forget_states_at_ = 2 * states_.size() + kStatesMin;
  }
  states_[key] = state;
  return state;
}

absl::StatusOr<StoredWorld> SqliteStoreImpl::create(CatalogEntry entry, ByteSource& base,
                                                    Revision first, const HistoryBound& history) {
  REPATH_RETURN_IF_ERROR(queue_.refusal(Durability::kLocalDisk));
  for (bool is_used = true; is_used;) {
    {
      const std::lock_guard lock(mutex_);
      entry.key = WorldKey{next_key_++};
    }
    const absl::StatusOr<bool> found = was_served(*disk_, entry.key);
    if (!found.ok()) return disk_failed(found.status());
    is_used = *found;
  }
  if (absl::Status made = write_base(*disk_, entry.key, base, file_room()); !made.ok()) {
    (void)remove_folder(*disk_, entry.key);
    return disk_failed(made);
  }
  const WorldState world{1, value(first), value(first), 0};
  LogChain chain;
  chain.has_tally = chain.is_counted = true;
  const absl::Status added = call(/*writes=*/true, [&] {
    if (db_->worlds.has_name(entry.name)) return world_exists(entry.name);
    db_->worlds.add(entry, world);
    db_->log.write_tally(entry.key, chain);
    db_->worlds.set_next_key(std::max(db_->worlds.next_key(), value(entry.key) + 1));
    return absl::OkStatus();
  });
  if (!added.ok()) {
    // After a failed sync the entry may be there when the server is started again, and needs its
    // base. Any other failure has rolled it back.
    if (!is_final_) (void)remove_folder(*disk_, entry.key);
    return added;
  }
  StoredWorld made;
  made.incarnation = world.incarnation;
  made.snapshot_revision = previous(first);
  made.log =
      std::make_unique<SqliteWorldLog>(make_state(entry.key, history, world, chain), queue_, first,
                                       options_.window_records, options_.window_bytes);
  made.entry = std::move(entry);
  return made;
}

absl::Status SqliteStoreImpl::remove(WorldKey key) {
  return call(
      /*writes=*/true,
      [this, key] {
        absl::Status known = db_->worlds.entry(key).status();
        if (!known.ok() && !absl::IsDataLoss(known)) return known;
        if (!known.ok()) db_->worlds.index_again();  // a damaged world may be deleted
        flush();
        const LogChain chain = db_->log.chain(key);
        const auto world = db_->worlds.state(key);
        if (world.ok() && chain.revision >= world->floor)
          db_->log.add_dead(chain.revision - world->floor + 1);
        db_->worlds.remove(key);
        return absl::OkStatus();
      },
      [this, key] {
        const std::shared_ptr<LogState> state = find_state(key);
        if (state != nullptr) state->is_removed = true;
        const std::lock_guard lock(mutex_);
        states_.erase(key);
        has_upkeep_ = true;
        upkeep_at_ = 0;
        const auto kept = keepers_.find(key);
        if (kept == keepers_.end()) return;
        kept->second->is_removed = true;
        keepers_.erase(kept);
      });
}

// Within the transaction: reads what the catalogue says, and counts the load.
absl::Status SqliteStoreImpl::load_entry(WorldKey key, StoredWorld* out, WorldState* world,
                                         LogChain* chain) {
  REPATH_ASSIGN_OR_RETURN(out->entry, db_->worlds.entry(key));
  REPATH_ASSIGN_OR_RETURN(*world, db_->worlds.state(key));
  if (dirty_.contains(key) || !touched_.empty()) flush();
  REPATH_ASSIGN_OR_RETURN(*chain, db_->log.whole_chain(key));
  if (chain->revision < world->head)
    return world_damaged(key, "repath.db, table log: it ends at revision " +
                                  std::to_string(chain->revision) + " and once reached revision " +
                                  std::to_string(world->head));
  ++world->incarnation;
  db_->worlds.put_state(key, *world);
  out->incarnation = world->incarnation;
  return absl::OkStatus();
}

absl::StatusOr<StoredWorld> SqliteStoreImpl::load(WorldKey key, const HistoryBound& history) {
  if (const auto earlier = find_state(key)) REPATH_CHECK(!earlier->is_open);
  StoredWorld loaded;
  WorldState world;
  LogChain chain;
  // Before the first write: what a snapshot left that never ended may fill the disk.
  const absl::StatusOr<FolderContent> folder = read_folder(*disk_, key);
  if (folder.ok())
    for (const std::string& file : folder->others)
      (void)disk_->remove(world_folder(key) + "/" + file);
  REPATH_RETURN_IF_ERROR(
      call(/*writes=*/true, [&] { return load_entry(key, &loaded, &world, &chain); }));
  const std::uint64_t last = std::max(chain.revision, world.first - 1);
  const std::shared_ptr<LogState> state = make_state(key, history, world, chain);
  state->is_open = false;
  if (!folder.ok()) return files_unreadable(key, folder.status());
  REPATH_RETURN_IF_ERROR(read_snapshot(key, world, last, *folder, state.get(), &loaded));
  REPATH_RETURN_IF_ERROR(read_rows(key, chain, &loaded));
  REPATH_RETURN_IF_ERROR(check_tally(key, chain, loaded, state.get()));
  REPATH_RETURN_IF_ERROR(load_positions(key, &loaded));
  state->is_open = true;
  loaded.log = std::make_unique<SqliteWorldLog>(state, queue_, Revision{last + 1},
                                                options_.window_records, options_.window_bytes);
  const std::lock_guard lock(mutex_);
  ++figures_.loads;
  return loaded;
}

// Finds the newest snapshot that is whole and whose records are there, else the base.
absl::Status SqliteStoreImpl::read_snapshot(WorldKey key, const WorldState& world,
                                            std::uint64_t last, const FolderContent& folder,
                                            LogState* state, StoredWorld* out) {
  std::vector<SnapshotName> names = folder.snapshots;
  if (!folder.base.empty()) names.push_back({world.first - 1, folder.base});
  std::string why = world_folder(key) + ": there is no base";
  bool may_pass = false;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->revision > last)
      return world_damaged(key, "repath.db, table log: it ends at revision " +
                                    std::to_string(last) + " before the snapshot " + name->file);
    if (name->revision + 1 < world.floor) {
      why += "; the records after " + name->file + " are gone";
      continue;
    }
    absl::StatusOr<std::string> bytes = read_checked(*disk_, key, name->file);
    if (!bytes.ok()) {
      why = std::string(bytes.status().message());
      may_pass |= read_may_pass(bytes.status());
      spdlog::error("world '{}': {}; the one before it is read", out->entry.name, why);
      continue;
    }
    out->snapshot = *std::move(bytes);
    out->snapshot_revision = Revision{name->revision};
    state->snapshot_revision = name->revision;
    const std::lock_guard lock(state->files_mutex);
    for (; name != names.end() && state->snapshots.size() < kSnapshotsKept; ++name)
      if (name->file != folder.base) state->snapshots.push_back(*name);
    return absl::OkStatus();
  }
  return may_pass ? store_unavailable("cannot be read now: " + why) : world_damaged(key, why);
}

// Reads agents, sessions and requests, some rows at a time.
absl::Status SqliteStoreImpl::read_rows(WorldKey key, const LogChain& chain, StoredWorld* out) {
  std::optional<std::uint64_t> after;
  for (bool more = true; more;) {
    REPATH_RETURN_IF_ERROR(call(/*writes=*/false, [&] {
      return db_->worlds.read_agents(key, kRowsAtOnce, &after, &more, &out->agents);
    }));
  }
  std::sort(out->agents.begin(), out->agents.end(),
            [](const StoredAgent& a, const StoredAgent& b) { return a.id < b.id; });
  REPATH_RETURN_IF_ERROR(call(
      /*writes=*/false, [&] { return db_->worlds.read_sessions(key, &out->sessions); }));
  const WallMicros now = wall_now();
  const WallMicros oldest = now > options_.request_ttl_us ? now - options_.request_ttl_us : 0;
  for (std::uint64_t seq = chain.request_seq;
       seq != 0 && out->requests.size() < options_.requests_max;) {
    const std::size_t rows = std::min(kRowsAtOnce, options_.requests_max - out->requests.size());
    REPATH_RETURN_IF_ERROR(call(/*writes=*/false, [&] {
      return db_->log.read_requests(key, oldest, rows, &seq, &out->requests);
    }));
  }
  std::reverse(out->requests.begin(), out->requests.end());
  return absl::OkStatus();
}

// Compares the agents and sessions that were found with those that were written. A world of version
// 3 or earlier is counted here.
absl::Status SqliteStoreImpl::check_tally(WorldKey key, LogChain chain, const StoredWorld& loaded,
                                          LogState* state) {
  const RowSums found = WorldTables::sums(key, loaded.agents, loaded.sessions);
  if (chain.is_counted) {
    REPATH_RETURN_IF_ERROR(check_rows(key, "agents", chain.rows.agents, found.agents));
    return check_rows(key, "sessions", chain.rows.sessions, found.sessions);
  }
  chain.is_counted = true;
  chain.rows = found;
  return call(
      /*writes=*/true,
      [&] {
        REPATH_RETURN_IF_ERROR(db_->worlds.entry(key).status());
        db_->log.write_tally(key, chain);
        return absl::OkStatus();
      },
      [&] { state->chain = state->kept_chain = chain; });
}

LogChain SqliteStoreImpl::committed_chain(WorldKey key) {
  const auto at = dirty_.find(key);
  return at == dirty_.end() ? db_->log.chain(key) : at->second->kept_chain;
}

absl::StatusOr<std::vector<LogRecord>> SqliteStoreImpl::read(WorldKey key, Revision start,
                                                             std::size_t records_max,
                                                             std::size_t bytes_max) {
  std::vector<LogRecord> records;
  const absl::Status status = call(/*writes=*/false, [&]() -> absl::Status {
    REPATH_RETURN_IF_ERROR(db_->worlds.entry(key).status());
    REPATH_ASSIGN_OR_RETURN(const WorldState world, db_->worlds.state(key));
    const LogChain chain = committed_chain(key);
    const std::uint64_t end = std::max(chain.revision + 1, world.first);
    REPATH_RETURN_IF_ERROR(check_read_range(start, Revision{world.floor}, Revision{end}));
    return db_->log.read(key, value(start), chain, records_max, bytes_max, &records);
  });
  if (!status.ok()) return status;
  return records;
}

absl::Status SqliteStoreImpl::snapshot(WorldKey key, Lsn lsn, Revision revision,
                                       ByteSource& bytes) {
  const std::shared_ptr<LogState> state = find_state(key);
  if (state == nullptr) return key_unknown(key);
  const std::lock_guard lock(state->files_mutex);
  absl::Status kept = keep_snapshot(*state, lsn, value(revision), bytes);
  if (!kept.ok()) remove_temporary(*disk_, key);
  return kept;
}

// REQUIRES: the state's files_mutex is held.
absl::Status SqliteStoreImpl::keep_snapshot(LogState& state, Lsn lsn, std::uint64_t revision,
                                            ByteSource& bytes) {
  const WorldKey key = state.key;
  const bool is_there = state.snapshot_revision.load() >= revision;
  std::uint64_t checksum = 0;
  if (!is_there) {
    const auto written = write_temporary(*disk_, key, bytes, file_room());
    if (!written.ok()) return disk_failed(written.status());
    checksum = *written;
  }
  if (!options_.planted.snapshot_without_tail) REPATH_RETURN_IF_ERROR(wait_durable(state, lsn));
  const std::shared_ptr<Keeper> kept = keeper(key);
  write_keeper(key, *kept, /*sync=*/true);
  if (is_there) return absl::OkStatus();
  auto name = finish_snapshot(*disk_, key, revision, checksum);
  if (!name.ok()) return disk_failed(name.status());
  state.snapshots.insert(state.snapshots.begin(), *std::move(name));
  if (state.snapshots.size() > kSnapshotsKept) state.snapshots.resize(kSnapshotsKept);
  state.snapshot_revision = revision;
  REPATH_RETURN_IF_ERROR(after_snapshot(state));
  const std::lock_guard figures_lock(mutex_);
  ++figures_.snapshots;
  return absl::OkStatus();
}

// Drops the records that the history bound lets go and no kept snapshot needs.
absl::Status SqliteStoreImpl::after_snapshot(LogState& state) {
  const bool has_two = state.snapshots.size() == kSnapshotsKept;
  const std::uint64_t older = has_two ? state.snapshots.back().revision : state.first - 1;
  std::uint64_t floor = 0;
  REPATH_RETURN_IF_ERROR(call(
      /*writes=*/true, [&] { return raise_floor(state, older, &floor); },
      [&] { state.floor = floor; }));
  prune_snapshots(state);
  return absl::OkStatus();
}

// Within the transaction: `older` is the revision of the older kept snapshot.
absl::Status SqliteStoreImpl::raise_floor(const LogState& state, std::uint64_t older,
                                          std::uint64_t* floor) {
  REPATH_ASSIGN_OR_RETURN(WorldState world, db_->worlds.state(state.key));
  *floor = world.floor;
  flush();
  const LogChain chain = db_->log.chain(state.key);
  world.head = std::min(std::max(world.head, state.snapshot_revision.load()), chain.revision);
  const std::uint64_t by_records =
      chain.revision >= state.history.records ? chain.revision - state.history.records + 1 : 0;
  const std::uint64_t by_bytes = db_->log.floor_by_bytes(state.key, chain, state.history.bytes);
  *floor = std::max(*floor, std::min({std::max(by_records, by_bytes), older + 1, chain.revision}));
  if (*floor > world.floor) {
    db_->log.drop_marks(state.key, *floor);
    db_->log.add_dead(*floor - world.floor);
  }
  world.floor = *floor;
  db_->worlds.put_state(state.key, world);
  return absl::OkStatus();
}

// Removes the snapshots that are no longer kept. A file that stays is tried again after the next
// snapshot.
void SqliteStoreImpl::prune_snapshots(const LogState& state) {
  if (backs_up_) return;
  const absl::StatusOr<FolderContent> folder = read_folder(*disk_, state.key);
  if (!folder.ok()) return;
  for (const SnapshotName& name : folder->snapshots) {
    const bool is_kept =
        std::any_of(state.snapshots.begin(), state.snapshots.end(),
                    [&name](const SnapshotName& kept) { return kept.file == name.file; });
    if (!is_kept) (void)disk_->remove(world_folder(state.key) + "/" + name.file);
  }
}

}  // namespace repath
