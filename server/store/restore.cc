#include "store/restore.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "store/backup_folder.h"
#include "store/backup_manifest.h"
#include "store/copied_store.h"
#include "store/posix_disk.h"
#include "store/schema.h"
#include "store/store_errors.h"
#include "store/world_files.h"

namespace repath {
namespace {

constexpr const char* kDatabaseName = "repath.db";
// There as long as a restore into a folder has not ended.
constexpr const char* kRestoring = "restoring";

absl::Status unfit(const char* reason, const std::string& why) {
  return make_error(absl::StatusCode::kFailedPrecondition, reason, "", why);
}

absl::StatusOr<BackupManifest> open_backup(const std::string& backup, Disk& disk) {
  const absl::StatusOr<std::string> text = disk.read(kManifestName);
  if (absl::IsNotFound(text.status()))
    return unfit("BACKUP_UNFINISHED", backup + " has no manifest: it is not a whole backup");
  if (!text.ok()) return backup_damaged(std::string(text.status().message()));
  return read_manifest(*text);
}

// A file's folder tells its world, and its name whether it is a base, a snapshot or positions.
struct FileName {
  WorldKey key{};
  std::string name;
};

FileName parse_path(const std::string& path) {
  const std::size_t first = path.find('/');
  const std::size_t second = path.find('/', first + 1);
  return {WorldKey{std::stoull(path.substr(first + 1, second - first - 1))},
          path.substr(second + 1)};
}

absl::Status check_files(const BackupManifest& manifest, const std::string& backup, Disk& disk) {
  for (const BackupManifest::File& file : manifest.files) {
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(backup + "/" + file.path, error);
    if (error) return backup_damaged(file.path + ": " + error.message());
    if (bytes != file.bytes)
      return backup_damaged(file.path + " has " + std::to_string(bytes) + " bytes instead of " +
                            std::to_string(file.bytes));
    const FileName name = parse_path(file.path);
    if (name.name.starts_with("positions-")) continue;  // each slot has a checksum inside
    if (const auto read = read_checked(disk, name.key, name.name); !read.ok())
      return backup_damaged(std::string(read.status().message()));
  }
  return absl::OkStatus();
}

// Each world needs a whole file from which its records lead on.
absl::Status check_worlds(const BackupManifest& manifest, const std::vector<CopiedWorld>& worlds,
                          Disk& disk) {
  for (const CopiedWorld& world : worlds) {
    if (manifest.damaged.contains(world.key)) continue;
    bool can_begin = false;
    const absl::StatusOr<FolderContent> files = read_folder(disk, world.key);
    if (files.ok()) {
      can_begin = !files->base.empty() && world.can_begin_at(world.state.first - 1);
      for (const SnapshotName& name : files->snapshots)
        can_begin = can_begin || world.can_begin_at(name.revision);
    }
    if (!can_begin)
      return backup_damaged("the world '" + world.name +
                            "' has no file that it can be loaded from");
  }
  return absl::OkStatus();
}

std::string new_epoch() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device random;
  std::string name;
  for (int i = 0; i < 32; ++i) name += kDigits[random() & 15u];
  return name;
}

// Gives each world another epoch: it may have gone on after the backup, and then its revisions mean
// something else now.
absl::Status renew_epochs(const std::string& database) {
  Sql sql;
  REPATH_RETURN_IF_ERROR(sql.open(database, ""));
  REPATH_RETURN_IF_ERROR(
      open_schema(sql, /*sync_commits=*/true, /*may_be_new=*/[] { return false; }));
  WorldTables tables(sql);
  sql.run("BEGIN IMMEDIATE");
  for (CatalogEntry& entry : tables.worlds()) {
    if (entry.is_damaged) continue;
    entry.epoch = new_epoch();
    tables.replace(entry);
  }
  sql.run("COMMIT");
  sql.checkpoint(/*truncate=*/true);
  return sql.failed() ? store_unavailable(database + ": " + sql.message()) : absl::OkStatus();
}

// Makes the folder, or returns why nothing may be restored to it.
absl::StatusOr<std::unique_ptr<PosixDisk>> open_empty(const std::string& folder) {
  auto disk = PosixDisk::open_folder(folder);
  if (!disk.ok()) return store_unavailable(std::string(disk.status().message()));
  const auto names = (*disk)->list(".");
  if (!names.ok()) return store_unavailable(std::string(names.status().message()));
  if (std::ranges::find(*names, "lock") != names->end()) {
    const auto lock = (*disk)->lock("lock");
    if (!lock.ok()) return lock.status();
  }
  // Some file systems come with a folder of their own.
  const bool is_empty =
      std::ranges::all_of(*names, [](const std::string& name) { return name == "lost+found"; });
  if (!is_empty)
    return unfit("FOLDER_NOT_EMPTY", folder + " is not empty; restore to a new folder");
  return *std::move(disk);
}

absl::Status copy_all(const BackupManifest& manifest, const std::string& backup,
                      const std::string& folder, Disk& to) {
  REPATH_RETURN_IF_ERROR(to.make_folder("worlds"));
  std::set<WorldKey> made;
  for (const BackupManifest::File& file : manifest.files) {
    const WorldKey key = parse_path(file.path).key;
    if (made.insert(key).second) REPATH_RETURN_IF_ERROR(to.make_folder(world_folder(key)));
    REPATH_RETURN_IF_ERROR(copy_file(backup + "/" + file.path, folder + "/" + file.path));
  }
  REPATH_RETURN_IF_ERROR(copy_file(backup + "/" + kDatabaseName, folder + "/" + kDatabaseName));
  REPATH_RETURN_IF_ERROR(renew_epochs(folder + "/" + kDatabaseName));
  return sync_file_system(folder);
}

absl::StatusOr<BackupFigures> check_and_copy(const std::string& backup, const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(backup, error))
    return make_error(absl::StatusCode::kNotFound, "BACKUP_MISSING", "",
                      backup + " is not a folder");
  REPATH_ASSIGN_OR_RETURN(const auto from, PosixDisk::open_folder(backup));
  REPATH_ASSIGN_OR_RETURN(const BackupManifest manifest, open_backup(backup, *from));
  const std::string database = backup + "/" + kDatabaseName;
  const absl::StatusOr<HashedFile> hashed = hash_file(database);
  if (!hashed.ok()) return backup_damaged(std::string(hashed.status().message()));
  if (*hashed != manifest.database)
    return backup_damaged(database + " is not the one that the manifest names: its SHA-256 is " +
                          hashed->sha256);
  REPATH_RETURN_IF_ERROR(check_copied(database));
  REPATH_RETURN_IF_ERROR(check_files(manifest, backup, *from));
  REPATH_ASSIGN_OR_RETURN(const std::vector<CopiedWorld> worlds, read_copied(database));
  REPATH_RETURN_IF_ERROR(check_worlds(manifest, worlds, *from));

  REPATH_ASSIGN_OR_RETURN(const std::unique_ptr<PosixDisk> to, open_empty(folder));
  auto lock = to->lock("lock");
  if (!lock.ok()) return lock.status();
  REPATH_RETURN_IF_ERROR(to->open(kRestoring, Disk::Open::kEmpty).status());
  REPATH_RETURN_IF_ERROR(to->sync_folder("."));
  REPATH_RETURN_IF_ERROR(copy_all(manifest, backup, folder, *to));
  REPATH_RETURN_IF_ERROR(to->remove(kRestoring));
  REPATH_RETURN_IF_ERROR(to->sync_folder("."));
  BackupFigures figures{worlds.size(), manifest.files.size() + 1, hashed->bytes, 0,
                        manifest.taken_at};
  for (const BackupManifest::File& file : manifest.files) figures.bytes += file.bytes;
  return figures;
}

}  // namespace

absl::StatusOr<BackupFigures> restore_backup(const std::string& backup, const std::string& folder) {
  absl::StatusOr<BackupFigures> restored = check_and_copy(backup, folder);
  if (!restored.ok()) return if_disk_failed(restored.status());
  return restored;
}

absl::Status check_restored(Disk& disk, const std::string& folder) {
  if (disk.read(kManifestName).ok())
    return unfit("BACKUP_FOLDER",
                 folder + " is a backup, which a server would change; restore it to a new folder");
  if (BackupFolder::is_partial(folder))
    return unfit("BACKUP_FOLDER", folder +
                                      " is a backup that has not ended, by its name; start on "
                                      "a restored one, or rename it if it is no backup");
  if (!disk.read(kRestoring).ok()) return absl::OkStatus();
  return unfit("RESTORE_UNFINISHED",
               "a restore to " + folder + " has not ended; empty the folder and restore again");
}

}  // namespace repath
