// The last settler: any other search from scratch. It cannot be switched off.
//
// Why it is exact: D* Lite, A* and LPA* find an optimal path of the revision that they read, and
// the flood behind PARTIAL visits everything that can be reached. Their results go through all
// deltas since (Settling::finish).
//
// D* Lite keeps its state for the settler `repair`.
#include "grid_ground/settlers/settlers.h"

namespace repath {

Tried begin_search(Planning& p, Turn* turn) {
  const SearchKind kind = p.kind_for(turn);
  SearchJob& job = turn->job;
  if (kind == SearchKind::kFlood) {
    p.begin_own(&job, kind);
  } else {
    job.state = p.kept_state(turn->slot, kind);
    p.begin_fresh(&job);
  }
  ++p.stats_of(job).searches;
  return Tried::kJob;
}

}  // namespace repath
