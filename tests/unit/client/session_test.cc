#include "repath/session.h"

#include <gtest/gtest.h>

#include <thread>

#include "fake_server.h"
#include "repath/client.h"

namespace repath::client {
namespace {

using namespace std::chrono_literals;

Agent walker(std::uint64_t id) {
  Agent agent;
  agent.id = id;
  agent.position = Cell{1, 1};
  agent.goals = {Cell{9, 9}};
  return agent;
}

v1::PathEvent event_of(std::uint64_t agent, v1::EventType type, std::uint64_t version) {
  v1::PathEvent event;
  event.set_agent_id(agent);
  event.set_type(type);
  event.set_path_version(version);
  if (type != v1::EVENT_TYPE_INVALIDATED) {
    event.mutable_path()->set_path_version(version);
    for (const int value : {1, 1, 4, 4}) event.mutable_path()->add_cells(value);
    for (const double value : {1.5, 0.0, 1.5, 4.5, 0.0, 4.5})
      event.mutable_path()->add_positions(value);
  }
  return event;
}

TEST(Session, SendsAgentsAndHandsEventsOverInsidePoll) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  std::vector<PathEvent> seen;
  const auto here = std::this_thread::get_id();
  const auto session =
      client.open_session({.world = "town"}, {.on_event = [&](const PathEvent& event) {
                            EXPECT_EQ(std::this_thread::get_id(), here);
                            seen.push_back(event);
                          }});
  session->upsert({walker(7)});
  EXPECT_EQ(server.received().open().world(), "town");
  const auto upsert = server.received();
  ASSERT_EQ(upsert.upsert().agents_size(), 1);
  EXPECT_EQ(upsert.upsert().agents(0).id(), 7u);

  ASSERT_TRUE(
      server.send_batch(1, upsert.sequence(), 5, {event_of(7, v1::EVENT_TYPE_NEW_PATH, 1)}));
  std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(seen.empty()) << "nothing runs outside poll()";
  EXPECT_EQ(session->settled_revision(), 0u);
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 5; }));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].type, EventType::kNewPath);
  EXPECT_EQ(session->applied(), 1u);
  ASSERT_NE(session->latest_path(7), nullptr);
  EXPECT_EQ(cells_of(*session->latest_path(7)),
            (std::vector<Cell>{{1, 1}, {2, 2}, {3, 3}, {4, 4}}));
}

TEST(Session, AcknowledgesABatchOnlyAfterItWasHandedOver) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  ASSERT_TRUE(server.received().has_open());
  ASSERT_TRUE(server.send_batch(1, 1, 3));
  EXPECT_TRUE(server.silent_for(50ms));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 3; }));
  EXPECT_EQ(server.received().acknowledge().batch_number(), 1u);
}

TEST(Session, ResumesAndSendsAgainWhatWasNotTakenIn) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({walker(1)});
  ASSERT_TRUE(server.received().has_open());
  const auto first = server.received();
  ASSERT_TRUE(server.send_batch(1, first.sequence(), 2));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->applied() == 1; }));
  ASSERT_TRUE(server.received().has_acknowledge());
  session->upsert({walker(2)});
  ASSERT_EQ(server.received().upsert().agents(0).id(), 2u);

  server.end_stream(grpc::Status::CANCELLED);
  const auto open = server.received();
  ASSERT_TRUE(open.has_open());
  EXPECT_EQ(open.open().session_id(), "made-by-server");
  const auto again = server.received();
  ASSERT_EQ(again.upsert().agents_size(), 1);
  EXPECT_EQ(again.upsert().agents(0).id(), 2u);
  EXPECT_GT(again.sequence(), open.sequence());
  EXPECT_EQ(session->applied(), 1u);
}

TEST(Session, ChoosesASecretWithoutAnIdAndShowsItAgain) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  const auto other = client.open_session({.world = "town"}, {});
  EXPECT_EQ(session->secret().size(), 32u);
  EXPECT_NE(session->secret(), other->secret());
  const auto named = client.open_session({.world = "town", .session_id = "match"}, {});
  EXPECT_EQ(named->secret(), "") << "the name alone resumes it";
  const auto both =
      client.open_session({.world = "town", .session_id = "match", .session_secret = "own"}, {});
  EXPECT_EQ(both->secret(), "own");
}

TEST(Session, ShowsItsSecretWhenItResumes) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  EXPECT_EQ(server.received().open().session_secret(), session->secret());
  server.end_stream(grpc::Status::CANCELLED);
  const auto open = server.received();
  ASSERT_TRUE(open.has_open());
  EXPECT_EQ(open.open().session_secret(), session->secret());
}

TEST(Session, PutsAllAgentsInAnewWhenTheServerForgotThem) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({walker(1), walker(2)});
  ASSERT_TRUE(server.received().has_open());
  ASSERT_TRUE(server.send_batch(1, server.received().sequence(), 2));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->applied() == 1; }));
  ASSERT_TRUE(server.received().has_acknowledge());

  server.stop();
  server.forget_sessions();
  server.start();
  ASSERT_TRUE(server.received().has_open());
  EXPECT_EQ(server.received().upsert().agents_size(), 2);
}

TEST(Session, ClosesForGoodWhenAnotherStreamTookItOver) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  Error why;
  const auto session = client.open_session(
      {.world = "town"}, {.on_state = [&](SessionState state, const Error& error) {
        if (state == SessionState::kClosed) why = error;
      }});
  ASSERT_TRUE(server.received().has_open());
  server.refuse_opens(
      test::refusal(grpc::StatusCode::ABORTED, "SESSION_TAKEN_OVER", "", "another stream has it"));
  server.end_stream(grpc::Status::CANCELLED);
  ASSERT_TRUE(test::poll_until(client, [&] { return session->state() == SessionState::kClosed; }));
  ASSERT_TRUE(test::poll_until(client, [&] { return !why.reason.empty(); }));
  EXPECT_EQ(why.reason, "SESSION_TAKEN_OVER");
  EXPECT_EQ(why.code, Code::kAborted);
}

TEST(Session, KeepsTryingWhileNoServerIsThere) {
  test::FakeServer server;
  server.stop();
  Client client(server.address(), test::kFast);
  int attempts = 0;
  const auto session = client.open_session(
      {.world = "town"}, {.on_state = [&](SessionState state, const Error& error) {
        if (state != SessionState::kConnecting) return;
        EXPECT_EQ(error.code, Code::kUnavailable);
        ++attempts;
      }});
  EXPECT_TRUE(test::poll_until(client, [&] { return attempts >= 1; }));
  EXPECT_EQ(session->state(), SessionState::kConnecting);
  // A server that comes is found within two seconds, and not at gRPC's next look after five.
  server.start();
  EXPECT_TRUE(server.received().has_open());
}

TEST(Session, TellsWhichCallWasRefusedAndGoesOn) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  std::uint64_t refused_call = 0;
  Error why;
  const auto session = client.open_session(
      {.world = "town"}, {.on_rejected = [&](std::uint64_t call, const Error& error) {
        refused_call = call;
        why = error;
      }});
  session->upsert({walker(1)});
  const std::uint64_t bad = session->upsert({walker(2)});
  ASSERT_TRUE(server.received().has_open());
  ASSERT_TRUE(server.received().has_upsert());
  v1::SessionResponse message;
  message.mutable_rejected()->set_sequence(server.received().sequence());
  const auto status = test::refusal(grpc::StatusCode::INVALID_ARGUMENT, "OUT_OF_MAP",
                                    "agents[0].position", "off the map");
  message.mutable_rejected()->mutable_status()->ParseFromString(status.error_details());
  ASSERT_TRUE(server.send(message));
  ASSERT_TRUE(test::poll_until(client, [&] { return refused_call != 0; }));
  EXPECT_EQ(refused_call, bad);
  EXPECT_EQ(why.reason, "OUT_OF_MAP");
  EXPECT_EQ(why.field, "agents[0].position");
  EXPECT_EQ(session->state(), SessionState::kOpen);
}

TEST(Session, ABrokenPathNoLongerCounts) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  ASSERT_TRUE(server.send_batch(1, 0, 2, {event_of(7, v1::EVENT_TYPE_NEW_PATH, 1)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->latest_path(7) != nullptr; }));
  const auto kept = session->latest_path(7);
  ASSERT_TRUE(server.send_batch(2, 0, 2, {event_of(7, v1::EVENT_TYPE_INVALIDATED, 1)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->latest_path(7) == nullptr; }));
  EXPECT_EQ(kept->version, 1u) << "what was handed out does not change";
}

TEST(Session, RunsHandlersWithoutPollIfAskedTo) {
  test::FakeServer server;
  ClientOptions options = test::kFast;
  options.delivery = Delivery::kImmediate;
  Client client(server.address(), options);
  std::promise<EventType> seen;
  const auto session = client.open_session(
      {.world = "town"}, {.on_event = [&](const PathEvent& event) { seen.set_value(event.type); }});
  ASSERT_TRUE(server.send_batch(1, 0, 2, {event_of(7, v1::EVENT_TYPE_IMPROVED, 1)}));
  auto type = seen.get_future();
  ASSERT_EQ(type.wait_for(2s), std::future_status::ready);
  EXPECT_EQ(type.get(), EventType::kImproved);
}

TEST(Session, NoHandlerRunsAfterItsEnd) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  bool ran = false;
  auto session =
      client.open_session({.world = "town"}, {.on_batch = [&](const BatchInfo&) { ran = true; }});
  ASSERT_TRUE(server.send_batch(1, 0, 2));
  std::this_thread::sleep_for(50ms);
  session.reset();
  client.poll(50ms);
  EXPECT_FALSE(ran);
}

TEST(Session, AnAgentThatWasTakenOverLosesItsPathAndIsNotPutInAnew) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  std::vector<PathEvent> seen;
  const auto session = client.open_session(
      {.world = "town"}, {.on_event = [&](const PathEvent& event) { seen.push_back(event); }});
  session->upsert({walker(1), walker(2)});
  ASSERT_TRUE(server.received().has_open());
  const auto upsert = server.received();
  v1::PathEvent taken = event_of(1, v1::EVENT_TYPE_REMOVED, 1);
  taken.set_reason(v1::EVENT_REASON_TAKEN_OVER);
  taken.set_goal_generation(5);
  ASSERT_TRUE(
      server.send_batch(1, upsert.sequence(), 2, {event_of(1, v1::EVENT_TYPE_NEW_PATH, 1)}));
  ASSERT_TRUE(server.send_batch(2, upsert.sequence(), 2, {taken}));
  ASSERT_TRUE(test::poll_until(client, [&] { return seen.size() == 2; }));
  EXPECT_EQ(seen[1].reason, EventReason::kTakenOver);
  EXPECT_EQ(seen[1].goal_generation, 5u);
  EXPECT_EQ(session->latest_path(1), nullptr);
  server.stop();
  server.forget_sessions();
  server.start();
  v1::SessionRequest message = server.received();
  while (!message.has_upsert()) message = server.received();
  ASSERT_EQ(message.upsert().agents_size(), 1);
  EXPECT_EQ(message.upsert().agents(0).id(), 2u);
}

TEST(Session, NoPathToAReplacedGoalIsTheLatest) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({walker(7)});
  ASSERT_TRUE(server.received().has_open());
  const auto first = server.received();
  ASSERT_TRUE(server.send_batch(1, first.sequence(), 2, {event_of(7, v1::EVENT_TYPE_NEW_PATH, 1)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->latest_path(7) != nullptr; }));
  Agent agent = walker(7);
  agent.goals = {Cell{2, 2}};
  session->upsert({agent});
  EXPECT_EQ(session->latest_path(7), nullptr);
  v1::SessionRequest second = server.received();
  while (!second.has_upsert()) second = server.received();
  // Sent before the server knew of the change.
  ASSERT_TRUE(server.send_batch(2, first.sequence(), 3, {event_of(7, v1::EVENT_TYPE_IMPROVED, 2)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 3; }));
  EXPECT_EQ(session->latest_path(7), nullptr);
  ASSERT_TRUE(
      server.send_batch(3, second.sequence(), 4, {event_of(7, v1::EVENT_TYPE_NEW_PATH, 3)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->latest_path(7) != nullptr; }));
  EXPECT_EQ(session->latest_path(7)->version, 3u);
}

TEST(Session, HandsOverWhichReportedAgentsAreUnknown) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  std::vector<std::uint64_t> unknown;
  std::uint64_t of_call = 0;
  SessionHandlers handlers;
  handlers.on_unknown = [&](std::uint64_t call, const std::vector<std::uint64_t>& ids) {
    of_call = call;
    unknown = ids;
  };
  const auto session = client.open_session({.world = "town"}, handlers);
  session->upsert({walker(4)});
  ASSERT_TRUE(server.received().has_open());
  ASSERT_TRUE(server.received().has_upsert());
  session->report({{4, Cell{1, 1}, 0}});
  v1::SessionResponse answer;
  answer.mutable_unknown()->set_sequence(server.received().sequence());
  answer.mutable_unknown()->add_agent_ids(4);
  ASSERT_TRUE(server.send(answer));
  ASSERT_TRUE(test::poll_until(client, [&] { return of_call != 0; }));
  EXPECT_EQ(of_call, 2u);
  EXPECT_EQ(unknown, std::vector<std::uint64_t>{4});
}

// ---- restarts of the server ----

TEST(Session, AfterARestartClaimsBeginAnewAndPathsCountUntilTheyAreReplaced) {
  test::FakeServer server;
  server.load_again(4);
  Client client(server.address(), test::kFast);
  std::vector<PathEvent> seen;
  const auto session = client.open_session(
      {.world = "town"}, {.on_event = [&](const PathEvent& event) { seen.push_back(event); }});
  session->upsert({walker(1), walker(2)});
  ASSERT_TRUE(server.received().has_open());
  const auto upsert = server.received();
  ASSERT_TRUE(server.send_batch(
      1, upsert.sequence(), 9,
      {event_of(1, v1::EVENT_TYPE_NEW_PATH, 5), event_of(2, v1::EVENT_TYPE_NEW_PATH, 6)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 9; }));
  ASSERT_TRUE(server.received().has_acknowledge());

  server.stop();
  server.load_again(5);
  server.start();
  ASSERT_TRUE(server.received().has_open());
  const auto report = server.received();
  ASSERT_EQ(report.report().positions_size(), 2);
  EXPECT_EQ(report.report().positions(0).path_version(), 0u);
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 0; }));
  ASSERT_NE(session->latest_path(1), nullptr);
  EXPECT_EQ(session->latest_path(1)->version, 5u);

  v1::PathEvent recovered = event_of(1, v1::EVENT_TYPE_NEW_PATH, (5ull << 32) + 1);
  recovered.set_reason(v1::EVENT_REASON_RECOVERED);
  v1::PathEvent lost = event_of(2, v1::EVENT_TYPE_UNREACHABLE, 5ull << 32);
  ASSERT_TRUE(server.send_batch(1, report.sequence(), 8, {recovered, lost}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 8; }));
  EXPECT_EQ(seen[2].reason, EventReason::kRecovered);
  ASSERT_NE(session->latest_path(1), nullptr);
  EXPECT_EQ(session->latest_path(1)->version, (5ull << 32) + 1);
  EXPECT_EQ(session->latest_path(2), nullptr);
}

TEST(Session, ABrokenStreamWithoutARestartKeepsItsClaims) {
  test::FakeServer server;
  server.load_again(4);
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({walker(1)});
  ASSERT_TRUE(server.received().has_open());
  ASSERT_TRUE(server.send_batch(1, server.received().sequence(), 9));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 9; }));
  ASSERT_TRUE(server.received().has_acknowledge());
  server.end_stream(grpc::Status::CANCELLED);
  ASSERT_TRUE(server.received().has_open());
  EXPECT_TRUE(server.silent_for(50ms));
  client.poll(std::chrono::milliseconds(50));
  EXPECT_EQ(session->settled_revision(), 9u);
}

TEST(Session, AnAnswerIsKeptThoughTheQuestionIsNotOnTheDiskYet) {
  test::FakeServer server;
  server.load_again(1);
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({walker(1)});
  ASSERT_TRUE(server.received().has_open());
  const std::uint64_t sequence = server.received().sequence();
  v1::SessionResponse message;
  v1::EventBatch& batch = *message.mutable_batch();
  batch.set_batch_number(1);
  batch.set_taken_sequence(sequence);
  batch.set_settled_revision(3);
  *batch.add_events() = event_of(1, v1::EVENT_TYPE_NEW_PATH, 1);
  ASSERT_TRUE(server.send(message));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 3; }));
  EXPECT_NE(session->latest_path(1), nullptr);
  EXPECT_EQ(session->applied(), 0u);
  ASSERT_TRUE(server.send_batch(2, sequence, 3));
  EXPECT_TRUE(test::poll_until(client, [&] { return session->applied() == 1; }));
}

}  // namespace
}  // namespace repath::client
