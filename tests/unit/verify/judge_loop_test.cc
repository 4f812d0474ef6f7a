// A driven path may pass a cell twice. The judge counts from the pass that the agent has come to.
#include <vector>

#include "unit/verify/judge_bed.h"

namespace repath::verify {
namespace {

// The path leads round the cells (2, 0) to (3, 1) and passes (2, 0) twice, as a driven one may.
// From there it costs 8 at first and 4 later.
class LoopJudge : public JudgeTest {
 protected:
  LoopJudge() {
    agent().spec.clearing = {1, 8, 1};
    v1::EventBatch b = batch(0);
    v1::Path& p = *path(b, v1::EVENT_TYPE_NEW_PATH, 1, 10, kLoop).mutable_path();
    p.set_optimality(v1::OPTIMALITY_BOUNDED);
    p.set_bound(10.0 / 6);
    judge(b);
    EXPECT_TRUE(tally_.clean());
  }
  // The agent walks on to the cell; no batch says yet that the server has taken that in.
  void walk(int x, int y) { agent().positions.push_back({++sequence_, cell(x, y), 1}); }
  // A batch says that the server has taken in all steps.
  void take_in() {
    judge_.note_action(sequence_);
    judge(batch(0, sequence_));
  }
  // Returns the number of defects of a COST_CHANGED in the cell (2, 0).
  std::uint64_t cost_changed(double cost) {
    tally_ = Tally{0};
    v1::EventBatch b = batch(0, sequence_);
    event(b, v1::EVENT_TYPE_COST_CHANGED, 1, 2).set_cost(cost);
    judge(b);
    return tally_.wrong;
  }

  const std::vector<int> kLoop = {0, 0, 3, 0, 3, 1, 2, 1, 2, 0, 6, 0};
  std::uint64_t sequence_ = 1;
};

TEST_F(LoopJudge, CountsFromThePassThatTheAgentHasComeTo) {
  walk(2, 0);
  take_in();
  EXPECT_EQ(agent().place(), 2);
  EXPECT_EQ(cost_changed(8), 0u);
  EXPECT_EQ(cost_changed(4), 1u) << "it is on the first pass";
  for (const CellXY at : {CellXY{3, 0}, CellXY{3, 1}, CellXY{2, 1}, CellXY{2, 0}}) {
    walk(at.x, at.y);
    take_in();
  }
  EXPECT_EQ(agent().place(), 6);
  EXPECT_EQ(cost_changed(4), 0u);
  EXPECT_EQ(cost_changed(8), 1u) << "it is on the second pass";
}

TEST_F(LoopJudge, TakesEitherPassWhileTheServerMayHaveSeenTheAgentOnBoth) {
  for (const CellXY at : {CellXY{2, 0}, CellXY{3, 0}, CellXY{3, 1}, CellXY{2, 1}, CellXY{2, 0}})
    walk(at.x, at.y);
  EXPECT_EQ(agent().places_in(cell(2, 0)), (std::vector<int>{2, 6}));
  v1::EventBatch b = batch(0, 1);
  event(b, v1::EVENT_TYPE_COST_CHANGED, 1, 2).set_cost(8);
  event(b, v1::EVENT_TYPE_COST_CHANGED, 1, 2).set_cost(4);
  judge(b);
  EXPECT_TRUE(tally_.clean());
  EXPECT_EQ(cost_changed(6), 1u) << "neither pass";
}

TEST_F(LoopJudge, ExpectsInvalidatedOnlyOfWhatIsAhead) {
  for (const CellXY at : {CellXY{2, 0}, CellXY{3, 0}, CellXY{3, 1}, CellXY{2, 1}, CellXY{2, 0}})
    walk(at.x, at.y);
  take_in();
  wall(1, {2, 1, 3, 2});  // behind it
  judge_.check_notices();
  EXPECT_TRUE(tally_.clean());
  wall(2, {5, 0, 6, 1});
  judge_.check_notices();
  EXPECT_EQ(tally_.invalid_paths, 1u) << "no INVALIDATED came";
}

TEST_F(LoopJudge, TakesAStepToWhatIsBehindForAStepOffThePath) {
  for (const CellXY at :
       {CellXY{2, 0}, CellXY{3, 0}, CellXY{3, 1}, CellXY{2, 1}, CellXY{2, 0}, CellXY{2, 1}})
    walk(at.x, at.y);
  EXPECT_EQ(agent().place(), std::nullopt);
}

}  // namespace
}  // namespace repath::verify
