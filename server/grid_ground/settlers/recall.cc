#include "grid_ground/settlers/recall.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace repath {
namespace {

// Tries all proved paths but the newest `left_out`.
Tried recall_any(Planning& planning, Turn* turn, std::size_t left_out) {
  drop_forgotten(planning, *turn);
  Agent& agent = planning.s.agents[turn->slot];
  for (std::size_t i = agent.proved_paths.size() - std::min(left_out, agent.proved_paths.size());
       i-- > 0;) {
    const bool may_pay = may_count_again(planning.s.log, turn->view, agent.proved_paths[i]) &&
                         planning.costs.recalls_pay(agent.path.holds());
    if (!may_pay) continue;
    WorkUnits units = 0;
    const auto recalled = recall(planning, *turn, i, &units);
    const bool counts = recalled && counts_again(*recalled);
    planning.costs.note_recall(agent.path.holds(), units, counts);
    if (!counts) continue;
    return settle_on(planning, *turn, i, *recalled) ? Tried::kSettled : Tried::kNext;
  }
  return Tried::kNext;
}

}  // namespace

Tried RecallSettler::attempt(Turn* turn) {
  if (turn->is_broken || !p_.s.recalls_paths(turn->slot)) return Tried::kNext;
  return recall_any(p_, turn, 0);
}

Tried RecallBrokenSettler::attempt(Turn* turn) {
  if (!turn->is_broken || !p_.s.recalls_paths(turn->slot)) return Tried::kNext;
  return recall_any(p_, turn, 1);
}

void drop_forgotten(Planning& planning, const Turn& turn) {
  std::erase_if(planning.s.agents[turn.slot].proved_paths, [&](const ProvedPath& path) {
    return !planning.s.log.covers(turn.view, path.revision);
  });
}

std::optional<Recalled> recall(Planning& planning, const Turn& turn, std::size_t i,
                               WorkUnits* units) {
  ReplanState& s = planning.s;
  Agent& agent = s.agents[turn.slot];
  ProvedPath& path = agent.proved_paths[i];
  std::uint64_t tests = 0;
  auto recalled = planning.recaller.recall(s.log, turn.view, s.world.graph(turn.view),
                                           s.goals_of(turn.slot).goals, path, agent.origin, &tests);
  const WorkUnits used = (tests + kTestsPerUnit - 1) / kTestsPerUnit;
  planning.budget.spend(used);
  *units += used;
  if (recalled) {
    path.looked_at = s.world.revision();
    path.spoiled = recalled->gap ? ProvedPath::Spoiled::kClosed : ProvedPath::Spoiled::kRival;
  }
  return recalled;
}

bool counts_again(const Recalled& recalled) {
  return !recalled.gap && counts_but_for_gap(recalled);
}

bool counts_but_for_gap(const Recalled& recalled) { return recalled.held <= recalled.lower; }

bool settle_on(Planning& planning, const Turn& turn, std::size_t i, const Recalled& recalled) {
  std::vector<ProvedPath>& paths = planning.s.agents[turn.slot].proved_paths;
  std::vector<NodeId> nodes = std::move(paths[i].nodes);
  paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(i));
  nodes.erase(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(recalled.at));
  return planning.settle_proved(turn.slot, std::move(nodes), recalled.held);
}

}  // namespace repath
