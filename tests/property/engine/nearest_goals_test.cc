// FindNearest with few and with many goals on grids, meshes and graphs: the goal found is the one
// that is cheapest of all when each is asked for by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/queries.h"
#include "support/query_ground.h"
#include "support/random_layers.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr std::size_t kPlaces = 24;  // different places among the goals

// Asks for numbers of goals around a former limit and at the limit.
template <class World, class Place>
void expect_nearest(const World& world, Place random_place, int* complete) {
  const MapPoint from = random_place();
  std::vector<MapPoint> places(kPlaces);
  std::vector<Cost> costs(kPlaces, kUnreachable);
  for (std::size_t i = 0; i < kPlaces; ++i) {
    places[i] = random_place();
    const NearestGoal alone = find_nearest_goal(world, from, std::span(&places[i], 1), {});
    if (alone.state == QueryState::kComplete) costs[i] = alone.path.cost;
  }
  for (const std::size_t count :
       {std::size_t{3}, std::size_t{64}, std::size_t{65}, kRouteGoalsMax}) {
    std::vector<MapPoint> goals(count);
    // The last goals are those that no others stand for.
    for (std::size_t i = 0; i < count; ++i) goals[count - 1 - i] = places[std::min(i, kPlaces - 1)];
    const Cost least = *std::ranges::min_element(
        costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(std::min(count, kPlaces)));
    const NearestGoal found = find_nearest_goal(world, from, goals, {});
    ASSERT_EQ(found.state == QueryState::kComplete, least != kUnreachable) << count;
    if (least == kUnreachable) continue;
    ++*complete;
    EXPECT_EQ(found.path.cost, least) << count;
    EXPECT_EQ(costs[std::min(count - 1 - found.goal, kPlaces - 1)], least) << count;
  }
}

void play_routes(test::RouteKind& kind, Random* random, int* complete) {
  const std::unique_ptr<RouteWorld> world = kind.make(random);
  const auto view = world->acquire_view("default", TeamId{0});
  ASSERT_TRUE(view.ok());
  for (int round = 0; round < 3; ++round) {
    const ChangeBatch batch = kind.batch(random);
    const auto staged = world->stage(batch);
    if (staged.ok()) (*staged)->commit();
    expect_nearest(
        test::query_ground(*world, *view), [&] { return kind.point(random); }, complete);
  }
}

TEST(NearestOfManyGoals, IsTheCheapestOnMeshesAndGraphs) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int on_meshes = 0;
  int on_graphs = 0;
  for (int world = 0; world < 12; ++world) {
    test::NavKind mesh;
    play_routes(mesh, &random, &on_meshes);
    test::GraphKind graph;
    play_routes(graph, &random, &on_graphs);
  }
  EXPECT_GT(on_meshes, 20);
  EXPECT_GT(on_graphs, 20);
}

TEST(NearestOfManyGoals, IsTheCheapestOnGrids) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int complete = 0;
  for (int round = 0; round < 20; ++round) {
    Snapshot world;
    world.layer = test::random_layer(&random);
    world.topology = Topology::k8;
    const auto place = [&] {
      return MapPoint{random.unit() * world.layer.width(), random.unit() * world.layer.height()};
    };
    expect_nearest(world, place, &complete);
  }
  EXPECT_GT(complete, 20);
}

}  // namespace
}  // namespace repath
