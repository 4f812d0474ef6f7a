// What must be known of all kept searches together: how much memory they hold, which of them was
// used longest ago, and which read the live layer as if it would not change.
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
  // Of all states.
  std::uint64_t bytes() const { return bytes_; }

  // Of these, shared fields that read a snapshot.
  std::size_t pinned_fields() const { return pinned_fields_; }

  // Beside them: memory that jump point searches hand on, a few MiB at the most.
  IdleJumps& idle() { return idle_; }
  const IdleJumps& idle() const { return idle_; }

  // Least recently used first.
  const std::map<std::uint64_t, SearchState*>& by_use() const { return by_use_; }

  // The world is about to change: those that read one revision to its end keep a snapshot of it.
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
