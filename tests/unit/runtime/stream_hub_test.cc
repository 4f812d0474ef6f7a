#include "runtime/stream_hub.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/engine.h"
#include "unit/runtime/recording_sink.h"
#include "unit/runtime/square.h"

namespace repath {
namespace {

using test::RecordingSink;
using Types = std::vector<EventType>;

constexpr WorkUnits kPlenty = 1'000'000;

class Hub : public testing::Test {
 protected:
  Hub()
      : engine_(Engine::create(*World::create(test::square_spec(), WorldLimits{}), EngineOptions{},
                               executor_)) {}

  std::shared_ptr<RecordingSink> open(StreamId id, const std::string& session,
                                      std::uint32_t window = 16) {
    auto sink = std::make_shared<RecordingSink>();
    SessionOpen opening{session};
    opening.ttl_us = 1000;
    opening.ack_window = window;
    opening.sequence = 1;
    const absl::Status status = hub_.open_session(id, opening, sink, now_);
    if (!status.ok()) sink->on_end(status);
    return sink;
  }
  void send(StreamId id, std::uint64_t sequence, decltype(SessionMessage::action) action) {
    hub_.take(id, {sequence, std::move(action)}, now_);
  }
  void upsert(StreamId id, std::uint64_t sequence, std::initializer_list<std::uint64_t> agents) {
    SessionMessage::Upsert message;
    for (const std::uint64_t agent : agents) message.agents.push_back(test::walker(agent));
    send(id, sequence, std::move(message));
  }
  void frame() {
    ++now_;
    hub_.deliver_frame(engine_->step(kPlenty, now_).frame, now_);
  }
  void apply(ChangeBatch batch) {
    ASSERT_TRUE(engine_->apply({std::move(batch), "", std::nullopt}, ++now_).ok());
    hub_.deliver(now_);
  }

  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
  Metrics metrics_;
  StreamHub hub_{*engine_, {3, 2}, metrics_};
  Micros now_ = 1;
};

constexpr StreamId kOne{1};
constexpr StreamId kTwo{2};

TEST_F(Hub, AnAtOnceVerdictLeavesWithItsCommitBeforeAnyPlanning) {
  const auto sink = open(kOne, "a");
  upsert(kOne, 2, {7});
  frame();
  apply(test::shut_door());
  EXPECT_EQ(sink->seen().types(), (Types{EventType::kNewPath, EventType::kInvalidated}));
  const EventBatch last = sink->seen().batches.back();
  EXPECT_EQ(last.revision, Revision{2});
  EXPECT_EQ(last.settled, Revision{1});
  EXPECT_EQ(last.waiting, 1u);
  frame();
  EXPECT_EQ(sink->seen().types().back(), EventType::kUnreachable);
  EXPECT_EQ(sink->seen().batches.back().settled, Revision{2});
}

TEST_F(Hub, BatchesAreNumberedFromOneWithoutAGap) {
  const auto sink = open(kOne, "a");
  upsert(kOne, 2, {7});
  frame();
  apply(test::shut_door());
  frame();
  std::uint64_t expected = 0;
  for (const EventBatch& batch : sink->seen().batches) EXPECT_EQ(batch.number, ++expected);
}

TEST_F(Hub, AClosedWindowHoldsEverythingBackAndKeepsTheLatest) {
  const auto sink = open(kOne, "a", 1);  // the opening notice is in flight
  upsert(kOne, 2, {7});
  frame();
  EXPECT_EQ(sink->seen().batches.size(), 1u);
  apply(test::shut_door());
  frame();
  apply(test::open_door());
  frame();
  EXPECT_EQ(sink->seen().batches.size(), 1u);
  send(kOne, 3, SessionMessage::Acknowledge{1});
  ASSERT_EQ(sink->seen().batches.size(), 2u);
  const EventBatch batch = sink->seen().batches.back();
  EXPECT_EQ(sink->seen().types(), Types{EventType::kNewPath});
  EXPECT_EQ(batch.events[0].event->revision, Revision{3});
  EXPECT_EQ(batch.settled, Revision{3});
  EXPECT_EQ(batch.applied_sequence, 3u);
  EXPECT_GE(batch.coalesced, 3u);
}

TEST_F(Hub, AnAcknowledgementAloneIsNotAnswered) {
  const auto sink = open(kOne, "a");
  upsert(kOne, 2, {7});
  frame();
  const std::size_t before = sink->seen().batches.size();
  send(kOne, 3, SessionMessage::Acknowledge{sink->seen().batches.back().number});
  EXPECT_EQ(sink->seen().batches.size(), before);
}

TEST_F(Hub, SilenceSpeaksOnceAFrame) {
  const auto sink = open(kOne, "a");
  upsert(kOne, 2, {7});
  frame();
  const std::size_t before = sink->seen().batches.size();
  ChangeBatch far_away;
  far_away.upsert_obstacles.push_back(
      {ObstacleId{9}, CellRect{9, 4, 10, 5}, Effect{}, kAllTeams, true});
  apply(far_away);
  EXPECT_EQ(sink->seen().batches.size(), before);
  frame();
  frame();
  ASSERT_EQ(sink->seen().batches.size(), before + 1);
  EXPECT_TRUE(sink->seen().batches.back().events.empty());
  EXPECT_EQ(sink->seen().batches.back().settled, Revision{2});
}

TEST_F(Hub, ARefusedMessageChangesNothingAndTheStreamGoesOn) {
  const auto sink = open(kOne, "a");
  SessionMessage::Upsert bad;
  bad.agents = {test::walker(1), test::walker(2)};
  bad.agents[1].profile = "unheard_of";
  send(kOne, 2, std::move(bad));
  ASSERT_EQ(sink->seen().rejected.size(), 1u);
  EXPECT_EQ(sink->seen().rejected[0].first, 2u);
  EXPECT_EQ(error_field(sink->seen().rejected[0].second), "upsert.agents[1].profile");
  EXPECT_EQ(engine_->agent_count(), 0u);
  upsert(kOne, 3, {1});
  EXPECT_EQ(engine_->agent_count(), 1u);
}

TEST_F(Hub, ASequenceThatDoesNotRiseIsRefused) {
  const auto sink = open(kOne, "a");
  upsert(kOne, 5, {1});
  upsert(kOne, 5, {2});
  ASSERT_EQ(sink->seen().rejected.size(), 1u);
  EXPECT_EQ(error_reason(sink->seen().rejected[0].second), "SEQUENCE_NOT_RISING");
  EXPECT_EQ(engine_->agent_count(), 1u);
}

TEST_F(Hub, ABatchThatWasNeverSentCannotBeAcknowledged) {
  const auto sink = open(kOne, "a");
  send(kOne, 2, SessionMessage::Acknowledge{99});
  EXPECT_EQ(error_field(sink->seen().rejected[0].second), "acknowledge.batch_number");
}

TEST_F(Hub, ResumingSendsEachAgentsLatestVerdictOnce) {
  open(kOne, "a");
  upsert(kOne, 2, {1, 2, 3});
  frame();
  hub_.detach(kOne, now_);
  apply(test::shut_door());
  frame();
  const auto sink = open(kTwo, "a");
  EXPECT_TRUE(sink->seen().opened->resumed);
  EXPECT_EQ(sink->seen().opened->agents, 3u);
  EXPECT_EQ(sink->seen().types(), (Types(3, EventType::kUnreachable)));
  EXPECT_EQ(sink->seen().batches.back().settled, Revision{2});
  frame();
  EXPECT_EQ(sink->seen().types().size(), 3u);
}

TEST_F(Hub, OpeningALiveSessionAgainEndsTheOlderStream) {
  const auto older = open(kOne, "a");
  upsert(kOne, 2, {1});
  const auto newer = open(kTwo, "a");
  EXPECT_EQ(older->seen().end_reason(), "SESSION_TAKEN_OVER");
  EXPECT_EQ(older->seen().end->code(), absl::StatusCode::kAborted);
  upsert(kOne, 3, {2});  // messages of the older stream are ignored
  EXPECT_EQ(engine_->agent_count(), 1u);
  frame();
  EXPECT_EQ(newer->seen().types(), Types{EventType::kNewPath});
}

TEST_F(Hub, ADetachedSessionAndItsAgentsExpire) {
  open(kOne, "a");
  upsert(kOne, 2, {1});
  frame();
  const auto watch = std::make_shared<RecordingSink>();
  ASSERT_TRUE(hub_.open_watch(kTwo, {}, watch, now_).ok());
  hub_.ready(kTwo, now_);
  EXPECT_FALSE(hub_.next_expiry().has_value());
  hub_.detach(kOne, now_);
  EXPECT_EQ(hub_.next_expiry(), now_ + 1000);
  hub_.expire(now_ + 999);
  EXPECT_EQ(engine_->agent_count(), 1u);
  hub_.expire(now_ + 1000);
  EXPECT_EQ(engine_->agent_count(), 0u);
  EXPECT_EQ(watch->seen().types().back(), EventType::kRemoved);
  EXPECT_EQ(error_reason(hub_.owner_of("a").status()), "SESSION_UNKNOWN");
}

TEST_F(Hub, AWatchStartsWithTheLatestVerdictsAndHasOneBatchOnItsWay) {
  open(kOne, "a");
  upsert(kOne, 2, {1, 2});
  frame();
  const auto chosen = std::make_shared<RecordingSink>();
  ASSERT_TRUE(hub_.open_watch(kTwo, {{AgentId{2}}, {}}, chosen, now_).ok());
  EXPECT_EQ(chosen->seen().types(), Types{EventType::kNewPath});
  apply(test::shut_door());
  frame();
  EXPECT_EQ(chosen->seen().batches.size(), 1u);
  hub_.ready(kTwo, now_);
  ASSERT_EQ(chosen->seen().batches.size(), 2u);
  EXPECT_EQ(chosen->seen().types().back(), EventType::kUnreachable);
  EXPECT_EQ(chosen->seen().batches.back().events.size(), 1u);
}

TEST_F(Hub, AWatchLeavesOutWhatItsClientHas) {
  open(kOne, "a");
  upsert(kOne, 2, {1});
  frame();
  const auto watch = std::make_shared<RecordingSink>();
  ASSERT_TRUE(hub_.open_watch(kTwo, {{}, Revision{1}}, watch, now_).ok());
  EXPECT_TRUE(watch->seen().types().empty());
  EXPECT_EQ(watch->seen().batches.size(), 1u);
}

TEST_F(Hub, StreamsThatBeginAtOneRevisionShareTheirEvents) {
  open(kOne, "a");
  upsert(kOne, 2, {1, 2});
  frame();
  const auto watch = [&](StreamId id) {
    const auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(hub_.open_watch(id, {}, sink, now_).ok());
    return sink->seen().batches.at(0).events;
  };
  const auto one = watch(kTwo);
  hub_.detach(kTwo, now_);
  const auto other = watch(StreamId{3});
  ASSERT_EQ(one.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(one[i].event, other[i].event);

  EXPECT_EQ(hub_.latest_expiry(), now_ + LatestVerdicts::kKeptUs);
  hub_.expire_latest(now_ + LatestVerdicts::kKeptUs - 1);
  EXPECT_TRUE(hub_.latest_expiry().has_value());
  hub_.expire_latest(now_ + LatestVerdicts::kKeptUs);
  EXPECT_FALSE(hub_.latest_expiry().has_value());
  EXPECT_NE(watch(StreamId{4})[0].event, one[0].event);
}

TEST_F(Hub, AfterAChangeNothingThatWasKeptIsTold) {
  open(kOne, "a");
  upsert(kOne, 2, {1});
  frame();
  const auto watch = [&](StreamId id) {
    const auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(hub_.open_watch(id, {}, sink, now_).ok());
    return sink->seen().batches.at(0).events.at(0).event;
  };
  EXPECT_EQ(watch(kTwo)->type, EventType::kNewPath);
  apply(test::shut_door());
  EXPECT_EQ(watch(StreamId{3})->type, EventType::kInvalidated);
  hub_.detach(kTwo, now_);
  frame();
  EXPECT_EQ(watch(StreamId{4})->type, EventType::kUnreachable);
}

TEST_F(Hub, LimitsAreLimits) {
  open(kOne, "a");
  open(StreamId{2}, "b");
  open(StreamId{3}, "c");
  EXPECT_EQ(open(StreamId{4}, "d")->seen().end_reason(), "SESSIONS_MAX");
  const auto watch = std::make_shared<RecordingSink>();
  EXPECT_TRUE(hub_.open_watch(StreamId{5}, {}, watch, now_).ok());
  EXPECT_TRUE(hub_.open_watch(StreamId{6}, {}, watch, now_).ok());
  EXPECT_EQ(error_reason(hub_.open_watch(StreamId{7}, {}, watch, now_)), "WATCHES_MAX");
}

TEST_F(Hub, ABatchThatDoesNotEmptyTheOutboxRepeatsWhatWasSettled) {
  const auto sink = std::make_shared<RecordingSink>();
  Stream stream({std::nullopt, {}}, 16, sink);
  for (std::uint64_t agent = 0; agent < 3; ++agent) {
    AgentEvent event;
    event.agent = AgentId{agent};
    event.type = EventType::kNewPath;
    event.path.emplace();
    for (std::uint32_t i = 0; i < 20'000; ++i) event.path->nodes.push_back(NodeId{i * 7 + i % 2});
    stream.outbox().put(share(std::move(event)));
  }
  stream.set_sequence(5);
  stream.set_safe_sequence(5);
  LatestVerdicts latest(*engine_);
  stream.pump(latest, 1, now_, /*notice=*/true);
  const auto batches = sink->seen().batches;
  ASSERT_EQ(batches.size(), 3u);
  EXPECT_EQ(batches[0].settled, Revision{0});
  EXPECT_EQ(batches[1].applied_sequence, 0u);
  EXPECT_EQ(batches[2].settled, Revision{1});
  EXPECT_EQ(batches[2].applied_sequence, 5u);
}

TEST_F(Hub, TheEndBringsWhatTheWindowHeldBack) {
  const auto sink = open(kOne, "a", 1);
  upsert(kOne, 2, {1});
  frame();
  hub_.end_all(absl::UnavailableError("bye"), now_);
  EXPECT_EQ(sink->seen().types(), Types{EventType::kNewPath});
  EXPECT_EQ(sink->seen().end->code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(hub_.next_expiry().has_value()) << "it had a stream until the end";
  EXPECT_TRUE(hub_.expire(now_ + 1'000'000).empty());
  EXPECT_EQ(engine_->agent_count(), 1u);
}

// ---- durable worlds ----

TEST_F(Hub, BatchesOfAWorldInMemorySayNothingOfTheDisk) {
  const auto sink = open(kOne, "a");
  upsert(kOne, 2, {1});
  frame();
  EXPECT_EQ(sink->seen().opened->durable, DurableState{});
  const RecordingSink::Seen seen = sink->seen();
  ASSERT_FALSE(seen.batches.empty());
  for (const EventBatch& batch : seen.batches) {
    EXPECT_EQ(batch.durable, DurableState{});
    EXPECT_EQ(batch.taken_sequence, batch.applied_sequence);
  }
}

TEST_F(Hub, BatchesAndOpeningsTellWhatIsDurableWhenTheyAreMade) {
  hub_.set_durable({Revision{1}, 7});
  const auto sink = open(kOne, "a");
  upsert(kOne, 2, {1});
  frame();
  EXPECT_EQ(sink->seen().opened->durable, (DurableState{Revision{1}, 7}));
  ASSERT_FALSE(sink->seen().batches.empty());
  EXPECT_EQ(sink->seen().batches.back().durable, (DurableState{Revision{1}, 7}));
  hub_.set_durable({Revision{3}, 7});
  upsert(kOne, 3, {2});
  frame();
  EXPECT_EQ(sink->seen().batches.back().durable, (DurableState{Revision{3}, 7}));
  const auto watch = std::make_shared<RecordingSink>();
  ASSERT_TRUE(hub_.open_watch(kTwo, {}, watch, now_).ok());
  ASSERT_FALSE(watch->seen().batches.empty());
  EXPECT_EQ(watch->seen().batches.front().durable, (DurableState{Revision{3}, 7}));
}

// A watch that is not told of its written batches takes no more.
TEST(HubBacklog, TheStreamsThatHoldMostEndAtTheLimit) {
  InlineExecutor executor;
  const auto engine =
      Engine::create(*World::create(test::square_spec(), WorldLimits{}), EngineOptions{}, executor);
  Metrics metrics;
  constexpr std::uint64_t kBytes = 16'000;  // of one watch, and part of another
  StreamHub hub{*engine, {3, 8, 3, kBytes}, metrics};
  std::vector<std::shared_ptr<RecordingSink>> watches;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    watches.push_back(std::make_shared<RecordingSink>());
    ASSERT_TRUE(hub.open_watch(StreamId{i}, WatchOpen{}, watches.back(), 1).ok());
  }
  SessionMessage::Upsert upsert;
  for (std::uint64_t agent = 1; agent <= 60; ++agent) upsert.agents.push_back(test::walker(agent));
  ASSERT_TRUE(hub.upsert({}, upsert, 2).ok());
  for (Micros now = 3; now < 6; ++now) hub.deliver_frame(engine->step(kPlenty, now).frame, now);
  ASSERT_TRUE(engine->apply({test::shut_door(), "", std::nullopt}, 7).ok());
  hub.deliver(7);
  std::size_t ended = 0;
  for (const auto& watch : watches) {
    if (!watch->seen().end) continue;
    ++ended;
    EXPECT_EQ(error_reason(*watch->seen().end), "STREAM_BACKLOG");
  }
  EXPECT_GT(ended, 0u);
  EXPECT_LT(ended, 4u);
  EXPECT_EQ(hub.streams(), 4 - ended);
}

TEST_F(Hub, AClientMayNotHaveAllSessions) {
  StreamHub hub{*engine_, {3, 2, 2}, metrics_};
  const auto open_as = [&](std::uint64_t id, const std::string& name, const std::string& client) {
    SessionOpen opening{name};
    opening.client = client;
    return hub.open_session(StreamId{id}, opening, std::make_shared<RecordingSink>(), now_);
  };
  EXPECT_TRUE(open_as(1, "a", "greedy").ok());
  EXPECT_TRUE(open_as(2, "b", "greedy").ok());
  const absl::Status refused = open_as(3, "c", "greedy");
  EXPECT_EQ(error_reason(refused), "SESSIONS_MAX");
  EXPECT_TRUE(open_as(4, "c", "modest").ok());
  EXPECT_TRUE(open_as(5, "a", "greedy").ok()) << "it is there already";
}

TEST_F(Hub, ATokenMayNotHaveAllSessionsAfterARestartEither) {
  StreamHub hub{*engine_, {3, 2, 2}, metrics_};
  for (const std::string name : {"a", "b"}) {
    SessionRow row{name, 1'000'000, 5, 7'000'000, ""};
    row.identity = "token game";
    hub.restore_session(row, OwnerId{name == "a" ? 3u : 4u}, now_ + 500'000);
  }
  const auto open_as = [&](std::uint64_t id, const std::string& name, const std::string& token) {
    SessionOpen opening{name};
    opening.client = opening.proof.identity = token;
    return hub.open_session(StreamId{id}, opening, std::make_shared<RecordingSink>(), now_);
  };
  EXPECT_EQ(error_reason(open_as(1, "c", "token game")), "SESSIONS_MAX");
  EXPECT_TRUE(open_as(2, "a", "token game").ok());
  EXPECT_TRUE(open_as(3, "c", "token other").ok());
}

}  // namespace
}  // namespace repath
