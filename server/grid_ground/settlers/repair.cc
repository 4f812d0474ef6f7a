#include "grid_ground/settlers/repair.h"

namespace repath {
namespace {

// Taking in changed nodes is cheaper than expanding them; a repair may spend half its cap on it.
constexpr std::uint64_t kFedNodesPerCap = 4;

}  // namespace

Tried RepairSettler::attempt(Turn* turn) {
  const SearchKind kind = p_.kind_for(turn);
  const bool is_kept = kind == SearchKind::kDStarLite || kind == SearchKind::kLpa;
  if (!is_kept) return Tried::kNext;
  SearchJob& job = turn->job;
  job.state = p_.kept_state(turn->slot, kind);
  if (job.state->is_empty()) return Tried::kNext;
  if (!is_goal_rooted(kind) && job.state->root() != p_.s.agents[turn->slot].origin)
    return Tried::kNext;
  const bool jumps_instead = kind == SearchKind::kDStarLite && p_.can_jump(turn->view);
  if (!begin_repair(p_, &job, p_.costs.repair_cap(jumps_instead ? SearchKind::kJump : kind)))
    return Tried::kNext;
  ++p_.stats_of(job).searches;
  return Tried::kJob;
}

bool begin_repair(Planning& planning, SearchJob* job, WorkUnits cap) {
  SearchState& state = *job->state;
  if (!state.can_follow(cap * kFedNodesPerCap)) return false;
  job->behind = value(planning.s.world.revision()) - value(state.revision());
  state.follow();
  job->is_repair = true;
  job->cap = cap;
  ++planning.stats_of(*job).repairs;
  return true;
}

}  // namespace repath
