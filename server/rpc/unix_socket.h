// The file of a unix socket: it decides whether a server may put a socket at a path, and removes it
// again.
//
// The socket is bound under a temporary name beside the path and moved there once the server
// listens on it. So a socket at its path is always served. A lock of the folder covers the check
// whether the path is free and the move, so only one of two servers that start at once succeeds.
// Files other than sockets stay untouched.
//
// Thread rule: none; one owner.
#pragma once

#include <sys/types.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace repath {

// Returns UNAVAILABLE with reason ADDRESS_IN_USE.
absl::Status cannot_listen(const std::string& address, const std::string& why);

class UnixSocket {
 public:
  // Prepares the socket at `path`. Returns UNAVAILABLE with reason ADDRESS_IN_USE if another
  // process listens there, if a file other than a socket is there, or if the folder cannot be used.
  static absl::StatusOr<UnixSocket> prepare(const std::string& path);
  UnixSocket(UnixSocket&& other) noexcept;
  UnixSocket& operator=(UnixSocket&& other) = delete;
  // Removes the file if it is still the one that publish() moved there.
  ~UnixSocket();

  // Returns where to bind: at most 107 characters, whatever the path.
  const std::string& bind_path() const { return bind_path_; }
  // Moves the bound socket to its path, replacing a socket on which no process listens. Errors as
  // in prepare().
  absl::Status publish();

 private:
  UnixSocket(std::string path, std::string name, int folder);
  absl::Status check_free() const;

  std::string path_;
  std::string name_;       // name of the file in its folder
  std::string temporary_;  // name of the file until it is published
  std::string bind_path_;
  int folder_ = -1;  // open, for its lock
  bool is_published_ = false;
  dev_t device_ = 0;  // of the published socket, as the member below
  ino_t inode_ = 0;
};

}  // namespace repath
