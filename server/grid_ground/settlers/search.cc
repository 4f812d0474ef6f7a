#include "grid_ground/settlers/search.h"

namespace repath {

Tried SearchSettler::attempt(Turn* turn) {
  const SearchKind kind = p_.kind_for(turn);
  SearchJob& job = turn->job;
  if (kind == SearchKind::kFlood) {
    p_.begin_own(&job, kind);
  } else {
    job.state = p_.kept_state(turn->slot, kind);
    p_.begin_fresh(&job);
  }
  ++p_.stats_of(job).searches;
  return Tried::kJob;
}

}  // namespace repath
