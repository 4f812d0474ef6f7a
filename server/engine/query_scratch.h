// Memory that a thread's queries leave to the next ones. For a short path, allocating a search from
// scratch costs as much as the search itself. Not thread-safe: one for each thread. It keeps at
// most 64 KiB of each of four searches, because only short searches gain.
#pragma once

#include <memory>

namespace repath {

class IdleJumps;

class QueryScratch {
 public:
  QueryScratch();
  ~QueryScratch();
  QueryScratch(const QueryScratch&) = delete;
  QueryScratch& operator=(const QueryScratch&) = delete;

  IdleJumps& jumps() { return *jumps_; }

 private:
  std::unique_ptr<IdleJumps> jumps_;
};

}  // namespace repath
