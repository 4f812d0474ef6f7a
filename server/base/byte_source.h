// Bytes that come in pieces, so that a large file is never in memory as a whole.
#pragma once

#include <string>

namespace repath {

// Not thread-safe; belongs to one task at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Appends the next bytes, at most about 1 MiB. Returns false if none are left.
  virtual bool next(std::string* out) = 0;
};

}  // namespace repath
