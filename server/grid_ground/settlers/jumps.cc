// Settler `jumps`: a jump point search from scratch.
//
// Why it is exact: on uniform layers with eight neighbours jump point search finds an optimal path,
// by a jump map that each commit brings up to date (grid/jps/). The search reads one revision to
// its end, and what it finds goes through all deltas since (Settling::finish).
#include "grid_ground/settlers/settlers.h"

namespace repath {

Tried try_jumps(Planning& p, Turn* turn) {
  if (p.kind_for(turn) != SearchKind::kJump) return Tried::kNext;
  p.begin_own(&turn->job, SearchKind::kJump);
  ++p.stats_of(turn->job).searches;
  return Tried::kJob;
}

}  // namespace repath
