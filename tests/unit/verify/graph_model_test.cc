#include "verify/graph_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace repath::verify {
namespace {

TEST(GraphModel, ChangesOfAGraphWithoutEdgesLayEdges) {
  GraphModel model(
      R"({"nodes": [{"id": 1, "position": [0,0,0]}, {"id": 2, "position": [5,0,0]}], "edges": []})");
  EXPECT_TRUE(model.has_nodes());
  Dice dice(7);
  const v1::ChangeBatch batch = model.next_change({{0, 0, 0}}, dice);
  ASSERT_GT(batch.graph_edits_size(), 0);
  ASSERT_TRUE(batch.graph_edits(0).has_set_edge());
  EXPECT_NE(batch.graph_edits(0).set_edge().from(), batch.graph_edits(0).set_edge().to());
  std::string failure;
  EXPECT_TRUE(model.take(batch, 2, &failure));
  for (std::uint64_t revision = 3; revision < 100; ++revision)
    ASSERT_TRUE(model.take(model.next_change({{0, 0, 0}}, dice), revision, &failure));
}

TEST(GraphModel, ASingleNodeIsSwitched) {
  GraphModel model(R"({"nodes": [{"id": 3, "position": [0,0,0]}]})");
  Dice dice(7);
  const v1::ChangeBatch batch = model.next_change({}, dice);
  ASSERT_GT(batch.graph_edits_size(), 0);
  EXPECT_EQ(batch.graph_edits(0).switch_node().id(), 3u);
}

// 1 leads to 2. 3 and 4 stand for the goals; once 3 is shut, 4 stands for both.
TEST(GraphModel, APartialPathIsMeasuredFromTheNodesThatStandForGoals) {
  GraphModel model(R"({"nodes": [{"id": 1, "position": [0,0,0]}, {"id": 2, "position": [30,0,0]},)"
                   R"({"id": 3, "position": [0,0,45]}, {"id": 4, "position": [25,0,50]}],)"
                   R"("edges": [{"from": 1, "to": 2}]})");
  const std::vector<Spot> goals{{0, 0, 50}, {25, 0, 50}};
  Nearness near = model.nearness(0, 1, {0, 0, 0}, {0, 0, 0}, goals);
  EXPECT_DOUBLE_EQ(near.of_end, 45);
  EXPECT_DOUBLE_EQ(near.least, 45);
  v1::ChangeBatch batch;
  batch.add_graph_edits()->mutable_switch_node()->set_id(3);
  std::string failure;
  ASSERT_TRUE(model.take(batch, 2, &failure));
  near = model.nearness(0, 2, {0, 0, 0}, {0, 0, 0}, goals);
  EXPECT_DOUBLE_EQ(near.of_end, std::hypot(25, 50));
  EXPECT_DOUBLE_EQ(near.least, std::hypot(5, 50));
  EXPECT_EQ(model.place_beside(0, {25, 0, 50}), (Spot{30, 0, 0}));
}

TEST(GraphModel, HasNoPlaceWithoutNodes) {
  EXPECT_FALSE(GraphModel(R"({"nodes": [], "edges": []})").has_nodes());
}

TEST(DiceDeathTest, ThereIsNothingToChooseFromNothing) {
  Dice dice(1);
  EXPECT_DEATH(dice.below(0), "Dice::below\\(0\\): there is nothing to choose from");
}

}  // namespace
}  // namespace repath::verify
