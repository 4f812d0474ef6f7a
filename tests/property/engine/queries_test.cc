// Stateless queries against a plain model on random worlds: relaxation over all cells for costs
// (like Bellman-Ford), a look at every cell for the nearest one, dense sampling for rays.
#include "engine/queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "grid/cells/snap.h"
#include "property/engine/plain_queries.h"
#include "support/seed.h"

namespace repath {
namespace {

using namespace test;

TEST(FindPath, EveryExactAlgorithmFindsThePlainModelsCost) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 150; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    const GridGraph graph = world.graph();
    PathQuery query;
    query.from = random_point(random, world.layer);
    for (std::uint32_t i = 0; i <= random.below(3); ++i)
      query.goals.push_back(random_point(random, world.layer));
    query.goal_radius = random.below(2) == 0 ? 0 : random.unit() * 4;
    const NodeId start = cell_at(world.layer, query.from);
    const std::vector<Cost> cost = plain_costs(graph, start);
    const std::vector<NodeId> goals = plain_goal_set(world.layer, query.goals, query.goal_radius);
    Cost best = kUnreachable;
    for (const NodeId goal : goals) best = std::min(best, cost[index(goal)]);
    for (const QueryAlgorithm algorithm : kExact) {
      if (!suits(algorithm, world)) continue;
      query.algorithm = algorithm;
      const PathAnswer answer = find_path(world, query, QueryLimits{});
      if (!world.layer.is_free(start)) {
        ASSERT_EQ(answer.state, QueryState::kStartBlocked);
      } else if (goals.empty()) {
        ASSERT_EQ(answer.state, QueryState::kGoalBlocked);
      } else if (best == kUnreachable) {
        ASSERT_EQ(answer.state, QueryState::kUnreachable);
      } else {
        ASSERT_EQ(answer.state, QueryState::kComplete);
        ASSERT_EQ(answer.cost, best)
            << "algorithm " << static_cast<int>(algorithm) << " round " << round;
        ASSERT_EQ(answer.nodes.front(), start);
        ASSERT_EQ(std::count(goals.begin(), goals.end(), answer.nodes.back()) > 0, true);
        ASSERT_EQ(walked(graph, answer.nodes), best);
      }
    }
  }
}

TEST(FindPath, ClustersKeepTheBoundTheyState) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 200; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    PathQuery query;
    query.algorithm = QueryAlgorithm::kHpa;
    query.from = random_point(random, world.layer);
    for (std::uint32_t i = 0; i <= random.below(3); ++i)
      query.goals.push_back(random_point(random, world.layer));
    query.goal_radius = random.below(2) == 0 ? 0 : random.unit() * 4;
    ASSERT_EQ(suits(query.algorithm, world), world.topology != Topology::kHex);
    if (!suits(query.algorithm, world)) continue;
    if (random.below(2) == 0)
      query.cluster_side = kClusterSideMin + static_cast<std::int32_t>(random.below(57));
    if (random.below(2) == 0) query.cluster_levels = 1 + static_cast<int>(random.below(3));
    query.explain = random.below(4) == 0;
    const PathAnswer answer = find_path(world, query, QueryLimits{});
    query.algorithm = QueryAlgorithm::kDijkstra;
    const PathAnswer exact = find_path(world, query, QueryLimits{});
    ASSERT_EQ(answer.state, exact.state);
    if (exact.state != QueryState::kComplete) continue;
    ASSERT_GE(answer.cost, exact.cost);
    ASSERT_LE(static_cast<double>(answer.cost),
              answer.bound * static_cast<double>(exact.cost) * (1 + 1e-12));
    ASSERT_EQ(walked(world.graph(), answer.nodes), answer.cost);
  }
}

TEST(FindPath, AWeightKeepsItsBound) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 150; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    PathQuery query;
    query.from = random_point(random, world.layer);
    query.goals = {random_point(random, world.layer)};
    const PathAnswer exact = find_path(world, query, QueryLimits{});
    query.weight = 1 + random.unit() * 9;
    const PathAnswer weighted = find_path(world, query, QueryLimits{});
    ASSERT_EQ(weighted.state, exact.state);
    ASSERT_GE(weighted.cost, exact.cost);
    ASSERT_LE(weighted.bound, query.weight);
    ASSERT_LE(static_cast<double>(weighted.cost),
              weighted.bound * static_cast<double>(exact.cost) * (1 + 1e-12));
  }
}

TEST(FindPath, PartialEndsAtTheReachableCellNearestToAGoal) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int partial = 0;
  for (int round = 0; round < 300; ++round) {
    const Snapshot world = random_world(random, false);
    const GridGraph graph = world.graph();
    PathQuery query;
    query.from = random_point(random, world.layer);
    query.goals = {random_point(random, world.layer)};
    query.allow_partial = true;
    const PathAnswer answer = find_path(world, query, QueryLimits{});
    if (answer.state != QueryState::kPartial) continue;
    ++partial;
    const std::vector<Cost> cost = plain_costs(graph, cell_at(world.layer, query.from));
    const NodeId goal = cell_at(world.layer, query.goals[0]);
    std::vector<Cost> best{kUnreachable, kUnreachable, kUnreachable};
    for (std::uint32_t n = 0; n < graph.node_count(); ++n)
      if (cost[n] != kUnreachable)
        best = std::min(best, std::vector<Cost>{graph.heuristic(NodeId{n}, goal), cost[n], n});
    ASSERT_EQ(index(answer.nodes.back()), best[2]);
    ASSERT_EQ(answer.cost, best[1]);
  }
  EXPECT_GT(partial, 10);
}

TEST(FindReachable, ListsExactlyTheCellsWithinTheCost) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 100; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    const GridGraph graph = world.graph();
    const MapPoint from = random_point(random, world.layer);
    const Cost bound = kStraightStep * random.below(20);
    const ReachableAnswer answer = find_reachable(world, from, bound, 100'000, QueryLimits{});
    if (answer.state == QueryState::kStartBlocked) continue;
    const std::vector<Cost> cost = plain_costs(graph, cell_at(world.layer, from));
    const auto within = std::count_if(cost.begin(), cost.end(), [&](Cost c) { return c <= bound; });
    ASSERT_EQ(static_cast<std::ptrdiff_t>(answer.cells.size()), within);
    ASSERT_FALSE(answer.truncated);
    for (std::size_t i = 0; i < answer.cells.size(); ++i) {
      const ReachableCell& cell = answer.cells[i];
      ASSERT_EQ(cell.cost, cost[index(cell.node)]);
      const ReachableCell& before = answer.cells[cell.previous];
      if (i != 0) {
        ASSERT_EQ(before.cost + graph.cost_between(before.node, cell.node), cell.cost);
      }
    }
    const auto half = static_cast<std::uint32_t>(within / 2);
    const ReachableAnswer cut = find_reachable(world, from, bound, half, QueryLimits{});
    ASSERT_EQ(cut.cells.size(), half);
    ASSERT_TRUE(cut.truncated);
  }
}

TEST(FindAway, EndsAtTheCheapestOfTheCellsFarEnough) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int complete = 0;
  int partial = 0;
  for (int round = 0; round < 300; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    const GridLayer& layer = world.layer;
    AwayQuery query;
    query.from = random_point(random, layer);
    for (std::uint32_t i = 0; i <= random.below(3); ++i)
      query.threats.push_back(random_point(random, layer));
    query.distance = random.unit() * 15;
    query.allow_partial = random.below(2) == 0;
    const AwayAnswer answer = find_away(world, query, QueryLimits{});
    const NodeId start = cell_at(layer, query.from);
    if (!layer.is_free(start)) {
      ASSERT_EQ(answer.path.state, QueryState::kStartBlocked);
      continue;
    }
    const std::vector<Cost> cost = plain_costs(world.graph(), start);
    std::vector<double> away(cost.size());
    for (std::uint32_t n = 0; n < cost.size(); ++n) {
      away[n] = 1e9;
      for (const MapPoint& threat : query.threats)
        away[n] = std::min(away[n], std::hypot(layer.x_of(NodeId{n}) + 0.5 - threat.x,
                                               layer.y_of(NodeId{n}) + 0.5 - threat.y));
    }
    std::pair<Cost, std::uint32_t> cheapest{kUnreachable, 0};
    double farthest = 0;
    for (std::uint32_t n = 0; n < cost.size(); ++n) {
      if (cost[n] == kUnreachable) continue;
      farthest = std::max(farthest, away[n]);
      if (away[n] >= query.distance) cheapest = std::min(cheapest, {cost[n], n});
    }
    const bool found = cheapest.first != kUnreachable;
    ASSERT_EQ(answer.path.state, found                 ? QueryState::kComplete
                                 : query.allow_partial ? QueryState::kPartial
                                                       : QueryState::kUnreachable);
    ASSERT_EQ(answer.path.nodes.empty(), !found && !query.allow_partial);
    if (answer.path.nodes.empty()) continue;
    const NodeId end = answer.path.nodes.back();
    ASSERT_EQ(answer.path.nodes.front(), start);
    ASSERT_EQ(answer.path.cost, cost[index(end)]);
    ASSERT_EQ(walked(world.graph(), answer.path.nodes), answer.path.cost);
    ASSERT_NEAR(answer.distance, away[index(end)], 1e-9);
    if (found) {
      ++complete;
      ASSERT_EQ(index(end), cheapest.second);
      ASSERT_GE(answer.distance, query.distance * (1 - 1e-12));
    } else {
      ++partial;
      ASSERT_NEAR(answer.distance, farthest, 1e-9);
    }
  }
  EXPECT_GT(complete, 50);
  EXPECT_GT(partial, 20);
}

// Returns the neighbour in a direction of a FlowField, counted as its comment defines.
NodeId plain_step(const Snapshot& world, NodeId n, std::uint8_t direction) {
  const std::int32_t x = world.layer.x_of(n);
  const std::int32_t y = world.layer.y_of(n);
  if (world.topology != Topology::kHex) {
    const double angle = direction * std::numbers::pi / 4;
    return world.layer.node_at(x + static_cast<std::int32_t>(std::lround(std::cos(angle))),
                               y + static_cast<std::int32_t>(std::lround(std::sin(angle))));
  }
  // Measured from the middle of the hexagon; odd rows lie half a cell to the right.
  const double angle = direction * std::numbers::pi / 3;
  const std::int32_t to_y = y + static_cast<std::int32_t>(std::lround(std::sin(angle)));
  const double middle = x + (y % 2 != 0 ? 0.5 : 0.0) + std::cos(angle);
  return world.layer.node_at(
      static_cast<std::int32_t>(std::lround(middle - (to_y % 2 != 0 ? 0.5 : 0.0))), to_y);
}

TEST(FlowField, LeadsEveryCellOfTheAreaToAGoalAtLeastCost) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int blocked = 0;
  for (int round = 0; round < 150; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    const GridLayer& layer = world.layer;
    const GridGraph graph = world.graph();
    FlowQuery query;
    for (std::uint32_t i = 0; i <= random.below(3); ++i)
      query.goals.push_back(random_point(random, layer));
    query.goal_radius = random.below(2) == 0 ? 0 : random.unit() * 3;
    query.area.add(place_of(random_point(random, layer)));
    query.area.add(place_of(random_point(random, layer)));
    const FlowField field = find_flow_field(world, query, QueryLimits{});
    const std::vector<NodeId> goals = plain_goal_set(layer, query.goals, query.goal_radius);
    ASSERT_EQ(field.state, goals.empty() ? QueryState::kGoalBlocked : QueryState::kComplete);
    if (goals.empty()) ++blocked;
    std::vector<Cost> least(graph.node_count(), kUnreachable);
    for (const NodeId goal : goals) {
      const std::vector<Cost> cost = plain_costs(graph, goal);
      for (std::size_t n = 0; n < cost.size(); ++n) least[n] = std::min(least[n], cost[n]);
    }
    std::size_t at = 0;
    for (std::int32_t y = query.area.y0; y <= query.area.y1; ++y)
      for (std::int32_t x = query.area.x0; x <= query.area.x1; ++x, ++at) {
        const NodeId n = layer.node_at(x, y);
        ASSERT_EQ(field.costs[at], least[index(n)]);
        const bool is_goal = std::count(goals.begin(), goals.end(), n) > 0;
        ASSERT_EQ(field.directions[at] == kFlowGoal, is_goal);
        ASSERT_EQ(field.directions[at] == kFlowNone, least[index(n)] == kUnreachable);
        if (is_goal || least[index(n)] == kUnreachable) continue;
        const NodeId next = plain_step(world, n, field.directions[at]);
        ASSERT_EQ(graph.cost_between(n, next) + least[index(next)], least[index(n)])
            << "direction " << int{field.directions[at]} << " from " << x << ',' << y;
      }
    ASSERT_EQ(at, field.costs.size());
  }
  EXPECT_GT(blocked, 0);
}

TEST(FindNearestGoal, IsTheCheapestOfAll) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 100; ++round) {
    const Snapshot world = random_world(random, true);
    const MapPoint from = random_point(random, world.layer);
    std::vector<MapPoint> goals;
    for (std::uint32_t i = 0; i <= random.below(6); ++i)
      goals.push_back(random_point(random, world.layer));
    const NearestGoal answer = find_nearest_goal(world, from, goals, QueryLimits{});
    const std::vector<Cost> cost = plain_costs(world.graph(), cell_at(world.layer, from));
    Cost best = kUnreachable;
    for (const MapPoint& goal : goals)
      best = std::min(best, cost[index(cell_at(world.layer, goal))]);
    ASSERT_EQ(answer.state == QueryState::kComplete, best != kUnreachable);
    if (best == kUnreachable) continue;
    ASSERT_EQ(answer.path.cost, best);
    ASSERT_EQ(cost[index(cell_at(world.layer, goals[answer.goal]))], best);
  }
}

TEST(NearestFree, IsTheNearestOfAllCells) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 300; ++round) {
    const Snapshot world = random_world(random, false);
    const GridLayer& layer = world.layer;
    const MapPoint from = random_point(random, layer);
    const double reach = random.unit() * 8;
    std::optional<NodeId> best;
    double least = reach * reach;
    for (std::int32_t y = 0; y < layer.height(); ++y)
      for (std::int32_t x = 0; x < layer.width(); ++x) {
        const double dx = x + 0.5 - from.x;
        const double dy = y + 0.5 - from.y;
        const double squared = dx * dx + dy * dy;
        if (!layer.is_free(x, y) || squared > least || (best && squared == least)) continue;
        best = layer.node_at(x, y);
        least = squared;
      }
    ASSERT_EQ(nearest_free_cell(layer, from, reach), best);
  }
}

// Random ends avoid corners, so fine sampling of the line sees every cell that it crosses for a
// while.
TEST(Raycast, IsBlockedIffASampleIs) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 300; ++round) {
    const Snapshot world = random_world(random, false);
    const GridLayer& layer = world.layer;
    const MapPoint from = random_point(random, layer);
    const MapPoint to = random_point(random, layer);
    const RayAnswer answer = raycast(world, from, to);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const double free_length =
        answer.hit ? std::hypot(answer.position.x - from.x, answer.position.y - from.y) : length;
    for (double at = 0; at < free_length - 1e-6; at += 1e-3) {
      const MapPoint p{from.x + (to.x - from.x) * at / length,
                       from.y + (to.y - from.y) * at / length};
      ASSERT_TRUE(layer.is_free(cell_at(layer, p))) << "a blocked cell before the hit";
    }
    if (answer.hit) {
      ASSERT_FALSE(layer.is_free(*answer.blocked));
    }
  }
}

}  // namespace
}  // namespace repath
