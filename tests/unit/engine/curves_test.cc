// Agents on a grid that keep a turning radius: what they are sent, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
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
