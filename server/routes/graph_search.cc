#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "routes/graph_ground.h"
#include "routes/graph_guide.h"
#include "routes/graph_turns.h"
#include "search/classic/a_star.h"
#include "search/classic/bfs.h"
#include "search/classic/dijkstra.h"
#include "search/classic/floyd_warshall.h"
#include "search/classic/fringe.h"
#include "search/classic/ida_star.h"
#include "search/classic/sma_star.h"
#include "search/incremental/d_star.h"
#include "search/incremental/d_star_lite.h"
#include "search/incremental/lpa_star.h"
#include "search/steps_taken.h"

namespace repath {
namespace {

// Returns the open nodes, ascending.
std::vector<NodeId> open_nodes(const WaypointGraph& graph) {
  std::vector<NodeId> nodes;
  const std::uint32_t end = graph.node_count();
  for (std::uint32_t n = 0; n < end; ++n)
    if (graph.is_live(NodeId{n}) && graph.is_enabled(NodeId{n})) nodes.push_back(NodeId{n});
  return nodes;
}

// The parts that a search borrows or keeps beside its kernel.
struct GraphPart {
  const WaypointGraph* graph;
  const GraphFilter* filter;
  RouteGraph routes;
  NodeId start;
  GoalSet goals;
  SearchWish wish;
};

double units_or_infinity(Cost cost) {
  return cost == kUnreachable ? HUGE_VAL : units_from_route_cost(cost);
}

// Appends the path that a kernel found; kernels differ in what they want to know.
template <class Kernel>
void append_found(const Kernel& kernel, NodeId start, std::vector<NodeId>* nodes) {
  if constexpr (requires { kernel.append_path(nodes); }) {
    if constexpr (std::same_as<decltype(kernel.append_path(nodes)), bool>) {
      REPATH_CHECK(kernel.append_path(nodes));
    } else {
      kernel.append_path(nodes);
    }
  } else if constexpr (requires { kernel.goal(); }) {
    kernel.append_path(kernel.goal(), nodes);
  } else {
    REPATH_CHECK(kernel.append_path(start, nodes));
  }
}

// One search by a kernel, which `begin(graph part)` makes.
template <class Kernel, RouteKernel kKernel>
class KernelSearch final : public RouteSearch {
 public:
  template <class Begin>
  KernelSearch(GraphPart part, Begin begin)
      : part_(counted(std::move(part), &work_)),
        kernel_(begin(part_)),
        steps_(&kernel_, part_.wish.touched_max == 0 ? 0 : kStepsToldMax) {}

  Progress advance(std::uint32_t* expansions) override {
    const auto progress =
        advance_counted(work_, expansions, [&](std::uint32_t* one) { return steps_.advance(one); });
    using Ends = decltype(progress);
    if constexpr (std::same_as<Ends, const LimitedProgress>)
      is_out_of_memory_ = progress == LimitedProgress::kMemoryLimit;
    if (progress == Ends::kPathFound) return Progress::kPathFound;
    return progress == Ends::kNoPath ? Progress::kNoPath : Progress::kOutOfBudget;
  }
  void append_route(std::vector<RoutePoint>* out) const override {
    std::vector<NodeId> nodes;
    append_found(kernel_, part_.start, &nodes);
    append_points(*part_.graph, *part_.filter, nodes, out);
  }
  Cost cost() const override { return kernel_.path_cost(); }
  Cost lower_bound() const override {
    if constexpr (kKernel == RouteKernel::kBfs) {
      const GraphGuide bound(*part_.graph, part_.routes, part_.goals, RouteGuide::kEuclid, 1);
      return std::min(cost(), bound(part_.start));
    } else if constexpr (requires { kernel_.weight(); }) {
      Cost least = kernel_.lower_bound();
      if (never_overestimates(part_.wish.guide)) {
        const auto sixteenths = static_cast<Cost>(kernel_.weight() * 16);
        least = std::max(
            least, static_cast<Cost>((Wide{cost()} * 16 + (sixteenths - 1)) / Wide{sixteenths}));
      }
      return least;
    }
    return cost();
  }
  std::uint64_t expanded() const override { return kernel_.expanded(); }
  std::uint64_t take_edge_units() override { return work_.take(); }
  SearchEffort effort() const override {
    SearchEffort effort{.bytes = kernel_.bytes(), .is_out_of_memory = is_out_of_memory_};
    if constexpr (requires { kernel_.generated(); }) effort.generated = kernel_.generated();
    if constexpr (requires { kernel_.turns(); })
      if (kernel_.path_cost() != kUnreachable) effort.turns = kernel_.turns();
    return effort;
  }
  RouteTrace touched() const override {
    std::vector<TouchedNode> nodes;
    kernel_.for_each_touched([&](const TouchedNode& touched) { nodes.push_back(touched); });
    constexpr bool kKeepsParents =
        kKernel != RouteKernel::kFloydWarshall && kKernel != RouteKernel::kIdaStar;
    if constexpr (!kKeepsParents) fill_parents(part_.routes, &nodes);
    std::ranges::sort(nodes, {}, [&](const TouchedNode& n) { return id_of(n.node); });
    const std::size_t most = part_.wish.touched_max;
    RouteTrace trace;
    trace.is_truncated = nodes.size() > most || steps_.nodes().size() == kStepsToldMax;
    if (nodes.size() > most) nodes.resize(most);
    // Returns 1 + the node's place in the trace; 0 if it is left out.
    const auto number_of = [&](NodeId node) {
      const auto found = std::ranges::lower_bound(
          nodes, id_of(node), {}, [&](const TouchedNode& n) { return id_of(n.node); });
      const bool is_told = found != nodes.end() && found->node == node;
      return is_told ? static_cast<std::uint32_t>(found - nodes.begin()) + 1 : 0;
    };
    for (const TouchedNode& node : nodes) {
      trace.touched.push_back({.at = spot_of(part_.graph->node(node.node)),
                               .g = units_or_infinity(node.g),
                               .h = units_or_infinity(node.h),
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
  static GraphPart counted(GraphPart part, EdgeWork* work) {
    part.routes = RouteGraph(part.graph, part.filter, work);
    return part;
  }
  std::uint64_t id_of(NodeId node) const { return part_.graph->node(node).id; }

  EdgeWork work_;
  GraphPart part_;
  Kernel kernel_;
  StepsTaken<Kernel> steps_;
  bool is_out_of_memory_ = false;
};

// `begin(graph part)` makes the kernel.
template <RouteKernel kKernel, class Begin>
std::unique_ptr<RouteSearch> make_search(GraphPart part, Begin begin) {
  using Kernel = std::invoke_result_t<Begin, const GraphPart&>;
  return std::make_unique<KernelSearch<Kernel, kKernel>>(std::move(part), begin);
}

// Makes a search by A* with a bound, which `bound_of(graph part)` makes.
template <class BoundOf>
std::unique_ptr<RouteSearch> make_a_star(GraphPart part, BoundOf bound_of) {
  using Bound = std::invoke_result_t<BoundOf, const GraphPart&>;
  return make_search<RouteKernel::kAStar>(std::move(part), [=](const GraphPart& p) {
    return AStar<RouteGraph, Bound>(p.routes, p.start, p.goals, bound_of(p), p.wish.weight);
  });
}

// Makes a search for the least sum of edges and turns by A* with a bound.
template <class BoundOf>
std::unique_ptr<RouteSearch> make_turns(GraphPart part, BoundOf bound_of) {
  using Bound = std::invoke_result_t<BoundOf, const GraphPart&>;
  return make_search<RouteKernel::kAStar>(std::move(part), [=](const GraphPart& p) {
    return TurnSearch<Bound>(*p.graph, p.routes, p.start, p.goals, bound_of(p),
                             p.wish.turn_penalty);
  });
}

// Makes a search by one of the kernels that a bound guides.
template <class BoundOf>
std::unique_ptr<RouteSearch> make_led(GraphPart part, BoundOf bound_of) {
  using Bound = std::invoke_result_t<BoundOf, const GraphPart&>;
  using G = RouteGraph;
  if (part.wish.turn_penalty != 0) return make_turns(std::move(part), bound_of);
  switch (part.wish.method) {
    case RouteMethod::kFringe:
      return make_search<RouteKernel::kFringe>(std::move(part), [=](const GraphPart& p) {
        return FringeSearch<G, Bound>(p.routes, p.start, p.goals, bound_of(p));
      });
    case RouteMethod::kLpaStar:
      return make_search<RouteKernel::kLpaStar>(std::move(part), [=](const GraphPart& p) {
        return LpaStar<G, Bound>(p.routes, p.start, p.goals, bound_of(p));
      });
    case RouteMethod::kIdaStar:
      return make_search<RouteKernel::kIdaStar>(std::move(part), [=](const GraphPart& p) {
        const SearchLimits limits{.bytes_max = p.wish.bytes_max};
        return IdaStar<G, Bound>(p.routes, p.start, p.goals, bound_of(p), limits);
      });
    case RouteMethod::kSmaStar:
      return make_search<RouteKernel::kSmaStar>(std::move(part), [=](const GraphPart& p) {
        const SearchLimits limits{.bytes_max = p.wish.bytes_max};
        return SmaStar<G, Bound>(p.routes, p.start, p.goals, bound_of(p), limits);
      });
    default:
      return make_a_star(std::move(part), bound_of);
  }
}

// Makes a search by one of the kernels that have their own guide, or none.
std::unique_ptr<RouteSearch> make_unled(GraphPart part) {
  using G = RouteGraph;
  switch (part.wish.method) {
    case RouteMethod::kBfs:
      return make_search<RouteKernel::kBfs>(
          std::move(part), [](const GraphPart& p) { return Bfs<G>(p.routes, p.start, p.goals); });
    case RouteMethod::kDStar:
      return make_search<RouteKernel::kDStar>(
          std::move(part), [](const GraphPart& p) { return DStar<G>(p.routes, p.start, p.goals); });
    case RouteMethod::kDStarLite:
      return make_search<RouteKernel::kDStarLite>(std::move(part), [](const GraphPart& p) {
        return DStarLite<G>(p.routes, p.start, p.goals);
      });
    case RouteMethod::kFloydWarshall:
      return make_search<RouteKernel::kFloydWarshall>(std::move(part), [](const GraphPart& p) {
        return FloydWarshall(p.routes, open_nodes(*p.graph), p.start, p.goals);
      });
    default:
      return make_search<RouteKernel::kDijkstra>(std::move(part), [](const GraphPart& p) {
        const Source source{p.start, 0};
        return Dijkstra<G>(p.routes, {&source, 1}, p.goals);
      });
  }
}

bool is_led(RouteMethod method) {
  using enum RouteMethod;
  return method == kBest || method == kAStar || method == kFringe || method == kIdaStar ||
         method == kSmaStar || method == kLpaStar;
}

template <class Guide>
Guide guide_of(const GraphPart& part) {
  return {*part.graph, part.routes, part.goals, part.wish.guide, part.wish.weight};
}

}  // namespace

PairTableNeed pair_table_need(const WaypointGraph& graph, const GraphFilter& filter) {
  std::vector<NodeId> nodes = open_nodes(graph);
  const std::uint64_t count = nodes.size();
  return {count, FloydWarshall(RouteGraph{&graph, &filter}, std::move(nodes)).bytes_needed()};
}

void append_points(const WaypointGraph& graph, const GraphFilter& filter,
                   std::span<const NodeId> nodes, std::vector<RoutePoint>* out) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const GraphNode& node = graph.node(nodes[i]);
    RoutePoint point{.at = spot_of(node), .node = node.id, .area = node.area};
    if (i + 1 < nodes.size()) {
      const CheapestEdge next = cheapest_edge(graph, filter, nodes[i], nodes[i + 1]);
      point.area = next.edge->area;
      point.key = next.edge->key;
    }
    out->push_back(point);
  }
}

std::unique_ptr<RouteSearch> search_graph(const SearchWish& wish, const WaypointGraph* graph,
                                          const GraphFilter* filter, NodeId start, GoalSet goals) {
  GraphPart part{graph, filter, {graph, filter}, start, std::move(goals), wish};
  if (!is_led(wish.method)) return make_unled(std::move(part));
  if (!never_overestimates(wish.guide)) {
    REPATH_CHECK(wish.weight > 1);
    return make_a_star(std::move(part), guide_of<GuideWithProof>);
  }
  if (wish.guide != RouteGuide::kAuto || wish.weight > 1)
    return make_led(std::move(part), guide_of<GraphGuide>);
  return make_led(std::move(part), [](const GraphPart& p) {
    return NearestGoalBound<RouteGraph>(p.routes, p.goals);
  });
}

}  // namespace repath
