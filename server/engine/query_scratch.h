// Memory that a thread's queries leave to the next ones: for a short path making a search anew
// costs as much as the search itself. Not thread-safe: one for each thread. Keeps little, for it is
// short searches that gain: at most 64 KiB of each of four.
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
