// The directions from every piece of the ground, against a search from each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "routes/query_ground.h"
#include "support/query_ground.h"
#include "support/reach.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr Cost kApart = 4 * kRouteCostSlack;
constexpr Cost kAnywhere = static_cast<Cost>(1e6 * kRouteCostUnit);

struct Flow {
  std::vector<ReachedPiece> pieces;
  bool is_exact = false;
  const ReachedPiece* find(std::uint32_t cell) const {
    const auto found = std::ranges::find(pieces, cell, &ReachedPiece::cell);
    return found == pieces.end() ? nullptr : &*found;
  }
};

Flow flow_to(const QueryGround& ground, const std::vector<RoutePlace>& goals, Cost most) {
  const auto search = ground.flood_to(goals, most);
  Progress progress = Progress::kOutOfBudget;
  for (int i = 0; i < 1'000'000 && progress == Progress::kOutOfBudget; ++i) {
    std::uint32_t expansions = 5;
    progress = search->advance(&expansions);
  }
  EXPECT_EQ(progress, Progress::kNoPath);
  Flow flow;
  search->append_pieces(&flow.pieces);
  flow.is_exact = search->is_exact();
  return flow;
}

double apart(const Spot& a, const Spot& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

struct Way {
  Cost cost = kUnreachable;
  Cost least = kUnreachable;
};

Way way(const QueryGround& ground, const RoutePlace& from, const std::vector<RoutePlace>& goals) {
  const auto search = ground.search(from, goals);
  std::uint32_t expansions = 1'000'000;
  if (search->advance(&expansions) != Progress::kPathFound) return {};
  return {search->cost(), search->lower_bound()};
}

// Returns how far the place lies outside the cell, in the plane.
double beside(const QueryGround& ground, std::uint32_t cell, const Spot& at) {
  std::vector<GroundCell> cells;
  ground.view()->append_cells(cell, 1, &cells);
  const std::vector<Spot>& corners = cells[0].corners;
  double most = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Spot& a = corners[k];
    const Spot& b = corners[(k + 1) % corners.size()];
    const double across = (b.x - a.x) * (at.z - a.z) - (b.z - a.z) * (at.x - a.x);
    most = std::max(most, -across / std::hypot(b.x - a.x, b.z - a.z));
  }
  return most;
}

// Returns the far end of a link that is taken at the piece's position.
Spot far_end(const QueryGround& ground, const ReachedPiece& piece) {
  for (const GroundLink& link : ground.view()->links()) {
    if (link.id != *piece.link) continue;
    const bool is_forward = apart(piece.at, link.from) <= apart(piece.at, link.to);
    EXPECT_TRUE(is_forward || link.both_ways);
    const Spot far = is_forward ? link.to : link.from;
    EXPECT_NEAR(std::hypot(piece.bend_x - far.x, piece.bend_z - far.z), 0, 1e-6);
    return far;
  }
  ADD_FAILURE() << "no such link";
  return {};
}

void expect_at_goal(const ReachedPiece& piece, const std::vector<RoutePlace>& goals) {
  ASSERT_TRUE(std::ranges::any_of(
      goals, [&](const RoutePlace& goal) { return apart(goal.at, piece.at) < 1e-5; }));
}

// Expects that the positions lead to a goal one after the other. Each lies in its piece, and it or
// the far end of its link lies in the next piece. Pieces are convex, so the lines between are free.
void expect_chain(const QueryGround& ground, const Flow& flow, std::uint32_t first,
                  const std::vector<RoutePlace>& goals) {
  double length = 0;
  std::uint32_t i = first;
  for (; flow.pieces[i].before != i; i = flow.pieces[i].before) {
    const ReachedPiece& piece = flow.pieces[i];
    const ReachedPiece& next = flow.pieces[piece.before];
    ASSERT_LT(piece.before, i);
    const Spot from = piece.link ? far_end(ground, piece) : piece.at;
    ASSERT_LT(beside(ground, piece.cell, piece.at), 1e-5);
    ASSERT_LT(beside(ground, next.cell, from), 1e-5);
    length += std::hypot(next.at.x - from.x, next.at.z - from.z);
  }
  expect_at_goal(flow.pieces[i], goals);
  if (flow.is_exact) {
    ASSERT_GE(length + 1e-5, units_from_route_cost(flow.pieces[first].cost));
  }
}

// Expects the same on a graph: by edges, at exactly the stated cost.
void expect_walk(const QueryGround& ground, const Flow& flow, std::uint32_t first,
                 const std::vector<RoutePlace>& goals) {
  std::vector<RoutePoint> route;
  for (std::uint32_t i = first;; i = flow.pieces[i].before) {
    const ReachedPiece& piece = flow.pieces[i];
    route.push_back(
        {.at = piece.at, .node = ground.node_id({piece.at, piece.cell}), .key = piece.key});
    if (piece.before == i) {
      expect_at_goal(piece, goals);
      break;
    }
  }
  ASSERT_EQ(ground.walk(route).cost, flow.pieces[first].cost);
}

// Expects that a leg to the bend is free and that the rest of the path has the remaining cost. A
// bend has no height: where floors part on the line, the leg ends on one of them.
void expect_bend(const QueryGround& ground, const ReachedPiece& piece,
                 const std::vector<RoutePlace>& goals, int* bends) {
  constexpr double kFar = 1e4;
  Cost apart = kUnreachable;
  for (const double y : {piece.at.y, -kFar, kFar}) {
    const Spot bend{piece.bend_x, y, piece.bend_z};
    const auto ray = ground.cast_ray({piece.at, piece.cell}, bend);
    ASSERT_TRUE(ray.has_value());
    ASSERT_NEAR(std::hypot(ray->end.x - bend.x, ray->end.z - bend.z), 0, 1e-6);
    const auto place = ground.stand(ray->end, 1e-3, 0.5);
    if (!place) return;
    const double leg = std::hypot(bend.x - piece.at.x, bend.z - piece.at.z);
    const Cost whole =
        saturating_add(way(ground, *place, goals).cost, static_cast<Cost>(leg * kRouteCostUnit));
    apart = std::min(apart, std::max(whole, piece.cost) - std::min(whole, piece.cost));
    if (y == piece.at.y && leg > 1e-3) ++*bends;
  }
  ASSERT_LE(apart, kApart);
}

void expect_exact(const QueryGround& ground, const Flow& flow, const std::vector<RoutePlace>& goals,
                  int* bends) {
  for (const ReachedPiece& piece : flow.pieces) {
    const Way least = way(ground, {piece.at, piece.cell}, goals);
    ASSERT_LE(std::max(least.cost, piece.cost) - std::min(least.cost, piece.cost), kApart);
    if (ground.is_continuous()) expect_bend(ground, piece, goals, bends);
  }
}

std::vector<RoutePlace> some_goals(const QueryGround& ground, Random* random) {
  std::vector<RoutePlace> goals;
  for (std::uint32_t k = 1 + random->below(3); k > 0; --k)
    if (const auto goal = ground.random_place({}, HUGE_VAL, random)) goals.push_back(*goal);
  return goals;
}

// Random places: a piece is missing if no path leads from it, or only dearer ones.
void expect_complete(const QueryGround& ground, const Flow& flow,
                     const std::vector<RoutePlace>& goals, Cost most, Random* random, int* beyond) {
  for (int i = 0; i < 20; ++i) {
    const auto place = ground.random_place({}, HUGE_VAL, random);
    if (!place) continue;
    const Way least = way(ground, *place, goals);
    const ReachedPiece* piece = flow.find(place->cell);
    if (piece != nullptr) {
      ASSERT_LE(piece->cost, least.cost + kApart);
      continue;
    }
    ++*beyond;
    ASSERT_GT(saturating_add(least.cost, kApart), most);
  }
}

template <class Kind>
void run(int worlds) {
  int bends = 0;
  int beyond = 0;
  std::size_t told = 0;
  bool has_bends = false;
  for (int i = 0; i < worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    Kind kind;
    const auto world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{1});
    for (int step = 0; step < 8; ++step) {
      ASSERT_TRUE(world->apply(kind.batch(&random)).ok());
      const QueryGround& ground = test::query_ground(*world, view);
      const std::vector<RoutePlace> goals = some_goals(ground, &random);
      if (goals.empty()) continue;
      const Cost most =
          random.below(3) == 0 ? static_cast<Cost>(random.unit() * 20 * kRouteCostUnit) : kAnywhere;
      const Flow flow = flow_to(ground, goals, most);
      ASSERT_TRUE(flow.is_exact);
      expect_exact(ground, flow, goals, &bends);
      expect_complete(ground, flow, goals, most, &random, &beyond);
      for (std::uint32_t k = 0; k < flow.pieces.size(); k += 3)
        (ground.is_continuous() ? expect_chain : expect_walk)(ground, flow, k, goals);
      told += flow.pieces.size();
      has_bends = ground.is_continuous();
    }
  }
  EXPECT_GT(told, static_cast<std::size_t>(worlds) * 100);
  EXPECT_GT(beyond, worlds);
  EXPECT_EQ(bends > worlds * 50, has_bends);
}

TEST(Flow, IsExactOnEvenGround) { run<test::NavKind>(20); }

TEST(Flow, IsExactOnGraphs) { run<test::GraphKind>(20); }

// One-way links lead towards the goals, not away from them.
TEST(Flow, ElsewhereTellsWaysThatThereAre) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t by_link = 0;
  std::size_t one_way = 0;
  double excess = 0;
  std::size_t counted = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const auto world = test::uneven_world(&random, round % 2 == 0);
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    const QueryGround& ground = test::query_ground(*world, view);
    const std::vector<RoutePlace> goals = some_goals(ground, &random);
    if (goals.empty()) continue;
    const Flow flow = flow_to(ground, goals, kAnywhere);
    ASSERT_FALSE(flow.is_exact);
    const auto reach = test::reach_table(ground);
    const auto leads = [&](const RoutePlace& from) {
      return std::ranges::any_of(
          goals, [&](const RoutePlace& goal) { return test::leads(reach.get(), from, goal); });
    };
    for (std::uint32_t i = 0; i < flow.pieces.size(); ++i) {
      const ReachedPiece& piece = flow.pieces[i];
      ASSERT_TRUE(leads({piece.at, piece.cell}));
      expect_chain(ground, flow, i, goals);
      by_link += piece.link ? 1 : 0;
      const Way known = way(ground, {piece.at, piece.cell}, goals);
      ASSERT_GE(piece.cost + kApart, known.least);
      if (known.cost < static_cast<Cost>(kRouteCostUnit)) continue;
      excess += static_cast<double>(piece.cost) / static_cast<double>(known.cost) - 1;
      ++counted;
    }
    for (int i = 0; i < 30; ++i) {
      const auto from = ground.random_place({}, HUGE_VAL, &random);
      if (!from) continue;
      ASSERT_EQ(flow.find(from->cell) != nullptr, leads(*from));
      one_way += leads(*from) && !test::leads(reach.get(), goals.front(), *from) ? 1 : 0;
    }
  }
  EXPECT_GT(by_link, 20u);
  EXPECT_GT(one_way, 20u);
  ASSERT_GT(counted, 1000u);
  EXPECT_LT(excess / static_cast<double>(counted), 0.1);
}

}  // namespace
}  // namespace repath
