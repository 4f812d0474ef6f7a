#include "runtime/outbox.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

constexpr std::size_t kMuch = 1u << 20;

EventPtr event(std::uint64_t agent, EventType type, std::uint64_t version = 1) {
  AgentEvent e;
  e.agent = AgentId{agent};
  e.type = type;
  e.path_version = PathVersion{version};
  const bool has_path =
      type == EventType::kNewPath || type == EventType::kReplanned || type == EventType::kImproved;
  if (has_path) {
    e.path.emplace();
    e.path->version = PathVersion{version};
    for (std::uint32_t i = 0; i < 5; ++i) e.path->nodes.push_back(NodeId{i});
  }
  if (type == EventType::kInvalidated) e.first_invalid_node = e.first_invalid_waypoint = 3;
  return share(std::move(e));
}

EventPtr no_latest(AgentId) { return nullptr; }

std::vector<EventType> types(const std::vector<OutgoingEvent>& events) {
  std::vector<EventType> found;
  for (const OutgoingEvent& e : events) found.push_back(e.event->type);
  return found;
}

TEST(Outbox, AgentsLeaveInTheOrderOfTheirOldestUnsentEvent) {
  Outbox outbox;
  outbox.put(event(7, EventType::kInvalidated));
  outbox.put(event(3, EventType::kNewPath));
  outbox.put(event(7, EventType::kReplanned, 2));
  const auto taken = outbox.take(kMuch, no_latest);
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].event->agent, AgentId{7});
  EXPECT_EQ(taken[1].event->agent, AgentId{3});
  EXPECT_TRUE(outbox.empty());
}

TEST(Outbox, AnUnsentAtOnceVerdictIsReplacedByTheNewerOneAndCounted) {
  Outbox outbox;
  outbox.put(event(7, EventType::kInvalidated));
  outbox.put(event(7, EventType::kCostChanged));
  outbox.put(event(7, EventType::kReplanned, 2));
  const auto taken = outbox.take(kMuch, no_latest);
  ASSERT_EQ(types(taken), std::vector{EventType::kReplanned});
  EXPECT_EQ(taken[0].coalesced, 2u);
  EXPECT_EQ(outbox.coalesced(), 2u);
}

TEST(Outbox, ANewCostDoesNotTakeTheUnsentPathAway) {
  Outbox outbox;
  outbox.put(event(7, EventType::kReplanned, 2));
  outbox.put(event(7, EventType::kCostChanged, 2));
  outbox.put(event(7, EventType::kCostChanged, 2));
  const auto taken = outbox.take(kMuch, no_latest);
  EXPECT_EQ(types(taken), (std::vector{EventType::kReplanned, EventType::kCostChanged}));
  EXPECT_EQ(taken[1].coalesced, 1u);
}

TEST(Outbox, AnInvalidatedPathThatNobodyGotIsNotPointedInto) {
  Outbox outbox;
  outbox.put(event(7, EventType::kReplanned, 2));
  outbox.put(event(7, EventType::kInvalidated, 2));
  const auto taken = outbox.take(kMuch, no_latest);
  ASSERT_EQ(types(taken), std::vector{EventType::kInvalidated});
  EXPECT_FALSE(taken[0].event->first_invalid_waypoint.has_value());
  outbox.put(event(7, EventType::kInvalidated, 2));  // nearer, but that path was never sent
  EXPECT_FALSE(outbox.take(kMuch, no_latest)[0].event->first_invalid_waypoint.has_value());
}

TEST(Outbox, AnInvalidatedPathThatIsStillToBeLookedUpIsNotPointedInto) {
  Outbox outbox;
  outbox.begin_with({AgentId{7}});
  outbox.put(event(7, EventType::kInvalidated, 2));
  EXPECT_FALSE(outbox.take(kMuch, no_latest)[0].event->first_invalid_waypoint.has_value());
}

// Returns the path of version 1 without its first `behind` waypoints.
EventPtr rest(AgentId agent, std::uint32_t behind) {
  AgentEvent e = *event(value(agent), EventType::kNewPath);
  e.waypoints_behind = behind;
  return share(std::move(e));
}

TEST(Outbox, AWaypointIsCountedInTheRestOfAPathThatWasSent) {
  Outbox outbox;
  outbox.begin_with({AgentId{7}, AgentId{8}});
  (void)outbox.take(kMuch, [](AgentId agent) { return rest(agent, agent == AgentId{7} ? 2 : 3); });
  outbox.put(event(7, EventType::kInvalidated));
  // Lies behind the agent: without meaning to the reader.
  outbox.put(event(8, EventType::kInvalidated));
  outbox.put(event(9, EventType::kInvalidated));
  const auto taken = outbox.take(kMuch, no_latest);
  EXPECT_EQ(taken[0].event->first_invalid_waypoint, 1u);
  EXPECT_FALSE(taken[1].event->first_invalid_waypoint.has_value());
  EXPECT_EQ(taken[2].event->first_invalid_waypoint, 3u);
  outbox.put(event(7, EventType::kReplanned, 2));
  outbox.put(event(9, EventType::kReplanned, 2));
  (void)outbox.take(kMuch, no_latest);
  outbox.put(event(7, EventType::kInvalidated, 2));
  EXPECT_EQ(outbox.take(kMuch, no_latest)[0].event->first_invalid_waypoint, 3u);
}

TEST(Outbox, AConfirmationDoesNotTakeAnUnsentCostAway) {
  Outbox outbox;
  outbox.put(event(7, EventType::kConfirmed));
  outbox.put(event(7, EventType::kCostChanged));
  outbox.put(event(7, EventType::kConfirmed));
  outbox.put(event(7, EventType::kConfirmed));
  const auto taken = outbox.take(kMuch, no_latest);
  ASSERT_EQ(types(taken), (std::vector{EventType::kCostChanged, EventType::kConfirmed}));
  EXPECT_EQ(taken[0].coalesced, 1u);
  EXPECT_EQ(taken[1].coalesced, 1u);
  EXPECT_EQ(outbox.coalesced(), 2u);
}

TEST(Outbox, NothingThatWasDroppedLeavesAndItsPlaceIsLookedUp) {
  Outbox outbox;
  outbox.put(event(7, EventType::kReplanned, 2));
  outbox.put(event(7, EventType::kCostChanged, 2));
  outbox.drop(AgentId{7});
  outbox.drop(AgentId{8});
  EXPECT_EQ(outbox.coalesced(), 2u);
  EXPECT_TRUE(outbox.take(kMuch, no_latest).empty());
  EXPECT_TRUE(outbox.empty());
  outbox.put(event(7, EventType::kReplanned, 2));
  outbox.drop(AgentId{7});
  outbox.put(event(7, EventType::kNewPath, 3));
  const auto taken = outbox.take(kMuch, no_latest);
  ASSERT_EQ(types(taken), std::vector{EventType::kNewPath});
  EXPECT_EQ(taken[0].coalesced, 1u);
}

TEST(Outbox, AnAgentThatJoinsIsLookedUpInPlaceOfWhatIsUnsent) {
  Outbox outbox;
  outbox.put(event(7, EventType::kRemoved));
  outbox.put_latest(AgentId{7});
  outbox.put_latest(AgentId{8});
  outbox.put(event(8, EventType::kCostChanged));  // part of the verdict that will be looked up
  const auto taken =
      outbox.take(kMuch, [](AgentId agent) { return event(value(agent), EventType::kNewPath); });
  EXPECT_EQ(types(taken), (std::vector{EventType::kNewPath, EventType::kNewPath}));
  EXPECT_EQ(outbox.coalesced(), 1u);
}

TEST(Outbox, AnInvalidatedPathThatWasSentKeepsItsBrokenNode) {
  Outbox outbox;
  outbox.put(event(7, EventType::kReplanned, 2));
  (void)outbox.take(kMuch, no_latest);
  outbox.put(event(7, EventType::kInvalidated, 2));
  EXPECT_EQ(outbox.take(kMuch, no_latest)[0].event->first_invalid_node, 3u);
}

TEST(Outbox, TakesNoMoreThanFitsButAtLeastOneAgent) {
  Outbox outbox;
  for (std::uint64_t agent = 0; agent < 10; ++agent) outbox.put(event(agent, EventType::kNewPath));
  const std::size_t one = estimated_bytes(*event(0, EventType::kNewPath));
  EXPECT_EQ(outbox.take(1, no_latest).size(), 1u);
  EXPECT_EQ(outbox.take(3 * one, no_latest).size(), 3u);
  EXPECT_EQ(outbox.take(kMuch, no_latest).size(), 6u);
}

EventPtr latest_path(AgentId agent) { return event(value(agent), EventType::kNewPath); }

TEST(Outbox, TheLatestVerdictIsLookedUpWhenItsTurnComes) {
  Outbox outbox;
  outbox.begin_with({AgentId{1}, AgentId{2}, AgentId{3}});
  outbox.put(event(2, EventType::kInvalidated));  // newer than the verdict that would be looked up
  const auto taken = outbox.take(
      kMuch, [](AgentId agent) { return agent == AgentId{3} ? nullptr : latest_path(agent); });
  EXPECT_EQ(types(taken), (std::vector{EventType::kNewPath, EventType::kInvalidated}));
  EXPECT_TRUE(outbox.empty());
}

TEST(Outbox, WhatItBeginsWithGoesFirstAndEachAgentOnce) {
  Outbox outbox;
  outbox.begin_with({AgentId{1}, AgentId{2}, AgentId{3}});
  outbox.put(event(9, EventType::kNewPath));
  EXPECT_EQ(outbox.take(1, latest_path)[0].event->agent, AgentId{1});
  outbox.put(event(1, EventType::kInvalidated));  // its turn is over
  outbox.put(event(3, EventType::kCostChanged));  // part of the verdict that will be looked up
  EXPECT_TRUE(outbox.begins());
  std::vector<std::uint64_t> agents;
  for (const OutgoingEvent& e : outbox.take(kMuch, latest_path))
    agents.push_back(value(e.event->agent));
  EXPECT_EQ(agents, (std::vector<std::uint64_t>{2, 3, 9, 1}));
  EXPECT_FALSE(outbox.begins());
  EXPECT_TRUE(outbox.empty());
}

TEST(Outbox, AnAgentThatGoesBeforeItsTurnIsToldGone) {
  Outbox outbox;
  outbox.begin_with({AgentId{1}, AgentId{2}});
  outbox.put(event(2, EventType::kRemoved));
  EXPECT_EQ(types(outbox.take(kMuch, latest_path)),
            (std::vector{EventType::kNewPath, EventType::kRemoved}));
}

TEST(Outbox, MemoryIsBoundedByAgentsNotByEvents) {
  Outbox outbox;
  for (std::uint64_t i = 0; i < 100'000; ++i) outbox.put(event(i % 5, EventType::kReplanned, i));
  EXPECT_EQ(outbox.take(kMuch, no_latest).size(), 5u);
  EXPECT_EQ(outbox.coalesced(), 99'995u);
}

TEST(Outbox, TheEstimateCountsTurnsNotCells) {
  AgentEvent e;
  e.path.emplace();
  for (std::uint32_t i = 0; i < 10'000; ++i) e.path->nodes.push_back(NodeId{i});
  EXPECT_LT(estimated_bytes(e), 1000u);
  e.path->nodes.clear();
  for (std::uint32_t i = 0; i < 10'000; ++i) e.path->nodes.push_back(NodeId{i * 100 + i % 2});
  EXPECT_GT(estimated_bytes(e), 9'000u * 24);
}

TEST(Outbox, TheSizeOfAPathOfManyTurnsHasABound) {
  AgentEvent zigzag;
  zigzag.path.emplace();
  for (std::uint32_t i = 0; i < 400'000; ++i)
    zigzag.path->nodes.push_back(NodeId{(i / 2) * 16'384 + (i + 1) / 2});
  EXPECT_GT(estimated_bytes(zigzag), 2'900'000u);
  EXPECT_LT(estimated_bytes(zigzag), 3'100'000u);
}

}  // namespace
}  // namespace repath
