#include "grid_ground/settlers/jumps.h"

namespace repath {

Tried JumpsSettler::attempt(Turn* turn) {
  if (p_.kind_for(turn) != SearchKind::kJump) return Tried::kNext;
  p_.begin_own(&turn->job, SearchKind::kJump);
  ++p_.stats_of(turn->job).searches;
  return Tried::kJob;
}

}  // namespace repath
