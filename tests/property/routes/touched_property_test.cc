// The places that searches report as examined, against searches from and to those places.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "support/query_ground.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr double kApart = 1e-5;  // world units
constexpr std::size_t kAll = 1'000'000;

double way(const QueryGround& ground, const RoutePlace& from, const RoutePlace& to) {
  const auto search = ground.search(from, {&to, 1});
  std::uint32_t expansions = 1'000'000;
  if (search->advance(&expansions) != Progress::kPathFound) return HUGE_VAL;
  return units_from_route_cost(search->cost());
}

struct Looked {
  // A place this near to what was touched.
  struct Probe {
    std::optional<RoutePlace> place;
    double off = 0;
  };
  Progress progress = Progress::kOutOfBudget;
  double cost = HUGE_VAL;
  std::uint64_t expanded = 0;
  RouteTrace trace;
};

// For an edge takes the middle of what is seen, because other ground may begin at its ends.
Looked::Probe probe_of(const QueryGround& ground, const TouchedPlace& touched) {
  if (!ground.is_continuous()) return {ground.locate(touched.at)};
  const Spot& a = touched.left;
  const Spot& b = touched.right;
  if (std::hypot(a.x - b.x, a.z - b.z) < 1e-2) return {};
  const Spot middle{(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
  return {ground.stand(middle, 1e-3, 1),
          std::hypot(middle.x - touched.at.x, middle.z - touched.at.z)};
}

Looked look(const QueryGround& ground, RouteMethod method, const RoutePlace& from,
            const RoutePlace& to, std::size_t touched_max) {
  const auto search = ground.search_by({method, touched_max}, from, {&to, 1});
  Looked looked;
  for (int i = 0; i < 1'000'000 && looked.progress == Progress::kOutOfBudget; ++i) {
    std::uint32_t expansions = 3;
    looked.progress = search->advance(&expansions);
  }
  if (looked.progress == Progress::kPathFound) looked.cost = units_from_route_cost(search->cost());
  looked.expanded = search->expanded();
  looked.trace = search->touched();
  return looked;
}

void expect_prefix(const RouteTrace& part, const RouteTrace& all, std::size_t most) {
  ASSERT_EQ(part.touched.size(), std::min(most, all.touched.size()));
  ASSERT_EQ(part.is_truncated, most < all.touched.size());
  for (std::size_t i = 0; i < part.touched.size(); ++i) {
    ASSERT_EQ(part.touched[i].at, all.touched[i].at);
    ASSERT_EQ(part.touched[i].g, all.touched[i].g);
  }
}

// `is_exact`: waiting nodes lead to no shorter path.
void expect_true(const QueryGround& ground, const RoutePlace& from, const RoutePlace& to,
                 const Looked& looked, bool is_exact) {
  std::uint64_t closed = 0;
  for (const TouchedPlace& touched : looked.trace.touched) {
    closed += touched.is_open ? 0 : 1;
    ASSERT_GE(touched.h, 0);
    const Looked::Probe probe = probe_of(ground, touched);
    if (probe.place) {
      ASSERT_LE(way(ground, from, *probe.place), touched.g + probe.off + kApart);
      ASSERT_LE(touched.h, way(ground, *probe.place, to) + probe.off + kApart);
    }
    if (!is_exact || looked.progress != Progress::kPathFound) continue;
    if (touched.is_open) {
      ASSERT_GE(touched.g + touched.h, looked.cost - kApart);
    }
  }
  if (is_exact) {
    std::uint64_t expanded = 0;  // a way back from the goal is not told
    for (const TracedRun& run : looked.trace.runs) expanded += run.expanded;
    ASSERT_EQ(closed, expanded);
    ASSERT_LE(expanded, looked.expanded);
  }
}

void run(test::RouteKind* kind, std::uint64_t seed, std::size_t* touched, std::int64_t* waiting) {
  Random random(seed);
  const auto world = kind->make(&random);
  const RouteViewId view = *world->acquire_view("default", TeamId{1});
  for (int step = 0; step < 8; ++step) {
    ASSERT_TRUE(world->apply(kind->batch(&random)).ok());
    const QueryGround& ground = test::query_ground(*world, view);
    const MapPoint p = kind->point(&random);
    const MapPoint q = kind->point(&random);
    const auto from = ground.locate({p.x, p.height, p.y});
    const auto to = ground.locate({q.x, q.height, q.y});
    if (!from || !to) continue;
    for (const RouteMethod method : {RouteMethod::kBest, RouteMethod::kAStar}) {
      const Looked looked = look(ground, method, *from, *to, kAll);
      if (looked.trace.runs.empty()) continue;
      const RouteKernel kernel = looked.trace.runs.front().kernel;
      ASSERT_FALSE(looked.trace.is_truncated);
      ASSERT_NEAR(std::min(looked.cost, 1e9),
                  std::min(look(ground, method, *from, *to, 0).cost, 1e9), 1e-12);
      expect_true(ground, *from, *to, looked, kernel != RouteKernel::kCorridor);
      const std::size_t most = 1 + random.below(12);
      expect_prefix(look(ground, method, *from, *to, most).trace, looked.trace, most);
      *touched += looked.trace.touched.size();
      if (method == RouteMethod::kBest)
        *waiting += std::ranges::count_if(looked.trace.touched, &TouchedPlace::is_open);
    }
  }
}

template <class MakeKind>
void run_worlds(int worlds, MakeKind&& make_kind) {
  std::size_t touched = 0;
  std::int64_t waiting = 0;
  for (int i = 0; i < worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    auto kind = make_kind();
    run(&kind, seed, &touched, &waiting);
  }
  EXPECT_GT(touched, static_cast<std::size_t>(worlds) * 50);
  EXPECT_GT(waiting, worlds * 10);
}

TEST(Touched, OfMeshesAreWaysThatThereAre) {
  run_worlds(40, [] { return test::NavKind(); });
}

TEST(Touched, OfGraphsAreWaysThatThereAre) {
  run_worlds(40, [] { return test::GraphKind(); });
}

// All methods agree, one-way edges included.
TEST(Touched, EveryMethodOfAGraphFindsTheSameCost) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int found = 0;
  for (int round = 0; round < 60; ++round) {
    test::GraphKind kind;
    const auto world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{1});
    ASSERT_TRUE(world->apply(kind.batch(&random)).ok());
    const QueryGround& ground = test::query_ground(*world, view);
    std::vector<RoutePlace> goals;
    for (int i = 0; i < 3; ++i) goals.push_back(*ground.random_place({}, HUGE_VAL, &random));
    const RoutePlace from = *ground.random_place({}, HUGE_VAL, &random);
    std::set<Cost> costs;
    for (const RouteMethod method : {RouteMethod::kBest, RouteMethod::kAStar,
                                     RouteMethod::kDijkstra, RouteMethod::kFloydWarshall}) {
      ASSERT_TRUE(ground.offers(method));
      const auto search = ground.search_by({method, kAll}, from, goals);
      std::uint32_t expansions = 1'000'000;
      const bool is_found = search->advance(&expansions) == Progress::kPathFound;
      costs.insert(is_found ? search->cost() : kUnreachable);
      if (!is_found) continue;
      std::vector<RoutePoint> route;
      search->append_route(&route);
      ASSERT_EQ(ground.walk(route).cost, search->cost());
      ASSERT_EQ(search->lower_bound(), search->cost());
      ++found;
      for (const TouchedPlace& touched : search->touched().touched) {
        if (touched.is_open) continue;
        ASSERT_NEAR(touched.g, way(ground, from, *ground.locate(touched.at)), 1e-9);
      }
    }
    ASSERT_EQ(costs.size(), 1u);
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace repath
