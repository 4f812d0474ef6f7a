// Facts about all kept searches of a grid together (verdicts/kept_memory.h), and the searches that
// read the live layer, which must be pinned before it changes.
//
// Not thread-safe. States enter themselves, and a state that is destroyed strikes itself out.
#pragma once

#include <cstddef>
#include <vector>

#include "grid/jps/idle_jumps.h"
#include "verdicts/kept_memory.h"

namespace repath {

class SearchState;

class SearchMemory : public KeptMemory<SearchState> {
 public:
  // Number of states that are shared fields and read a snapshot.
  std::size_t pinned_fields() const { return pinned_fields_; }

  // Memory that jump point searches hand on, a few MiB at the most. It is counted separately.
  IdleJumps& idle() { return idle_; }
  const IdleJumps& idle() const { return idle_; }

  // Lets searches that read one revision to its end keep a snapshot of it, before the world
  // changes.
  void pin_all();

 private:
  friend class SearchState;
  std::vector<SearchState*> to_pin_;  // each knows its place in it
  std::size_t pinned_fields_ = 0;
  IdleJumps idle_;
};

}  // namespace repath
