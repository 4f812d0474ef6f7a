#include "replan/detour.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/cost.h"
#include "grid/cells/costs.h"
#include "replan/settling.h"

namespace repath {
std::vector<NodeId> find_detour(const GridGraph& graph, const JumpMap& jumps, IdleJumps& idle,
                                std::span<const NodeId> nodes, std::size_t at, Recalled::Gap gap,
                                WorkUnits units_max, WorkUnits* units) {
  const std::size_t from = gap.first > at + kDetourReach ? gap.first - kDetourReach : at;
  const std::size_t to = std::min(gap.last + 1 + kDetourReach, nodes.size() - 1);
  const GridLayer& layer = graph.layer();
  // Of the steps as if all were open.
  const Cost length = cost_of_open(graph, nodes.subspan(from, to - from + 1));
  std::unique_ptr<JumpSearch> search = idle.take(layer, jumps, nodes[from], nodes[to]);
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

}  // namespace repath
