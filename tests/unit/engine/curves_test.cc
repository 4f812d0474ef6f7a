// Agents on a grid that keep a turning radius: what they are sent, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/executor.h"
#include "engine/engine.h"
#include "property/engine/turn_radius.h"
#include "support/ascii_grid.h"

namespace repath {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CurveBed {
 public:
  explicit CurveBed(const std::vector<std::string_view>& rows, double turning_radius = 2) {
    const Profile car{.turning_radius = turning_radius};
    engine_ = Engine::create(*World::create({"curves", test::draw_map(rows), 1.0, {car}}, {}), {},
                             executor_);
  }
  absl::Status put(MapPoint from, MapPoint to) {
    AgentSpec spec;
    spec.id = AgentId{7};
    spec.position = from;
    spec.goals = {to};
    spec.curves = true;
    return put(spec);
  }
  absl::Status put(const AgentSpec& spec) {
    return engine_->upsert_agents(std::span(&spec, 1), OwnerId{1}, 0);
  }
  void block(std::uint64_t id, CellRect cells, bool enabled = true) {
    ChangeBatch batch;
    ObstacleSpec obstacle{ObstacleId{id}, cells};
    obstacle.enabled = enabled;
    batch.upsert_obstacles.push_back(obstacle);
    ASSERT_TRUE(engine_->apply({batch, "", std::nullopt}, 0).ok());
  }
  // Reports that the agent has walked along the path up to the node.
  void walk(const AgentPath& path, std::size_t node, int width) {
    for (std::size_t i = 1; i <= node; ++i) {
      const auto at = static_cast<int>(index(path.nodes[i]));
      const PositionReport report{AgentId{7}, {at % width + 0.5, at / width + 0.5}, path.version};
      ASSERT_TRUE(engine_->report_positions(std::span(&report, 1), 0).ok());
    }
  }
  std::vector<AgentEvent> events() { return engine_->take_events(); }
  std::vector<AgentEvent> settle() {
    for (int frame = 0; frame < 1000; ++frame)
      if (engine_->step(100'000, 0).idle) return events();
    ADD_FAILURE() << "never settles";
    return {};
  }
  Engine* operator->() { return engine_.get(); }

 private:
  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
};

std::vector<EventType> types_in(const std::vector<AgentEvent>& events) {
  std::vector<EventType> types;
  for (const AgentEvent& event : events) types.push_back(event.type);
  return types;
}

const std::vector<std::string_view> kCorner = {
    "..............", "..............", "..............", "..............",
    ".......#......", ".......#......", ".......#......", ".......#......",
};

TEST(Curves, APathOnAGridIsTheCellsThatItsLinePasses) {
  CurveBed bed(kCorner);
  ASSERT_TRUE(bed.put({5.5, 7.5}, {9.5, 7.5}).ok());
  const auto events = bed.settle();
  ASSERT_THAT(types_in(events), ElementsAre(EventType::kNewPath));
  const AgentPath& path = *events[0].path;
  EXPECT_FALSE(path.turn_too_tight);
  EXPECT_EQ(path.optimality, Optimality::kBounded);
  EXPECT_GT(path.weight, 1);
  ASSERT_GT(path.points.size(), 6u);
  EXPECT_EQ(path.points.front().at, (Spot{5.5, 0, 7.5}));
  EXPECT_EQ(path.points.back().at, (Spot{9.5, 0, 7.5}));
  EXPECT_EQ(path.nodes.front(), NodeId{7 * 14 + 5});
  EXPECT_EQ(path.nodes.back(), NodeId{7 * 14 + 9});
  for (std::size_t i = 2; i < path.points.size(); ++i) {
    const auto at = [&](std::size_t k) {
      return MapPoint{path.points[k].at.x, path.points[k].at.z};
    };
    EXPECT_TRUE(test::keeps_radius(at(i - 2), at(i - 1), at(i), 2, 0.05, false)) << i;
  }
}

TEST(Curves, AStraightLineIsOptimal) {
  CurveBed bed(kCorner);
  ASSERT_TRUE(bed.put({0.5, 0.5}, {12.5, 3.5}).ok());
  const auto events = bed.settle();
  ASSERT_THAT(types_in(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].path->optimality, Optimality::kOptimal);
  EXPECT_EQ(events[0].path->points.size(), 2u);
}

TEST(Curves, ATurnWithoutRoomIsSaidUntilItHasRoom) {
  CurveBed bed(kCorner, 6);
  bed.block(1, {0, 0, 14, 3});
  ASSERT_TRUE(bed.put({5.5, 7.5}, {9.5, 7.5}).ok());
  const auto first = bed.settle();
  ASSERT_THAT(types_in(first), ElementsAre(EventType::kNewPath));
  EXPECT_TRUE(first[0].path->turn_too_tight);
  EXPECT_THAT(first[0].path->points, IsEmpty());
  EXPECT_EQ(first[0].path->optimality, Optimality::kOptimal);
  bed.block(2, {13, 7, 14, 8});
  bed.block(2, {13, 7, 14, 8}, false);
  EXPECT_THAT(bed.settle(), IsEmpty());
}

// A wall stands before the goal, and the turns round it have no room. Once it is gone the straight
// way saves 4.5 steps.
TEST(Curves, AWayThatHasRoomIsNoImprovementUnlessItSavesMoreThanTheHysteresis) {
  constexpr int kWidth = 64;
  const std::string row(kWidth, '.');
  for (const bool comes_from_afar : {true, false}) {
    CurveBed bed(std::vector<std::string_view>(8, row), 6);
    bed.block(1, {0, 0, kWidth, 3});
    bed.block(2, {57, 4, 58, 8});
    AgentSpec spec;
    spec.id = AgentId{7};
    spec.position = {comes_from_afar ? 0.5 : 40.5, 7.5};
    spec.goals = {{59.5, 7.5}};
    spec.curves = true;
    spec.min_improvement_ratio = 0.1;
    ASSERT_TRUE(bed.put(spec).ok());
    const auto first = bed.settle();
    ASSERT_THAT(types_in(first), ElementsAre(EventType::kNewPath));
    const AgentPath& path = *first[0].path;
    ASSERT_TRUE(path.turn_too_tight);
    if (comes_from_afar) bed.walk(path, 40, kWidth);
    bed.block(2, {57, 4, 58, 8}, false);
    const auto later = bed.settle();
    ASSERT_THAT(types_in(later),
                ElementsAre(comes_from_afar ? EventType::kReplanned : EventType::kImproved));
    EXPECT_FALSE(later[0].path->turn_too_tight);
    EXPECT_GT(later[0].old_cost - later[0].cost, later[0].old_cost / 10);
    EXPECT_EQ(later[0].old_cost - later[0].cost > path.cost / 10, !comes_from_afar);
  }
}

// The way round the shorter wall saves 4.8 steps, but a line along it only 4.2. The hysteresis is
// 4.5 of the 73 steps of the whole path.
TEST(Curves, AnOpenLineIsKeptUnlessAnotherOneSavesMoreThanTheHysteresis) {
  constexpr int kWidth = 64;
  const std::string row(kWidth, '.');
  CurveBed bed(std::vector<std::string_view>(10, row), 5);
  bed.block(1, {57, 4, 58, 10});
  bed.block(2, {57, 1, 58, 4});
  AgentSpec spec;
  spec.id = AgentId{7};
  spec.position = {0.5, 9.5};
  spec.goals = {{63.5, 9.5}};
  spec.curves = true;
  spec.min_improvement_ratio = 0.0618;
  ASSERT_TRUE(bed.put(spec).ok());
  const auto first = bed.settle();
  ASSERT_THAT(types_in(first), ElementsAre(EventType::kNewPath));
  ASSERT_FALSE(first[0].path->turn_too_tight);
  bed.walk(*first[0].path, 25, kWidth);
  bed.block(2, {57, 1, 58, 4}, false);
  const auto later = bed.settle();
  ASSERT_THAT(types_in(later), ElementsAre(EventType::kReplanned));
  EXPECT_EQ(later[0].cost, later[0].old_cost);
  EXPECT_FALSE(later[0].path->turn_too_tight);
}

TEST(Curves, ItIsRefusedBesideACrowdAndWithoutATurningRadius) {
  CurveBed bed(kCorner);
  AgentSpec spec;
  spec.id = AgentId{7};
  spec.position = {0.5, 0.5};
  spec.goals = {{3.5, 0.5}};
  spec.curves = true;
  spec.crowd = CrowdSpec{1, 1, 1};
  EXPECT_EQ(error_reason(bed.put(spec)), "OPTIONS_CONFLICT");
  EXPECT_EQ(error_field(bed.put(spec)), "agents[0].curves");
  spec.crowd.reset();
  CurveBed walkers(kCorner, 0);
  EXPECT_EQ(error_reason(walkers.put(spec)), "SMOOTHING_UNSUITED");
}

}  // namespace
}  // namespace repath
