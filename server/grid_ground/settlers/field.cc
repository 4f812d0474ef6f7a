#include "grid_ground/settlers/field.h"

#include "grid_ground/settlers/repair.h"

namespace repath {

Tried FieldSettler::attempt(Turn* turn) {
  if (p_.kind_for(turn) != SearchKind::kField) return Tried::kNext;
  SearchJob& job = turn->job;
  job.state = p_.kept_state(turn->slot, SearchKind::kField);
  ++p_.stats_of(job).searches;
  if (!answers_as_it_is(*job.state, turn->slot) && !begin_repair(p_, &job, p_.costs.field_cap()))
    p_.begin_fresh(&job);
  return Tried::kJob;
}

// Returns whether the field, which may still read an older revision, may answer the agent as it is.
// Such a field serves all its agents before it is brought up to date. An answer must not be older
// than the agent's question or than the revision up to which it is proved. Otherwise
// settled_revision would fall back to where others were never proved.
bool FieldSettler::answers_as_it_is(const SearchState& field, Slot slot) const {
  const Agent& agent = p_.s.agents[slot];
  return !field.is_empty() && field.is_fixed() && field.revision() > agent.proved &&
         field.revision() >= agent.asked_at && field.graph().layer().is_free(agent.origin);
}

}  // namespace repath
