// Settler `field`: one search from the goals, which all agents that share them read.
//
// Why it is exact: GoalField (search/incremental/goal_field.h) proves a node once no open node can
// still lower its label. The field reads the world's revision, or an older
// one that answers the agent's question. Its answer goes through all deltas since
// (Settling::finish).
//
// Where jump point search can answer, a field is only made or repaired when that costs less than a
// search for each agent that waits (SearchCosts::field_pays).
#include "grid_ground/settlers/settlers.h"

namespace repath {
namespace {

// Returns whether the field, which may still read an older revision, may answer the agent as it is.
// Such a field serves all its agents before it is brought up to date. An answer must not be older
// than the agent's question or than the revision up to which it is proved. Otherwise
// settled_revision would fall back to where others were never proved.
bool answers_as_it_is(const SearchState& field, const Agent& agent) {
  return !field.is_empty() && field.is_fixed() && field.revision() > agent.proved &&
         field.revision() >= agent.asked_at && field.graph().layer().is_free(agent.origin);
}

}  // namespace

Tried try_field(Planning& p, Turn* turn) {
  if (p.kind_for(turn) != SearchKind::kField) return Tried::kNext;
  SearchJob& job = turn->job;
  job.state = p.kept_state(turn->slot, SearchKind::kField);
  ++p.stats_of(job).searches;
  if (!answers_as_it_is(*job.state, p.s.agents[turn->slot]) &&
      !p.begin_repair(&job, p.costs.field_cap()))
    p.begin_fresh(&job);
  return Tried::kJob;
}

}  // namespace repath
