// The options that shape a path, against plain models on random worlds: every heuristic, and the
// turn penalty by relaxing every pair of a cell and the previous cell.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "engine/guide.h"
#include "engine/queries.h"
#include "property/engine/plain_queries.h"
#include "support/seed.h"

namespace repath {
namespace {

using namespace test;

constexpr Heuristic kHeuristics[] = {Heuristic::kAuto,      Heuristic::kZero,
                                     Heuristic::kManhattan, Heuristic::kChebyshev,
                                     Heuristic::kOctile,    Heuristic::kEuclid};

TEST(FindPath, EveryHeuristicThatNeverOverestimatesFindsTheOptimum) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 150; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    PathQuery query;
    query.from = random_point(random, world.layer);
    query.goals = {random_point(random, world.layer), random_point(random, world.layer)};
    query.goal_radius = random.below(2) == 0 ? 0 : random.unit() * 4;
    const PathAnswer exact = find_path(world, query, QueryLimits{});
    for (const Heuristic heuristic : kHeuristics) {
      if (!never_overestimates(heuristic, world.topology)) continue;
      query.heuristic = heuristic;
      for (const QueryAlgorithm algorithm : kExact) {
        if (!takes_heuristic(algorithm)) continue;
        query.algorithm = algorithm;
        const PathAnswer led = find_path(world, query, QueryLimits{});
        ASSERT_EQ(led.state, exact.state);
        ASSERT_EQ(led.cost, exact.cost) << "heuristic " << static_cast<int>(heuristic)
                                        << " algorithm " << static_cast<int>(algorithm);
        ASSERT_EQ(led.bound, 1);
      }
    }
  }
}

TEST(FindPath, AHeuristicThatOverestimatesStatesABoundThatHolds) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int dearer = 0;
  for (int round = 0; round < 400; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    PathQuery query;
    query.from = random_point(random, world.layer);
    query.goals = {random_point(random, world.layer)};
    query.goal_radius = random.below(2) == 0 ? 0 : random.unit() * 4;
    const PathAnswer exact = find_path(world, query, QueryLimits{});
    query.weight = 1.0625 + random.unit() * 9;
    query.heuristic = kHeuristics[random.below(6)];
    const PathAnswer led = find_path(world, query, QueryLimits{});
    ASSERT_EQ(led.state, exact.state);
    ASSERT_LE(static_cast<double>(led.cost),
              led.bound * static_cast<double>(exact.cost) * (1 + 1e-12));
    const double weight = static_cast<double>(led.cost) / static_cast<double>(exact.cost);
    if (exact.cost != 0 && weight > 1) ++dearer;
  }
  EXPECT_GT(dearer, 20);
}

TEST(Heuristic, SaysNoMoreThanAStepCostsWhereItIsAllowed) {
  for (const Heuristic heuristic : kHeuristics)
    for (const Topology topology : {Topology::k4, Topology::k8, Topology::kHex}) {
      GridLayer layer = test::draw_layer({"...", "...", "..."});
      const GridGraph graph(&layer, topology, CornerRule::kNone);
      bool says_more = false;
      for (std::int32_t gy = 0; gy < 40; ++gy)
        for (std::int32_t gx = -40; gx < 40; ++gx) {
          const auto distance = [&](NodeId n) {
            const auto dx = static_cast<std::uint32_t>(std::abs(layer.x_of(n) - gx));
            const auto dy = static_cast<std::uint32_t>(std::abs(layer.y_of(n) - gy));
            return heuristic_distance(heuristic, dx, dy);
          };
          for (std::uint32_t n = 0; n < 9; ++n)
            graph.for_each_successor(NodeId{n}, [&](NodeId to, Cost step) {
              says_more = says_more || distance(NodeId{n}) > step + distance(to);
            });
        }
      EXPECT_EQ(says_more, !never_overestimates(heuristic, topology))
          << static_cast<int>(heuristic) << " on " << static_cast<int>(topology);
    }
}

// Returns the direction of a step in the drawing, where hexagons of odd rows lie half a cell to the
// right.
std::pair<double, double> way(const Snapshot& world, NodeId a, NodeId b) {
  const auto x = [&](NodeId n) {
    const bool shifted = world.topology == Topology::kHex && world.layer.y_of(n) % 2 != 0;
    return world.layer.x_of(n) + (shifted ? 0.5 : 0.0);
  };
  return {x(b) - x(a), world.layer.y_of(b) - world.layer.y_of(a)};
}

// Returns the least cost of steps and turns to each cell. Relaxes every pair of a cell and the
// previous cell until nothing changes.
std::vector<Cost> plain_turn_costs(const Snapshot& world, NodeId from, Cost penalty) {
  const GridGraph graph = world.graph();
  std::map<std::pair<NodeId, NodeId>, Cost> by_step;  // (before, cell)
  by_step[{from, from}] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    const auto known = by_step;
    for (const auto& [step, cost] : known) {
      const auto [before, cell] = step;
      graph.for_each_successor(
          cell, [&, before = before, cell = cell, cost = cost](NodeId to, Cost length) {
            const bool turns = before != cell && way(world, before, cell) != way(world, cell, to);
            const Cost sum = cost + length + (turns ? penalty : 0);
            const auto [at, fresh] = by_step.try_emplace({cell, to}, sum);
            if (!fresh && at->second <= sum) return;
            at->second = sum;
            changed = true;
          });
    }
  }
  std::vector<Cost> least(graph.node_count(), kUnreachable);
  for (const auto& [step, cost] : by_step)
    least[index(step.second)] = std::min(least[index(step.second)], cost);
  return least;
}

TEST(FindPath, ATurnPenaltyMakesTheSumOfStepsAndTurnsLeast) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int straighter = 0;
  for (int round = 0; round < 60; ++round) {
    const Snapshot world = random_world(random, round % 2 == 0);
    PathQuery query;
    query.from = random_point(random, world.layer);
    query.goals = {random_point(random, world.layer), random_point(random, world.layer)};
    query.goal_radius = random.below(2) == 0 ? 0 : random.unit() * 3;
    const PathAnswer shortest = find_path(world, query, QueryLimits{});
    query.turn_penalty = 1 + random.below(4 * kStraightStep);
    const Heuristic heuristic = kHeuristics[random.below(6)];
    if (never_overestimates(heuristic, world.topology)) query.heuristic = heuristic;
    const PathAnswer answer = find_path(world, query, QueryLimits{});
    ASSERT_EQ(answer.state, shortest.state);
    if (answer.state != QueryState::kComplete) continue;
    const auto costs =
        plain_turn_costs(world, cell_at(world.layer, query.from), query.turn_penalty);
    Cost best = kUnreachable;
    for (const NodeId goal : plain_goal_set(world.layer, query.goals, query.goal_radius))
      best = std::min(best, costs[index(goal)]);
    ASSERT_EQ(answer.cost + answer.turn_cost, best);
    ASSERT_EQ(answer.cost, walked(world.graph(), answer.nodes));
    ASSERT_EQ(answer.turn_cost, answer.turns * query.turn_penalty);
    std::uint64_t turns = 0;
    for (std::size_t i = 2; i < answer.nodes.size(); ++i)
      turns += way(world, answer.nodes[i - 2], answer.nodes[i - 1]) !=
               way(world, answer.nodes[i - 1], answer.nodes[i]);
    ASSERT_EQ(answer.turns, turns);
    if (answer.cost > shortest.cost) ++straighter;
  }
  EXPECT_GT(straighter, 0);
}

}  // namespace
}  // namespace repath
