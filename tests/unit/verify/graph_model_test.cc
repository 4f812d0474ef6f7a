#include "verify/graph_model.h"

#include <gtest/gtest.h>

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

TEST(GraphModel, HasNoPlaceWithoutNodes) {
  EXPECT_FALSE(GraphModel(R"({"nodes": [], "edges": []})").has_nodes());
}

TEST(DiceDeathTest, ThereIsNothingToChooseFromNothing) {
  Dice dice(1);
  EXPECT_DEATH(dice.below(0), "Dice::below\\(0\\): there is nothing to choose from");
}

}  // namespace
}  // namespace repath::verify
