#include "store/backup_folder.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/error.h"
#include "store/posix_disk.h"
#include "store/store_errors.h"

namespace repath {
namespace {

namespace fs = std::filesystem;

absl::Status not_done(const std::string& doing, const std::string& path,
                      const std::error_code& error) {
  return store_unavailable(doing + " " + path + ": " + error.message());
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// Removes what an earlier backup of this name left when it did not end. A folder with a whole
// manifest is a whole backup, and stays.
absl::Status remove_unfinished(const std::string& partial) {
  std::ifstream manifest(partial + "/" + kManifestName);
  if (read_manifest(std::string(std::istreambuf_iterator<char>(manifest), {})).ok())
    return make_error(absl::StatusCode::kAlreadyExists, "BACKUP_EXISTS", "name",
                      partial + " is a whole backup; rename it, or choose another name");
  std::error_code error;
  fs::remove_all(partial, error);
  return error ? not_done("remove", partial, error) : absl::OkStatus();
}

absl::Status put_manifest(const std::string& folder, const std::string& text) {
  REPATH_ASSIGN_OR_RETURN(const auto disk, PosixDisk::open_folder(folder));
  REPATH_ASSIGN_OR_RETURN(const auto file, disk->open(kManifestName, Disk::Open::kEmpty));
  REPATH_RETURN_IF_ERROR(file->write(0, text));
  REPATH_RETURN_IF_ERROR(file->sync());
  return disk->sync_folder(".");
}

}  // namespace

absl::Status sync_file_system(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return not_done("open", folder, last_error());
  const bool is_synced = ::syncfs(fd) == 0;
  const std::error_code error = last_error();
  ::close(fd);
  return is_synced ? absl::OkStatus() : not_done("sync", folder, error);
}

absl::Status copy_file(const std::string& from, const std::string& to) {
  std::error_code error;
  if (fs::copy_file(from, to, error)) return absl::OkStatus();
  if (error == std::errc::no_such_file_or_directory) return absl::NotFoundError(from);
  return not_done("copy " + from + " to", to, error);
}

bool BackupFolder::is_partial(std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder.ends_with(kPartialEnd);
}

absl::StatusOr<std::unique_ptr<BackupFolder>> BackupFolder::begin(const std::string& folder) {
  if (is_partial(folder))
    return invalid_field("NAME_INVALID", "name",
                         std::string("must not end in ") + kPartialEnd +
                             ", which marks backups that are not finished");
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    return make_error(absl::StatusCode::kAlreadyExists, "BACKUP_EXISTS", "name",
                      folder + " exists; choose another name");
  REPATH_RETURN_IF_ERROR(remove_unfinished(folder + kPartialEnd));
  std::unique_ptr<BackupFolder> made(new BackupFolder(folder));
  fs::create_directories(made->partial_, error);
  if (error) return not_done("make the folder", made->partial_, error);
  fs::permissions(made->partial_, fs::perms::owner_all, error);
  return made;
}

BackupFolder::~BackupFolder() {
  std::error_code error;
  if (!is_finished_) fs::remove_all(partial_, error);
}

absl::StatusOr<std::uint64_t> BackupFolder::free_bytes() const {
  struct statvfs found {};
  if (::statvfs(partial_.c_str(), &found) != 0) return not_done("look at", partial_, last_error());
  return std::uint64_t{found.f_bavail} * found.f_frsize;
}

absl::Status BackupFolder::make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directory(at(path), error);
  return error ? not_done("make the folder", at(path), error) : absl::OkStatus();
}

absl::Status BackupFolder::take(const std::string& from, const std::string& path,
                                bool never_changes) {
  const bool is_linked = never_changes && ::link(from.c_str(), at(path).c_str()) == 0;
  if (!is_linked) REPATH_RETURN_IF_ERROR(copy_file(from, at(path)));
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(at(path), error);
  if (error) return not_done("look at", at(path), error);
  linked_ += is_linked ? 1 : 0;
  manifest_.files.push_back({bytes, path});
  return absl::OkStatus();
}

absl::StatusOr<BackupFigures> BackupFolder::finish(const std::string& database,
                                                   WallMicros taken_at) {
  absl::StatusOr<HashedFile> hashed = hash_file(at(database));
  if (!hashed.ok()) return store_unavailable(std::string(hashed.status().message()));
  manifest_.database = *std::move(hashed);
  manifest_.taken_at = taken_at;
  BackupFigures figures{0, manifest_.files.size() + 2, manifest_.database.bytes, linked_, taken_at};
  for (const BackupManifest::File& file : manifest_.files) figures.bytes += file.bytes;
  const std::string manifest = write_manifest(manifest_);
  figures.bytes += manifest.size();
  // All else is on the disk before the manifest is.
  REPATH_RETURN_IF_ERROR(sync_file_system(partial_));
  REPATH_RETURN_IF_ERROR(if_disk_failed(put_manifest(partial_, manifest)));
  std::error_code error;
  fs::rename(partial_, folder_, error);
  if (error) return not_done("rename to", folder_, error);
  is_finished_ = true;
  REPATH_RETURN_IF_ERROR(sync_file_system(folder_));
  return figures;
}

}  // namespace repath
