// One way to settle an agent whose turn has come. settlers.h holds the list of them.
//
// A settler either gives the verdict, or hands over a search that will give it, or passes the agent
// on to the next settler. Every verdict of a settler is exact, and the header of each settler says
// why. The order of the settlers is a question of cost alone. One virtual call for each settler and
// turn.
#pragma once

#include <cstdint>
#include <optional>

#include "grid_ground/search_job.h"

namespace repath {

enum class Tried : std::uint8_t {
  kNext,     // this settler has no answer: ask the next one
  kJob,      // Turn::job holds the search to run
  kSettled,  // a verdict was given; the agent is settled, or it waits for something newer
  kLater,    // nothing can be done in this frame: the agent keeps its place in the queue
};

// An agent whose turn has come, and what is known of it.
struct Turn {
  Slot slot{};
  ViewId view{};
  bool is_broken = false;  // it holds a path with a closed step
  bool may_be_cut_off =
      false;                  // it holds no whole path, and ground may have parted since its proof
  bool was_enclosed = false;  // when `enclosed` looked the last time
  std::optional<SearchKind> kind = {};  // kind of search that its question calls for, once asked
  SearchJob job;
};

class Settler {
 public:
  virtual ~Settler() = default;
  // Tries to settle the agent. Spends what that costs from the frame's budget.
  virtual Tried attempt(Turn* turn) = 0;
};

}  // namespace repath
