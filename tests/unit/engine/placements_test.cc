// Where a tower may stand: one small map for each answer.
#include "engine/placements.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "engine/ring_floods.h"
#include "support/ascii_grid.h"
#include "unit/engine/route_bed.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;

// Returns a letter for each anchor, row by row: . free, # ground, A agent, C cuts off, ? unknown.
std::string towers(SmallWorld* world, PlaceBox anchors, TowerSize size,
                   const QueryLimits& limits = {}) {
  const PlacementQuery query{anchors, size};
  const auto ground = (*world)->capture_placements("default", TeamId{}, query);
  EXPECT_TRUE(ground.ok()) << ground.status();
  std::string letters;
  for (const Placement placement : find_placements(*ground, query, limits).placements)
    letters += std::string("!.#AC?")[static_cast<std::size_t>(placement)];
  return letters;
}

const std::vector<std::string_view> kGate = {".....", "##.##", "....."};

TEST(Towers, MayStandWhereNoAgentIsCutOff) {
  SmallWorld world(kGate);
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(4, 2)));
  world.settle();
  EXPECT_EQ(towers(&world, {0, 0, 4, 2}, {}),
            "ACC.."
            "##C##"
            "..CCC");
}

TEST(Towers, MayStandAnywhereIfNoAgentHasAPath) {
  SmallWorld world({"..#..", "..#..", "..#.."});
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(4, 2)));
  EXPECT_EQ(towers(&world, {0, 0, 4, 2}, {}), "..#....#....#..");
  world.settle();
  EXPECT_EQ(towers(&world, {0, 0, 4, 2}, {}), "..#....#....#..");
}

TEST(Towers, NeedGroundUnderAllTheirCells) {
  SmallWorld world({"....", "..#.", "...."});
  EXPECT_EQ(towers(&world, {0, 0, 3, 2}, {2, 2}),
            ".###"
            ".###"
            "####");
  EXPECT_EQ(towers(&world, {0, 0, 3, 0}, {1, 3}), "..#.");
}

// A tower may bar a goal as long as another one is left.
TEST(Towers, MayTakeOneOfSeveralGoals) {
  SmallWorld world({"....."});
  AgentSpec agent = SmallWorld::walker(1, SmallWorld::centre(2, 0), SmallWorld::centre(0, 0));
  agent.goals.push_back(SmallWorld::centre(4, 0));
  world.put(agent);
  world.settle();
  EXPECT_EQ(towers(&world, {0, 0, 4, 0}, {}), "..A..");
}

TEST(Towers, MayStandOnAnAgentForWhichAnotherCellStandsIn) {
  SmallWorld world({"...", "..."});
  AgentSpec agent = SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(2, 0));
  agent.snap_start = true;
  world.put(agent);
  world.settle();
  EXPECT_EQ(towers(&world, {0, 0, 0, 0}, {1, 1}), ".");
  EXPECT_EQ(towers(&world, {0, 0, 0, 0}, {1, 2}), ".");
  EXPECT_EQ(towers(&world, {0, 0, 0, 0}, {3, 1}), "A");
  EXPECT_EQ(towers(&world, {0, 0, 0, 0}, {3, 2}), "A");
}

TEST(Towers, MayNotStandOnAnAgentThatHasArrived) {
  SmallWorld world({"..."});
  world.put(SmallWorld::walker(1, SmallWorld::centre(1, 0), SmallWorld::centre(1, 0)));
  world.settle();
  EXPECT_EQ(towers(&world, {0, 0, 2, 0}, {}), ".A.");
  TestChanges command;
  command.batch.upsert_obstacles.push_back({ObstacleId{9}, CellRect{1, 0, 2, 1}});
  const auto answer = world->test(command);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->affected_agents, std::vector{AgentId{1}});
  EXPECT_EQ(answer->cut_off_agents, std::vector{AgentId{1}});
}

TEST(Towers, AreUnknownFromTheLimitOn) {
  SmallWorld world(kGate);
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(4, 2)));
  world.settle();
  QueryLimits limits;
  limits.max_expansions = 0;
  EXPECT_EQ(towers(&world, {0, 0, 4, 2}, {}, limits), std::string(15, '?'));
  limits.max_expansions = ~std::uint64_t{0};
  limits.bytes_max = 0;
  EXPECT_EQ(towers(&world, {0, 0, 4, 2}, {}, limits).front(), '?');
}

TEST(Towers, StandInCellsAlone) {
  test::RouteBed bed(test::plane());
  const auto ground = bed->capture_placements("default", TeamId{}, {{0, 0, 0, 0}, {}});
  ASSERT_FALSE(ground.ok());
  EXPECT_EQ(error_reason(ground.status()), "KIND_UNSUITED");
  EXPECT_EQ(error_field(ground.status()), "world");
}

class TwoRooms : public ::testing::Test {
 protected:
  NodeId at(std::int32_t x, std::int32_t y) const { return layer_.node_at(x, y); }

  GridLayer layer_ = test::draw_layer({"...........", "##.########", "..#........"});
  StepMeter meter_{QueryLimits{}};
  RingFloods floods_{layer_.width(), layer_.height(), ~std::size_t{0}, meter_};
  const std::vector<NodeId> door_{at(2, 0)};
};

TEST_F(TwoRooms, TheSmallerPartIsFound) {
  const std::vector<std::vector<NodeId>> pieces{{at(1, 0)}, {at(3, 0)}, {at(2, 1)}};
  ASSERT_TRUE(floods_.run(layer_, Topology::k8, door_, pieces));
  ASSERT_EQ(floods_.small_parts().size(), 2u);
  EXPECT_EQ(floods_.small_parts()[0], std::vector{at(2, 1)});
  EXPECT_EQ(floods_.small_parts()[1], (std::vector{at(1, 0), at(0, 0)}));
  EXPECT_LT(meter_.spent(), 8u);
}

TEST_F(TwoRooms, PiecesThatMeetAreOnePart) {
  const std::vector<std::vector<NodeId>> pieces{{at(3, 0)}, {at(5, 0)}};
  const std::vector<NodeId> none;
  ASSERT_TRUE(floods_.run(layer_, Topology::k4, none, pieces));
  EXPECT_TRUE(floods_.small_parts().empty());
}

TEST_F(TwoRooms, HexagonsHangTogetherBySixSteps) {
  const std::vector<std::vector<NodeId>> pieces{{at(1, 0)}, {at(3, 0)}};
  bool is_found = false;
  const std::vector<NodeId> goal{at(3, 2)};
  ASSERT_TRUE(floods_.find_goal(layer_, Topology::k8, {}, at(0, 0), goal, &is_found));
  EXPECT_FALSE(is_found);
  ASSERT_TRUE(floods_.find_goal(layer_, Topology::kHex, {}, at(0, 0), goal, &is_found));
  EXPECT_TRUE(is_found);
}

TEST_F(TwoRooms, ALimitEndsTheSearches) {
  QueryLimits limits;
  limits.max_expansions = 1;
  StepMeter meter(limits);
  RingFloods floods(layer_.width(), layer_.height(), ~std::size_t{0}, meter);
  const std::vector<std::vector<NodeId>> pieces{{at(1, 0)}, {at(3, 0)}};
  EXPECT_FALSE(floods.run(layer_, Topology::k8, door_, pieces));
  EXPECT_TRUE(meter.is_over());
}

}  // namespace
}  // namespace repath
