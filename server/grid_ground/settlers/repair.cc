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
#include "grid_ground/settlers/settlers.h"

namespace repath {

Tried try_repair(Planning& p, Turn* turn) {
  const SearchKind kind = p.kind_for(turn);
  const bool is_kept = kind == SearchKind::kDStarLite || kind == SearchKind::kLpa;
  if (!is_kept) return Tried::kNext;
  SearchJob& job = turn->job;
  job.state = p.kept_state(turn->slot, kind);
  if (job.state->is_empty()) return Tried::kNext;
  if (!is_goal_rooted(kind) && job.state->search().root() != p.s.agents[turn->slot].origin)
    return Tried::kNext;
  const bool jumps_instead = kind == SearchKind::kDStarLite && p.can_jump(turn->view);
  if (!p.begin_repair(&job, p.costs.repair_cap(jumps_instead ? SearchKind::kJump : kind)))
    return Tried::kNext;
  ++p.stats_of(job).searches;
  return Tried::kJob;
}

}  // namespace repath
