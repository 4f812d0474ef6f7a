// The runtime as the server runs it, with strands, clock and thread pools, behind a transport in
// this process.
#include "runtime/world_host.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "runtime/registry.h"
#include "unit/runtime/hosts.h"
#include "unit/runtime/recording_sink.h"
#include "unit/runtime/square.h"

namespace repath {
namespace {

using test::RecordingSink;
using test::wait_for;

class Hosts : public test::Hosts {};

TEST_F(Hosts, AWorldIsMadeFoundListedAndDeleted) {
  const auto info = create("a");
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->revision, Revision{1});
  EXPECT_EQ(info->oldest, Revision{2});
  ASSERT_TRUE(create("b").ok());
  EXPECT_EQ(registry_.list("", 10).size(), 2u);
  EXPECT_EQ(registry_.list("a", 10)[0]->facts().name, "b");
  EXPECT_TRUE(test::remove_world(registry_, "a").ok());
  EXPECT_EQ(error_reason(registry_.find("a").status()), "WORLD_UNKNOWN");
}

TEST_F(Hosts, ANameIsTakenByADifferentWorldOnly) {
  const auto first = create("a", false, "1");
  EXPECT_EQ(create("a", false, "1")->facts->epoch, first->facts->epoch);
  EXPECT_EQ(error_reason(create("a", false, "2").status()), "WORLD_EXISTS");
}

TEST_F(Hosts, WorldsHaveALimit) {
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(create(name).ok());
  EXPECT_EQ(error_reason(create("d").status()), "WORLDS_MAX");
}

TEST_F(Hosts, AChangeIsAppliedLoggedAndRead) {
  const auto world = host("a");
  const auto applied = apply(*world, test::shut_door());
  ASSERT_TRUE(applied.ok());
  EXPECT_EQ(applied->revision, Revision{2});
  const auto page =
      wait_for<ChangePage>([&](auto answer) { world->read_changes(Revision{2}, 10, answer); });
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->records.size(), 1u);
  EXPECT_EQ(page->records[0].state_hash, applied->state_hash);
  EXPECT_EQ(page->records[0].game_tick, 42u);
}

TEST_F(Hosts, ADurabilityThatIsNotThereIsRefusedBeforeAnythingChanges) {
  const auto world = host("a");
  EXPECT_EQ(error_reason(apply(*world, test::shut_door(), Durability::kLocalDisk).status()),
            "DURABILITY_UNAVAILABLE");
  EXPECT_EQ(wait_for<WorldInfo>([&](auto answer) { world->info(answer); })->revision, Revision{1});
}

TEST_F(Hosts, TheServersClockPlansAndThenRests) {
  const auto world = host("a");
  const auto sink = std::make_shared<RecordingSink>();
  const StreamId stream = world->open_session({"s"}, sink);
  send(*world, stream, 1, SessionMessage::Upsert{{test::walker(1)}});
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.types().size() == 1; }));
  const auto stats = [&] {
    return wait_for<WorldStats>([&](auto answer) { world->stats(answer); });
  };
  bool is_resting = false;
  for (int i = 0; i < 100 && !is_resting; ++i) {
    const std::uint64_t frame = stats()->engine.frame;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    is_resting = stats()->engine.frame == frame;
  }
  EXPECT_TRUE(is_resting);
}

TEST_F(Hosts, ALockstepWorldPlansOnTickOnly) {
  const auto world = host("a", /*lockstep=*/true);
  const auto sink = std::make_shared<RecordingSink>();
  const StreamId stream = world->open_session({"s"}, sink);
  send(*world, stream, 1, SessionMessage::Upsert{{test::walker(1)}});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(sink->seen().types().empty());
  const auto ticked = tick(*world, "s");
  ASSERT_TRUE(ticked.ok());
  EXPECT_EQ(ticked->settled, Revision{1});
  EXPECT_EQ(ticked->applied_sequence, 1u);
  EXPECT_EQ(ticked->last_batch, sink->seen().batches.back().number);
  EXPECT_EQ(sink->seen().types().size(), 1u);
  EXPECT_EQ(error_reason(tick(*world, "unknown").status()), "SESSION_UNKNOWN");
}

TEST_F(Hosts, TheServersClockIsNotTicked) {
  EXPECT_EQ(error_reason(tick(*host("a")).status()), "NOT_LOCKSTEP");
}

TEST_F(Hosts, QueriesSeeTheRevisionTheyAskFor) {
  const auto world = host("a");
  EXPECT_EQ(snapshot(*world, {})->revision, Revision{1});
  EXPECT_EQ(error_reason(snapshot(*world, {"default", {}, Revision{2}}).status()),
            "REVISION_NOT_YET");
  ASSERT_TRUE(apply(*world, test::shut_door()).ok());
  const auto later = snapshot(*world, {"default", {}, Revision{2}});
  ASSERT_TRUE(later.ok());
  EXPECT_FALSE(later->grid->layer.is_free(4, 2));
  EXPECT_EQ(error_reason(snapshot(*world, {"nobody", {}, {}}).status()), "PROFILE_UNKNOWN");
}

TEST_F(Hosts, TheQueryQueueIsBounded) {
  const auto world = host("a");
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  std::atomic<int> done{0};
  for (int i = 0; i < 4; ++i) {
    world->query({}, [gone, &done](absl::StatusOr<AnySnapshot> answer) {
      EXPECT_TRUE(answer.ok());
      gone.wait();
      ++done;
    });
  }
  EXPECT_EQ(error_reason(snapshot(*world, {}).status()), "QUERY_QUEUE_FULL");
  go.set_value();
  while (done < 4) std::this_thread::yield();
}

TEST_F(Hosts, TheSameWorldAskedForWhileItIsMadeIsTheAnswerOnceItIsThere) {
  std::promise<void> go;
  std::promise<void> begun;
  NewWorld world;
  world.name = "slow";
  world.settings = registry_.default_settings();
  world.definition = sha256("1");
  world.make_spec = [&go, &begun, wait = go.get_future().share()](WorkMeter*) {
    begun.set_value();
    wait.wait();
    return absl::StatusOr<WorldSpec>(test::square_spec("slow"));
  };
  std::promise<absl::StatusOr<WorldInfo>> first, second;
  registry_.create(world, [&](absl::StatusOr<WorldInfo> info) { first.set_value(info); });
  begun.get_future().wait();
  registry_.create(world, [&](absl::StatusOr<WorldInfo> info) { second.set_value(info); });
  EXPECT_EQ(error_reason(create("slow", false, /*definition=*/"2").status()), "WORLD_EXISTS");
  go.set_value();
  const auto made = first.get_future().get();
  const auto same = second.get_future().get();
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->facts->epoch, made->facts->epoch);
}

TEST_F(Hosts, ADetachedSessionExpiresByTheClock) {
  const auto world = host("a");
  const auto sink = std::make_shared<RecordingSink>();
  SessionOpen opening{"s"};
  opening.ttl_us = 20'000;
  const StreamId stream = world->open_session(opening, sink);
  send(*world, stream, 1, SessionMessage::Upsert{{test::walker(1)}});
  const auto watch = std::make_shared<RecordingSink>();
  world->open_watch({}, watch);
  world->close_stream(stream);
  const auto agents = [&] {
    return wait_for<WorldInfo>([&](auto answer) { world->info(answer); })->agents;
  };
  for (int i = 0; i < 500 && agents() != 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(agents(), 0u);
}

TEST_F(Hosts, DeletingAWorldTellsItsAgentsStreamsFirst) {
  const auto world = host("a");
  const auto sink = std::make_shared<RecordingSink>();
  const StreamId stream = world->open_session({"s"}, sink);
  send(*world, stream, 1, SessionMessage::Upsert{{test::walker(1), test::walker(2)}});
  ASSERT_TRUE(test::remove_world(registry_, "a").ok());
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.end.has_value(); }));
  EXPECT_EQ(sink->seen().end_reason(), "WORLD_UNKNOWN");
  const auto last = sink->seen().batches.back();
  ASSERT_EQ(last.events.size(), 2u);
  EXPECT_EQ(last.events[0].event->reason, EventReason::kWorldDeleted);
  EXPECT_EQ(error_reason(apply(*world, test::shut_door()).status()), "WORLD_UNKNOWN");
}

TEST_F(Hosts, DrainingEndsStreamsAndRefusesNewOnes) {
  const auto world = host("a");
  const auto sink = std::make_shared<RecordingSink>();
  world->open_session({"s"}, sink);
  registry_.drain();
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.end.has_value(); }));
  EXPECT_EQ(sink->seen().end->code(), absl::StatusCode::kUnavailable);
  const auto late = std::make_shared<RecordingSink>();
  world->open_session({"t"}, late);
  ASSERT_TRUE(late->wait_until([](const auto& seen) { return seen.end.has_value(); }));
  EXPECT_EQ(error_reason(create("b").status()), "DRAINING");
}

// Even if the next frame is far away.
TEST_F(Hosts, WhatComesWhileAFrameHasBudgetLeftIsPlannedInIt) {
  NewWorld slow;
  slow.name = "a";
  slow.settings = registry_.default_settings();
  slow.settings.frame.rate_hz = 0.1;
  slow.make_spec = [](WorkMeter*) { return absl::StatusOr<AnyWorldSpec>(test::square_spec("a")); };
  ASSERT_TRUE(wait_for<WorldInfo>([&](auto answer) { registry_.create(slow, answer); }).ok());
  const std::shared_ptr<WorldHost> world = *registry_.find("a");
  const auto sink = std::make_shared<RecordingSink>();
  SessionOpen opening{"s"};
  opening.ack_window = 16;  // for more batches than come
  send(*world, world->open_session(opening, sink), 1, SessionMessage::Upsert{{test::walker(1)}});
  const auto begun = std::chrono::steady_clock::now();
  const auto last_is = [&sink](EventType type) {
    return sink->wait_until([type](const RecordingSink::Seen& seen) {
      return !seen.batches.empty() && !seen.batches.back().events.empty() &&
             seen.batches.back().events.back().event->type == type;
    });
  };
  ASSERT_TRUE(last_is(EventType::kNewPath));
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(apply(*world, test::shut_door()).ok());
    ASSERT_TRUE(last_is(EventType::kUnreachable)) << i;
    ASSERT_TRUE(apply(*world, test::open_door()).ok());
    ASSERT_TRUE(last_is(EventType::kNewPath)) << i;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

// Frames count in the registry's metrics.
TEST_F(Hosts, NoFrameRunsOnceTheRegistryIsGone) {
  Threads threads(limits());
  std::optional<Registry> registry(std::in_place, limits(), threads);
  NewWorld world;
  world.name = "a";
  world.settings = registry->default_settings();
  world.make_spec = [](WorkMeter*) { return absl::StatusOr<AnyWorldSpec>(test::square_spec("a")); };
  const auto made =
      wait_for<WorldInfo>([&](auto answer) { registry->create(std::move(world), answer); });
  ASSERT_TRUE(made.ok());
  const std::shared_ptr<WorldHost> host = *registry->find("a");
  const auto sink = std::make_shared<RecordingSink>();
  send(*host, host->open_session({"s"}, sink), 1, SessionMessage::Upsert{{test::walker(1)}});
  registry.reset();
  std::atomic<bool> ran{false};
  boost::asio::post(threads.worlds(), [&ran] { ran = true; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(ran);
}

// Everything at once, for ThreadSanitizer.
TEST_F(Hosts, ManyThreadsAtOneWorldAgreeInTheEnd) {
  const auto world = host("a");
  constexpr std::uint64_t kThreads = 4;
  constexpr std::uint64_t kRounds = 60;
  std::vector<std::shared_ptr<RecordingSink>> sinks;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    sinks.push_back(std::make_shared<RecordingSink>());
    threads.emplace_back([&, t, sink = sinks.back()] {
      SessionOpen opening{"s" + std::to_string(t)};
      opening.ack_window = 16;
      const StreamId stream = world->open_session(opening, sink);
      for (std::uint64_t i = 1; i <= kRounds; ++i) {
        send(*world, stream, 2 * i, SessionMessage::Upsert{{test::walker(100 * t + i % 10)}});
        const auto seen = sink->seen();
        const std::uint64_t last = seen.batches.empty() ? 0 : seen.batches.back().number;
        send(*world, stream, 2 * i + 1, SessionMessage::Acknowledge{last});
        if (t == 0) {
          EXPECT_TRUE(apply(*world, i % 2 == 1 ? test::shut_door() : test::open_door()).ok());
        }
        if (t == 1) {
          EXPECT_TRUE(snapshot(*world, {}).ok());
        }
        if (t == 2) (void)wait_for<WorldInfo>([&](auto answer) { world->info(answer); });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    // A full window holds back the last message.
    EXPECT_TRUE(sinks[t]->wait_until([](const RecordingSink::Seen& seen) {
      return seen.batches.size() >= 16 ||
             (!seen.batches.empty() && seen.batches.back().settled == Revision{kRounds + 1});
    })) << t;
    EXPECT_TRUE(sinks[t]->seen().rejected.empty());
  }
}

TEST_F(Hosts, ACopyOfAWorldEndsWithItsCaller) {
  using Content = std::shared_ptr<const WorldContent>;
  const auto world = host("square");
  const auto copy = [&](bool is_over) {
    return wait_for<Content>([&](auto answer) {
      world->copy(Answer<Content>(
          answer, [is_over] { return is_over ? absl::CancelledError("gone") : absl::OkStatus(); }));
    });
  };
  // Copies that were left behind would use up the four that a world may have.
  for (std::size_t i = 0; i <= kCopiesMax; ++i)
    EXPECT_EQ(copy(true).status().code(), absl::StatusCode::kCancelled);
  const auto whole = copy(false);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ((*whole)->revision, Revision{1});
  EXPECT_EQ((*whole)->tiles.size(), 1u);
  ASSERT_TRUE(test::remove_world(registry_, "square").ok());
  EXPECT_EQ(error_reason(copy(false).status()), "WORLD_UNKNOWN");
}

}  // namespace
}  // namespace repath
