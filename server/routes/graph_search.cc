#include "routes/graph_search.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "search/classic/a_star.h"
#include "search/classic/dijkstra.h"
#include "search/classic/floyd_warshall.h"

namespace repath {
namespace {

// The open nodes of a graph, numbered without gaps: a SearchGraph for all pairs.
class OpenNodes {
 public:
  OpenNodes(const WaypointGraph& graph, const RouteGraph& routes)
      : routes_(routes), numbers_(graph.node_count(), 0) {
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
      if (!graph.is_live(NodeId{n}) || !graph.is_enabled(NodeId{n})) continue;
      numbers_[n] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(NodeId{n});
    }
  }

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  Cost heuristic(NodeId a, NodeId b) const { return routes_.heuristic(node(a), node(b)); }
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    routes_.for_each_successor(node(n), [&](NodeId to, Cost c) { visit(number(to), c); });
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    routes_.for_each_predecessor(node(n), [&](NodeId from, Cost c) { visit(number(from), c); });
  }

  // Returns the number of an open node.
  NodeId number(NodeId n) const { return NodeId{numbers_[index(n)]}; }
  NodeId node(NodeId number) const { return nodes_[index(number)]; }

 private:
  const RouteGraph& routes_;
  std::vector<NodeId> nodes_;           // by number
  std::vector<std::uint32_t> numbers_;  // by node; meaningless for nodes that are not open
};
static_assert(SearchGraph<OpenNodes>);

// Cheapest ways between all pairs of open nodes; the search needs only the one to the cheapest
// goal.
class AllPairs {
 public:
  AllPairs(const WaypointGraph& graph, const RouteGraph& routes, NodeId start, GoalSet goals)
      : open_(graph, routes),
        pairs_(open_),
        start_(open_.number(start)),
        goals_(std::move(goals)) {}

  Progress advance(std::uint32_t* rows) {
    if (!pairs_.advance(rows)) return Progress::kOutOfBudget;
    for (const NodeId goal : goals_.nodes()) {
      const Cost cost = pairs_.cost(start_, open_.number(goal));
      if (cost >= cost_) continue;
      cost_ = cost;
      goal_ = goal;
    }
    return goal_ == kNoNode ? Progress::kNoPath : Progress::kPathFound;
  }
  NodeId goal() const { return goal_; }
  Cost path_cost() const { return cost_; }
  void append_path(std::vector<NodeId>* out) const {
    const std::size_t first = out->size();
    REPATH_CHECK(pairs_.append_path(start_, open_.number(goal_), out));
    for (std::size_t i = first; i < out->size(); ++i) (*out)[i] = open_.node((*out)[i]);
  }
  // Returns the number of rows worked on.
  std::uint64_t expanded() const { return pairs_.expanded(); }
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    for (std::uint32_t n = 0; n < open_.node_count(); ++n)
      if (const Cost cost = pairs_.cost(start_, NodeId{n}); cost != kUnreachable)
        visit(TouchedNode{open_.node(NodeId{n}), cost});
  }

 private:
  OpenNodes open_;
  FloydWarshall pairs_;
  NodeId start_;
  GoalSet goals_;
  NodeId goal_ = kNoNode;
  Cost cost_ = kUnreachable;
};

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
      : part_{graph, {graph, filter}}, kernel_(begin(part_)), touched_max_(touched_max) {}

  Progress advance(std::uint32_t* expansions) override { return kernel_.advance(expansions); }
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
    std::vector<TouchedPlace> places;
    kernel_.for_each_touched([&](const TouchedNode& touched) {
      const GraphNode& node = part_.graph->node(touched.node);
      places.push_back({.at = spot_of(node),
                        .g = units_from_route_cost(touched.g),
                        .h = units_from_route_cost(touched.h),
                        .is_open = touched.is_open,
                        .node = node.id,
                        .from = {},
                        .left = {},
                        .right = {}});
    });
    std::ranges::sort(places, {}, &TouchedPlace::node);
    RouteTrace trace;
    trace.is_truncated = places.size() > touched_max_;
    if (trace.is_truncated) places.resize(touched_max_);
    trace.touched = std::move(places);
    trace.runs.push_back({kKernel, std::nullopt, 0, kernel_.expanded()});
    return trace;
  }

 private:
  GraphPart part_;
  Kernel kernel_;
  std::size_t touched_max_;
};

using AStarSearch = KernelSearch<AStar<RouteGraph>, RouteKernel::kAStar>;
using DijkstraSearch = KernelSearch<Dijkstra<RouteGraph>, RouteKernel::kDijkstra>;
using AllPairsSearch = KernelSearch<AllPairs, RouteKernel::kFloydWarshall>;

}  // namespace

bool fits_all_pairs(const WaypointGraph& graph) {
  std::uint32_t open = 0;
  for (std::uint32_t n = 0; n < graph.node_count() && open <= FloydWarshall::kPairNodesMax; ++n)
    open += graph.is_live(NodeId{n}) && graph.is_enabled(NodeId{n}) ? 1 : 0;
  return open <= FloydWarshall::kPairNodesMax;
}

std::unique_ptr<RouteSearch> search_graph(RouteMethod method, const WaypointGraph* graph,
                                          const GraphFilter* filter, NodeId start, GoalSet goals,
                                          std::size_t touched_max) {
  if (method == RouteMethod::kFloydWarshall) {
    return std::make_unique<AllPairsSearch>(graph, filter, touched_max, [&](const GraphPart& part) {
      return AllPairs(*part.graph, part.routes, start, std::move(goals));
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
