// Ticks in slices: other worlds go on between them, and a tick ends when its call ends.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/world_host.h"
#include "unit/runtime/hosts.h"
#include "unit/runtime/planted_world.h"
#include "unit/runtime/recording_sink.h"

namespace repath {
namespace {

using test::Plant;
using test::RecordingSink;
using test::wait_for;

constexpr WorkUnits kHuge = 1'000'000'000'000;

class Ticks : public test::Hosts {
 protected:
  Ticks() : Hosts(one_thread()) {
    registry_.wrap_worlds_for_test([this](std::unique_ptr<EngineWorld> real) {
      auto planted = std::make_unique<test::PlantedWorld>(std::move(real), threads_.planners());
      planted_.push_back(planted.get());
      return planted;
    });
  }
  static Limits one_thread() {
    Limits one = limits();
    one.world_threads = 1;
    return one;
  }

  // Begins a tick that would go on for days; its caller waits until `over_` returns an error.
  std::future<absl::StatusOr<TickAnswer>> endless_tick(WorldHost& world) {
    planted_.front()->plant(Plant::kEndlessPlan);
    return begin(world, {"", kHuge, 0});
  }
  std::future<absl::StatusOr<TickAnswer>> begin(WorldHost& world, TickCommand command) {
    auto promise = std::make_shared<std::promise<absl::StatusOr<TickAnswer>>>();
    auto future = promise->get_future();
    const auto give = [promise](absl::StatusOr<TickAnswer> answer) { promise->set_value(answer); };
    world.tick(std::move(command), Answer<TickAnswer>(give, [this] {
                 const std::lock_guard lock(mutex_);
                 return over_;
               }));
    return future;
  }
  void give_up(absl::Status why) {
    const std::lock_guard lock(mutex_);
    over_ = std::move(why);
  }
  static bool is_there(const std::future<absl::StatusOr<TickAnswer>>& future) {
    return future.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  }
  void wait_for_slices(std::uint64_t count) const {
    const std::uint64_t first = planted_.front()->plans();
    while (planted_.front()->plans() < first + count) std::this_thread::yield();
  }

  std::vector<test::PlantedWorld*> planted_;  // by world, in order; owned by the worlds
  std::mutex mutex_;
  absl::Status over_;
};

TEST_F(Ticks, AnotherWorldOfTheThreadGoesOnDuringALongOne) {
  const auto world = host("a", /*lockstep=*/true);
  const auto other = host("b");
  auto ticked = endless_tick(*world);
  wait_for_slices(2);
  EXPECT_TRUE(apply(*other, test::shut_door()).ok());
  EXPECT_EQ(ticked.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  give_up(absl::CancelledError("enough"));
  ASSERT_TRUE(is_there(ticked));
}

TEST_F(Ticks, ACallerThatDoesNotWaitAnyMoreEndsItsTick) {
  const auto world = host("a", /*lockstep=*/true);
  auto ticked = endless_tick(*world);
  wait_for_slices(2);
  give_up(absl::DeadlineExceededError("late"));
  ASSERT_TRUE(is_there(ticked));
  EXPECT_EQ(ticked.get().status().code(), absl::StatusCode::kDeadlineExceeded);
  give_up(absl::OkStatus());
  planted_.front()->plant(Plant::kNone);
  EXPECT_TRUE(tick(*world).ok());
}

TEST_F(Ticks, DrainingEndsOneAndTheOneBehindIt) {
  const auto world = host("a", /*lockstep=*/true);
  auto first = endless_tick(*world);
  auto second = begin(*world, {"", kHuge, 0});
  wait_for_slices(2);
  registry_.drain();
  ASSERT_TRUE(is_there(first));
  ASSERT_TRUE(is_there(second));
  EXPECT_EQ(error_reason(first.get().status()), "DRAINING");
  EXPECT_EQ(error_reason(second.get().status()), "DRAINING");
}

TEST_F(Ticks, DeletingTheWorldEndsOne) {
  const auto world = host("a", /*lockstep=*/true);
  auto ticked = endless_tick(*world);
  wait_for_slices(2);
  ASSERT_TRUE(test::remove_world(registry_, "a").ok());
  ASSERT_TRUE(is_there(ticked));
  EXPECT_EQ(error_reason(ticked.get().status()), "WORLD_UNKNOWN");
}

TEST_F(Ticks, CommandsOfTheSameWorldWaitForTheEndAndKeepTheirOrder) {
  const auto world = host("a", /*lockstep=*/true);
  std::vector<std::string> order;  // of work on the strand
  planted_.front()->plant(Plant::kEndlessPlan);
  std::promise<void> all;
  world->tick({"", 1'000'000, 0}, [&](const auto&) { order.push_back("tick"); });
  world->apply({{test::shut_door(), "", std::nullopt}, Durability::kApplied, 1},
               [&](const auto&) { order.push_back("apply"); });
  world->query({}, [&](const auto&) {});
  world->tick({"", 1'000'000, 0}, [&](const auto&) { order.push_back("second tick"); });
  world->stats([&](const auto&) {
    order.push_back("stats");
    all.set_value();
  });
  all.get_future().get();
  EXPECT_EQ(order, (std::vector<std::string>{"tick", "apply", "second tick", "stats"}));
}

TEST_F(Ticks, ACommandWhoseCallerIsGoneHasNoEffect) {
  const auto world = host("a", /*lockstep=*/true);
  const auto answer = wait_for<ChangeAnswer>([&](auto give) {
    world->apply({{test::shut_door(), "", std::nullopt}, Durability::kApplied, 1},
                 Answer<ChangeAnswer>(give, [] { return absl::CancelledError("gone"); }));
  });
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(wait_for<WorldInfo>([&](auto give) { world->info(give); })->revision, Revision{1});
}

TEST_F(Ticks, OneInSlicesCountsAsOneFrameAndSaysWhatItUsed) {
  const auto world = host("a", /*lockstep=*/true);
  planted_.front()->plant(Plant::kEndlessPlan);
  const auto long_one = wait_for<TickAnswer>([&](auto give) {
    world->tick({"", 500'000, 0}, give);
  });
  ASSERT_TRUE(long_one.ok());
  EXPECT_EQ(long_one->step.used, 500'000u);
  EXPECT_EQ(long_one->step.frame, 1u);
  EXPECT_EQ(planted_.front()->plans(), 10u);
  const auto short_one = wait_for<TickAnswer>([&](auto give) {
    world->tick({"", 50'000, 0}, give);
  });
  EXPECT_EQ(short_one->step.frame, 2u);
  EXPECT_EQ(planted_.front()->plans(), 11u);
}

// Everything that was planned is sent when the tick ends, however it ends.
TEST_F(Ticks, OneThatIsEndedSendsWhatItPlanned) {
  const auto world = host("a", /*lockstep=*/true);
  const auto sink = std::make_shared<RecordingSink>();
  send(*world, world->open_session({"s"}, sink), 1, SessionMessage::Upsert{{test::walker(1)}});
  auto ticked = endless_tick(*world);
  wait_for_slices(2);
  EXPECT_TRUE(sink->seen().types().empty());
  give_up(absl::DeadlineExceededError("late"));
  ASSERT_TRUE(is_there(ticked));
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.types().size() == 1; }));
}

// ---- the barrier ----

TEST_F(Ticks, OneWaitsForItsSessionsMessages) {
  const auto world = host("a", /*lockstep=*/true);
  const auto sink = std::make_shared<RecordingSink>();
  const StreamId stream = world->open_session({"s"}, sink);
  auto ticked = begin(*world, {"s", 1000, 0, /*after_sequence=*/3});
  send(*world, stream, 2, SessionMessage::Upsert{{test::walker(1)}});
  EXPECT_EQ(ticked.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  send(*world, stream, 3, SessionMessage::Upsert{{test::walker(2)}});
  ASSERT_TRUE(is_there(ticked));
  const auto answer = ticked.get();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->applied_sequence, 3u);
  EXPECT_EQ(sink->seen().types().size(), 2u);
  EXPECT_TRUE(begin(*world, {"s", 1000, 0, /*after_sequence=*/3}).get().ok());
}

TEST_F(Ticks, ACallOutsideTheStreamCountsAmongTheMessages) {
  const auto world = host("a", /*lockstep=*/true);
  world->open_session({"s"}, std::make_shared<RecordingSink>());
  auto ticked = begin(*world, {"s", 1000, 0, /*after_sequence=*/5});
  ASSERT_TRUE(wait_for<Revision>([&](auto give) {
                world->upsert_agents({"s", 5}, {{test::walker(1)}}, give);
              }).ok());
  ASSERT_TRUE(is_there(ticked));
  EXPECT_EQ(ticked.get()->applied_sequence, 5u);
}

TEST_F(Ticks, AWaitForMessagesEndsWithItsTimeItsCallerOrItsSession) {
  const auto world = host("a", /*lockstep=*/true);
  SessionOpen opening{"s"};
  opening.ttl_us = 1000;
  const StreamId stream = world->open_session(opening, std::make_shared<RecordingSink>());
  const auto timed = begin(*world, {"s", 1000, 0, 9, /*barrier_us=*/20'000}).get();
  EXPECT_EQ(timed.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(error_reason(timed.status()), "BARRIER");
  auto left = begin(*world, {"s", 1000, 0, 9, 0});
  give_up(absl::CancelledError("gone"));
  ASSERT_TRUE(is_there(left));
  EXPECT_EQ(left.get().status().code(), absl::StatusCode::kCancelled);
  give_up(absl::OkStatus());
  auto bereft = begin(*world, {"s", 1000, 0, 9, 0});
  world->close_stream(stream);
  ASSERT_TRUE(is_there(bereft));
  EXPECT_EQ(error_reason(bereft.get().status()), "SESSION_UNKNOWN");
}

TEST_F(Ticks, AWaitForMessagesEndsWithTheServerAndTheWorld) {
  const auto world = host("a", /*lockstep=*/true);
  const auto other = host("b", /*lockstep=*/true);
  for (const auto& one : {world, other})
    one->open_session({"s"}, std::make_shared<RecordingSink>());
  auto deleted = begin(*world, {"s", 1000, 0, 9, 0});
  ASSERT_TRUE(test::remove_world(registry_, "a").ok());
  ASSERT_TRUE(is_there(deleted));
  EXPECT_EQ(error_reason(deleted.get().status()), "WORLD_UNKNOWN");
  auto drained = begin(*other, {"s", 1000, 0, 9, 0});
  registry_.drain();
  ASSERT_TRUE(is_there(drained));
  EXPECT_EQ(error_reason(drained.get().status()), "DRAINING");
}

TEST_F(Ticks, AWaitForMessagesNeedsASessionThatIsThere) {
  const auto world = host("a", /*lockstep=*/true);
  const auto nobody = begin(*world, {"", 1000, 0, 1}).get();
  EXPECT_EQ(nobody.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(error_field(nobody.status()), "after_sequence");
  EXPECT_EQ(error_reason(begin(*world, {"t", 1000, 0, 1}).get().status()), "SESSION_UNKNOWN");
}

TEST_F(Ticks, AWorldWithManyAgentsIsDeletedAPageAtATime) {
  const auto world = host("a", /*lockstep=*/true);
  std::vector<AgentSpec> agents;
  for (std::uint64_t i = 1; i <= 5000; ++i) agents.push_back(test::walker(i));
  const auto sink = std::make_shared<RecordingSink>();
  world->open_watch({}, sink);
  ASSERT_TRUE(wait_for<Revision>([&](auto give) {
                world->upsert_agents({}, {std::move(agents)}, give);
              }).ok());
  ASSERT_TRUE(test::remove_world(registry_, "a").ok());
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.end.has_value(); }));
  EXPECT_EQ(sink->seen().end_reason(), "WORLD_UNKNOWN");
  EXPECT_EQ(sink->seen().types().size(), 5000u);
}

}  // namespace
}  // namespace repath
