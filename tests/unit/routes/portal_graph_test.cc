// Links in the graph of portals, and searches that are repaired over them.
#include "routes/portal_graph.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "routes/nav_world.h"
#include "routes/places.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

// Two strips, x from 0 to 4 and from 5 to 9, with links over the gap between them.
class PortalGraphTest : public ::testing::Test {
 protected:
  PortalGraphTest() {
    MeshSource mesh = test::squares({"....#...."});
    const auto add = [&mesh](std::uint64_t id, std::uint32_t from, double from_x, std::uint32_t to,
                             double to_x) {
      mesh.links.push_back({.id = id,
                            .from_cell = from,
                            .to_cell = to,
                            .from = test::at(from_x, 0.5),
                            .to = test::at(to_x, 0.5),
                            .flags = 1,
                            .both_ways = false});
    };
    add(1, 3, 3.5, 4, 5.5);
    add(2, 7, 8.5, 0, 0.5);  // back: the strips hang together, whatever bars the way there
    add(3, 1, 1.25, 1, 1.75);
    world_ = *NavWorld::create({.name = "w", .mesh = std::move(mesh), .profiles = {}});
    view_ = *world_->acquire_view("default", TeamId{0});
  }

  const NavGround& ground() const { return world_->ground(view_); }
  RoutePlace place(double x) const { return *stand_at(ground(), {x, 0, 0.5}); }
  RouteCommit apply(const ChangeBatch& batch) {
    auto commit = world_->apply(batch);
    EXPECT_TRUE(commit.ok()) << commit.status();
    return *std::move(commit);
  }
  RouteCommit put_wall(double x) {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back({.id = ObstacleId{1}, .shape = Box{{x, 0.5}, 0.2, 1, 0}});
    return apply(batch);
  }
  RouteCommit remove_wall() {
    ChangeBatch batch;
    batch.remove_obstacles.push_back(ObstacleId{1});
    return apply(batch);
  }

  std::unique_ptr<NavWorld> world_;
  RouteViewId view_{};
};

// A kernel would take the link's node for its own successor, and its cost would come from itself.
TEST_F(PortalGraphTest, ALinkWithinACellDoesNotLeadToItself) {
  const RoutePlace goal = place(3.25);
  PortalGraph graph(&ground(), mesh_place(goal).point(), std::nullopt);
  graph.place_goal(mesh_place(goal));
  std::vector<NodeId> nodes;
  graph.place_start(mesh_place(place(0.25)), &nodes);
  for (std::uint32_t i = 0; i < graph.size(); ++i) {  // they are numbered on the way
    const auto expect_other = [&](NodeId n, Cost) { EXPECT_NE(n, NodeId{i}); };
    graph.for_each_successor(NodeId{i}, expect_other);
    graph.for_each_predecessor(NodeId{i}, expect_other);
  }
  EXPECT_GT(graph.size(), 7u) << "there are portals and links";
}

TEST_F(PortalGraphTest, GroundThatOpensAtTheEndOfALinkIsTakenIn) {
  for (const SearchKind kind : {SearchKind::kLpa, SearchKind::kDStarLite, SearchKind::kField})
    for (const double wall : {3.0, 6.0}) {  // beside the cell where the link begins, or ends
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)));
      put_wall(wall);
      const RoutePlace from = place(0.25);
      const RoutePlace goal = place(8.75);
      const auto search = ground().kept_search(kind, from, {&goal, 1});
      ASSERT_NE(search, nullptr);
      std::uint32_t plenty = 10'000;
      ASSERT_EQ(search->advance(from, &plenty), Progress::kNoPath);
      const RouteCommit opened = remove_wall();
      search->on_edges_changed(opened.views.front().heads);
      EXPECT_EQ(search->advance(from, &plenty), Progress::kPathFound) << "the wall at " << wall;
    }
}

// More pieces of ground than the graph has numbers for.
TEST_F(PortalGraphTest, AGraphThatIsFullGivesWayToALargerOne) {
  const RoutePlace from = place(0.25);
  const RoutePlace goal = place(3.75);
  PortalGraph graph(&ground(), mesh_place(goal).point(), std::nullopt);
  EXPECT_TRUE(graph.has_room());
  std::vector<std::unique_ptr<KeptRouteSearch>> searches;
  for (const SearchKind kind : {SearchKind::kLpa, SearchKind::kDStarLite, SearchKind::kField})
    searches.push_back(ground().kept_search(kind, from, {&goal, 1}));
  const auto expect_cost = [&](double cost) {
    for (const auto& search : searches) {
      std::uint32_t plenty = 100'000;
      ASSERT_EQ(search->advance(from, &plenty), Progress::kPathFound);
      EXPECT_NEAR(units_from_route_cost(search->cost(from)), cost, 1e-2);
    }
  };
  const auto change = [&](const ChangeBatch& batch) {
    const RouteCommit commit = apply(batch);
    for (const auto& search : searches) search->on_edges_changed(commit.views.front().heads);
  };
  expect_cost(3.5);
  ChangeBatch posts;
  ChangeBatch none;
  for (std::uint64_t i = 0; i < 150; ++i) {
    const Point at{0.5 + 0.02 * static_cast<double>(i), i % 2 == 0 ? 0.3 : 0.7};
    posts.upsert_obstacles.push_back({.id = ObstacleId{i}, .shape = Box{at, 0.004, 0.004, 0.3}});
    none.remove_obstacles.push_back(ObstacleId{i});
  }
  change(posts);
  graph.read(&ground());
  EXPECT_FALSE(graph.has_room());
  expect_cost(3.5);
  change(none);
  expect_cost(3.5);
}

}  // namespace
}  // namespace repath
