#include "repath/client.h"

#include <gtest/gtest.h>

#include <thread>

#include "fake_server.h"

namespace repath::client {
namespace {

using namespace std::chrono_literals;

ChangeBatch shut_door() {
  ChangeBatch batch;
  batch.switches.push_back({1, true});
  return batch;
}

TEST(Client, RepeatsAChangeUnderOneRequestIdWhileTheServerIsUnavailable) {
  test::FakeServer server;
  server.fail_changes(2, {grpc::StatusCode::UNAVAILABLE, "draining"});
  Client client(server.address(), test::kFast);
  const auto applied = client.apply("town", shut_door()).get();
  ASSERT_TRUE(applied.ok());
  EXPECT_EQ(applied->revision, 2u);
  const auto ids = server.request_ids();
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_FALSE(ids[0].empty());
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[2]);
  ASSERT_TRUE(client.apply("town", shut_door()).get().ok());
  EXPECT_NE(server.request_ids().back(), ids[0]) << "another change has another id";
}

TEST(Client, TellsReasonFieldAndMessageOfARefusal) {
  test::FakeServer server;
  server.fail_changes(1, test::refusal(grpc::StatusCode::NOT_FOUND, "OBSTACLE_UNKNOWN",
                                       "batch.switch_obstacles[0].id", "no obstacle 1"));
  Client client(server.address(), test::kFast);
  const auto applied = client.apply("town", shut_door()).get();
  ASSERT_FALSE(applied.ok());
  EXPECT_EQ(applied.error().code, Code::kNotFound);
  EXPECT_EQ(applied.error().reason, "OBSTACLE_UNKNOWN");
  EXPECT_EQ(applied.error().field, "batch.switch_obstacles[0].id");
  EXPECT_EQ(applied.error().message, "no obstacle 1");
  EXPECT_EQ(server.request_ids().size(), 1u) << "a refusal is not repeated";
}

TEST(Client, GivesUpAtTheDeadlineWhenNoServerAnswers) {
  ClientOptions options = test::kFast;
  options.deadline = 100ms;
  Client client("unix:/tmp/repath-nobody-listens-here", options);
  const auto world = client.get_world("town").get();
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(world.error().code, Code::kUnavailable);
  EXPECT_TRUE(world.error().reason.empty());
}

TEST(Client, CallbacksRunInsidePollOnItsThread) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  bool ran = false;
  const auto here = std::this_thread::get_id();
  client.apply("town", shut_door()).then([&](Result<Applied> applied) {
    EXPECT_TRUE(applied.ok());
    EXPECT_EQ(std::this_thread::get_id(), here);
    ran = true;
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(ran);
  EXPECT_TRUE(test::poll_until(client, [&] { return ran; }));
}

TEST(Client, AnAnswerThatCameBeforeThenStillArrives) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  auto pending = client.apply("town", shut_door());
  std::this_thread::sleep_for(50ms);
  bool ran = false;
  pending.then([&](const Result<Applied>&) { ran = true; });
  EXPECT_TRUE(test::poll_until(client, [&] { return ran; }));
}

TEST(Client, RepeatsAForkUnderOneRequestId) {
  test::FakeServer server;
  server.fail_changes(1, {grpc::StatusCode::UNAVAILABLE, "draining"});
  Client client(server.address(), test::kFast);
  const auto made = client.fork_world("town", "new", 7).get();
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(made->name, "new of town");
  EXPECT_EQ(made->revision, 7u);
  const auto ids = server.request_ids();
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_FALSE(ids[0].empty());
  EXPECT_EQ(ids[0], ids[1]);
}

TEST(Client, ListsAllPages) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  const auto worlds = client.list_worlds().get();
  ASSERT_TRUE(worlds.ok());
  ASSERT_EQ(worlds->size(), 2u);
  EXPECT_EQ((*worlds)[1].name, "second");
}

TEST(Client, ImportsAFileLargerThanAMessage) {
  test::FakeServer server;
  Client client(server.address(), test::kFast);
  NewWorld world;
  world.name = "large";
  ImportOptions options;
  options.base_radius = 0.5;
  constexpr std::size_t kBytes = 5'000'001;
  const auto made = client.import_world(world, std::string(kBytes, '.'), options).get();
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(made->name, "large");
  EXPECT_EQ(made->base_radius, 0.5);
  EXPECT_EQ(server.imported_bytes(), kBytes);
}

TEST(Client, DestroyingItDropsCallbacks) {
  test::FakeServer server;
  bool ran = false;
  {
    Client client(server.address(), test::kFast);
    client.apply("town", shut_door()).then([&](const Result<Applied>&) { ran = true; });
  }
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace repath::client
