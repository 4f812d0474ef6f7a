// What a session shows of its agents while the server forgets, refuses and comes back.
#include <gtest/gtest.h>

#include "fake_server.h"
#include "repath/client.h"
#include "repath/session.h"

namespace repath::client {
namespace {

Agent agent_for(std::uint64_t id, std::uint64_t goal_generation) {
  Agent agent;
  agent.id = id;
  agent.position = Cell{1, 1};
  agent.goals = {Cell{static_cast<std::int32_t>(goal_generation), 9}};
  agent.goal_generation = goal_generation;
  return agent;
}

v1::PathEvent new_path_of(std::uint64_t agent, std::uint64_t goal_generation) {
  v1::PathEvent event;
  event.set_agent_id(agent);
  event.set_type(v1::EVENT_TYPE_NEW_PATH);
  event.set_goal_generation(goal_generation);
  event.set_path_version(goal_generation);
  event.mutable_path()->set_path_version(goal_generation);
  for (const int value : {1, 1, 4, 4}) event.mutable_path()->add_cells(value);
  return event;
}

v1::SessionRequest next_upsert(test::FakeServer& server) {
  v1::SessionRequest message = server.received();
  while (message.has_open() || message.has_acknowledge()) message = server.received();
  return message;
}

TEST(SessionResume, ThePathOfAQuestionThatWasTakenInCountsAndIsNotRepeated) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({agent_for(1, 0)});
  const std::uint64_t sequence = next_upsert(server).sequence();
  server.resume_after(sequence);
  server.end_stream(grpc::Status::CANCELLED);
  const auto open = server.received();
  ASSERT_TRUE(open.has_open());
  EXPECT_GT(open.sequence(), sequence);
  ASSERT_TRUE(server.send_batch(1, open.sequence(), 7, {new_path_of(1, 0)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 7; }));
  EXPECT_NE(session->latest_path(1), nullptr);
  EXPECT_EQ(session->applied(), 1u);
  EXPECT_TRUE(server.received().has_acknowledge()) << "nothing is repeated";
}

TEST(SessionResume, APathOfTheNewestGenerationCountsThoughItsUpsertIsRepeated) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({agent_for(1, 1)});
  ASSERT_TRUE(server.send_batch(1, next_upsert(server).sequence(), 2, {new_path_of(1, 1)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->latest_path(1) != nullptr; }));
  session->upsert({agent_for(1, 2)});
  EXPECT_EQ(session->latest_path(1), nullptr);
  ASSERT_TRUE(next_upsert(server).has_upsert());
  server.end_stream(grpc::Status::CANCELLED);
  const std::uint64_t again = next_upsert(server).sequence();
  ASSERT_TRUE(server.send_batch(1, 0, 3, {new_path_of(1, 1)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 3; }));
  EXPECT_EQ(session->latest_path(1), nullptr) << "it leads to the old goal";
  ASSERT_TRUE(server.send_batch(2, 0, 4, {new_path_of(1, 2)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 4; }));
  ASSERT_NE(session->latest_path(1), nullptr);
  ASSERT_TRUE(server.send_batch(3, again, 5));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->settled_revision() == 5; }));
  EXPECT_NE(session->latest_path(1), nullptr);
}

TEST(SessionResume, AnAgentRemovedWhileTheServerForgotItHasNoPath) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({agent_for(1, 1), agent_for(2, 1)});
  ASSERT_TRUE(server.send_batch(1, next_upsert(server).sequence(), 2,
                                {new_path_of(1, 1), new_path_of(2, 1)}));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->latest_path(2) != nullptr; }));
  server.stop();
  server.forget_sessions();
  session->remove({2});
  EXPECT_EQ(session->latest_path(2), nullptr);
  server.start();
  const auto again = next_upsert(server);
  ASSERT_EQ(again.upsert().agents_size(), 1);
  EXPECT_EQ(again.upsert().agents(0).id(), 1u);
  EXPECT_NE(session->latest_path(1), nullptr);
}

TEST(SessionResume, ARefusalNamesTheIndexInTheCallersList) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  Error why;
  const auto session = client.open_session(
      {.world = "town"}, {.on_rejected = [&](std::uint64_t, const Error& error) { why = error; }});
  std::vector<Agent> crowd;
  for (std::uint64_t id = 1; id <= 1500; ++id) crowd.push_back(agent_for(id, 1));
  session->upsert(crowd);
  ASSERT_EQ(next_upsert(server).upsert().agents_size(), 1024);
  v1::SessionResponse message;
  message.mutable_rejected()->set_sequence(next_upsert(server).sequence());
  message.mutable_rejected()->mutable_status()->ParseFromString(
      test::refusal(grpc::StatusCode::INVALID_ARGUMENT, "OUT_OF_MAP", "upsert.agents[76].goals[0]",
                    "upsert.agents[76].goals[0]: off the map")
          .error_details());
  ASSERT_TRUE(server.send(message));
  ASSERT_TRUE(test::poll_until(client, [&] { return !why.reason.empty(); }));
  EXPECT_EQ(why.field, "upsert.agents[1100].goals[0]");
  EXPECT_EQ(why.message, "upsert.agents[1100].goals[0]: off the map");
}

TEST(SessionResume, ACallWithoutAgentsIsAppliedWithTheCallBeforeIt) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  session->upsert({agent_for(1, 1)});
  EXPECT_EQ(session->applied(), 0u);
  ASSERT_TRUE(server.send_batch(1, next_upsert(server).sequence(), 2));
  ASSERT_TRUE(test::poll_until(client, [&] { return session->applied() == 1; }));
  EXPECT_EQ(session->upsert({}), 2u);
  EXPECT_EQ(session->applied(), 2u);
}

TEST(SessionResume, AProfileThatIsNoTextReachesTheServerAsText) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto session = client.open_session({.world = "town"}, {});
  std::vector<Agent> agents;
  for (const char* profile : {"cart", "m\xc3\xbc", "\xff", "a\xc0\xafz", "\xed\xa0\x80",
                              "\xf4\x90\x80\x80", "\xe2\x82"}) {
    agents.push_back(agent_for(agents.size() + 1, 1));
    agents.back().profile = profile;
  }
  session->upsert(agents);
  const auto upsert = next_upsert(server);  // Protobuf reads no message with other bytes.
  ASSERT_EQ(upsert.upsert().agents_size(), 7);
  std::vector<std::string> sent;
  for (const auto& agent : upsert.upsert().agents()) sent.push_back(agent.profile());
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(sent, (std::vector<std::string>{"cart", "m\xc3\xbc", bad, "a" + bad + bad + "z",
                                            bad + bad + bad, bad + bad + bad + bad, bad + bad}));
}

}  // namespace
}  // namespace repath::client
