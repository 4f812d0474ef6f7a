#include <algorithm>
#include <array>
#include <vector>

#include "engine/queries.h"
#include "engine/query_run.h"
#include "grid/graph.h"
#include "replan/goals.h"
#include "replan/place.h"
#include "search/dijkstra.h"

namespace repath {
namespace {

std::size_t cells_of(const PlaceBox& box) {
  return static_cast<std::size_t>(box.x1 - box.x0 + 1) *
         static_cast<std::size_t>(box.y1 - box.y0 + 1);
}

std::size_t free_cells(const GridLayer& layer, const PlaceBox& box) {
  std::size_t free = 0;
  for (std::int32_t y = box.y0; y <= box.y1; ++y)
    for (std::int32_t x = box.x0; x <= box.x1; ++x) free += layer.is_free(x, y) ? 1 : 0;
  return free;
}

// Which way a step leads, as FlowField numbers them.
std::uint8_t direction_of(Topology topology, Place from, Place to) {
  // By (dy + 1) * 3 + dx + 1: around from +x by way of +y.
  constexpr std::array<std::uint8_t, 9> kOnSquares{5, 6, 7, 4, kFlowNone, 0, 3, 2, 1};
  // The same, dx being -1 to the left and 1 to the right in the rows beside.
  constexpr std::array<std::uint8_t, 9> kOnHexagons{4, kFlowNone, 5,         3, kFlowNone,
                                                    0, 2,         kFlowNone, 1};
  const std::int32_t dy = to.y - from.y;
  std::int32_t dx = to.x - from.x;
  if (topology != Topology::kHex)
    return kOnSquares[static_cast<std::size_t>((dy + 1) * 3 + dx + 1)];
  if (dy != 0) dx = 2 * dx + ((from.y & 1) != 0 ? -1 : 1);
  return kOnHexagons[static_cast<std::size_t>((dy + 1) * 3 + dx + 1)];
}

// The next step of a cheapest path from `n`; of several the one whose direction has the least
// number. REQUIRES: n is settled and no goal.
std::uint8_t next_step(const Snapshot& world, const GridGraph& graph,
                       const Dijkstra<GridGraph>& kernel, NodeId n) {
  std::uint8_t least = kFlowNone;
  graph.for_each_successor(n, [&](NodeId to, Cost step) {
    if (!kernel.is_settled(to) || kernel.cost(to) + step != kernel.cost(n)) return;
    least = std::min(
        least, direction_of(world.topology, place_of(world.layer, n), place_of(world.layer, to)));
  });
  return least;
}

}  // namespace

FlowField find_flow_field(const Snapshot& world, const FlowQuery& query,
                          const QueryLimits& limits) {
  FlowField field;
  const GridLayer& layer = world.layer;
  const GridGraph graph = world.graph();
  const Goals goals(layer, world.topology, query.goals, query.goal_radius);
  std::vector<Source> sources;
  for (const NodeId goal : goals.nodes().nodes())
    if (layer.is_free(goal)) sources.push_back({goal, 0});
  field.state = sources.empty() ? QueryState::kGoalBlocked : QueryState::kComplete;
  field.directions.assign(cells_of(query.area), kFlowNone);
  field.costs.assign(cells_of(query.area), kUnreachable);
  if (sources.empty()) return field;

  // Steps cost the same there and back, so what a search from the goals settles is what leads
  // there.
  Dijkstra<GridGraph> kernel(graph, sources);
  std::size_t left = free_cells(layer, query.area);
  std::size_t looked_at = 0;
  QueryRun run(limits);
  const Progress progress = run.to_end([&](std::uint32_t* expansions) {
    const Progress slice = left == 0 ? Progress::kPathFound : kernel.advance(expansions);
    for (; looked_at < kernel.settled().size(); ++looked_at)
      left -= query.area.contains(place_of(layer, kernel.settled()[looked_at])) ? 1 : 0;
    return left == 0 ? Progress::kPathFound : slice;
  });
  field.expanded = kernel.expanded();
  if (progress == Progress::kOutOfBudget) {
    field.state = QueryState::kOutOfBudget;
    return field;
  }
  std::size_t at = 0;
  for (std::int32_t y = query.area.y0; y <= query.area.y1; ++y)
    for (std::int32_t x = query.area.x0; x <= query.area.x1; ++x, ++at) {
      const NodeId n = layer.node_at(x, y);
      if (!kernel.is_settled(n)) continue;
      field.costs[at] = kernel.cost(n);
      field.directions[at] = kernel.cost(n) == 0 ? kFlowGoal : next_step(world, graph, kernel, n);
    }
  return field;
}

}  // namespace repath
