// The content of a stream that begins or resumes: the complete present state of each agent, and
// nothing about a question that was replaced.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "support/plane_world.h"
#include "unit/runtime/hub_bed.h"

namespace repath {
namespace {

using test::events_of;
using test::kFirst;
using test::kSecond;
using test::walker;
using Types = std::vector<EventType>;

// The same tests on a grid and on a mesh. Both have a wall from side to side at y = 2 (of 5) with a
// door in it. Places are given as cells of the grid.
class Resume : public testing::TestWithParam<bool> {
 protected:
  Resume() : bed_(GetParam() ? plane() : test::HubBed::square(executor_)) {
    if (!GetParam()) return;
    ChangeBatch wall;
    wall.upsert_obstacles.push_back(block(100, {-1, 2, 4, 3}));
    wall.upsert_obstacles.push_back(block(101, {5, 2, 11, 3}));
    bed_.apply(wall);
  }

  std::unique_ptr<Engine> plane() {
    test::PlaneGround ground;
    ground.width = 10;
    ground.depth = 5;
    return Engine::create(std::make_unique<test::PlaneWorld>(std::move(ground)), EngineOptions{},
                          executor_);
  }
  static ObstacleSpec block(std::uint64_t id, const CellRect& r) {
    const double x = (r.x0 + r.x1) / 2.0;
    const double z = (r.y0 + r.y1) / 2.0;
    return {ObstacleId{id}, Box{{x, z}, x - r.x0, z - r.y0, 0}};
  }

  void put_block(std::uint64_t id, const CellRect& cells) {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back(GetParam() ? block(id, cells)
                                                : ObstacleSpec{ObstacleId{id}, cells});
    bed_.apply(batch);
  }
  // On meshes a path may lead between two blocks that only touch.
  void shut_door() { put_block(1, {3, 2, 6, 3}); }

  static std::size_t waypoints(const AgentPath& path) {
    if (!path.points.empty()) return path.points.size();
    std::size_t runs = 0;
    for (std::size_t i = 1; i < path.nodes.size(); ++i) {
      const auto step = [&](std::size_t k) {
        return index(path.nodes[k]) - index(path.nodes[k - 1]);
      };
      runs += i == 1 || step(i) != step(i - 1) ? 1 : 0;
    }
    return runs + 1;
  }
  static bool begins_at(const AgentPath& path, MapPoint p) {
    if (!path.points.empty()) return path.points[0].at == Spot{p.x, 0, p.y};
    return path.nodes.at(0) ==
           NodeId{static_cast<std::uint32_t>(p.y) * 10 + static_cast<std::uint32_t>(p.x)};
  }

  // Opens a session with agent 7, settled, from (0, 0) through the door to (4, 4).
  std::shared_ptr<test::RecordingSink> begin(std::uint32_t window = 16) {
    auto sink = bed_.open(kFirst, "a", window);
    bed_.upsert(kFirst, 2, agent({4.5, 4.5}, 1));
    bed_.frame();
    return sink;
  }
  static AgentSpec agent(MapPoint goal, std::uint64_t generation) {
    AgentSpec spec = walker(7);
    spec.position = {0.5, 0.5};
    spec.goals = {goal};
    spec.goal_generation = generation;
    return spec;
  }
  std::shared_ptr<test::RecordingSink> resume() {
    bed_.detach(kFirst);
    return bed_.open(kSecond, "a");
  }
  void settle() {
    for (int i = 0; i < 50 && !bed_.engine().is_idle(); ++i) bed_.frame();
    ASSERT_TRUE(bed_.engine().is_idle());
  }
  Revision now() { return bed_.engine().revision(); }

  InlineExecutor executor_;
  test::HubBed bed_;
};

TEST_P(Resume, APathIsSentFromWhereTheAgentIsWithWhatItCostsFromThere) {
  const auto first = begin();
  const AgentPath whole = *events_of(*first).at(0)->path;
  MapPoint on_it{1.5, 0.5};
  if (GetParam()) {
    const Spot& a = whole.points[0].at;
    const Spot& b = whole.points[1].at;
    on_it = {(a.x + b.x) / 2, (a.z + b.z) / 2};
  }
  bed_.report(kFirst, 3, 7, on_it, PathVersion{1});
  const Cost held = bed_.engine().agent(AgentId{7})->held_cost;
  const auto events = events_of(*resume());
  ASSERT_EQ(events.size(), 1u);
  ASSERT_EQ(events[0]->type, EventType::kNewPath);
  EXPECT_EQ(events[0]->path->cost, held);
  EXPECT_EQ(events[0]->cost, held);
  EXPECT_EQ(events[0]->revision, now());
  EXPECT_EQ(events[0]->path->optimality, Optimality::kOptimal);
}

TEST_P(Resume, AWaypointThatBreaksLaterIsCountedInThePathThatWasSentAgain) {
  const auto first = begin();
  const AgentPath whole = *events_of(*first)[0]->path;
  ASSERT_GE(waypoints(whole), 3u);
  // To the bend before the door, which then lies behind the agent.
  const MapPoint bend =
      GetParam() ? MapPoint{whole.points[1].at.x, whole.points[1].at.z}
                 : MapPoint{index(whole.nodes[4]) % 10 + 0.5, index(whole.nodes[4]) / 10 + 0.5};
  bed_.report(kFirst, 3, 7, bend, PathVersion{1});
  const auto sink = resume();
  const AgentPath rest = *events_of(*sink).at(0)->path;
  ASSERT_LT(waypoints(rest), waypoints(whole));
  put_block(2, {3, 4, 6, 5});  // covers the goal
  const auto events = events_of(*sink);
  ASSERT_EQ(events.back()->type, EventType::kInvalidated);
  ASSERT_TRUE(events.back()->first_invalid_waypoint.has_value());
  EXPECT_LE(*events.back()->first_invalid_waypoint, waypoints(rest) - 1);
  EXPECT_GE(*events.back()->first_invalid_waypoint, 1u);
}

TEST_P(Resume, ABrokenPathIsSentAsBrokenWithoutAPlaceInIt) {
  begin();
  shut_door();
  const auto sink = resume();
  const auto events = events_of(*sink);
  ASSERT_EQ(sink->seen().types(), Types{EventType::kInvalidated});
  EXPECT_FALSE(events[0]->first_invalid_waypoint.has_value());
  EXPECT_FALSE(events[0]->path.has_value());
  EXPECT_EQ(events[0]->path_version, PathVersion{1});
  EXPECT_LT(sink->seen().batches.back().settled, now());
}

TEST_P(Resume, AnAgentAstrayIsNotSentAPathItHasLeft) {
  begin();
  bed_.report(kFirst, 3, 7, {8.5, 0.5}, PathVersion{1});
  const auto sink = resume();
  EXPECT_TRUE(sink->seen().types().empty());
  EXPECT_EQ(sink->seen().batches.back().waiting, 1u);
  EXPECT_FALSE(bed_.engine().agent(AgentId{7})->has_verdict);
  settle();
  const auto events = events_of(*sink);
  ASSERT_EQ(sink->seen().types(), Types{EventType::kNewPath});
  EXPECT_TRUE(begins_at(*events[0]->path, {8.5, 0.5}));
}

TEST_P(Resume, AnAgentThatWalkedOutOfItsObstacleIsNotSentStartBlocked) {
  begin();
  put_block(2, {0, 0, 2, 1});
  settle();
  bed_.report(kFirst, 3, 7, {6.5, 1.5});
  const auto sink = resume();
  EXPECT_TRUE(sink->seen().types().empty());
  bed_.report(kSecond, 2, 7, {0.5, 0.5});  // back into it, which is news to this stream
  settle();
  EXPECT_EQ(sink->seen().types(), Types{EventType::kStartBlocked});
}

TEST_P(Resume, AnAgentWhosePlaceIsFreeAgainIsNotSentStartBlocked) {
  begin();
  put_block(2, {0, 0, 2, 1});
  settle();
  ChangeBatch batch;
  batch.remove_obstacles.push_back(ObstacleId{2});
  bed_.apply(batch);
  const auto sink = resume();
  EXPECT_TRUE(sink->seen().types().empty());
  settle();
  EXPECT_EQ(sink->seen().types(), Types{EventType::kNewPath});
}

TEST_P(Resume, AnAgentThatIsStillBlockedIsSentSo) {
  begin();
  put_block(2, {0, 0, 2, 1});
  settle();
  const auto sink = resume();
  ASSERT_EQ(sink->seen().types(), Types{EventType::kStartBlocked});
  EXPECT_EQ(events_of(*sink)[0]->revision, now());
}

TEST_P(Resume, APathThatWaitsForItsProofIsSentAsValidOnlyWithItsCostOfNow) {
  begin();
  put_block(2, {8, 4, 9, 5});
  if (GetParam()) {
    ChangeBatch open;
    open.remove_obstacles.push_back(ObstacleId{100});
    bed_.apply(open);
  } else {
    ChangeBatch open;
    open.terrain_edits.push_back({CellRect{0, 2, 4, 3}, TerrainId{0}});
    bed_.apply(open);
  }
  ASSERT_TRUE(bed_.engine().agent(AgentId{7})->waiting);
  const auto sink = resume();
  const auto events = events_of(*sink);
  ASSERT_EQ(sink->seen().types(), Types{EventType::kNewPath});
  EXPECT_EQ(events[0]->path->optimality, Optimality::kValidOnly);
  EXPECT_EQ(events[0]->path->cost, bed_.engine().agent(AgentId{7})->held_cost);
  EXPECT_EQ(events[0]->revision, now());
  EXPECT_LT(sink->seen().batches.back().settled, now());
}

TEST_P(Resume, NothingOfAReplacedQuestionIsSent) {
  shut_door();
  const auto first = begin();
  ASSERT_EQ(first->seen().types(), Types{EventType::kUnreachable});
  bed_.upsert(kFirst, 3, agent({9.5, 0.5}, 2));
  const auto sink = resume();
  EXPECT_TRUE(sink->seen().types().empty());
  settle();
  const auto events = events_of(*sink);
  ASSERT_EQ(sink->seen().types(), Types{EventType::kNewPath});
  EXPECT_EQ(events[0]->goal_generation, 2u);
}

TEST_P(Resume, AClosedWindowSendsNothingOfAReplacedQuestion) {
  const auto sink = begin(1);  // the opening notice is in flight, the path is not
  ASSERT_TRUE(sink->seen().types().empty());
  bed_.upsert(kFirst, 3, agent({9.5, 0.5}, 2));
  bed_.send(kFirst, 4, SessionMessage::Acknowledge{1});
  EXPECT_TRUE(sink->seen().types().empty());
  EXPECT_EQ(sink->seen().batches.back().applied_sequence, 4u);
  EXPECT_EQ(sink->seen().batches.back().coalesced, 1u);
  bed_.acknowledge(kFirst, 5, *sink);
  settle();
  const auto events = events_of(*sink);
  ASSERT_EQ(sink->seen().types(), Types{EventType::kNewPath});
  EXPECT_EQ(events[0]->goal_generation, 2u);
}

TEST_P(Resume, ANewGenerationAloneIsEchoedAndChangesNothingElse) {
  const auto first = begin();
  bed_.upsert(kFirst, 3, agent({4.5, 4.5}, 9));
  settle();
  EXPECT_EQ(first->seen().types(), Types{EventType::kNewPath});
  EXPECT_EQ(events_of(*resume()).at(0)->goal_generation, 9u);
}

INSTANTIATE_TEST_SUITE_P(OnGridsAndMeshes, Resume, testing::Bool(),
                         [](const auto& of_routes) { return of_routes.param ? "Mesh" : "Grid"; });

}  // namespace
}  // namespace repath
