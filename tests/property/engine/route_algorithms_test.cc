// Every algorithm on graphs and meshes, as a query. Graphs: a plain search tells the optimum, and
// all exact algorithms find it, however they are guided. Meshes: searches over cells are bounded.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/queries.h"
#include "routes/places.h"
#include "support/query_ground.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr std::array kOnGraphs{
    QueryAlgorithm::kAuto,   QueryAlgorithm::kBfs,          QueryAlgorithm::kDijkstra,
    QueryAlgorithm::kAStar,  QueryAlgorithm::kLpa,          QueryAlgorithm::kDStarLite,
    QueryAlgorithm::kFringe, QueryAlgorithm::kIdaStar,      QueryAlgorithm::kSmaStar,
    QueryAlgorithm::kDStar,  QueryAlgorithm::kFloydWarshall};
constexpr std::array kRouteHeuristics{Heuristic::kAuto,      Heuristic::kZero,
                                      Heuristic::kManhattan, Heuristic::kChebyshev,
                                      Heuristic::kOctile,    Heuristic::kEuclid};

// A graph in space with one-way and parallel edges, areas, flags, widths, shut parts and any costs,
// also below the lengths.
std::unique_ptr<GraphWorld> random_graph(Random* random) {
  GraphWorld::Source source{"graph", {}, {}};
  const std::uint32_t nodes = 2 + random->below(30);
  const bool is_cheap = random->below(3) == 0;
  for (std::uint32_t i = 0; i < nodes; ++i)
    source.graph.nodes.push_back({.id = 7 * i + 3,
                                  .x = 1.0 * random->below(20),
                                  .y = random->below(3) == 0 ? 1.0 * random->below(9) : 0,
                                  .z = test::between(random, 0, 20),
                                  .area = 0,
                                  .flags = 1,
                                  .enabled = random->below(12) != 0});
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint8_t>> made;
  for (std::uint32_t i = random->below(4 * nodes); i > 0; --i) {
    const std::uint32_t from = random->below(nodes);
    const std::uint32_t to = random->below(nodes);
    const bool both = random->below(3) == 0;
    const auto key = static_cast<std::uint8_t>(random->below(3));
    if (from == to || made.contains({from, to, key}) || (both && made.contains({to, from, key})))
      continue;
    made.insert({from, to, key});
    if (both) made.insert({to, from, key});
    GraphEdge edge{.from = 7 * from + 3, .to = 7 * to + 3};
    edge.key = key;
    if (random->below(4) == 0) edge.width = 0.5 + random->below(2);
    if (random->below(2) == 0) edge.cost = test::between(random, is_cheap ? 0 : 20, 40);
    edge.area = static_cast<std::uint8_t>(random->below(3));
    edge.flags = static_cast<std::uint16_t>(1 + random->below(3));
    edge.both = both;
    edge.enabled = random->below(10) != 0;
    source.graph.edges.push_back(edge);
  }
  source.profiles = {{.name = "default", .radius = 0.5, .include = 1, .areas = {{1, 2.5}}}};
  auto world = GraphWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// The least costs and the fewest edges from a node to all others, by relaxing all edges until
// nothing changes.
struct Plain {
  std::vector<Cost> costs;
  std::vector<Cost> steps;
};
Plain plain_search(const WaypointGraph& graph, const GraphFilter& filter, std::uint32_t from) {
  Plain plain{std::vector<Cost>(graph.node_count(), kUnreachable),
              std::vector<Cost>(graph.node_count(), kUnreachable)};
  plain.costs[from] = plain.steps[from] = 0;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::uint32_t n = 0; n < graph.node_count(); ++n)
      for (const WaypointGraph::Edge& edge : graph.edges_from(NodeId{n})) {
        const Cost step =
            route_cost_of_edge(filter.cost(graph.state(NodeId{n}, edge.to, edge.key)));
        if (plain.costs[n] == kUnreachable || step == kUnreachable) continue;
        Cost& cost = plain.costs[index(edge.to)];
        Cost& steps = plain.steps[index(edge.to)];
        if (plain.costs[n] + step >= cost && plain.steps[n] + 1 >= steps) continue;
        cost = std::min(cost, plain.costs[n] + step);
        steps = std::min(steps, plain.steps[n] + 1);
        is_changed = true;
      }
  }
  return plain;
}

// Sums up the edges that the route names.
Cost cost_of_route(const WaypointGraph& graph, const GraphFilter& filter,
                   std::span<const RoutePoint> route) {
  Cost sum = 0;
  for (std::size_t i = 1; i < route.size(); ++i) {
    const EdgeState state =
        graph.state(graph.find(route[i - 1].node), graph.find(route[i].node), route[i - 1].key);
    EXPECT_EQ(state.area, route[i - 1].area);
    sum = saturating_add(sum, route_cost_of_edge(filter.cost(state)));
  }
  return sum;
}

Cost cheapest_step(const WaypointGraph& graph, const GraphFilter& filter, NodeId from, NodeId to) {
  Cost least = kUnreachable;
  for (unsigned key = 0; key < 3; ++key)
    least = std::min(least, filter.cost(graph.state(from, to, static_cast<std::uint8_t>(key))));
  return route_cost_of_edge(least);
}

bool searches_from_goals(QueryAlgorithm algorithm) {
  return algorithm == QueryAlgorithm::kDStar || algorithm == QueryAlgorithm::kDStarLite;
}

// Every parent is one edge away, at just that cost; the order names nodes that are told.
void expect_told(const WaypointGraph& graph, const GraphFilter& filter, const PathQuery& query,
                 const PathAnswer& answer) {
  const RouteTrace& trace = answer.trace;
  ASSERT_EQ(trace.runs.size(), 1u);
  EXPECT_EQ(trace.runs[0].expanded, answer.expanded);
  const bool forgets =
      query.algorithm == QueryAlgorithm::kSmaStar || query.algorithm == QueryAlgorithm::kIdaStar;
  if (query.algorithm == QueryAlgorithm::kFloydWarshall) {
    EXPECT_TRUE(trace.expansions.empty());
  } else if (!forgets) {
    EXPECT_EQ(trace.expansions.size(), answer.expanded);
  }
  std::size_t roots = 0;
  for (const TouchedPlace& place : trace.touched) {
    if (place.parent == 0) {
      ++roots;
      continue;
    }
    ASSERT_LE(place.parent, trace.touched.size());
    const TouchedPlace& parent = trace.touched[place.parent - 1];
    NodeId a = graph.find(parent.node);
    NodeId b = graph.find(place.node);
    if (searches_from_goals(query.algorithm)) std::swap(a, b);
    const Cost step = cheapest_step(graph, filter, a, b);
    ASSERT_NE(step, kUnreachable);
    if (query.algorithm != QueryAlgorithm::kIdaStar) {
      EXPECT_NEAR(parent.g + units_from_route_cost(step), place.g, 1e-9);
    }
  }
  if (!forgets) {
    EXPECT_LE(roots, searches_from_goals(query.algorithm) ? query.goals.size() : 1u);
  }
}

struct Tally {
  int complete = 0;
  int partial = 0;
  int unreachable = 0;
  int led = 0;
  int bounded = 0;
};

class GraphGame {
 public:
  explicit GraphGame(std::uint64_t seed)
      : random_(seed),
        world_(random_graph(&random_)),
        view_(*world_->acquire_view("default", TeamId{1})),
        ground_(test::query_ground(*world_, view_)),
        filter_(graph_filter(*find_profile(world_->profiles(), "default"))) {}

  void play(Tally* tally) {
    tally_ = tally;
    for (int i = 0; i < 6; ++i) {
      PathQuery query;
      const auto start = ground_.random_place({}, HUGE_VAL, &random_);
      if (!start) return;
      query.from = point_of(start->at);
      for (std::uint32_t k = 1 + random_.below(random_.below(4) == 0 ? 12 : 3); k > 0; --k)
        query.goals.push_back(point_of(ground_.random_place({}, HUGE_VAL, &random_)->at));
      query.allow_partial = random_.below(2) == 0;
      ask(query);
    }
  }

 private:
  void ask(PathQuery query) {
    // Nodes at one place are rare; the ground says which of them counts.
    const std::uint32_t from = ground_.locate(spot_of(query.from))->cell;
    const Plain plain = plain_search(world_->graph(), filter_, from);
    Cost best = kUnreachable;
    Cost fewest = kUnreachable;
    for (const MapPoint& goal : query.goals) {
      const std::uint32_t cell = ground_.locate(spot_of(goal))->cell;
      best = std::min(best, plain.costs[cell]);
      fewest = std::min(fewest, plain.steps[cell]);
    }
    std::optional<Spot> partial;
    for (const QueryAlgorithm algorithm : kOnGraphs) {
      ASSERT_TRUE(suits(algorithm, ground_));
      query.algorithm = algorithm;
      for (const Heuristic heuristic : kRouteHeuristics) {
        if (heuristic != Heuristic::kAuto && !takes_heuristic(algorithm)) continue;
        const bool takes_weight =
            algorithm == QueryAlgorithm::kAuto || algorithm == QueryAlgorithm::kAStar;
        query.heuristic = heuristic;
        query.weight = takes_weight && random_.below(2) == 0 ? 1.0625 + random_.below(4) : 1;
        if (!never_overestimates(heuristic)) query.weight = std::max(query.weight, 1.0625);
        if (!never_overestimates(heuristic) && !takes_weight) continue;
        SCOPED_TRACE("algorithm " + std::to_string(static_cast<int>(algorithm)) + ", heuristic " +
                     std::to_string(static_cast<int>(heuristic)) + ", weight " +
                     std::to_string(query.weight));
        query.explain = false;
        const PathAnswer answer = find_path(ground_, query, {});
        expect_answer(query, answer, best, fewest);
        if (answer.state == QueryState::kPartial) expect_end(query, answer, plain, &partial);
        query.explain = true;
        const PathAnswer told = find_path(ground_, query, {});
        ASSERT_EQ(told.route, answer.route) << "to look does not change the answer";
        ASSERT_EQ(told.expanded, answer.expanded);
        if (told.state == QueryState::kComplete) expect_told(world_->graph(), filter_, query, told);
        if (testing::Test::HasFailure()) return;
      }
    }
  }

  void expect_answer(const PathQuery& query, const PathAnswer& answer, Cost best, Cost fewest) {
    if (best == kUnreachable) {
      ASSERT_EQ(answer.state,
                query.allow_partial ? QueryState::kPartial : QueryState::kUnreachable);
      tally_->unreachable += query.allow_partial ? 0 : 1;
      return;
    }
    ASSERT_EQ(answer.state, QueryState::kComplete);
    ++tally_->complete;
    ASSERT_EQ(cost_of_route(world_->graph(), filter_, answer.route), answer.cost);
    if (query.algorithm == QueryAlgorithm::kBfs) {
      ASSERT_EQ(answer.route.size() - 1, fewest);
    } else if (query.weight == 1) {
      ASSERT_EQ(answer.cost, best);
      ASSERT_EQ(answer.bound, 1);
      tally_->led += query.heuristic == Heuristic::kAuto ? 0 : 1;
    }
    ASSERT_GE(answer.cost, best);
    ASSERT_LE(static_cast<double>(answer.cost),
              static_cast<double>(best) * answer.bound * (1 + 1e-12));
    if (never_overestimates(query.heuristic) && query.algorithm != QueryAlgorithm::kBfs) {
      ASSERT_LE(answer.bound, query.weight * (1 + 1e-12));
    }
    tally_->bounded += answer.bound > 1 ? 1 : 0;
  }

  // All algorithms end at one place, and the exact ones at its least cost.
  void expect_end(const PathQuery& query, const PathAnswer& answer, const Plain& plain,
                  std::optional<Spot>* end) {
    ++tally_->partial;
    const Spot& at = answer.route.back().at;
    if (!*end) *end = at;
    ASSERT_EQ(at, **end);
    const NodeId node = world_->graph().find(answer.route.back().node);
    const bool is_exact = query.algorithm != QueryAlgorithm::kBfs && query.weight == 1;
    ASSERT_GE(answer.cost, plain.costs[index(node)]);
    if (is_exact) {
      ASSERT_EQ(answer.cost, plain.costs[index(node)]);
    }
    ASSERT_EQ(cost_of_route(world_->graph(), filter_, answer.route), answer.cost);
  }

  Random random_;
  std::unique_ptr<GraphWorld> world_;
  RouteViewId view_;
  const QueryGround& ground_;
  GraphFilter filter_;
  Tally* tally_ = nullptr;
};

TEST(RouteAlgorithms, AllExactOnesFindTheOptimumOnGraphs) {
  Tally tally;
  for (std::uint64_t round = 0; round < 120 && !HasFailure(); ++round) {
    const std::uint64_t seed = test::seed() + round;
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    GraphGame(seed).play(&tally);
  }
  EXPECT_GT(tally.complete, 3000);
  EXPECT_GT(tally.partial, 1000);
  EXPECT_GT(tally.unreachable, 1000);
  EXPECT_GT(tally.led, 1000);
  EXPECT_GT(tally.bounded, 20);
}

// With little memory a search ends with its refusal, never with a wrong answer.
TEST(RouteAlgorithms, ALimitOfMemoryIsKeptOnGraphs) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int refused = 0;
  int found = 0;
  for (int round = 0; round < 60; ++round) {
    test::GraphKind kind;
    const auto world = kind.make(&random);
    const QueryGround& ground =
        test::query_ground(*world, *world->acquire_view("default", TeamId{1}));
    PathQuery query;
    query.from = point_of(ground.random_place({}, HUGE_VAL, &random)->at);
    query.goals = {point_of(ground.random_place({}, HUGE_VAL, &random)->at)};
    const PathAnswer best = find_path(ground, query, {});
    for (const QueryAlgorithm algorithm : {QueryAlgorithm::kIdaStar, QueryAlgorithm::kSmaStar}) {
      query.algorithm = algorithm;
      QueryLimits limits{.max_expansions = 200'000};
      limits.search_bytes = std::size_t{1024} << random.below(8);
      const PathAnswer answer = find_path(ground, query, limits);
      ASSERT_LE(answer.peak_bytes, limits.search_bytes);
      if (answer.state == QueryState::kOutOfMemory || answer.state == QueryState::kOutOfBudget) {
        refused += answer.state == QueryState::kOutOfMemory ? 1 : 0;
        ASSERT_TRUE(answer.route.empty());
        continue;
      }
      ++found;
      ASSERT_EQ(answer.state, best.state);
      ASSERT_EQ(answer.cost, best.cost);
    }
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(found, 20);
}

TEST(RouteAlgorithms, SearchesOverTheCellsOfAMeshAreBounded) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int found = 0;
  int longer = 0;
  for (int round = 0; round < 60; ++round) {
    test::NavKind kind;
    const auto world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{1});
    ASSERT_TRUE(world->apply(kind.batch(&random)).ok());
    const QueryGround& ground = test::query_ground(*world, view);
    for (int i = 0; i < 5; ++i) {
      PathQuery query;
      query.from = kind.point(&random);
      for (std::uint32_t k = 1 + random.below(3); k > 0; --k)
        query.goals.push_back(kind.point(&random));
      const PathAnswer best = find_path(ground, query, {});
      for (const QueryAlgorithm algorithm :
           {QueryAlgorithm::kAStar, QueryAlgorithm::kDijkstra, QueryAlgorithm::kBfs}) {
        query.algorithm = algorithm;
        const bool is_a_star = algorithm == QueryAlgorithm::kAStar;
        query.heuristic =
            is_a_star ? kRouteHeuristics[random.below(kRouteHeuristics.size())] : Heuristic::kAuto;
        query.weight = is_a_star && random.below(2) == 0 ? 1.0 + random.below(5) : 1;
        query.explain = random.below(2) == 0;
        const PathAnswer answer = find_path(ground, query, {});
        ASSERT_EQ(answer.state, best.state);
        if (answer.state != QueryState::kComplete) continue;
        ++found;
        ASSERT_GE(answer.cost + kRouteCostSlack, best.cost);
        longer += answer.cost > best.cost + kRouteCostSlack ? 1 : 0;
        ASSERT_LE(static_cast<double>(answer.cost),
                  static_cast<double>(best.cost + kRouteCostSlack) * answer.bound * (1 + 1e-9));
        ASSERT_EQ(ground.walk(answer.route).cost, answer.cost);
        if (query.explain) {
          ASSERT_EQ(answer.trace.expansions.size(), answer.expanded);
        }
      }
    }
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(longer, 5);
}

}  // namespace
}  // namespace repath
