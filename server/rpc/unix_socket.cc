#include "rpc/unix_socket.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

// While it lives, no other server examines or changes the folder's sockets.
class FolderLock {
 public:
  explicit FolderLock(int folder) : folder_(folder) {
    while (flock(folder_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  ~FolderLock() { flock(folder_, LOCK_UN); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const int folder_;
};

// Returns the error of connecting to a socket in the folder; 0 if a process listens there.
int connect_error(int folder, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Goes through the open folder, so that the length of the path does not matter.
  const std::string path = "/proc/self/fd/" + std::to_string(folder) + "/" + name;
  if (path.size() >= sizeof address.sun_path) return ENAMETOOLONG;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (client < 0) return errno;
  // The address of a unix socket is passed as a generic one.
  const void* any = &address;
  const int failed = connect(client, static_cast<const sockaddr*>(any), sizeof address);
  const int error = failed != 0 ? errno : 0;
  close(client);
  return error == EAGAIN ? 0 : error;  // alive, with a full queue
}

}  // namespace

absl::Status cannot_listen(const std::string& address, const std::string& why) {
  return make_error(absl::StatusCode::kUnavailable, "ADDRESS_IN_USE", "",
                    "cannot listen on " + address + ": " + why);
}

UnixSocket::UnixSocket(std::string path, std::string name, int folder)
    : path_(std::move(path)), name_(std::move(name)), folder_(folder) {
  static std::atomic<int> count{0};
  temporary_ = ".repath-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  bind_path_ = path_.substr(0, path_.size() - name_.size()) + temporary_;
  if (bind_path_.size() > 107)
    bind_path_ = "/proc/self/fd/" + std::to_string(folder_) + "/" + temporary_;
}

UnixSocket::UnixSocket(UnixSocket&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::move(other.name_)),
      temporary_(std::move(other.temporary_)),
      bind_path_(std::move(other.bind_path_)),
      folder_(std::exchange(other.folder_, -1)),
      is_published_(std::exchange(other.is_published_, false)),
      device_(other.device_),
      inode_(other.inode_) {}

UnixSocket::~UnixSocket() {
  if (folder_ < 0) return;
  if (is_published_) {
    const FolderLock lock(folder_);
    struct stat now {};
    if (fstatat(folder_, name_.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_dev == device_ &&
        now.st_ino == inode_)
      unlinkat(folder_, name_.c_str(), 0);
  } else {
    unlinkat(folder_, temporary_.c_str(), 0);
  }
  close(folder_);
}

absl::StatusOr<UnixSocket> UnixSocket::prepare(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name.empty()) return cannot_listen("unix:" + path, "it is a folder");
  const std::string of = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int folder = open(of.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return cannot_listen("unix:" + path,
                         "the folder cannot be opened: " + std::string(strerror(errno)));
  UnixSocket made(path, name, folder);
  const FolderLock lock(folder);
  REPATH_RETURN_IF_ERROR(made.check_free());
  return made;
}

absl::Status UnixSocket::check_free() const {
  struct stat there {};
  if (fstatat(folder_, name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return absl::OkStatus();
    return cannot_listen("unix:" + path_, strerror(errno));
  }
  if (!S_ISSOCK(there.st_mode))
    return cannot_listen("unix:" + path_, "a file that is no socket is there");
  const int error = connect_error(folder_, name_);
  if (error == ECONNREFUSED || error == ENOENT) return absl::OkStatus();
  if (error == 0) return cannot_listen("unix:" + path_, "another process listens there");
  return cannot_listen("unix:" + path_,
                       "a socket is there, and whether another process listens is unknown: " +
                           std::string(strerror(error)));
}

absl::Status UnixSocket::publish() {
  const FolderLock lock(folder_);
  REPATH_RETURN_IF_ERROR(check_free());
  struct stat bound {};
  // Only the owner and the group may connect.
  if (fchmodat(folder_, temporary_.c_str(), 0660, 0) != 0 ||
      fstatat(folder_, temporary_.c_str(), &bound, AT_SYMLINK_NOFOLLOW) != 0 ||
      renameat(folder_, temporary_.c_str(), folder_, name_.c_str()) != 0)
    return cannot_listen("unix:" + path_, strerror(errno));
  device_ = bound.st_dev;
  inode_ = bound.st_ino;
  is_published_ = true;
  return absl::OkStatus();
}

}  // namespace repath
