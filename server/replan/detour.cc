#include "replan/detour.h"

#include <algorithm>

#include "base/cost.h"
#include "grid/costs.h"
#include "grid/jps.h"
#include "replan/goals.h"
#include "replan/place.h"
#include "replan/snap.h"

namespace repath {
namespace {

// What the steps cost when all of them are open.
Cost length_of(const GridLayer& layer, std::span<const NodeId> nodes) {
  Cost sum = 0;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Place a = place_of(layer, nodes[i]);
    const Place b = place_of(layer, nodes[i + 1]);
    sum += a.x != b.x && a.y != b.y ? kDiagonalStep : kStraightStep;
  }
  return sum;
}

}  // namespace

std::vector<NodeId> find_detour(const GridLayer& layer, const JumpMap& jumps,
                                std::span<const NodeId> nodes, std::size_t at, Recalled::Gap gap,
                                WorkUnits units_max, WorkUnits* units) {
  const std::size_t from = gap.first > at + kDetourReach ? gap.first - kDetourReach : at;
  const std::size_t to = std::min(gap.last + 1 + kDetourReach, nodes.size() - 1);
  const Cost length = length_of(layer, nodes.subspan(from, to - from + 1));
  const MapPoint end = centre_of(place_of(layer, nodes[to]));
  const Goals goal(layer, Topology::k8, std::span(&end, 1), 0);
  JumpPointSearch<GoalsCellBound> search(layer, jumps, nodes[from], goal.nodes(),
                                         GoalsCellBound(goal));
  const auto most = static_cast<std::uint32_t>(units_max);
  std::uint32_t left = most;
  const Progress progress = search.advance(&left);
  *units += 1 + most - left;
  if (progress != Progress::kPathFound || search.path_cost() > length) return {};
  std::vector<NodeId> path(nodes.begin() + static_cast<std::ptrdiff_t>(at),
                           nodes.begin() + static_cast<std::ptrdiff_t>(from));
  search.append_path(&path);
  path.insert(path.end(), nodes.begin() + static_cast<std::ptrdiff_t>(to) + 1, nodes.end());
  return path;
}

}  // namespace repath
