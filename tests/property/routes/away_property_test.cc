// The cheapest place far enough from threats, and the farthest place, against many other places.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "support/query_ground.h"
#include "support/reach.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr Cost kApart = 4 * kRouteCostSlack;
constexpr double kMargin = 1e-6;  // world units: a place farther by less need not be found

double to_nearest(const QueryGround& ground, const std::vector<Spot>& threats, const Spot& at) {
  double least = std::numeric_limits<double>::infinity();
  for (const Spot& threat : threats) least = std::min(least, ground.distance_from(threat, at));
  return least;
}

Cost way(const QueryGround& ground, const RoutePlace& from, const RoutePlace& to) {
  const auto search = ground.search(from, {&to, 1});
  std::uint32_t expansions = 1'000'000;
  return search->advance(&expansions) == Progress::kPathFound ? search->cost() : kUnreachable;
}

struct Fled {
  std::optional<RoutePlace> place;
  Cost least = 0;
};

Fled flee(const QueryGround& ground, const RoutePlace& from, const std::vector<Spot>& threats,
          double distance) {
  const auto search = ground.away(from, threats, distance);
  Progress progress = Progress::kOutOfBudget;
  for (int i = 0; i < 1'000'000 && progress == Progress::kOutOfBudget; ++i) {
    std::uint32_t expansions = 2;
    progress = search->advance(&expansions);
  }
  EXPECT_NE(progress, Progress::kOutOfBudget);
  if (progress != Progress::kPathFound) return {};
  return {search->place(), search->lower_bound()};
}

// Places anywhere, on the circles, and around one place.
std::vector<RoutePlace> samples(const QueryGround& ground, const std::vector<Spot>& threats,
                                double distance, const std::optional<RoutePlace>& around,
                                Random* random) {
  std::vector<RoutePlace> places;
  const auto add = [&](const Spot& at) {
    if (const auto place = ground.locate(at)) places.push_back(*place);
  };
  for (int i = 0; i < 60; ++i)
    if (const auto place = ground.random_place({}, HUGE_VAL, random)) places.push_back(*place);
  for (const Spot& threat : threats)
    for (int i = 0; i < 24; ++i) {
      const double angle = random->unit() * 6.3;
      const double r = distance + 2 * kMargin;
      for (const double y : {0.0, 4.0})
        add({threat.x + r * std::cos(angle), y, threat.z + r * std::sin(angle)});
    }
  for (int i = 0; i < 90 && around; ++i)
    add({around->at.x + random->unit() - 0.5, around->at.y, around->at.z + random->unit() - 0.5});
  return places;
}

struct Scene {
  RoutePlace from;
  std::vector<Spot> threats;
  double distance = 0;
};

Scene scene(test::RouteKind* kind, const RoutePlace& from, Random* random) {
  Scene made{from, {}, random->below(8) == 0 ? 0 : random->unit() * 12};
  for (std::uint32_t k = 1 + random->below(4); k > 0; --k) {
    const MapPoint p = kind->point(random);
    made.threats.push_back(random->below(10) == 0 ? from.at : Spot{p.x, p.height, p.y});
  }
  return made;
}

void expect_nearest(const QueryGround& ground, const Scene& s, Random* random, int* found,
                    int* none) {
  const Fled fled = flee(ground, s.from, s.threats, s.distance);
  ++*(fled.place ? found : none);
  if (fled.place) {
    ASSERT_GE(to_nearest(ground, s.threats, fled.place->at), s.distance);
    const Cost cost = way(ground, s.from, *fled.place);
    ASSERT_LE(std::max(cost, fled.least) - std::min(cost, fled.least), kApart);
  }
  for (const RoutePlace& place : samples(ground, s.threats, s.distance, fled.place, random)) {
    if (to_nearest(ground, s.threats, place.at) < s.distance + kMargin) continue;
    const Cost cost = way(ground, s.from, place);
    if (!fled.place) {
      ASSERT_EQ(cost, kUnreachable);
    } else {
      ASSERT_GE(saturating_add(cost, kApart), fled.least);
    }
  }
}

void expect_farthest(const QueryGround& ground, const Scene& s, Random* random) {
  const RoutePlace farthest = ground.farthest_reachable(s.from, s.threats);
  ASSERT_NE(way(ground, s.from, farthest), kUnreachable);
  const double most = to_nearest(ground, s.threats, farthest.at);
  for (const RoutePlace& place : samples(ground, s.threats, most, farthest, random)) {
    if (to_nearest(ground, s.threats, place.at) <= most + kMargin) continue;
    ASSERT_EQ(way(ground, s.from, place), kUnreachable);
  }
}

TEST(Away, IsExactOnEvenGround) {
  int found = 0;
  int none = 0;
  for (int i = 0; i < 30 && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    test::NavKind kind;
    const auto world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{1});
    for (int step = 0; step < 8; ++step) {
      ASSERT_TRUE(world->apply(kind.batch(&random)).ok());
      const QueryGround& ground = test::query_ground(*world, view);
      const MapPoint p = kind.point(&random);
      const auto from = ground.locate({p.x, p.height, p.y});
      if (!from) continue;
      const Scene s = scene(&kind, *from, &random);
      expect_nearest(ground, s, &random, &found, &none);
      expect_farthest(ground, s, &random);
    }
  }
  EXPECT_GT(found, 60);
  EXPECT_GT(none, 10);
}

TEST(Away, OnGraphsIsTheCheapestNodeFarEnough) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int found = 0;
  for (int round = 0; round < 150; ++round) {
    test::GraphKind kind;
    const auto world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{1});
    ASSERT_TRUE(world->apply(kind.batch(&random)).ok());
    const QueryGround& ground = test::query_ground(*world, view);
    const Scene s = scene(&kind, *ground.random_place({}, HUGE_VAL, &random), &random);
    const auto flood = ground.flood(s.from, kUnreachable - 1);
    std::uint32_t expansions = 1'000'000;
    ASSERT_EQ(flood->advance(&expansions), Progress::kNoPath);
    std::vector<ReachedPiece> pieces;
    flood->append_pieces(&pieces);
    std::optional<std::tuple<Cost, std::uint64_t>> best;
    std::tuple<double, Cost, std::uint64_t> farthest{1, 0, 0};
    for (const ReachedPiece& piece : pieces) {
      const double distance = to_nearest(ground, s.threats, piece.at);
      const std::uint64_t id = ground.node_id({piece.at, piece.cell});
      farthest = std::min(farthest, std::tuple(-distance, piece.cost, id));
      if (distance >= s.distance && (!best || std::tuple(piece.cost, id) < *best))
        best = {piece.cost, id};
    }
    const Fled fled = flee(ground, s.from, s.threats, s.distance);
    ASSERT_EQ(fled.place.has_value(), best.has_value());
    if (best) {
      ++found;
      ASSERT_EQ(*best, std::tuple(fled.least, ground.node_id(*fled.place)));
    }
    ASSERT_EQ(std::get<2>(farthest), ground.node_id(ground.farthest_reachable(s.from, s.threats)));
  }
  EXPECT_GT(found, 80);
}

TEST(Away, ElsewhereIsFarEnoughAndNoDearerThanItSays) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int found = 0;
  double excess = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    test::NavKind kind;
    const auto world = test::uneven_world(&random, round % 2 == 0);
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    const QueryGround& ground = test::query_ground(*world, view);
    const auto from = ground.random_place({}, HUGE_VAL, &random);
    if (!from) continue;
    const Scene s = scene(&kind, *from, &random);
    const Fled fled = flee(ground, s.from, s.threats, s.distance);
    const auto reach = test::reach_table(ground);
    const Cost cost = fled.place ? way(ground, s.from, *fled.place) : kUnreachable;
    if (fled.place) {
      ASSERT_GE(to_nearest(ground, s.threats, fled.place->at), s.distance);
      ASSERT_NE(cost, kUnreachable);
      ASSERT_GE(cost + kApart, fled.least);
    }
    Cost best = kUnreachable;
    for (const RoutePlace& place : samples(ground, s.threats, s.distance, fled.place, &random)) {
      if (to_nearest(ground, s.threats, place.at) < s.distance + kMargin) continue;
      if (!fled.place) {
        ASSERT_FALSE(test::leads(reach.get(), s.from, place));
        continue;
      }
      const auto search = ground.search(s.from, {&place, 1});
      std::uint32_t expansions = 1'000'000;
      if (search->advance(&expansions) != Progress::kPathFound) continue;
      ASSERT_GE(search->cost() + kApart, fled.least);
      best = std::min(best, search->cost());
    }
    if (!fled.place || best == kUnreachable || best < 1000 * kApart) continue;
    ++found;
    excess += static_cast<double>(cost) / static_cast<double>(best) - 1;
  }
  EXPECT_GT(found, 15);
  EXPECT_LT(excess / found, 0.1);
}

}  // namespace
}  // namespace repath
