// Kept grounds are read on many threads while their world changes.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

Cost cost_between(const RouteGround& ground, const Spot& from, const Spot& to) {
  const RoutePlace start = *ground.locate(from);
  const RoutePlace goal = *ground.locate(to);
  if (!ground.may_reach(start, goal)) return kUnreachable;
  auto search = ground.search(start, {&goal, 1});
  std::uint32_t expansions = 1'000'000;
  return search->advance(&expansions) == Progress::kPathFound ? search->cost() : kUnreachable;
}

// Four threads ask for the same path while `world` applies the batches.
void expect_undisturbed(RouteWorld* world, const std::vector<ChangeBatch>& batches,
                        const Spot& from, const Spot& to) {
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const std::shared_ptr<const RouteGround> kept = world->keep(view);
  const Cost cost = cost_between(world->ground(view), from, to);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int& count : wrong)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) count += cost_between(*kept, from, to) == cost ? 0 : 1;
    });
  for (const ChangeBatch& batch : batches) {
    EXPECT_TRUE(world->apply(batch).ok());
    const Cost now = cost_between(world->ground(view), from, to);
    EXPECT_NE(now, cost);
    EXPECT_EQ(cost_between(*world->keep(view), from, to), now);
  }
  world->release_view(view);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(KeptGrounds, OfMeshesStayAsTheyWere) {
  auto world = *NavWorld::create({.name = "w", .mesh = test::squares({".....", "....."})});
  std::vector<ChangeBatch> batches(20);
  for (std::size_t i = 0; i < batches.size(); ++i)
    batches[i].upsert_obstacles = {
        {.id = ObstacleId{1}, .shape = Circle{{2.5, 1}, 0.2 + 0.01 * static_cast<double>(i)}}};
  expect_undisturbed(world.get(), batches, {0.5, 0, 1}, {4.5, 0, 1});
}

TEST(KeptGrounds, OfGraphsStayAsTheyWere) {
  GraphSource source;
  for (std::uint64_t id = 0; id < 50; ++id) {
    source.nodes.push_back({.id = id, .x = static_cast<double>(id)});
    if (id > 0) source.edges.push_back({.from = id - 1, .to = id, .both = true});
  }
  auto world = *GraphWorld::create({.name = "g", .graph = source});
  std::vector<ChangeBatch> batches(20);
  for (std::size_t i = 0; i < batches.size(); ++i)
    batches[i].graph_edits = {PriceGraphEdge{7, 8, 2 + static_cast<double>(i)}};
  expect_undisturbed(world.get(), batches, {0, 0, 0}, {49, 0, 0});
}

}  // namespace
}  // namespace repath
