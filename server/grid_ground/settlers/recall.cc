// Settler `recall`: a path that was proved for the agent before is optimal again, as after a door
// that shut and opened.
//
// Why it is exact: the path's cost and lower bound were proved at an earlier revision. Recaller
// adds up all deltas since then, edge by edge, to one net delta, and filters 1 and 2 of the promise
// hold for that delta as for any other. The path is optimal if all its steps are open and its cost
// today is at most its lower bound today.
#include <algorithm>
#include <optional>

#include "grid_ground/settlers/settlers.h"

namespace repath {
namespace {

// Tries all proved paths but the newest `left_out`.
Tried recall_any(Planning& p, Turn* turn, std::size_t left_out) {
  if (!p.s.recalls_paths(turn->slot)) return Tried::kNext;
  p.drop_forgotten_paths(*turn);
  const Agent& agent = p.s.agents[turn->slot];
  const std::size_t paths = agent.proved_paths.size();
  for (std::size_t i = paths - std::min(left_out, paths); i-- > 0;) {
    const bool may_pay = may_count_again(p.s.log, turn->view, agent.proved_paths[i]) &&
                         p.costs.recalls_pay(agent.path.holds());
    if (!may_pay) continue;
    WorkUnits units = 0;
    const std::optional<Recalled> recalled = p.recall(*turn, i, &units);
    const bool counts = recalled && !recalled->gap && recalled->is_cheapest();
    p.costs.note_recall(agent.path.holds(), units, counts);
    if (!counts) continue;
    return p.settle_recalled(*turn, i, *recalled) ? Tried::kSettled : Tried::kNext;
  }
  return Tried::kNext;
}

}  // namespace

Tried try_recall(Planning& p, Turn* turn) {
  return turn->is_broken ? Tried::kNext : recall_any(p, turn, 0);
}

Tried try_recall_broken(Planning& p, Turn* turn) {
  return turn->is_broken ? recall_any(p, turn, 1) : Tried::kNext;
}

}  // namespace repath
