// Settler `detour`: a way round the closed steps of the agent's path that costs no more than they
// did.
//
// Why it is exact: edges that close make no path cheaper. So the path's old cost still bounds every
// path from below, as long as no rival costs less by the net delta (see recall.cc). A path mended
// at no extra cost is therefore optimal. The one search that is needed is between two cells of the
// path, a few dozen steps apart. A broken path that is open again by its turn counts as it is.
#include "grid_ground/settlers/detour.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/cost.h"
#include "grid/cells/costs.h"
#include "grid_ground/settlers/settlers.h"
#include "grid_ground/settling.h"

namespace repath {
namespace {

bool mend(Planning& p, const Turn& turn, const ProvedPath& path, const Recalled& recalled) {
  WorkUnits units = 0;
  std::vector<NodeId> nodes =
      find_detour(p.s.world.graph(turn.view), *p.s.world.jumps(turn.view), p.s.search_memory.idle(),
                  path.nodes, recalled.at, *recalled.gap, p.costs.detour_cap(), &units);
  p.budget.spend(units);
  p.costs.note_work(units);
  p.costs.note_detour(units, !nodes.empty());
  p.s.stats.strategies[static_cast<std::size_t>(SearchKind::kJump)].expansions += units;
  return !nodes.empty() && p.settle_proved(turn.slot, std::move(nodes), recalled.held);
}

}  // namespace

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

Tried try_detour(Planning& p, Turn* turn) {
  const bool may_try = turn->is_broken && p.s.recalls_paths(turn->slot) && p.can_jump(turn->view);
  if (!may_try) return Tried::kNext;
  p.drop_forgotten_paths(*turn);
  const std::vector<ProvedPath>& paths = p.s.agents[turn->slot].proved_paths;
  if (paths.empty() || !p.costs.detours_pay()) return Tried::kNext;
  const std::size_t broken = paths.size() - 1;
  WorkUnits units = 0;
  const std::optional<Recalled> recalled = p.recall(*turn, broken, &units);
  if (!recalled || !recalled->is_cheapest()) return Tried::kNext;
  const bool is_served = recalled->gap ? mend(p, *turn, paths[broken], *recalled)
                                       : p.settle_recalled(*turn, broken, *recalled);
  return is_served ? Tried::kSettled : Tried::kNext;
}

}  // namespace repath
