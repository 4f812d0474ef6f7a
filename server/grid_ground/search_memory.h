// Facts about all kept searches together: the memory they hold, the search that was used longest
// ago, and the searches that read the live layer, which must be pinned before it changes.
//
// Not thread-safe. States enter themselves, and a state that is destroyed strikes itself out.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "grid/jps/idle_jumps.h"

namespace repath {

class SearchState;

class SearchMemory {
 public:
  // Memory of all states, in bytes.
  std::uint64_t bytes() const { return bytes_; }

  // Number of states that are shared fields and read a snapshot.
  std::size_t pinned_fields() const { return pinned_fields_; }

  // Memory that jump point searches hand on, a few MiB at the most. It is counted separately.
  IdleJumps& idle() { return idle_; }
  const IdleJumps& idle() const { return idle_; }

  // Least recently used first.
  const std::map<std::uint64_t, SearchState*>& by_use() const { return by_use_; }

  // Lets searches that read one revision to its end keep a snapshot of it, before the world
  // changes.
  void pin_all();

 private:
  friend class SearchState;
  std::map<std::uint64_t, SearchState*> by_use_;
  std::vector<SearchState*> to_pin_;  // each knows its place in it
  std::uint64_t last_use_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t pinned_fields_ = 0;
  IdleJumps idle_;
};

}  // namespace repath
