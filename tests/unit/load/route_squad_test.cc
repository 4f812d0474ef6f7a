#include "load/route_squad.h"

#include <gtest/gtest.h>

namespace repath::load {
namespace {

v1::PathEvent path_of(const std::vector<double>& xz, std::uint64_t version = 1) {
  v1::PathEvent event;
  event.set_type(v1::EVENT_TYPE_NEW_PATH);
  event.set_agent_id(1);
  event.set_path_version(version);
  for (std::size_t i = 0; i + 1 < xz.size(); i += 2)
    for (const double value : {xz[i], 0.0, xz[i + 1]}) event.mutable_path()->add_positions(value);
  return event;
}

v1::Obstacle box(std::uint64_t id, double x, double z, double half) {
  v1::Obstacle obstacle;
  obstacle.set_id(id);
  obstacle.mutable_box()->mutable_center()->set_x(x);
  obstacle.mutable_box()->mutable_center()->set_z(z);
  obstacle.mutable_box()->set_half_x(half);
  obstacle.mutable_box()->set_half_z(half);
  return obstacle;
}

// One agent on a stream from (0, 0) to (10, 10), at two metres a second.
struct Walk {
  RouteGround ground{false, {{0, 0, 0}}};
  RouteSquad squad{ground, 1, {true, 1, 2, false}, {{{0, 0, 0}}, {{10, 0, 10}}}, 10, 1, 3};
};

TEST(RouteSquad, WalksFromPointToPoint) {
  Walk walk;
  walk.squad.take(path_of({0, 0, 10, 0, 10, 10}));
  walk.squad.advance(1);
  EXPECT_NEAR(walk.squad.place(0).x, 2, 1e-12);
  walk.squad.advance(5);
  EXPECT_NEAR(walk.squad.place(0).x, 10, 1e-12);
  EXPECT_NEAR(walk.squad.place(0).z, 2, 1e-12);
  walk.squad.advance(4);
  EXPECT_EQ(walk.squad.counts().arrivals, 1u);
}

TEST(RouteSquad, StopsBeforeWhatBlocks) {
  Walk walk;
  walk.squad.take(path_of({0, 0, 10, 0, 10, 10}));
  walk.ground.shut(box(1, 5, 0, 0.5));
  for (int i = 0; i < 200; ++i) walk.squad.advance(0.1);
  EXPECT_LT(walk.squad.place(0).x, 4.51);
  EXPECT_GT(walk.squad.place(0).x, 4.2);
  walk.ground.reopen(1);
  walk.squad.advance(0.5);
  EXPECT_GT(walk.squad.place(0).x, 5);
}

TEST(RouteSquad, IsPutOntoAPathThatCameAMomentLate) {
  Walk walk;
  walk.squad.take(path_of({0, 0, 10, 0, 10, 10}));
  walk.squad.advance(0.1);
  walk.squad.take(path_of({0, 0, 10, 10}, 2));
  EXPECT_NEAR(walk.squad.place(0).x, 0.1, 1e-9);
  EXPECT_NEAR(walk.squad.place(0).z, 0.1, 1e-9);
  walk.squad.take(path_of({7, 0, 10, 10}, 3));
  EXPECT_EQ(walk.squad.counts().strays, 1u);
}

TEST(RouteSquad, OnGraphsTellsNodesAndWaitsForShutEdges) {
  RouteGround ground(true, {{0, 0, 0}});
  RouteSquad squad(ground, 1, {true, 1, 2, false}, {{{0, 0, 0}}, {{8, 0, 0}}}, 10, 1, 3);
  v1::PathEvent event = path_of({0, 0, 4, 0, 8, 0});
  for (const std::uint64_t node : {1, 2, 3}) event.mutable_path()->add_nodes(node);
  squad.take(event);
  squad.advance(1);
  EXPECT_EQ(squad.place(0), (Place{0, 0, 0}));
  squad.advance(1);
  EXPECT_EQ(squad.place(0), (Place{4, 0, 0}));
  ground.shut(Edge{2, 3});
  squad.advance(10);
  EXPECT_EQ(squad.place(0), (Place{4, 0, 0}));
  ground.reopen(Edge{2, 3});
  squad.advance(0.01);
  EXPECT_EQ(squad.counts().arrivals, 1u);
}

TEST(RouteGround, ATurnedBoxBlocksWhereItIs) {
  RouteGround ground(false, {{0, 0, 0}});
  v1::Obstacle obstacle = box(1, 20, 20, 1);
  obstacle.mutable_box()->set_half_z(0.1);
  obstacle.mutable_box()->set_yaw(0.7853981633974483);
  ground.shut(obstacle);
  EXPECT_TRUE(ground.is_shut({20.6, 0, 20.6}));
  EXPECT_FALSE(ground.is_shut({20.6, 0, 19.4}));
  EXPECT_FALSE(ground.is_shut({20.8, 0, 20}));
  EXPECT_TRUE(ground.is_shut({20.8, 0, 20}, 1));
}

}  // namespace
}  // namespace repath::load
