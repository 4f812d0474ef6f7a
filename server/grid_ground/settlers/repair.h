// Settler `repair`: the search that the agent keeps takes in what changed since its last answer.
//
// Why it is exact: D* Lite and LPA* (search/incremental/) are notified of every node with a changed
// edge. They end with an optimal path of the world's revision, as a search from scratch does.
//
// Kept where jump point search cannot answer: on ground that is not uniform, and for an agent that
// has left every start-rooted search behind.
//
// A repair has a cap: it wins by orders of magnitude or loses. At the cap it is left unfinished, to
// be taken up another time, and a search from scratch begins (SearchCosts::repair_cap).
#pragma once

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class RepairSettler final : public Settler {
 public:
  explicit RepairSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  Planning& p_;
};

// Begins to repair the state of the job, for at most `cap` units. Returns false if the state holds
// no work, cannot follow the world to today's revision, or would use up the cap by that.
bool begin_repair(Planning& planning, SearchJob* job, WorkUnits cap);

}  // namespace repath
