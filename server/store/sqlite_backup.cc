// SqliteStore's part that reads older states of a world, and copies the whole store while it
// serves.
#include <spdlog/spdlog.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "store/sqlite_store_impl.h"
#include "store/store_errors.h"

namespace repath {
namespace {

constexpr const char* kDatabaseCopy = "repath.db";
// Pages of the database that are copied between two commits: 1 MiB.
constexpr int kPagesAtOnce = 256;
// Worlds whose files are taken between two looks at whether the caller still waits.
constexpr std::size_t kWorldsAtOnce = 64;

// Clears a flag at the end of its life.
class Cleared {
 public:
  explicit Cleared(std::atomic<bool>& flag) : flag_(flag) {}
  ~Cleared() { flag_ = false; }
  Cleared(const Cleared&) = delete;
  Cleared& operator=(const Cleared&) = delete;

 private:
  std::atomic<bool>& flag_;
};

}  // namespace

// ---- older states ----

absl::StatusOr<StoredSnapshot> SqliteStoreImpl::snapshot_at(WorldKey key, Revision revision) {
  WorldState world;
  const absl::Status found = call(/*writes=*/false, [&]() -> absl::Status {
    REPATH_RETURN_IF_ERROR(db_->worlds.entry(key).status());
    REPATH_ASSIGN_OR_RETURN(world, db_->worlds.state(key));
    return absl::OkStatus();
  });
  if (!found.ok()) return found;
  const absl::StatusOr<FolderContent> folder = read_folder(*disk_, key);
  if (!folder.ok()) return files_unreadable(key, folder.status());
  std::vector<SnapshotName> names = folder->snapshots;
  if (!folder->base.empty()) names.push_back({world.first - 1, folder->base});
  std::optional<Revision> oldest;
  for (const SnapshotName& name : names) {  // newest first
    const bool leads_on = name.revision + 1 >= world.floor;
    if (leads_on) oldest = Revision{name.revision};
    if (name.revision > value(revision) || (!leads_on && name.revision != value(revision)))
      continue;
    absl::StatusOr<std::string> bytes = read_checked(*disk_, key, name.file);
    if (bytes.ok()) return StoredSnapshot{Revision{name.revision}, *std::move(bytes)};
    if (read_may_pass(bytes.status())) return files_unreadable(key, bytes.status());
    spdlog::error("{}; the one before it is read", std::string(bytes.status().message()));
  }
  if (!oldest) return world_damaged(key, world_folder(key) + ": there is no base");
  return history_gone(*oldest, "revision", "what can be rebuilt of the world");
}

// ---- backups ----

absl::StatusOr<WallMicros> SqliteStoreImpl::copy_database(
    const std::string& path, const std::function<absl::Status()>& over) {
  Sql copy;
  REPATH_RETURN_IF_ERROR(copy.open(path, ""));
  // A copy that is not whole is thrown away, and a whole one is put on the disk at the end.
  copy.run("PRAGMA locking_mode = EXCLUSIVE");
  copy.run("PRAGMA journal_mode = OFF");
  copy.run("PRAGMA synchronous = OFF");
  if (copy.failed()) return store_unavailable(path + ": " + copy.message());
  const auto failed = [&](int code) {
    return store_unavailable(path + ": " + sqlite3_errstr(code));
  };
  sqlite3_backup* running = nullptr;
  WallMicros taken_at = 0;
  absl::Status status = call(/*writes=*/false, [&] {
    running = sqlite3_backup_init(copy.handle(), "main", sql_.handle(), "main");
    return running == nullptr ? failed(sqlite3_extended_errcode(copy.handle())) : absl::OkStatus();
  });
  // Commits between two steps reach the pages that are copied already, too.
  while (status.ok() && taken_at == 0) {
    status = over();
    if (!status.ok()) break;
    status = call(/*writes=*/false, [&] {
      const int code = sqlite3_backup_step(running, kPagesAtOnce);
      if (code == SQLITE_DONE) taken_at = wall_now();
      return code == SQLITE_OK || code == SQLITE_DONE ? absl::OkStatus() : failed(code);
    });
  }
  const absl::Status ended = call(/*writes=*/false, [&] {
    const int code = sqlite3_backup_finish(running);
    return code == SQLITE_OK ? absl::OkStatus() : failed(code);
  });
  if (status.ok()) status = ended;
  if (!status.ok()) return status;
  return taken_at;
}

// Takes the files that the copied catalogue needs. Snapshots that are newer than the copy of the
// log are left.
absl::Status SqliteStoreImpl::take_world(const CopiedWorld& world, BackupFolder* backup) {
  const std::string folder = world_folder(world.key);
  const absl::StatusOr<FolderContent> files = read_folder(*disk_, world.key);
  if (!files.ok() && !absl::IsNotFound(files.status()))
    return store_unavailable(std::string(files.status().message()));
  REPATH_RETURN_IF_ERROR(backup->make_folder(folder));
  bool can_begin = false;
  const auto take = [&](const std::string& file, std::uint64_t revision) -> absl::Status {
    const std::string path = folder + "/" + file;
    absl::Status taken = backup->take(folder_ + "/" + path, path, /*never_changes=*/true);
    can_begin = can_begin || (taken.ok() && world.can_begin_at(revision));
    return absl::IsNotFound(taken) ? absl::OkStatus() : taken;
  };
  if (files.ok()) {
    if (!files->base.empty()) REPATH_RETURN_IF_ERROR(take(files->base, world.state.first - 1));
    for (const SnapshotName& name : files->snapshots)
      if (world.can_begin_at(name.revision)) REPATH_RETURN_IF_ERROR(take(name.file, name.revision));
  }
  if (!can_begin) {
    backup->note_damaged(world.key);
    spdlog::error("backup: the world '{}' has no file that it can be loaded from", world.name);
  }
  std::shared_ptr<Keeper> kept;
  {
    const std::lock_guard lock(mutex_);
    const auto at = keepers_.find(world.key);
    if (at != keepers_.end()) kept = at->second;
  }
  std::unique_lock<std::mutex> writer;  // positions are written in place
  if (kept != nullptr) writer = std::unique_lock(kept->mutex);
  for (int slot = 0; slot < PositionSlots::kSlots; ++slot) {
    const std::string path = folder + "/positions-" + std::to_string(slot);
    absl::Status taken = backup->take(folder_ + "/" + path, path, /*never_changes=*/false);
    if (!taken.ok() && !absl::IsNotFound(taken)) return taken;
  }
  return absl::OkStatus();
}

absl::StatusOr<BackupFigures> SqliteStoreImpl::backup(const std::string& folder,
                                                      const std::function<absl::Status()>& over) {
  if (backs_up_.exchange(true))
    return make_error(absl::StatusCode::kAborted, "BACKUP_UNDER_WAY", "",
                      "another backup is under way; try again after it");
  const Cleared cleared(backs_up_);
  REPATH_ASSIGN_OR_RETURN(const std::unique_ptr<BackupFolder> target, BackupFolder::begin(folder));
  std::error_code error;
  const std::uint64_t needed =
      std::filesystem::file_size(options_.database, error) + options_.reserve_bytes;
  REPATH_ASSIGN_OR_RETURN(const std::uint64_t free, target->free_bytes());
  if (!error && free < needed)
    return store_unavailable("the backup needs " + std::to_string(needed >> 20) + " MiB and " +
                             std::to_string(free >> 20) + " MiB are free at " + folder);
  const std::string database = target->at(kDatabaseCopy);
  REPATH_ASSIGN_OR_RETURN(const WallMicros taken_at, copy_database(database, over));
  REPATH_ASSIGN_OR_RETURN(const std::vector<CopiedWorld> worlds, read_copied(database));
  REPATH_RETURN_IF_ERROR(target->make_folder("worlds"));
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (i % kWorldsAtOnce == 0) REPATH_RETURN_IF_ERROR(over());
    REPATH_RETURN_IF_ERROR(take_world(worlds[i], target.get()));
  }
  REPATH_ASSIGN_OR_RETURN(BackupFigures figures, target->finish(kDatabaseCopy, taken_at));
  figures.worlds = worlds.size();
  return figures;
}

}  // namespace repath
