#include "grid_ground/settlers/detour.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/cost.h"
#include "grid/cells/costs.h"
#include "grid_ground/settlers/recall.h"
#include "grid_ground/settling.h"

namespace repath {
std::vector<NodeId> find_detour(const GridGraph& graph, const JumpMap& jumps, IdleJumps& idle,
                                std::span<const NodeId> nodes, std::size_t at, Recalled::Gap gap,
                                WorkUnits units_max, WorkUnits* units) {
  const std::size_t from = gap.first > at + kDetourReach ? gap.first - kDetourReach : at;
  const std::size_t to = std::min(gap.last + 1 + kDetourReach, nodes.size() - 1);
  const GridLayer& layer = graph.layer();
  // Cost of the steps as if all were open.
  const Cost length = cost_of_open(graph, nodes.subspan(from, to - from + 1));
  std::unique_ptr<JumpPointSearch> search = idle.take(layer, jumps, nodes[from], nodes[to]);
  const auto most = static_cast<std::uint32_t>(units_max);
  std::uint32_t left = most;
  const Progress progress = search->advance(&left);
  *units += 1 + most - left;
  std::vector<NodeId> path;
  if (progress == Progress::kPathFound && search->path_cost() <= length) {
    path.reserve(nodes.size() - at + 2 * kDetourReach);
    path.assign(nodes.begin() + static_cast<std::ptrdiff_t>(at),
                nodes.begin() + static_cast<std::ptrdiff_t>(from));
    search->append_path(&path);
    path.insert(path.end(), nodes.begin() + static_cast<std::ptrdiff_t>(to) + 1, nodes.end());
  }
  idle.give_back(std::move(search));
  return path;
}

Tried DetourSettler::attempt(Turn* turn) {
  const bool may_try = turn->is_broken && p_.s.recalls_paths(turn->slot) && p_.can_jump(turn->view);
  if (!may_try) return Tried::kNext;
  drop_forgotten(p_, *turn);
  const std::vector<ProvedPath>& paths = p_.s.agents[turn->slot].proved_paths;
  if (paths.empty() || !p_.costs.detours_pay()) return Tried::kNext;
  const std::size_t broken = paths.size() - 1;
  WorkUnits units = 0;
  const std::optional<Recalled> recalled = recall(p_, *turn, broken, &units);
  if (!recalled || !counts_but_for_gap(*recalled)) return Tried::kNext;
  const bool is_served = recalled->gap ? mend(*turn, paths[broken], *recalled)
                                       : settle_on(p_, *turn, broken, *recalled);
  return is_served ? Tried::kSettled : Tried::kNext;
}

bool DetourSettler::mend(const Turn& turn, const ProvedPath& path, const Recalled& recalled) {
  WorkUnits units = 0;
  std::vector<NodeId> nodes = find_detour(p_.s.world.graph(turn.view), *p_.s.world.jumps(turn.view),
                                          p_.s.search_memory.idle(), path.nodes, recalled.at,
                                          *recalled.gap, p_.costs.detour_cap(), &units);
  p_.budget.spend(units);
  p_.costs.note_work(units);
  p_.costs.note_detour(units, !nodes.empty());
  p_.s.stats.strategies[static_cast<std::size_t>(SearchKind::kJump)].expansions += units;
  return !nodes.empty() && p_.settle_proved(turn.slot, std::move(nodes), recalled.held);
}

}  // namespace repath
