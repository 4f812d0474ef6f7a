#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "engine/cut_off.h"
#include "engine/queries.h"
#include "engine/query_run.h"
#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid/cells/place.h"
#include "search/classic/dijkstra.h"

namespace repath {
namespace {

std::size_t cells_of(const PlaceBox& box) {
  return static_cast<std::size_t>(box.x1 - box.x0 + 1) *
         static_cast<std::size_t>(box.y1 - box.y0 + 1);
}

template <class Visit>
void for_each_free_cell(const GridLayer& layer, const PlaceBox& box, Visit visit) {
  for (std::int32_t y = box.y0; y <= box.y1; ++y)
    for (std::int32_t x = box.x0; x <= box.x1; ++x)
      if (layer.is_free(x, y)) visit(layer.node_at(x, y));
}

// Counts the cells of the area that are yet to be settled. At first these are all free cells. Once
// the search has gone far beyond the area, they are only the reachable ones, if labels are worth
// making. Otherwise one closed room in the area would make the search flood the map.
class CellsLeft {
 public:
  CellsLeft(const Snapshot& world, const PlaceBox& area, std::span<const Source> sources,
            const StopToken* stop)
      : world_(world),
        area_(area),
        sources_(sources),
        labels_(world.components ? &*world.components : nullptr, stop) {
    for_each_free_cell(world.layer, area, [&](NodeId) { ++left_; });
  }

  std::size_t count() const { return left_; }
  // Takes in the cells that the kernel has settled; called after each slice.
  void update(const Dijkstra<GridGraph>& kernel) {
    for (; looked_at_ < kernel.settled().size(); ++looked_at_)
      left_ -= area_.contains(place_of(world_.layer, kernel.settled()[looked_at_])) ? 1 : 0;
    if (left_ == 0 || is_exact_ || !is_far(kernel) || !labels_.make(kernel.expanded())) return;
    is_exact_ = true;
    left_ = reachable(kernel);
    labels_.note_use(left_ == 0);
  }
  // Notes that the search ended before all cells were settled.
  void note_end(const Dijkstra<GridGraph>& kernel) {
    if (!is_exact_ && is_far(kernel)) labels_.note_in_vain(kernel.expanded());
  }

 private:
  static constexpr std::size_t kFar = 2;  // times as many cells as the area has

  bool is_far(const Dijkstra<GridGraph>& kernel) const {
    return kernel.settled().size() > kFar * cells_of(area_);
  }
  // Counts the cells that are not settled but connected with a source.
  std::size_t reachable(const Dijkstra<GridGraph>& kernel) const {
    std::vector<ComponentMap::Component> components;
    for (const Source& source : sources_) {
      const ComponentMap::Component component = world_.components->component_of(source.node);
      if (components.empty() || components.back() != component) components.push_back(component);
    }
    std::ranges::sort(components);
    std::size_t count = 0;
    for_each_free_cell(world_.layer, area_, [&](NodeId cell) {
      if (kernel.is_settled(cell)) return;
      count += std::ranges::binary_search(components, world_.components->component_of(cell));
    });
    return count;
  }

  const Snapshot& world_;
  const PlaceBox& area_;
  std::span<const Source> sources_;
  LabelMaker labels_;
  std::size_t left_ = 0;
  std::size_t looked_at_ = 0;  // of what the kernel has settled
  bool is_exact_ = false;
};

// Searches until all cells of the area are settled: kPathFound.
struct FieldSearch {
  Dijkstra<GridGraph>& kernel;
  CellsLeft& left;
  Progress advance(std::uint32_t* expansions) {
    const Progress slice = left.count() == 0 ? Progress::kPathFound : kernel.advance(expansions);
    left.update(kernel);
    return left.count() == 0 ? Progress::kPathFound : slice;
  }
};

// Returns the direction of a step, as FlowField numbers them.
std::uint8_t direction_of(Topology topology, Place from, Place to) {
  // Index: (dy + 1) * 3 + dx + 1; directions go around from +x by way of +y.
  constexpr std::array<std::uint8_t, 9> kOnSquares{5, 6, 7, 4, kFlowNone, 0, 3, 2, 1};
  // The same index; in the rows beside, dx is -1 to the left and 1 to the right.
  constexpr std::array<std::uint8_t, 9> kOnHexagons{4, kFlowNone, 5,         3, kFlowNone,
                                                    0, 2,         kFlowNone, 1};
  const std::int32_t dy = to.y - from.y;
  std::int32_t dx = to.x - from.x;
  if (topology != Topology::kHex)
    return kOnSquares[static_cast<std::size_t>((dy + 1) * 3 + dx + 1)];
  if (dy != 0) dx = 2 * dx + ((from.y & 1) != 0 ? -1 : 1);
  return kOnHexagons[static_cast<std::size_t>((dy + 1) * 3 + dx + 1)];
}

// Returns the next step of a cheapest path from `n`; if there are several, the one with the lowest
// direction number. REQUIRES: n is settled and no goal.
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

  // Steps cost the same both ways, so a search from the goals settles the cheapest ways to them.
  Dijkstra<GridGraph> kernel(graph, sources);
  CellsLeft left(world, query.area, sources, limits.stop);
  FieldSearch search{kernel, left};
  const Progress progress = QueryRun(limits).to_end(search);
  if (progress == Progress::kNoPath) left.note_end(kernel);
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
