// The judge must notice faults: a checker that accepts everything would pass every server.
#include "unit/verify/judge_bed.h"

namespace repath::verify {
namespace {

constexpr double kRound = 6 + 2;  // the path round a wall across the upper lane

TEST_F(JudgeTest, AcceptsAServerThatKeepsItsPromise) {
  begin();
  wall(1, {3, 0, 4, 1});
  v1::EventBatch at_once = batch(1);
  event(at_once, v1::EVENT_TYPE_INVALIDATED, 1).set_first_invalid_waypoint(1);
  judge(at_once);
  v1::EventBatch later = batch(2);
  path(later, v1::EVENT_TYPE_REPLANNED, 2, 2 * 1 + 4 + 2, {0, 0, 2, 0, 2, 1, 4, 1, 4, 0, 6, 0});
  judge(later);
  judge_.check_notices();
  judge_.check_claims();
  EXPECT_TRUE(tally_.clean());
  EXPECT_GT(tally_.checked, 0u);
  EXPECT_DOUBLE_EQ(kRound, cost_of(world_.view(0).now(), agent().held.route, 0));
}

TEST_F(JudgeTest, NoticesAPathThatIsTooLong) {
  v1::EventBatch b = batch(0);
  path(b, v1::EVENT_TYPE_NEW_PATH, 1, 8, {0, 0, 0, 1, 6, 1, 6, 0});
  judge(b);
  EXPECT_EQ(tally_.wrong, 1u);
}

// The straight path costs 6, the path in the lower lane 8.
TEST_F(JudgeTest, HoldsABoundToWhatItSays) {
  const auto told = [&](double bound, double max_detour) {
    tally_ = Tally{0};
    agent().spec.clearing = {1, 8, max_detour};
    agent().held = {};
    v1::EventBatch b = batch(0);
    v1::Path& p = *path(b, v1::EVENT_TYPE_NEW_PATH, 1, 8, {0, 0, 0, 1, 6, 1, 6, 0}).mutable_path();
    p.set_optimality(v1::OPTIMALITY_BOUNDED);
    p.set_bound(bound);
    judge(b);
    return tally_.wrong;
  };
  EXPECT_EQ(told(8.0 / 6, 0.34), 0u);
  EXPECT_DOUBLE_EQ(agent().held.allowance, 2);
  EXPECT_EQ(told(8.0 / 6.1, 0.34), 1u) << "the best one costs less than the bound says";
  EXPECT_EQ(told(8.0 / 6, 0.33), 1u) << "a longer detour than the agent allows";
  EXPECT_EQ(told(0.5, 0.34), 2u) << "no bound";
  agent().spec.clearing = {};
  EXPECT_EQ(told(8.0 / 6, 0), 1u) << "it never asked for anything but the best";
}

// Until the agent is settled its path may cost what its bound allows; after that only the optimum.
TEST_F(JudgeTest, TakesAFirstLegForAPathButNotForTheBestOne) {
  Judge judge{world_, agents_, oracle_, tally_, 1, true};
  const auto tell = [&](std::uint64_t version, std::uint64_t settled, double bound) {
    v1::EventBatch b = batch(settled);
    v1::Path& p =
        *path(b, v1::EVENT_TYPE_NEW_PATH, version, 8, {0, 0, 0, 1, 6, 1, 6, 0}).mutable_path();
    p.set_optimality(v1::OPTIMALITY_BOUNDED);
    p.set_bound(bound);
    judge.on_batch(b, 1);
  };
  tell(1, 0, 8.0 / 6);
  EXPECT_TRUE(tally_.clean());
  EXPECT_EQ(agent().held.allowance, 0);
  tell(2, 0, 8.0 / 6);
  EXPECT_EQ(tally_.wrong, 1u) << "it had one that it could walk";
  agent().held = {};
  tell(3, 0, 8.0 / 6.1);
  EXPECT_EQ(tally_.wrong, 2u) << "the best one costs less than the bound says";
  agent().held = {};
  tell(4, 1, 8.0 / 6);
  judge.check_claims();
  EXPECT_EQ(tally_.wrong, 2u);
  EXPECT_GE(tally_.missed_improvements, 1u) << "it was taken for a proof";
}

TEST_F(JudgeTest, NoticesAPathThroughAWall) {
  wall(1, {3, 0, 4, 1});
  v1::EventBatch b = batch(0);
  path(b, v1::EVENT_TYPE_NEW_PATH, 1, 6, {0, 0, 6, 0});
  judge(b);
  EXPECT_EQ(tally_.invalid_paths, 1u);
}

TEST_F(JudgeTest, NoticesAPathFromAPlaceThatWasLeft) {
  begin();
  agent().positions.push_back({2, cell(0, 1), 1});
  agent().disturbed_at = 2;
  v1::EventBatch b = batch(1, 2);
  path(b, v1::EVENT_TYPE_NEW_PATH, 2, 6, {0, 0, 6, 0});
  judge(b);
  EXPECT_GE(tally_.wrong, 1u);
}

TEST_F(JudgeTest, NoticesAMissingInvalidated) {
  begin();
  wall(1, {3, 0, 4, 1});
  judge(batch(1));
  EXPECT_TRUE(tally_.clean());
  judge_.check_notices();
  EXPECT_EQ(tally_.invalid_paths, 1u);
}

TEST_F(JudgeTest, NoticesAMissingCostChanged) {
  begin();
  commit({.upserts = {{1, Rect{3, 0, 4, 1}, false, 1.1, 0, true}}});
  judge_.check_notices();
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(JudgeTest, NoticesAMissingStartBlocked) {
  begin();
  wall(1, {0, 0, 1, 1});
  judge_.check_notices();
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(JudgeTest, NoticesSilenceOverABrokenPath) {
  begin();
  wall(1, {3, 0, 4, 1});
  judge(batch(2));
  EXPECT_EQ(tally_.invalid_paths, 1u);
}

TEST_F(JudgeTest, NoticesSilenceOverABetterPath) {
  wall(1, {3, 0, 4, 1});
  v1::EventBatch b = batch(2);
  path(b, v1::EVENT_TYPE_NEW_PATH, 1, kRound, {0, 0, 2, 0, 2, 1, 4, 1, 4, 0, 6, 0});
  judge(b);
  EXPECT_TRUE(tally_.clean());
  open(1);
  judge(batch(2));
  EXPECT_TRUE(tally_.clean()) << "it may wait";
  judge(batch(3));
  EXPECT_EQ(tally_.missed_improvements, 1u);
}

TEST_F(JudgeTest, NoticesSilenceAfterInvalidatedEvenIfTheDoorOpensAgain) {
  begin();
  wall(1, {3, 0, 4, 1});
  v1::EventBatch at_once = batch(1);
  event(at_once, v1::EVENT_TYPE_INVALIDATED, 1).set_first_invalid_waypoint(1);
  judge(at_once);
  open(1);
  judge(batch(3));
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(JudgeTest, NoticesUnreachableThatIsNot) {
  v1::EventBatch b = batch(0);
  event(b, v1::EVENT_TYPE_UNREACHABLE, 0).mutable_path()->set_status(v1::PATH_STATUS_UNREACHABLE);
  judge(b);
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(JudgeTest, NoticesSilenceOverAGoalThatCanBeReachedAgain) {
  wall(1, {3, 0, 4, 2});
  v1::EventBatch b = batch(2);
  event(b, v1::EVENT_TYPE_UNREACHABLE, 0).mutable_path()->set_status(v1::PATH_STATUS_UNREACHABLE);
  judge(b);
  EXPECT_TRUE(tally_.clean());
  open(1);
  judge(batch(3));
  EXPECT_EQ(tally_.missed_improvements, 1u);
}

TEST_F(JudgeTest, NoticesAnAgentOffItsPathThatCountsAsSettled) {
  begin();
  agent().held.acknowledged = 2;
  agent().positions.push_back({3, cell(0, 1), 1});
  agent().disturbed_at = 3;
  judge_.note_action(3);
  judge(batch(1, 3));
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(JudgeTest, NoticesTheWrongWaypoint) {
  begin();
  wall(1, {3, 0, 4, 1});
  v1::EventBatch b = batch(1);
  event(b, v1::EVENT_TYPE_INVALIDATED, 1).set_first_invalid_waypoint(0);
  judge(b);
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(JudgeTest, NoticesBatchesOutOfOrderAndClaimsThatFall) {
  begin();
  v1::EventBatch skipped = batch(1);
  skipped.set_batch_number(5);
  judge(skipped);
  EXPECT_EQ(tally_.wrong, 1u);
  v1::EventBatch fallen = batch(0);
  fallen.set_batch_number(6);
  judge(fallen);
  EXPECT_EQ(tally_.wrong, 2u);
}

TEST_F(JudgeTest, AllowsWhatHysteresisAllows) {
  agent().spec.ratio = 0.5;
  wall(1, {3, 0, 4, 1});
  v1::EventBatch b = batch(2);
  path(b, v1::EVENT_TYPE_NEW_PATH, 1, kRound, {0, 0, 2, 0, 2, 1, 4, 1, 4, 0, 6, 0});
  judge(b);
  open(1);
  judge(batch(3));
  EXPECT_TRUE(tally_.clean()) << "6 is not better than 8 by more than a half of it";
  agent().held.allowance = 1;
  judge_.check_claims();
  EXPECT_EQ(tally_.missed_improvements, 1u);
}

// A path that keeps clear of others may come as IMPROVED, too. The agent has walked a part of the
// held path, whose cost was 8.
TEST_F(JudgeTest, HoldsAnImprovementToTheCostThatWasFirstSent) {
  const auto improved = [&](double ratio) {
    agent().spec.ratio = ratio;
    agent().spec.clearing = {1, 8, 1};
    agent().held = {};
    agent().positions = {{1, cell(0, 0), 0}};
    v1::EventBatch first = batch(0);
    wall(1, {3, 0, 4, 1});
    path(first, v1::EVENT_TYPE_NEW_PATH, 1, kRound, {0, 0, 2, 0, 2, 1, 4, 1, 4, 0, 6, 0});
    first.set_revision(world_.revision());
    judge(first);
    agent().positions.push_back({2, cell(2, 0), 1});
    open(1);
    v1::EventBatch later = batch(0, 2);
    v1::PathEvent& e = path(later, v1::EVENT_TYPE_IMPROVED, 2, 4, {2, 0, 6, 0});
    e.set_old_cost(6);
    e.mutable_path()->set_optimality(v1::OPTIMALITY_BOUNDED);
    e.mutable_path()->set_bound(1);
    tally_ = Tally{0};
    judge(later);
    return tally_.wrong;
  };
  EXPECT_EQ(improved(0.2), 0u) << "2 is more than a fifth of 8";
  EXPECT_EQ(improved(0.3), 1u) << "2 is more than three tenths of 6, but not of 8";
}

// ---- restarts of the server ----

class RestartedJudge : public JudgeTest {
 protected:
  // The agent's position was reported once more, with message 2.
  void restart() {
    begin();
    judge_.on_restart({9});
    batches_ = 0;
    agent().held = {Standing::kNone, {}, 1};
    agent().positions.push_back({2, cell(0, 0), 0});
    agent().disturbed_at = 2;
  }
  static constexpr std::uint64_t kVersion = (std::uint64_t{1} << 32) + 1;
};

TEST_F(RestartedJudge, AcceptsBatchesFromOneOnAndRecoveredPaths) {
  restart();
  judge(batch(0, 0));
  v1::EventBatch b = batch(1, 2);
  path(b, v1::EVENT_TYPE_NEW_PATH, kVersion, 6, {0, 0, 6, 0})
      .set_reason(v1::EVENT_REASON_RECOVERED);
  judge(b);
  judge_.check_claims();
  EXPECT_TRUE(tally_.clean());
  EXPECT_EQ(judge_.settled(), 1u);
}

TEST_F(RestartedJudge, NoticesSilenceBeforeTheFirstVerdict) {
  restart();
  judge(batch(1, 2));
  judge_.check_claims();
  EXPECT_GT(tally_.wrong, 0u);
}

TEST_F(RestartedJudge, NoticesAPathWithAVersionOfBefore) {
  restart();
  v1::EventBatch b = batch(1, 2);
  path(b, v1::EVENT_TYPE_NEW_PATH, 1, 6, {0, 0, 6, 0});
  judge(b);
  EXPECT_EQ(tally_.wrong, 1u);
}

TEST_F(RestartedJudge, AcceptsThatARemovalIsToldOnceMore) {
  restart();
  v1::EventBatch b = batch(0, 0);
  event(b, v1::EVENT_TYPE_REMOVED, 1).set_agent_id(9);
  judge(b);
  EXPECT_TRUE(tally_.clean());
  v1::EventBatch again = batch(0, 0);
  event(again, v1::EVENT_TYPE_REMOVED, 1).set_agent_id(9);
  judge(again);
  EXPECT_EQ(tally_.wrong, 1u);
}

}  // namespace
}  // namespace repath::verify
