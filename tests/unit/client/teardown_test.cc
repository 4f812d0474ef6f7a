// Clients that are destroyed while their calls end. A fault here shows up differently each time,
// most clearly under a sanitizer.
#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "fake_server.h"
#include "repath/client.h"

namespace repath::client {
namespace {

using namespace std::chrono_literals;

const grpc::Status kDraining{grpc::StatusCode::UNAVAILABLE, "draining"};
constexpr int kRounds = 60;
constexpr int kCalls = 16;

// Returns a batch that takes long to destroy, so that a call is half-destroyed for a while.
ChangeBatch large_batch() {
  ChangeBatch batch;
  for (std::uint64_t id = 0; id < 5000; ++id) batch.switches.push_back({id, true});
  return batch;
}

TEST(Teardown, WhileAnswersArrive) {
  test::FakeServer server;
  const ChangeBatch batch = large_batch();
  for (int round = 0; round < kRounds; ++round) {
    Client client(server.address(), test::kFast);
    std::vector<std::future<Result<Applied>>> answers;
    for (int i = 0; i < kCalls; ++i) answers.push_back(client.apply("town", batch).future());
    // The future is ready just before its call is destroyed; waits for a later one in each round.
    answers[static_cast<std::size_t>(round % kCalls)].wait();
  }
}

TEST(Teardown, WhileCallsWaitToBeRepeated) {
  test::FakeServer server;
  server.fail_changes(1'000'000, kDraining);
  for (int round = 0; round < kRounds; ++round) {
    Client client(server.address(), test::kFast);
    std::vector<std::future<Result<Applied>>> answers;
    for (int i = 0; i < kCalls; ++i) answers.push_back(client.apply("town", {}).future());
    const std::size_t seen = server.request_ids().size();
    // Stops later and later in the calls' lives, as long as they retry.
    while (server.request_ids().size() < seen + static_cast<std::size_t>(round) &&
           answers.front().wait_for(1ms) == std::future_status::timeout) {
    }
  }
}

TEST(Teardown, WhileImportsAndListsEnd) {
  test::FakeServer server;
  for (int round = 0; round < kRounds; ++round) {
    Client client(server.address(), test::kFast);
    NewWorld world;
    world.name = "small";
    auto first = client.import_world(world, "...").future();
    auto second = client.import_world(world, std::string(300'000, '.')).future();
    auto list = client.list_worlds().future();
    if (round % 3 == 0) first.wait();
    if (round % 3 == 1) second.wait();
    if (round % 3 == 2) list.wait();
  }
}

TEST(Teardown, WhileSessionsOpenAndBreak) {
  test::FakeServer server;
  for (int round = 0; round < kRounds; ++round) {
    const bool refused = round % 2 == 0;
    server.refuse_opens(refused ? kDraining : grpc::Status::OK);
    Client client(server.address(), test::kFast);
    const auto session = client.open_session({.world = "town"}, {});
    const auto other = client.open_session({.world = "town"}, {});
    if (refused) continue;
    EXPECT_TRUE(server.received().has_open());
    if (round % 4 == 1) server.end_stream(kDraining);
  }
}

}  // namespace
}  // namespace repath::client
