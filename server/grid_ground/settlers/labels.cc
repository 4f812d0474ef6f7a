#include "grid_ground/settlers/labels.h"

namespace repath {
namespace {

// An agent that has just stopped being enclosed is reachable again, so labels need not be asked.
bool may_ask(const Turn& turn) { return turn.may_be_cut_off && !turn.was_enclosed; }

bool may_search_first(const Planning& planning, ViewId view) {
  return planning.may_want_jumps(view) && planning.s.reach.units_behind(view) > 0;
}

}  // namespace

Tried LabelsSettler::attempt(Turn* turn) {
  if (!may_ask(*turn) || may_search_first(p_, turn->view) || !p_.are_apart(turn->slot))
    return Tried::kNext;
  return p_.settle_cut_off(turn->slot, &turn->job);
}

Tried LabelsBehindSettler::attempt(Turn* turn) {
  if (!may_ask(*turn) || !may_search_first(p_, turn->view)) return Tried::kNext;
  if (p_.kind_for(turn) == SearchKind::kJump) {
    turn->job.labels_at = p_.costs.units_before_labels(p_.s.reach.units_behind(turn->view));
    return Tried::kNext;
  }
  return p_.are_apart(turn->slot) ? p_.settle_cut_off(turn->slot, &turn->job) : Tried::kNext;
}

}  // namespace repath
