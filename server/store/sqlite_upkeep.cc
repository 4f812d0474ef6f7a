// SqliteStore's part that drops what no world needs any more, looks at the free space, and writes
// positions.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "store/sqlite_store_impl.h"

namespace repath {
namespace {

constexpr std::size_t kUpkeepRows = 2000;
constexpr Micros kUpkeepEveryUs = 1'000'000;
constexpr Micros kUpkeepSoonUs = 20'000;
constexpr std::uint64_t kDeadShare = 4;

}  // namespace

void SqliteStoreImpl::upkeep() {
  look_at_space();
  bool more = false;
  if (!is_failing_ && !is_final_) more = drop_expired_requests();
  more = clean_removed() || more;
  if (!is_failing_ && !is_final_) more = sweep() || more;
  has_upkeep_ = more;
  upkeep_at_ = now() + (more ? kUpkeepSoonUs : kUpkeepEveryUs);
}

bool SqliteStoreImpl::drop_expired_requests() {
  const WallMicros at = wall_now();
  const WallMicros oldest = at - std::min(at, options_.request_ttl_us);
  sql_.clear();
  const bool looks_on = db_->log.look_for_expired(oldest, at, kUpkeepRows);
  const auto expired = db_->log.expired_requests(kUpkeepRows);
  if (!expired.empty()) in_transaction([&] { db_->log.drop_requests(expired); });
  return looks_on || expired.size() == kUpkeepRows;
}

// Gives the next removed world its turn. Its files go first, also while the database takes no
// writes, because they give space and dropping rows needs some. After a crash in between, `removed`
// still has the key, so that no new world gets it. A world whose folder stays does not keep the
// others waiting; its next turn comes in the next pass.
bool SqliteStoreImpl::clean_removed() {
  if (is_final_ || backs_up_) return false;
  // A transaction that is open may still be undone.
  if (sqlite3_get_autocommit(sql_.handle()) == 0) return false;
  sql_.clear();
  const std::optional<WorldKey> key = db_->worlds.removed_after(cleaned_);
  if (!key) {
    cleaned_ = WorldKey{};
    return false;
  }
  const bool is_unknown = absl::IsNotFound(db_->worlds.entry(*key).status());
  if (sql_.failed()) return false;
  if (!is_unknown) {
    in_transaction([&] {
      spdlog::error("repath.db, table removed: world {} is in the catalogue; it is kept",
                    value(*key));
      db_->worlds.forget_removed(*key);
    });
    cleaned_ = *key;
    return true;
  }
  const bool has_no_folder = drop_folder(*key);
  bool more = false;
  in_transaction([&] {
    more = db_->worlds.drop_rows(*key, kUpkeepRows);
    if (!more && has_no_folder) db_->worlds.forget_removed(*key);
  });
  if (!more || is_failing_) cleaned_ = *key;
  return true;
}

bool SqliteStoreImpl::drop_folder(WorldKey key) {
  const absl::Status gone = remove_folder(*disk_, key);
  if (gone.ok()) {
    stuck_.erase(key);
  } else if (stuck_.insert(key).second) {
    spdlog::warn("{}: a removed world's folder stays, and is tried again: {}", world_folder(key),
                 std::string(gone.message()));
  }
  return gone.ok();
}

bool SqliteStoreImpl::sweep() {
  const std::uint64_t dead = db_->log.dead();
  if (!sweeps_ && (dead < options_.dead_min || dead * kDeadShare < db_->log.rows())) return false;
  if (!sweeps_) {
    sql_.clear();
    auto floors = db_->worlds.floors();
    if (!floors && !std::exchange(has_told_of_floors_, true))
      spdlog::error(
          "repath.db, table world_state is damaged: records that no world needs are kept");
    if (!floors || sql_.failed()) return false;
    sweep_floors_ = *std::move(floors);
    sweep_last_ = db_->log.flushed();
    sweeps_ = true;
  }
  bool more = false;
  in_transaction([&] { more = db_->log.sweep(sweep_floors_, sweep_last_, kUpkeepRows); });
  sweeps_ = more && !is_failing_ && !is_final_;
  return sweeps_;
}

void SqliteStoreImpl::look_at_space() {
  const absl::StatusOr<std::uint64_t> space = disk_->free_bytes();
  if (!space.ok()) return;
  has_space_ = *space >= options_.reserve_bytes;
  update_refusal();
}

std::shared_ptr<SqliteStoreImpl::Keeper> SqliteStoreImpl::keeper(WorldKey key) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Keeper>& kept = keepers_[key];
  if (kept == nullptr) kept = std::make_shared<Keeper>(key);
  return kept;
}

void SqliteStoreImpl::save_positions(WorldKey key, std::vector<PositionRow> rows, WallMicros at) {
  if (find_state(key) == nullptr) return;
  const std::shared_ptr<Keeper> kept = keeper(key);
  const std::lock_guard lock(kept->waiting_mutex);
  kept->waiting = {std::move(rows), at};
  kept->has_waiting = true;
}

void SqliteStoreImpl::write_positions(bool sync_all) {
  std::vector<std::pair<WorldKey, std::shared_ptr<Keeper>>> all;
  {
    const std::lock_guard lock(mutex_);
    all.assign(keepers_.begin(), keepers_.end());
  }
  std::size_t waiting = 0;  // positions of worlds that were put out
  for (const auto& [key, kept] : all) {
    write_keeper(key, *kept, sync_all);
    const std::scoped_lock lock(kept->mutex, kept->waiting_mutex, mutex_);
    const auto state = states_.find(key);
    if (state != states_.end() && !state->second.expired()) continue;
    if (kept->has_waiting) waiting += kept->waiting.rows.size();
    if (kept->has_waiting && waiting > options_.waiting_positions_max) {
      waiting -= kept->waiting.rows.size();
      spdlog::error("{}: {} positions are lost, because too many wait for the disk",
                    world_folder(key), kept->waiting.rows.size());
      kept->waiting = {};
      kept->has_waiting = false;
    }
    if (kept->sync_due == 0 && !kept->has_waiting) keepers_.erase(key);
  }
}

// Writes a world's positions. If the disk refuses them, changes go on; a failed sync ends them.
// After one, another sync may succeed without having written anything, so the slot that is known to
// be on the disk must not be given up.
void SqliteStoreImpl::write_keeper(WorldKey key, Keeper& kept, bool sync) {
  const std::lock_guard lock(kept.mutex);
  if (is_final_) return;
  absl::Status status = write_slot(kept);
  if (kept.is_removed) return;
  // Positions that were written before do not wait for those that cannot be.
  if (kept.slots.needs_sync() && (sync || now() >= kept.sync_due)) {
    const absl::Status synced = kept.slots.sync(*disk_);
    if (synced.ok()) kept.sync_due = 0;
    if (absl::IsDataLoss(synced)) set_final(std::string(synced.message()));
    status.Update(synced);
  }
  if (absl::IsNotFound(status)) return;
  const bool has_failed = !status.ok();
  if (std::exchange(kept.has_failed, has_failed) == has_failed) return;
  if (has_failed) {
    spdlog::warn("{}: positions are not kept, and are tried again: {}", world_folder(key),
                 std::string(status.message()));
  } else {
    spdlog::info("{}: positions are kept again", world_folder(key));
  }
}

// Writes the positions that wait. If the disk refuses them, they wait again. They are dropped if
// newer ones have come, or if the world's folder is gone.
absl::Status SqliteStoreImpl::write_slot(Keeper& kept) {
  Positions positions;
  {
    const std::lock_guard lock(kept.waiting_mutex);
    if (!std::exchange(kept.has_waiting, false)) return absl::OkStatus();
    positions = std::move(kept.waiting);
  }
  if (kept.is_removed) return absl::OkStatus();
  absl::Status status = kept.slots.write(*disk_, positions);
  if (status.ok() && kept.sync_due == 0) kept.sync_due = now() + options_.positions_sync_us;
  if (status.ok() || absl::IsNotFound(status)) return status;
  const std::lock_guard lock(kept.waiting_mutex);
  if (!std::exchange(kept.has_waiting, true)) kept.waiting = std::move(positions);
  return status;
}

// Reads a world's positions. Those that the disk has not taken yet are newer than those on it.
absl::Status SqliteStoreImpl::load_positions(WorldKey key, StoredWorld* out) {
  const std::shared_ptr<Keeper> kept = keeper(key);
  write_keeper(key, *kept, /*sync=*/true);
  const std::lock_guard lock(kept->mutex);
  // If some slot cannot be read, the slots stay as they were known.
  PositionSlots slots(key);
  absl::StatusOr<Positions> found = slots.load(*disk_);
  if (!found.ok()) return disk_failed(found.status());
  kept->slots = slots;
  kept->sync_due = 0;
  const std::lock_guard waiting_lock(kept->waiting_mutex);
  const Positions& newest = kept->has_waiting ? kept->waiting : *found;
  out->positions = newest.rows;
  out->positions_at = newest.at;
  return absl::OkStatus();
}

}  // namespace repath
