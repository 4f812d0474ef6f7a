// Turns that have a price, on graphs: the least sum of edges and turns, by a plain search over
// pairs of edges.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/queries.h"
#include "routes/places.h"
#include "support/query_ground.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

// The least cost of the edges between two nodes; kUnreachable if there are none.
Cost least_step(const WaypointGraph& graph, NodeId from, NodeId to) {
  Cost least = kUnreachable;
  for (const WaypointGraph::Edge& edge : graph.edges_between(from, to))
    least = std::min(least, route_cost_of_edge(graph.state(from, to, edge.key).cost));
  return least;
}

// Whether a walk over three places changes its direction by more than a degree.
bool turns(const Spot& a, const Spot& b, const Spot& c) {
  const double in = distance_between(a, b);
  const double out = distance_between(b, c);
  if (in == 0 || out == 0) return false;
  const double dot =
      (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) + (b.z - a.z) * (c.z - b.z);
  return dot / (in * out) < std::cos(std::acos(-1) / 180);
}

// The least sum of costs and turns to a node, by relaxing all pairs of edges until nothing changes.
Cost plain_with_turns(const WaypointGraph& graph, std::uint32_t from, std::uint32_t to,
                      Cost penalty) {
  if (from == to) return 0;
  const std::uint32_t n = graph.node_count();
  const auto spot = [&](std::uint32_t i) { return spot_of(graph.node(NodeId{i})); };
  std::vector<std::vector<Cost>> step(n, std::vector<Cost>(n, kUnreachable));
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = 0; b < n; ++b)
      if (a != b) step[a][b] = least_step(graph, NodeId{a}, NodeId{b});
  std::vector<std::vector<Cost>> least(n, std::vector<Cost>(n, kUnreachable));  // by last edge
  for (std::uint32_t b = 0; b < n; ++b) least[from][b] = step[from][b];
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = 0; b < n; ++b) {
        if (least[a][b] == kUnreachable) continue;
        for (std::uint32_t c = 0; c < n; ++c) {
          const Cost next = step[b][c];
          if (next == kUnreachable) continue;
          const Cost sum = least[a][b] + next + (turns(spot(a), spot(b), spot(c)) ? penalty : 0);
          if (sum >= least[b][c]) continue;
          least[b][c] = sum;
          is_changed = true;
        }
      }
  }
  Cost best = kUnreachable;
  for (std::uint32_t a = 0; a < n; ++a) best = std::min(best, least[a][to]);
  return best;
}

TEST(RouteTurns, TurnsThatCostAreWeighedAgainstEdgesOnGraphs) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int found = 0;
  int longer = 0;
  for (int round = 0; round < 60; ++round) {
    test::GraphKind kind;
    const auto world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{1});
    ASSERT_TRUE(world->apply(kind.batch(&random)).ok());
    const QueryGround& ground = test::query_ground(*world, view);
    const WaypointGraph& graph = dynamic_cast<const GraphWorld&>(*world).graph();
    const auto from = ground.random_place({}, HUGE_VAL, &random);
    const auto to = ground.random_place({}, HUGE_VAL, &random);
    PathQuery query;
    query.from = point_of(from->at);
    query.goals = {point_of(to->at)};
    const PathAnswer shortest = find_path(ground, query, {});
    query.turn_penalty = static_cast<Cost>((0.5 + random.below(5)) * kRouteCostUnit);
    query.heuristic = random.below(2) == 0 ? Heuristic::kAuto : Heuristic::kChebyshev;
    query.explain = random.below(2) == 0;
    const PathAnswer answer = find_path(ground, query, {});
    ASSERT_EQ(answer.state, shortest.state);
    if (answer.state != QueryState::kComplete) continue;
    ++found;
    ASSERT_EQ(answer.cost + answer.turn_cost,
              plain_with_turns(graph, from->cell, to->cell, query.turn_penalty));
    ASSERT_EQ(ground.walk(answer.route).cost, answer.cost);
    ASSERT_EQ(answer.turn_cost, answer.turns * query.turn_penalty);
    std::uint64_t counted = 0;
    for (std::size_t i = 2; i < answer.route.size(); ++i)
      counted += turns(answer.route[i - 2].at, answer.route[i - 1].at, answer.route[i].at) ? 1 : 0;
    ASSERT_EQ(answer.turns, counted);
    ASSERT_EQ(answer.bound, 1);
    longer += answer.cost > shortest.cost ? 1 : 0;
    ASSERT_EQ(answer.trace.expansions.empty(), !query.explain || answer.expanded == 0);
  }
  EXPECT_GT(found, 30);
  EXPECT_GT(longer, 2);
}

}  // namespace
}  // namespace repath
