#include "agents/queue.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

constexpr auto kAnyone = [](Queue::Slot) { return true; };

AgentId id(std::uint64_t n) { return AgentId{n}; }

TEST(Queue, EarliestDeadlineFirstWithinARound) {
  Queue queue;
  queue.enter(0, id(10), 0, 500, 0);
  queue.enter(1, id(11), 0, 300, 0);
  queue.enter(2, id(12), 0, 300, 0);
  EXPECT_EQ(queue.next(0, kAnyone), 1u);
  queue.serve(1);
  EXPECT_EQ(queue.next(0, kAnyone), 2u);
}

TEST(Queue, HigherClassesFirstUntilALowerOneHasAged) {
  Queue queue;
  queue.enter(0, id(1), 0, 100, 0);
  queue.enter(1, id(2), 1, 900, 0);
  EXPECT_EQ(queue.next(0, kAnyone), 1u);
  queue.serve(1);
  queue.enter(1, id(2), 1, 900, Queue::kAgingFrames + 1);
  EXPECT_EQ(queue.next(Queue::kAgingFrames + 1, kAnyone), 0u);
}

TEST(Queue, WhoWasServedWaitsForTheNextRound) {
  Queue queue;
  queue.enter(0, id(1), 0, 1, 0);
  queue.enter(1, id(2), 0, 1000, 0);
  queue.serve(0);
  queue.enter(0, id(1), 0, 1, 0);  // an earlier deadline, but a later round
  EXPECT_EQ(queue.next(0, kAnyone), 1u);
}

TEST(Queue, NobodyIsStartedAThirdTimeWhileAnotherWaits) {
  Queue queue;
  queue.enter(0, id(1), 0, 1000, 0);  // still waits, because its search is long
  const auto others = [](Queue::Slot slot) { return slot != 0; };
  for (int i = 0; i < 2; ++i) {
    queue.enter(1, id(2), 0, 1, 0);
    ASSERT_EQ(queue.next(0, others), 1u);
    queue.serve(1);
  }
  queue.enter(1, id(2), 0, 1, 0);
  EXPECT_EQ(queue.next(0, others), std::nullopt);
  EXPECT_EQ(queue.max_passed_over(), 2u);
  queue.serve(0);
  EXPECT_EQ(queue.next(0, others), 1u);
}

TEST(Queue, WhoLeavesIsNotCountedAsServed) {
  Queue queue;
  queue.enter(0, id(1), 0, 10, 0);
  queue.enter(1, id(2), 0, 20, 0);
  queue.leave(0);
  EXPECT_FALSE(queue.contains(0));
  EXPECT_EQ(queue.max_passed_over(), 0u);
  queue.enter(0, id(1), 0, 10, 0);
  EXPECT_EQ(queue.next(0, kAnyone), 0u);
}

TEST(Queue, ASlotThatIsUsedAgainHasNoHistory) {
  Queue queue;
  queue.enter(0, id(1), 0, 10, 0);
  queue.serve(0);
  queue.forget(0);
  queue.enter(1, id(2), 0, 20, 0);
  queue.enter(0, id(3), 0, 10, 0);
  EXPECT_EQ(queue.next(0, kAnyone), 0u);
}

TEST(Queue, WhoMovesWithinItsClassKeepsItsAge) {
  Queue queue;
  queue.enter(0, id(1), 0, 1000, 0);
  queue.enter(1, id(2), 0, 100, 0);
  queue.move(0, 0, 50);
  EXPECT_EQ(queue.next(0, kAnyone), 0u);
  queue.move(0, 0, 500);
  const auto others = [](Queue::Slot slot) { return slot != 0; };
  for (int i = 0; i < 2; ++i) {
    queue.serve(1);
    queue.enter(1, id(2), 0, 1, 0);
  }
  // The other agent was served twice while this one waited.
  EXPECT_EQ(queue.next(0, others), std::nullopt);
}

TEST(Queue, WhoMovesToAHigherClassIsServedFirst) {
  Queue queue;
  queue.enter(0, id(1), 0, 100, 0);
  queue.enter(1, id(2), 0, 50, 0);
  queue.move(0, 1, 100);
  EXPECT_EQ(queue.next(0, kAnyone), 0u);
  queue.move(0, 0, 100);
  EXPECT_EQ(queue.next(0, kAnyone), 1u);
  queue.serve(1);
  queue.serve(0);
  EXPECT_FALSE(queue.contains(0));
}

}  // namespace
}  // namespace repath
