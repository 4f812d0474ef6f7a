#include <algorithm>
#include <utility>

#include "engine/cut_off.h"
#include "engine/guide.h"
#include "engine/own_clusters.h"
#include "engine/paid_search.h"
#include "engine/queries.h"
#include "engine/query_run.h"
#include "engine/smooth.h"
#include "engine/turn_graph.h"
#include "grid/cells/goals.h"
#include "grid/hpa/hpa_search.h"
#include "grid/jps/idle_jumps.h"
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

// The lower bound that the kernels ask for, from the goals' geometry.
struct GoalsBound {
  const GridLayer* layer;
  const Goals* goals;
  Cost operator()(NodeId n) const { return goals->bound(place_of(*layer, n)); }
};

// One query on its way: what is asked, and the answer as far as it is known.
struct Errand {
  const Snapshot& world;
  const GridGraph& graph;
  const PathQuery& query;
  const Goals& goals;
  NodeId start;
  SearchLimits limits;    // of kernels that keep to memory
  IdleJumps* idle_jumps;  // null: none
  CutOff cut_off;         // of the start and the goals
  QueryRun run;
  PathAnswer answer;
};

// Whether the algorithm keeps the node from which each one was reached.
bool keeps_parents(QueryAlgorithm algorithm) {
  return algorithm != QueryAlgorithm::kIdaStar && algorithm != QueryAlgorithm::kFloydWarshall;
}

struct AppendPath {
  template <class Kernel>
  void operator()(const Kernel& kernel, std::vector<NodeId>* nodes) const {
    kernel.append_path(nodes);
  }
};

// Runs the kernel to its end; `append(kernel, nodes)` takes the path out of it.
template <class Kernel, class Append = AppendPath>
void search(Kernel&& kernel, Errand* errand, Append append = {}) {
  PathAnswer& answer = errand->answer;
  StepsTaken steps(&kernel, errand->query.explain ? kStepsToldMax : 0);
  const auto progress = errand->run.to_end(steps, &errand->cut_off);
  add_effort(kernel, &answer);
  if (errand->query.explain) {
    answer.touched.clear();
    kernel.for_each_touched([&](const TouchedNode& node) { answer.touched.push_back(node); });
    if (!keeps_parents(errand->query.algorithm)) fill_parents(errand->graph, &answer.touched);
    answer.expansions = steps.nodes();
  }
  answer.state = errand->run.state_after(progress);
  if (progress != decltype(progress)::kPathFound) return;
  append(kernel, &answer.nodes);
  answer.cost = kernel.path_cost();
}

template <class Bound>
void search_a_star(const Bound& bound, Errand* errand) {
  search(AStar<GridGraph, Bound>(errand->graph, errand->start, errand->goals.nodes(), bound,
                                 errand->query.weight),
         errand, [&](const auto& kernel, std::vector<NodeId>* nodes) {
           kernel.append_path(nodes);
           if (kernel.weight() <= 1 || kernel.lower_bound() == 0) return;
           double& stated = errand->answer.bound;
           stated =
               static_cast<double>(kernel.path_cost()) / static_cast<double>(kernel.lower_bound());
           if (never_overestimates(errand->query.heuristic, errand->world.topology))
             stated = std::min(stated, kernel.weight());
         });
}

void search_jumps(Errand* errand) {
  const Snapshot& world = errand->world;
  IdleJumps none;
  IdleJumps& idle = errand->idle_jumps != nullptr ? *errand->idle_jumps : none;
  auto kernel = idle.take(world.layer, *world.jumps, errand->start, errand->goals);
  search(*kernel, errand);
  idle.give_back(std::move(kernel));
}

// Returns the shape of the query's clusters; that of the world's where the query leaves it open.
HpaShape shape_of(const PathQuery& query, const Snapshot& world) {
  HpaShape shape = world.clusters->shape();
  if (query.cluster_side != 0) shape.side = query.cluster_side;
  if (query.cluster_levels != 0) shape.levels = query.cluster_levels;
  return shape;
}

void search_clusters(Errand* errand) {
  const Snapshot& world = errand->world;
  const auto append = [&](const auto& kernel, std::vector<NodeId>* nodes) {
    kernel.append_path(nodes);
    if (kernel.lower_bound() != 0)
      errand->answer.bound =
          static_cast<double>(kernel.path_cost()) / static_cast<double>(kernel.lower_bound());
  };
  const GoalSet& goals = errand->goals.nodes();
  const HpaShape shape = shape_of(errand->query, world);
  if (shape == world.clusters->shape()) {
    search(PaidSearch<HpaSearch>(*world.clusters, errand->start, goals), errand, append);
  } else {
    search(PaidSearch<OwnClusterSearch>(world, shape, errand->start, goals), errand, append);
  }
  // The search of the start's cluster went before the main one, from the nearest cell on.
  prepend_closed(errand->answer.touched, &errand->answer.expansions);
}

// Applies a bound of cells to the states of a TurnGraph.
template <class Bound>
struct BoundOfStates {
  const Bound* bound;
  Cost operator()(NodeId state) const { return (*bound)(TurnGraph::cell_of(state)); }
};

// Keeps for each cell the state that was cheapest to reach.
void keep_cheapest_states(std::vector<TouchedNode>* touched) {
  std::size_t kept = 0;
  for (TouchedNode node : *touched) {
    node.node = TurnGraph::cell_of(node.node);
    if (node.parent != kNoNode) node.parent = TurnGraph::cell_of(node.parent);
    TouchedNode* last = kept == 0 ? nullptr : &(*touched)[kept - 1];
    if (last == nullptr || last->node != node.node) {
      (*touched)[kept++] = node;
    } else if (node.g < last->g) {
      *last = node;
    }
  }
  touched->resize(kept);
}

// Finds the path with the least sum of steps and turns.
template <class Bound>
void search_turns(const Bound& bound, const GoalSet& goals, Errand* errand) {
  const TurnGraph graph(errand->graph, errand->start, errand->query.turn_penalty);
  search(AStar<TurnGraph, BoundOfStates<Bound>>(graph, graph.start(), TurnGraph::states_of(goals),
                                                {&bound}),
         errand);
  PathAnswer& answer = errand->answer;
  keep_cheapest_states(&answer.touched);
  for (NodeId& node : answer.nodes) node = TurnGraph::cell_of(node);
  for (NodeId& node : answer.expansions) node = TurnGraph::cell_of(node);
  answer.turns = graph.turns_of(answer.nodes);
  answer.turn_cost = answer.turns * errand->query.turn_penalty;
  answer.cost -= answer.turn_cost;
}

// Runs the algorithms that a heuristic guides.
template <class Bound>
void search_led(const Bound& bound, Errand* errand) {
  const GridGraph& graph = errand->graph;
  const GoalSet& goals = errand->goals.nodes();
  const NodeId start = errand->start;
  switch (errand->query.algorithm) {
    case QueryAlgorithm::kFringe:
      return search(FringeSearch<GridGraph, Bound>(graph, start, goals, bound), errand);
    case QueryAlgorithm::kIdaStar:
      return search(IdaStar<GridGraph, Bound>(graph, start, goals, bound, errand->limits), errand);
    case QueryAlgorithm::kSmaStar:
      return search(SmaStar<GridGraph, Bound>(graph, start, goals, bound, errand->limits), errand);
    case QueryAlgorithm::kLpa:
      return search(LpaStar<GridGraph, Bound>(graph, start, goals, bound), errand,
                    [](const auto& kernel, std::vector<NodeId>* nodes) {
                      REPATH_CHECK(kernel.append_path(nodes));
                    });
    default:
      if (errand->query.turn_penalty != 0) return search_turns(bound, goals, errand);
      return search_a_star(bound, errand);
  }
}

void search_pairs(Errand* errand) {
  const std::size_t most = errand->limits.bytes_max;
  std::optional<std::vector<NodeId>> cells =
      errand->world.layer.free_cells(FloydWarshall::nodes_for(most));
  if (cells) {
    FloydWarshall kernel(errand->graph, *std::move(cells), errand->start, errand->goals.nodes());
    if (kernel.bytes_needed() <= most) return search(kernel, errand);
  }
  errand->answer.state = QueryState::kOutOfMemory;
}

// Runs the algorithms that take no heuristic, or have their own.
void search_unled(Errand* errand) {
  const GridGraph& graph = errand->graph;
  const GoalSet& goals = errand->goals.nodes();
  const NodeId start = errand->start;
  const auto append_from_start = [&](const auto& kernel, std::vector<NodeId>* nodes) {
    REPATH_CHECK(kernel.append_path(start, nodes));
  };
  switch (errand->query.algorithm) {
    case QueryAlgorithm::kBfs:
      return search(Bfs<GridGraph>(graph, start, goals), errand);
    case QueryAlgorithm::kDijkstra: {
      const Source source{start, 0};
      return search(Dijkstra<GridGraph>(graph, {&source, 1}, goals), errand,
                    [](const auto& kernel, std::vector<NodeId>* nodes) {
                      kernel.append_path(kernel.goal(), nodes);
                    });
    }
    case QueryAlgorithm::kDStar:
      return search(DStar<GridGraph>(graph, start, goals), errand, append_from_start);
    case QueryAlgorithm::kDStarLite:
      return search(DStarLite<GridGraph>(graph, start, goals), errand, append_from_start);
    case QueryAlgorithm::kHpa:
      return search_clusters(errand);
    case QueryAlgorithm::kFloydWarshall:
      return search_pairs(errand);
    default:
      return search_jumps(errand);
  }
}

// kAuto takes the fastest algorithm that gives the optimum, or the one that the options require.
bool takes_jumps(const Errand& errand) {
  const PathQuery& query = errand.query;
  return query.algorithm == QueryAlgorithm::kAuto && query.weight <= 1 &&
         query.heuristic == Heuristic::kAuto && query.turn_penalty == 0 &&
         suits(QueryAlgorithm::kJps, errand.world);
}

void search_by_algorithm(Errand* errand) {
  const PathQuery& query = errand->query;
  if (errand->cut_off.is_known()) {
    errand->answer.state = QueryState::kUnreachable;
    return;
  }
  if (takes_jumps(*errand)) return search_jumps(errand);
  if (!takes_heuristic(query.algorithm)) return search_unled(errand);
  if (query.heuristic == Heuristic::kAuto)
    return search_led(GoalsBound{&errand->world.layer, &errand->goals}, errand);
  search_led(
      Guide(errand->world.layer, errand->goals, query.goals, query.goal_radius, query.heuristic),
      errand);
}

// Finds the path to the reachable node that is least by (metric distance to a goal, cost, id).
void search_partial(Errand* errand) {
  const Source source{errand->start, 0};
  Dijkstra<GridGraph> kernel(errand->graph, {&source, 1});
  const Progress progress = errand->run.to_end(kernel);
  PathAnswer& answer = errand->answer;
  add_effort(kernel, &answer);
  if (progress == Progress::kOutOfBudget) {
    answer.state = errand->run.state_after(progress);
    return;
  }
  // settled() is in the order of (cost, id), so the first of equals is the least.
  NodeId best = errand->start;
  Cost least = kUnreachable;
  for (const NodeId node : kernel.settled()) {
    const Cost distance = errand->goals.distance(place_of(errand->graph.layer(), node));
    if (distance >= least) continue;
    least = distance;
    best = node;
  }
  if (errand->query.turn_penalty != 0) {
    search_turns([](NodeId) { return Cost{0}; }, GoalSet{best}, errand);
    if (answer.state == QueryState::kComplete) answer.state = QueryState::kPartial;
    return;
  }
  answer.state = QueryState::kPartial;
  answer.cost = kernel.cost(best);
  kernel.append_path(best, &answer.nodes);
}

}  // namespace

bool suits(QueryAlgorithm algorithm, const Snapshot& world) {
  if (algorithm == QueryAlgorithm::kHpa) return world.clusters.has_value();
  return algorithm != QueryAlgorithm::kJps || (world.jumps && world.layer.is_uniform());
}

bool keeps_to_memory(QueryAlgorithm algorithm) {
  using enum QueryAlgorithm;
  return algorithm == kIdaStar || algorithm == kSmaStar || algorithm == kFloydWarshall;
}

std::size_t search_bytes_of(QueryAlgorithm algorithm, const QueryLimits& limits) {
  const bool is_table = algorithm == QueryAlgorithm::kFloydWarshall;
  const std::size_t usual = is_table ? kPairBytesDefault : kSearchBytesDefault;
  return std::min(limits.search_bytes != 0 ? limits.search_bytes : usual, limits.bytes_max);
}

PairTableNeed pair_table_need(const Snapshot& world) {
  std::optional<std::vector<NodeId>> cells =
      world.layer.free_cells(FloydWarshall::nodes_for(kSearchBytesMax));
  if (!cells) {
    const std::uint64_t nodes = world.layer.free_count();
    return {nodes, PairTable::bytes_for(nodes, PairTable::Width::k32)};
  }
  const std::uint64_t nodes = cells->size();
  return {nodes, FloydWarshall(world.graph(), *std::move(cells)).bytes_needed()};
}

std::uint64_t cluster_count(const PathQuery& query, const Snapshot& world) {
  const auto side = shape_of(query, world).side;
  const auto along = [side](std::int32_t cells) {
    return static_cast<std::uint64_t>((cells + side - 1) / side);
  };
  return along(world.layer.width()) * along(world.layer.height());
}

bool takes_heuristic(QueryAlgorithm algorithm) {
  using enum QueryAlgorithm;
  return algorithm == kAuto || algorithm == kAStar || algorithm == kLpa || algorithm == kFringe ||
         algorithm == kIdaStar || algorithm == kSmaStar;
}

bool never_overestimates(Heuristic heuristic, Topology topology) {
  using enum Heuristic;
  if (heuristic == kManhattan) return topology == Topology::k4;
  return heuristic == kAuto || heuristic == kZero || heuristic == kChebyshev ||
         topology != Topology::kHex;
}

bool suits_turns(const Snapshot& world) { return TurnGraph::fits(world.layer); }

PathAnswer find_path(const Snapshot& world, const PathQuery& query, const QueryLimits& limits) {
  const GridGraph graph = world.graph();
  const Goals goals(world.layer, world.topology, query.goals, query.goal_radius);
  const QueryStart<NodeId> start = find_start(world.layer, query.from, query.snap_start);
  Errand errand{world,
                graph,
                query,
                goals,
                start.place.value_or(kNoNode),
                {search_bytes_of(query.algorithm, limits), limits.max_expansions},
                limits.idle_jumps,
                {},
                QueryRun(limits),
                {}};
  if (start.is_blocked) errand.answer.state = QueryState::kStartBlocked;
  if (!start.place) return std::move(errand.answer);
  if (!goals.any_free(world.layer) && !query.allow_partial) {
    errand.answer.state = start.is_blocked ? QueryState::kStartBlocked : QueryState::kGoalBlocked;
    return std::move(errand.answer);
  }
  if (world.components && !query.explain)
    errand.cut_off = CutOff(&*world.components, errand.start, goals.nodes().nodes(), limits.stop);
  search_by_algorithm(&errand);
  if (errand.answer.state == QueryState::kUnreachable && query.allow_partial)
    search_partial(&errand);
  if (query.smoothing != Smoothing::kNone && !errand.answer.nodes.empty()) {
    const bool is_partial = errand.answer.state == QueryState::kPartial;
    const NodeId end = errand.answer.nodes.back();
    smooth(world, query, is_partial ? std::span(&end, 1) : goals.nodes().nodes(), limits.stop,
           &errand.answer);
  }
  if (start.is_blocked && errand.answer.state != QueryState::kOutOfBudget &&
      errand.answer.state != QueryState::kOutOfMemory &&
      errand.answer.state != QueryState::kTurnTooTight)
    errand.answer.state = QueryState::kStartBlocked;
  return std::move(errand.answer);
}

}  // namespace repath
