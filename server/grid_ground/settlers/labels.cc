// Settler `labels`: component labels say that the agent and its goals do not hang together.
//
// Why it is exact: two cells have one label if and only if steps lead from one to the other
// (grid/components/components.h). So if no goal node has the agent's label at the world's revision,
// no path leads to one.
//
// Current labels cost a look, so they are asked before any search. Labels that lie behind cost what
// brings them up to date. If jump point search can answer, it goes first, and labels are asked once
// it has taken as long as they would (SearchCosts::units_before_labels).
#include "grid_ground/settlers/settlers.h"

namespace repath {
namespace {

// An agent that has just stopped being enclosed is reachable again, so labels need not be asked.
bool may_ask(const Turn& turn) { return turn.may_be_cut_off && !turn.was_enclosed; }

bool may_search_first(const Planning& p, ViewId view) {
  return p.may_want_jumps(view) && p.s.reach.units_behind(view) > 0;
}

Tried ask(Planning& p, Turn* turn) {
  return p.are_apart(turn->slot) ? p.settle_cut_off(turn->slot, &turn->job) : Tried::kNext;
}

}  // namespace

Tried try_labels(Planning& p, Turn* turn) {
  return may_ask(*turn) && !may_search_first(p, turn->view) ? ask(p, turn) : Tried::kNext;
}

Tried try_labels_behind(Planning& p, Turn* turn) {
  if (!may_ask(*turn) || !may_search_first(p, turn->view)) return Tried::kNext;
  if (p.kind_for(turn) != SearchKind::kJump) return ask(p, turn);
  turn->job.labels_at = p.costs.units_before_labels(p.s.reach.units_behind(turn->view));
  return Tried::kNext;
}

}  // namespace repath
