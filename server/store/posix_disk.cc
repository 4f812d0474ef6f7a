#include "store/posix_disk.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

std::string system_words(int code) { return std::generic_category().message(code); }

absl::Status disk_error(const std::string& doing, const std::string& path, int code) {
  const std::string text = doing + " " + path + ": " + system_words(code);
  if (code == ENOENT) return absl::NotFoundError(text);
  if (code == ENOSPC || code == EDQUOT) return absl::ResourceExhaustedError(text);
  return absl::InternalError(text);
}

// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

absl::Status sync_descriptor(int fd, const std::string& path) {
  if (::fsync(fd) == 0) return absl::OkStatus();
  return absl::DataLossError("fsync " + path + ": " + system_words(errno));
}

class PosixFile final : public DiskFile {
 public:
  PosixFile(int fd, std::string path) : file_(fd), path_(std::move(path)) {}

  absl::Status write(std::uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t n =
          ::pwrite(file_.fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return disk_error("write", path_, n < 0 ? errno : ENOSPC);
      offset += static_cast<std::uint64_t>(n);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return absl::OkStatus();
  }
  absl::Status sync() override { return sync_descriptor(file_.fd(), path_); }

 private:
  Descriptor file_;
  std::string path_;
};

class PosixLock final : public DiskLock {
 public:
  explicit PosixLock(int fd) : file_(fd) {}
  int fd() const { return file_.fd(); }

 private:
  Descriptor file_;
};

// Reads from the start to the end of the file.
bool read_descriptor(int fd, std::string* out) {
  std::array<char, 1u << 16> piece{};
  while (true) {
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    out->append(piece.data(), static_cast<std::size_t>(n));
  }
}

constexpr int kFileMode = 0640;

}  // namespace

absl::StatusOr<std::unique_ptr<PosixDisk>> PosixDisk::open_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return disk_error("make the folder", folder, error.value());
  return std::unique_ptr<PosixDisk>(new PosixDisk(folder));
}

absl::StatusOr<std::unique_ptr<DiskFile>> PosixDisk::open(const std::string& path, Open how) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (how == Open::kEmpty ? O_TRUNC : 0);
  const int fd = ::open(at(path).c_str(), flags, kFileMode);
  if (fd < 0) return disk_error("open", at(path), errno);
  return std::make_unique<PosixFile>(fd, at(path));
}

absl::StatusOr<std::string> PosixDisk::read(const std::string& path) {
  const Descriptor file(::open(at(path).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) return disk_error("open", at(path), errno);
  std::string bytes;
  if (!read_descriptor(file.fd(), &bytes)) return disk_error("read", at(path), errno);
  return bytes;
}

absl::StatusOr<std::string> PosixDisk::read_part(const std::string& path, std::uint64_t offset,
                                                 std::size_t size) {
  const Descriptor file(::open(at(path).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) return disk_error("open", at(path), errno);
  std::string bytes(size, '\0');
  std::size_t read = 0;
  while (read < size) {
    const ssize_t n =
        ::pread(file.fd(), bytes.data() + read, size - read, static_cast<off_t>(offset + read));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return disk_error("read", at(path), errno);
    if (n == 0) break;
    read += static_cast<std::size_t>(n);
  }
  bytes.resize(read);
  return bytes;
}

absl::Status PosixDisk::rename(const std::string& from, const std::string& to) {
  if (::rename(at(from).c_str(), at(to).c_str()) == 0) return absl::OkStatus();
  return disk_error("rename to", at(to), errno);
}

absl::Status PosixDisk::make_folder(const std::string& path) {
  if (::mkdir(at(path).c_str(), kFileMode | 0110) == 0 || errno == EEXIST) return absl::OkStatus();
  return disk_error("make the folder", at(path), errno);
}

absl::Status PosixDisk::sync_folder(const std::string& path) {
  const Descriptor folder(::open(at(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.fd() < 0) return disk_error("open", at(path), errno);
  return sync_descriptor(folder.fd(), at(path));
}

absl::Status PosixDisk::remove(const std::string& path) {
  if (::unlink(at(path).c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return disk_error("remove", at(path), errno);
}

absl::Status PosixDisk::remove_folder(const std::string& path) {
  if (::rmdir(at(path).c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return disk_error("remove", at(path), errno);
}

absl::StatusOr<std::vector<std::string>> PosixDisk::list(const std::string& path) {
  std::error_code error;
  std::filesystem::directory_iterator entries(at(path), error);
  if (error) return disk_error("list", at(path), error.value());
  std::vector<std::string> names;
  for (; entries != std::filesystem::directory_iterator(); entries.increment(error))
    names.push_back(entries->path().filename().string());
  // An increment that fails moves to the end.
  if (error) return disk_error("list", at(path), error.value());
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<std::uint64_t> PosixDisk::free_bytes() {
  struct statvfs space {};
  if (::statvfs(folder_.c_str(), &space) != 0) return disk_error("statvfs", folder_, errno);
  return std::uint64_t{space.f_bavail} * space.f_frsize;
}

absl::StatusOr<std::unique_ptr<DiskLock>> PosixDisk::lock(const std::string& path) {
  const int fd = ::open(at(path).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
  if (fd < 0) return disk_error("open", at(path), errno);
  auto held = std::make_unique<PosixLock>(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return disk_error("lock", at(path), errno);
    std::string holder;
    read_descriptor(fd, &holder);
    while (!holder.empty() && holder.back() == '\n') holder.pop_back();
    return with_fact(make_error(absl::StatusCode::kFailedPrecondition, "STORE_LOCKED", "data",
                                "the folder " + folder_ + " is in use by the process " + holder +
                                    "; a folder belongs to one server at a time"),
                     "pid", holder);
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd, 0) != 0 ||
      ::pwrite(fd, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return disk_error("write", at(path), errno);
  return held;
}

}  // namespace repath
