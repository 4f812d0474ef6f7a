// Ownership of agents: which callers may change an agent, which streams get its events, and how it
// changes owners.
#include <gtest/gtest.h>

#include <utility>

#include "unit/runtime/hub_bed.h"

namespace repath {
namespace {

using test::events_of;
using test::kFirst;
using test::kSecond;
using test::kThird;
using test::walker;
using Types = std::vector<EventType>;

class Ownership : public testing::Test {
 protected:
  static SessionMessage::Upsert upsert_of(std::uint64_t agent, bool take_over = false) {
    return {{walker(agent)}, take_over};
  }
  static SessionMessage::Report report_of(std::uint64_t agent) {
    return {{{AgentId{agent}, {2.5, 1.5}, {}}}};
  }
  static std::pair<std::string, std::string> fault_of(const absl::Status& status) {
    return {error_reason(status), error_field(status)};
  }
  // Returns the last rejection that a stream was sent.
  static std::pair<std::string, std::string> last_fault(const test::RecordingSink& sink) {
    if (sink.seen().rejected.empty()) return {};
    return fault_of(sink.seen().rejected.back().second);
  }
  OwnerId owner_of(std::uint64_t agent) { return *bed_.engine().owner_of(AgentId{agent}); }
  OwnerId owner_of(const std::string& session) { return *bed_.hub().owner_of(session); }

  InlineExecutor executor_;
  test::HubBed bed_{test::HubBed::square(executor_)};
};

using Fault = std::pair<std::string, std::string>;

TEST_F(Ownership, AnothersAgentIsRefusedAndNothingOfThatMessageTakesEffect) {
  bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  const auto other = bed_.open(kSecond, "b");
  bed_.send(kSecond, 2, SessionMessage::Upsert{{walker(8), walker(7)}, false});
  EXPECT_EQ(last_fault(*other), (Fault{"AGENT_OWNED", "upsert.agents[1].id"}));
  EXPECT_EQ(other->seen().rejected.back().second.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(bed_.engine().agent_count(), 1u);
  bed_.upsert(kSecond, 3, walker(8));
  SessionMessage::Report report = report_of(8);
  report.positions.push_back(report_of(7).positions[0]);
  bed_.send(kSecond, 4, std::move(report));
  EXPECT_EQ(last_fault(*other), (Fault{"AGENT_OWNED", "report.positions[1].id"}));
  EXPECT_EQ(bed_.engine().agent(AgentId{8})->spec.position, walker(8).position);
  bed_.send(kSecond, 5, SessionMessage::Remove{{AgentId{8}, AgentId{7}}});
  EXPECT_EQ(last_fault(*other), (Fault{"AGENT_OWNED", "remove.agent_ids[1]"}));
  EXPECT_EQ(bed_.engine().agent_count(), 2u);
}

TEST_F(Ownership, CallsOutsideAStreamAreHeldToItToo) {
  bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 2, walker(7));
  StreamHub& hub = bed_.hub();
  EXPECT_EQ(fault_of(hub.upsert({}, upsert_of(7), 1)), (Fault{"AGENT_OWNED", "agents[0].id"}));
  EXPECT_EQ(fault_of(hub.report({}, report_of(7), 1).status()),
            (Fault{"AGENT_OWNED", "positions[0].id"}));
  EXPECT_EQ(fault_of(hub.remove({}, {{AgentId{7}}}).status()),
            (Fault{"AGENT_OWNED", "agent_ids[0]"}));
  EXPECT_TRUE(hub.report({"a"}, report_of(7), 1).ok());
  EXPECT_EQ(*hub.remove({"a"}, {{AgentId{7}, AgentId{9}}}), 1u);
}

TEST_F(Ownership, AnAgentOfNobodyIsEverybodysUntilASessionUpsertsIt) {
  StreamHub& hub = bed_.hub();
  ASSERT_TRUE(hub.upsert({}, upsert_of(7), 1).ok());
  EXPECT_EQ(owner_of(7), kNoOwner);
  const auto sink = bed_.open(kFirst, "a");
  bed_.send(kFirst, 2, report_of(7));
  EXPECT_TRUE(sink->seen().rejected.empty());
  EXPECT_EQ(owner_of(7), kNoOwner);
  bed_.upsert(kFirst, 3, walker(7));
  EXPECT_EQ(owner_of(7), owner_of("a"));
}

TEST_F(Ownership, TheOldOwnerIsToldRemovedAndTheNewOneTheLatestVerdictOnce) {
  const auto old_one = bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  const auto watch = bed_.watch(kThird);
  bed_.hub().ready(kThird, bed_.now);
  const auto new_one = bed_.open(kSecond, "b");
  bed_.upsert(kSecond, 2, walker(7), /*take_over=*/true);
  bed_.frame();
  bed_.frame();
  ASSERT_EQ(old_one->seen().types(), (Types{EventType::kNewPath, EventType::kRemoved}));
  const EventPtr removed = events_of(*old_one).back();
  EXPECT_EQ(removed->reason, EventReason::kTakenOver);
  EXPECT_EQ(removed->position, NodeId{7});
  EXPECT_EQ(new_one->seen().types(), (Types{EventType::kNewPath}));
  EXPECT_EQ(new_one->seen().batches.back().settled, Revision{1});
  EXPECT_EQ(watch->seen().types(), (Types{EventType::kNewPath})) << "for watches it goes on";
  bed_.apply(test::shut_door());
  bed_.frame();
  EXPECT_EQ(old_one->seen().types().size(), 2u);
  EXPECT_EQ(old_one->seen().batches.back().settled, Revision{2}) << "it claims nothing of 7";
  EXPECT_EQ(new_one->seen().types().back(), EventType::kUnreachable);
}

TEST_F(Ownership, ANewQuestionWithTheTakeOverIsAnsweredToTheNewOwnerAlone) {
  const auto old_one = bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  const auto new_one = bed_.open(kSecond, "b");
  AgentSpec elsewhere = walker(7);
  elsewhere.goals = {{0.5, 1.5}};
  bed_.upsert(kSecond, 2, elsewhere, true);
  EXPECT_TRUE(new_one->seen().types().empty());
  EXPECT_LT(new_one->seen().batches.back().settled, Revision{1});
  bed_.frame();
  ASSERT_EQ(new_one->seen().types(), (Types{EventType::kNewPath}));
  EXPECT_EQ(events_of(*new_one)[0]->reason, EventReason::kAgentChanged);
  EXPECT_EQ(old_one->seen().types(), (Types{EventType::kNewPath, EventType::kRemoved}));
}

TEST_F(Ownership, WhatTheOldOwnerHasNotBeenSentIsReplacedByRemoved) {
  const auto old_one = bed_.open(kFirst, "a", 1);  // the opening notice is in flight
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  bed_.open(kSecond, "b");
  bed_.upsert(kSecond, 2, walker(7), true);
  bed_.acknowledge(kFirst, 3, *old_one);
  EXPECT_EQ(old_one->seen().types(), (Types{EventType::kRemoved}));
}

TEST_F(Ownership, AnAgentTakenBackBeforeRemovedWasSentIsToldWithItsVerdictAlone) {
  const auto first = bed_.open(kFirst, "a", 1);
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  bed_.open(kSecond, "b");
  bed_.upsert(kSecond, 2, walker(7), true);
  bed_.upsert(kFirst, 3, walker(7), true);
  bed_.acknowledge(kFirst, 4, *first);
  EXPECT_EQ(first->seen().types(), (Types{EventType::kNewPath}));
}

TEST_F(Ownership, ACallerWithoutASessionTakesAnAgentForNobody) {
  const auto old_one = bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  ASSERT_TRUE(bed_.hub().upsert({}, upsert_of(7, true), bed_.now).ok());
  bed_.hub().deliver(bed_.now);
  EXPECT_EQ(owner_of(7), kNoOwner);
  EXPECT_EQ(old_one->seen().types(), (Types{EventType::kNewPath, EventType::kRemoved}));
}

TEST_F(Ownership, ASessionThatWasAwayLearnsOnResumingWhatWasTakenFromIt) {
  bed_.open(kFirst, "a");
  bed_.send(kFirst, 2, SessionMessage::Upsert{{walker(6), walker(7), walker(8)}, false});
  bed_.frame();
  bed_.detach(kFirst);
  bed_.open(kSecond, "b");
  bed_.send(kSecond, 2, SessionMessage::Upsert{{walker(7), walker(8)}, true});
  ASSERT_TRUE(bed_.hub().upsert({"a"}, upsert_of(8, true), bed_.now).ok());  // taken back
  const auto resumed = bed_.open(kThird, "a");
  EXPECT_EQ(resumed->seen().opened->agents, 2u);
  const auto events = events_of(*resumed);
  ASSERT_EQ(resumed->seen().types(),
            (Types{EventType::kNewPath, EventType::kNewPath, EventType::kRemoved}));
  EXPECT_EQ(events[2]->agent, AgentId{7});
  EXPECT_EQ(events[2]->reason, EventReason::kTakenOver);
}

TEST_F(Ownership, ARemovalThatDidNotArriveIsSentAgainOnResuming) {
  const auto first = bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  bed_.acknowledge(kFirst, 3, *first);
  bed_.open(kSecond, "b");
  bed_.upsert(kSecond, 2, walker(7), true);
  EXPECT_EQ(first->seen().types().back(), EventType::kRemoved);
  bed_.detach(kFirst);  // before it acknowledged that
  const auto again = bed_.open(kThird, "a");
  EXPECT_EQ(again->seen().types(), Types{EventType::kRemoved});
  bed_.acknowledge(kThird, 2, *again);
  bed_.detach(kThird);
  EXPECT_TRUE(bed_.open(StreamId{4}, "a")->seen().types().empty());
}

TEST_F(Ownership, ARemovalThatWasNotSentIsNoNewsOfTheAgentThatFollows) {
  const auto sink = bed_.open(kFirst, "a", 1);
  bed_.upsert(kFirst, 2, walker(7));
  bed_.frame();
  bed_.acknowledge(kFirst, 3, *sink);
  bed_.send(kFirst, 4, SessionMessage::Remove{{AgentId{7}}});
  bed_.upsert(kFirst, 5, walker(7));
  bed_.acknowledge(kFirst, 6, *sink);
  for (const EventBatch& batch : sink->seen().batches)
    for (const OutgoingEvent& e : batch.events)
      EXPECT_FALSE(batch.applied_sequence >= 5 && e.event->type == EventType::kRemoved);
}

TEST_F(Ownership, AReportPassesOverUnknownAgentsAndNamesThem) {
  const auto sink = bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 2, walker(7));
  SessionMessage::Report report = report_of(99);
  report.positions.push_back(report_of(7).positions[0]);
  report.positions.push_back(report_of(50).positions[0]);
  bed_.send(kFirst, 3, report);
  EXPECT_TRUE(sink->seen().rejected.empty());
  ASSERT_EQ(sink->seen().unknown.size(), 1u);
  EXPECT_EQ(sink->seen().unknown[0].first, 3u);
  EXPECT_EQ(sink->seen().unknown[0].second, (std::vector{AgentId{99}, AgentId{50}}));
  EXPECT_EQ(bed_.engine().agent(AgentId{7})->spec.position, (MapPoint{2.5, 1.5}));
  EXPECT_EQ(*bed_.hub().report({"a"}, report, 1), (std::vector{AgentId{99}, AgentId{50}}));
}

TEST_F(Ownership, CallsWithASequenceHaveAPlaceAmongTheStreamsMessages) {
  const auto sink = bed_.open(kFirst, "a", 16, 5);
  StreamHub& hub = bed_.hub();
  EXPECT_EQ(hub.sequence_of("a"), 5u);
  EXPECT_EQ(fault_of(hub.upsert({"a", 5}, upsert_of(7), 1)),
            (Fault{"SEQUENCE_NOT_RISING", "sequence"}));
  EXPECT_EQ(bed_.engine().agent_count(), 0u);
  ASSERT_TRUE(hub.upsert({"a", 8}, upsert_of(7), 1).ok());
  bed_.frame();
  EXPECT_EQ(sink->seen().batches.back().applied_sequence, 8u);
  bed_.upsert(kFirst, 7, walker(8));
  EXPECT_EQ(last_fault(*sink), (Fault{"SEQUENCE_NOT_RISING", "sequence"}));
  ASSERT_TRUE(hub.report({"a", 9}, report_of(7), 1).ok());
  ASSERT_TRUE(hub.upsert({"a"}, upsert_of(8), 1).ok()) << "without a place";
  EXPECT_EQ(hub.sequence_of("a"), 9u);
  EXPECT_EQ(fault_of(hub.upsert({"", 9}, upsert_of(9), 1)), (Fault{"SESSION_MISSING", "sequence"}));
}

TEST_F(Ownership, ASessionWithoutAStreamKeepsItsSequenceAndTheNextStreamBeginsWithItsOwn) {
  bed_.open(kFirst, "a");
  bed_.upsert(kFirst, 4, walker(7));
  bed_.detach(kFirst);
  StreamHub& hub = bed_.hub();
  EXPECT_EQ(hub.sequence_of("a"), 4u);
  EXPECT_EQ(fault_of(hub.remove({"a", 4}, {{AgentId{7}}}).status()),
            (Fault{"SEQUENCE_NOT_RISING", "sequence"}));
  EXPECT_EQ(*hub.remove({"a", 6}, {{AgentId{7}}}), 1u);
  EXPECT_EQ(hub.sequence_of("a"), 6u);
  const auto sink = bed_.open(kSecond, "a", 16, 1);
  bed_.upsert(kSecond, 2, walker(8));
  EXPECT_TRUE(sink->seen().rejected.empty());
  bed_.frame();
  EXPECT_EQ(sink->seen().batches.back().applied_sequence, 2u);
}

}  // namespace
}  // namespace repath
