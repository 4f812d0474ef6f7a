// A unix socket's file: who may put one at a path, and who takes it away.
//
// The socket is bound under a name of its own beside the path and moved there once it is listened
// on, so that a path never leads to a socket that is not served yet. Whether the path is free is
// looked up and the file moved under a lock of the folder, so that of two servers that start at
// once one is refused. Another file than a socket is never touched.
//
// Thread rule: none; one owner.
#pragma once

#include <sys/types.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace repath {

class UnixSocket {
 public:
  // For the socket at `path`. UNAVAILABLE, reason ADDRESS_IN_USE, if another process listens there,
  // if something else than a socket is there, or if the folder cannot be used.
  static absl::StatusOr<UnixSocket> prepare(const std::string& path);
  UnixSocket(UnixSocket&& other) noexcept;
  UnixSocket& operator=(UnixSocket&& other) = delete;
  // Removes the file, if it is still the one that publish() moved there.
  ~UnixSocket();

  // Where to bind: at most 107 characters, whatever the path.
  const std::string& bind_path() const { return bind_path_; }
  // Moves the bound socket to its path, in place of one that nobody listens on. Errors as
  // prepare().
  absl::Status publish();

 private:
  UnixSocket(std::string path, std::string name, int folder);
  absl::Status check_free() const;

  std::string path_;
  std::string name_;       // of the file in its folder
  std::string temporary_;  // likewise, until it is published
  std::string bind_path_;
  int folder_ = -1;  // open, for its lock
  bool is_published_ = false;
  dev_t device_ = 0;  // of the published socket, as the next one
  ino_t inode_ = 0;
};

}  // namespace repath
