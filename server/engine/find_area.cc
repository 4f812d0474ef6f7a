#include <algorithm>
#include <utility>
#include <vector>

#include "engine/cut_off.h"
#include "engine/queries.h"
#include "engine/query_run.h"
#include "grid/cells/place.h"
#include "search/classic/dijkstra.h"

namespace repath {
NearestGoal find_nearest_goal(const Snapshot& world, MapPoint from, std::span<const MapPoint> goals,
                              const QueryLimits& limits) {
  NearestGoal nearest;
  const Source source{node_at(world.layer, from), 0};
  if (!world.layer.is_free(source.node)) {
    nearest.state = nearest.path.state = QueryState::kStartBlocked;
    return nearest;
  }
  std::vector<NodeId> nodes;
  for (const MapPoint& goal : goals) nodes.push_back(node_at(world.layer, goal));
  CutOff cut_off(world.components ? &*world.components : nullptr, source.node, nodes, limits.stop);
  if (cut_off.is_known()) return nearest;
  const GridGraph graph = world.graph();
  Dijkstra<GridGraph> kernel(graph, {&source, 1}, GoalSet(nodes));
  QueryRun run(limits);
  const Progress progress = run.to_end(kernel, &cut_off);
  nearest.state = run.state_after(progress);
  nearest.path.state = nearest.state;
  add_effort(kernel, &nearest.path);
  if (progress != Progress::kPathFound) return nearest;
  const auto found = std::find(nodes.begin(), nodes.end(), kernel.goal());
  nearest.goal = static_cast<std::uint32_t>(found - nodes.begin());
  nearest.path.cost = kernel.path_cost();
  kernel.append_path(kernel.goal(), &nearest.path.nodes);
  return nearest;
}

ReachableAnswer find_reachable(const Snapshot& world, MapPoint from, Cost max_cost,
                               std::uint32_t max_cells, const QueryLimits& limits) {
  ReachableAnswer answer;
  const Source source{node_at(world.layer, from), 0};
  if (!world.layer.is_free(source.node)) {
    answer.state = QueryState::kStartBlocked;
    return answer;
  }
  const GridGraph graph = world.graph();
  Dijkstra<GridGraph> kernel(graph, {&source, 1}, {}, max_cost);
  // Asking for one more than wanted shows whether there are more.
  QueryLimits bounded = limits;
  bounded.max_expansions =
      std::min<std::uint64_t>(limits.max_expansions, std::uint64_t{max_cells} + 1);
  QueryRun run(bounded);
  const Progress progress = run.to_end(kernel);
  const std::span<const NodeId> settled = kernel.settled();
  answer.truncated = settled.size() > max_cells;
  if (progress == Progress::kOutOfBudget && !answer.truncated) {
    answer.state = QueryState::kOutOfBudget;
    return answer;
  }
  const std::size_t count = std::min<std::size_t>(settled.size(), max_cells);
  std::vector<std::pair<NodeId, std::uint32_t>> places;  // node -> index into the answer
  for (std::size_t i = 0; i < count; ++i)
    places.emplace_back(settled[i], static_cast<std::uint32_t>(i));
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId node = settled[i];
    const NodeId previous = i == 0 ? node : kernel.parent(node);
    const auto at =
        std::lower_bound(places.begin(), places.end(), std::pair{previous, std::uint32_t{0}});
    answer.cells.push_back({node, kernel.cost(node), at->second});
  }
  return answer;
}

}  // namespace repath
