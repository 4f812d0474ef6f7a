#include <algorithm>
#include <utility>
#include <vector>

#include "routes/graph_ground.h"
#include "search/classic/a_star.h"
#include "search/classic/dijkstra.h"
#include "search/classic/floyd_warshall.h"
#include "search/steps_taken.h"

namespace repath {
namespace {

// Returns the open nodes, ascending; stops when they are more than Floyd-Warshall takes.
std::vector<NodeId> open_nodes(const WaypointGraph& graph) {
  std::vector<NodeId> nodes;
  const std::uint32_t end = graph.node_count();
  for (std::uint32_t n = 0; n < end && nodes.size() <= FloydWarshall::kPairNodesMax; ++n)
    if (graph.is_live(NodeId{n}) && graph.is_enabled(NodeId{n})) nodes.push_back(NodeId{n});
  return nodes;
}

// The parts of a graph that a search borrows.
struct GraphPart {
  const WaypointGraph* graph;
  RouteGraph routes;
};

// One search by a kernel, which `begin(graph part)` makes.
template <class Kernel, RouteKernel kKernel>
class KernelSearch final : public RouteSearch {
 public:
  template <class Begin>
  KernelSearch(const WaypointGraph* graph, const GraphFilter* filter, std::size_t touched_max,
               Begin begin)
      : part_{graph, {graph, filter}},
        kernel_(begin(part_)),
        touched_max_(touched_max),
        steps_(&kernel_, touched_max == 0 ? 0 : kStepsToldMax) {}

  Progress advance(std::uint32_t* expansions) override { return steps_.advance(expansions); }
  void append_route(std::vector<RoutePoint>* out) const override {
    std::vector<NodeId> nodes;
    if constexpr (requires { kernel_.append_path(&nodes); }) {
      kernel_.append_path(&nodes);
    } else {
      kernel_.append_path(kernel_.goal(), &nodes);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GraphNode& node = part_.graph->node(nodes[i]);
      RoutePoint point{.at = spot_of(node), .node = node.id, .area = node.area};
      if (i + 1 < nodes.size()) point.area = part_.graph->edge(nodes[i], nodes[i + 1])->area;
      out->push_back(point);
    }
  }
  Cost cost() const override { return kernel_.path_cost(); }
  Cost lower_bound() const override { return kernel_.path_cost(); }
  std::uint64_t expanded() const override { return kernel_.expanded(); }
  RouteTrace touched() const override {
    std::vector<TouchedNode> nodes;
    kernel_.for_each_touched([&](const TouchedNode& touched) { nodes.push_back(touched); });
    if constexpr (kKernel == RouteKernel::kFloydWarshall) fill_parents(part_.routes, &nodes);
    std::ranges::sort(nodes, {}, [&](const TouchedNode& n) { return id_of(n.node); });
    RouteTrace trace;
    trace.is_truncated = nodes.size() > touched_max_ || steps_.nodes().size() == kStepsToldMax;
    if (nodes.size() > touched_max_) nodes.resize(touched_max_);
    // Returns 1 + the node's place in the trace; 0 if it is left out.
    const auto number_of = [&](NodeId node) {
      const auto found = std::ranges::lower_bound(
          nodes, id_of(node), {}, [&](const TouchedNode& n) { return id_of(n.node); });
      const bool is_told = found != nodes.end() && found->node == node;
      return is_told ? static_cast<std::uint32_t>(found - nodes.begin()) + 1 : 0;
    };
    for (const TouchedNode& node : nodes) {
      trace.touched.push_back({.at = spot_of(part_.graph->node(node.node)),
                               .g = units_from_route_cost(node.g),
                               .h = units_from_route_cost(node.h),
                               .is_open = node.is_open,
                               .node = id_of(node.node),
                               .parent = node.parent == kNoNode ? 0 : number_of(node.parent),
                               .from = {},
                               .left = {},
                               .right = {}});
    }
    for (const NodeId node : steps_.nodes())
      if (const std::uint32_t number = number_of(node); number != 0)
        trace.expansions.push_back(number - 1);
    trace.runs.push_back({kKernel, std::nullopt, 0, kernel_.expanded()});
    return trace;
  }

 private:
  std::uint64_t id_of(NodeId node) const { return part_.graph->node(node).id; }

  GraphPart part_;
  Kernel kernel_;
  std::size_t touched_max_;
  StepsTaken<Kernel> steps_;
};

using AStarSearch = KernelSearch<AStar<RouteGraph>, RouteKernel::kAStar>;
using DijkstraSearch = KernelSearch<Dijkstra<RouteGraph>, RouteKernel::kDijkstra>;
using AllPairsSearch = KernelSearch<FloydWarshall, RouteKernel::kFloydWarshall>;

}  // namespace

bool fits_all_pairs(const WaypointGraph& graph) {
  return open_nodes(graph).size() <= FloydWarshall::kPairNodesMax;
}

std::unique_ptr<RouteSearch> search_graph(RouteMethod method, const WaypointGraph* graph,
                                          const GraphFilter* filter, NodeId start, GoalSet goals,
                                          std::size_t touched_max) {
  if (method == RouteMethod::kFloydWarshall) {
    return std::make_unique<AllPairsSearch>(graph, filter, touched_max, [&](const GraphPart& part) {
      return FloydWarshall(part.routes, open_nodes(*part.graph), start, std::move(goals));
    });
  }
  if (method == RouteMethod::kDijkstra) {
    return std::make_unique<DijkstraSearch>(graph, filter, touched_max, [&](const GraphPart& part) {
      const Source source{start, 0};
      return Dijkstra<RouteGraph>(part.routes, {&source, 1}, std::move(goals));
    });
  }
  return std::make_unique<AStarSearch>(graph, filter, touched_max, [&](const GraphPart& part) {
    return AStar<RouteGraph>(part.routes, start, std::move(goals));
  });
}

}  // namespace repath
