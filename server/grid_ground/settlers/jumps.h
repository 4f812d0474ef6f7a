// Settler `jumps`: a jump point search from scratch.
//
// Why it is exact: on uniform layers with eight neighbours jump point search finds an optimal path,
// by a jump map that each commit brings up to date (grid/jps/). The search reads one revision to
// its end, and what it finds goes through all deltas since (Settling::finish).
//
// If there is one goal cell it searches from the goal: what is put near the goal stays, what is put
// near a walking agent is soon behind it.
#pragma once

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class JumpsSettler final : public Settler {
 public:
  explicit JumpsSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  Planning& p_;
};

}  // namespace repath
