// A check that fails inside one world ends that world only.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
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

class RecordingChanges final : public ChangeSink {
 public:
  void on_changes(std::vector<LogRecord>, Revision) override {}
  void on_end(absl::Status status) override {
    reason = error_reason(status);
    ++ends;
  }
  std::string reason;  // set before `ends`
  std::atomic<int> ends{0};
};

class Quarantine : public test::Hosts {
 protected:
  Quarantine() {
    registry_.wrap_worlds_for_test([this](std::unique_ptr<EngineWorld> real) {
      auto planted = std::make_unique<test::PlantedWorld>(std::move(real), threads_.planners());
      planted_.push_back(planted.get());
      return planted;
    });
  }

  // Opens a world with a session that has an agent, a watch of paths and one of changes.
  void open(const std::string& name, bool lockstep = false, Micros ttl_us = 30'000'000) {
    world_ = host(name, lockstep);
    SessionOpen opening{"s"};
    opening.ttl_us = ttl_us;
    session_id_ = world_->open_session(opening, session_);
    send(*world_, session_id_, 1, SessionMessage::Upsert{{test::walker(1)}});
    world_->open_watch({}, watch_);
    world_->open_changes(Revision{}, changes_);
  }
  void plant(Plant fault, std::size_t world = 0) { planted_.at(world)->plant(fault); }

  static void expect_quarantined(const absl::Status& status) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_EQ(error_reason(status), "QUARANTINED");
    const auto facts = error_facts(status);
    ASSERT_EQ(facts.size(), 1u);
    EXPECT_EQ(facts[0].first, "check");
    EXPECT_FALSE(facts[0].second.empty());
  }

  // Expects that every stream has ended once, with the reason.
  void expect_streams_ended() {
    for (const auto& sink : {session_, watch_}) {
      ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.end.has_value(); }));
      expect_quarantined(*sink->seen().end);
      EXPECT_EQ(sink->seen().ends, 1);
    }
    for (int i = 0; i < 1000 && changes_->ends == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(changes_->ends, 1);
    EXPECT_EQ(changes_->reason, "QUARANTINED");
  }

  // Checks what an operator and every client see from now on; then the world is deleted and made
  // again.
  void expect_put_aside(const std::string& why) {
    expect_streams_ended();
    const auto info = wait_for<WorldInfo>([&](auto answer) { world_->info(answer); });
    ASSERT_TRUE(info.ok());
    EXPECT_NE(info->quarantine_reason.find(why), std::string::npos) << info->quarantine_reason;
    EXPECT_EQ(info->revision, Revision{1});
    EXPECT_EQ(registry_.list("", 10).size(), 2u);
    expect_every_call_refused();
    const std::string name = world_->facts().name;
    EXPECT_NE(registry_.metrics_text().find("\nrepath_worlds_quarantined 1\n"), std::string::npos);
    EXPECT_TRUE(test::remove_world(registry_, name).ok());
    EXPECT_NE(registry_.metrics_text().find("\nrepath_worlds_quarantined 0\n"), std::string::npos);
    EXPECT_NE(registry_.metrics_text().find("\nrepath_quarantines_total 1\n"), std::string::npos);
    EXPECT_EQ(
        error_reason(wait_for<WorldInfo>([&](auto answer) { world_->info(answer); }).status()),
        "WORLD_UNKNOWN");
    EXPECT_TRUE(create(name).ok());
    EXPECT_TRUE(apply(**registry_.find(name), test::shut_door()).ok());
  }

  void expect_every_call_refused() {
    expect_quarantined(apply(*world_, test::shut_door()).status());
    expect_quarantined(tick(*world_).status());
    expect_quarantined(snapshot(*world_, {}).status());
    expect_quarantined(snapshot(*world_, {"nobody", {}, {}}).status());
    EXPECT_FALSE(world_->at_hand({}).has_value());
    expect_quarantined(wait_for<TestAnswer>([&](auto a) {
                         world_->test({test::shut_door(), {}, {}}, a);
                       }).status());
    expect_quarantined(
        wait_for<ChangePage>([&](auto a) { world_->read_changes({}, 9, a); }).status());
    expect_quarantined(wait_for<WorldStats>([&](auto a) { world_->stats(a); }).status());
    expect_quarantined(wait_for<AgentList>([&](auto a) { world_->list_agents({}, a); }).status());
    send(*world_, session_id_, 7, SessionMessage::Remove{{AgentId{1}}});
    const auto late = std::make_shared<RecordingSink>();
    world_->open_session({"t"}, late);
    ASSERT_TRUE(late->wait_until([](const auto& seen) { return seen.end.has_value(); }));
    expect_quarantined(*late->seen().end);
  }

  std::vector<test::PlantedWorld*> planted_;  // by world, in order; owned by the worlds
  std::shared_ptr<WorldHost> world_;
  StreamId session_id_{};
  std::shared_ptr<RecordingSink> session_ = std::make_shared<RecordingSink>();
  std::shared_ptr<RecordingSink> watch_ = std::make_shared<RecordingSink>();
  std::shared_ptr<RecordingChanges> changes_ = std::make_shared<RecordingChanges>();
};

TEST_F(Quarantine, ACheckThatFailsInACommandEndsItsWorldAlone) {
  open("a");
  const auto other = host("b");
  plant(Plant::kApply);
  expect_quarantined(apply(*world_, test::shut_door()).status());
  EXPECT_TRUE(apply(*other, test::shut_door()).ok());
  expect_put_aside("planted in apply");
  EXPECT_TRUE(apply(*other, test::open_door()).ok());
}

TEST_F(Quarantine, AnyExceptionInACommandEndsItsWorldAlone) {
  open("a");
  host("b");
  plant(Plant::kNoMemory);
  expect_quarantined(apply(*world_, test::shut_door()).status());
  expect_put_aside("bad_alloc");
}

TEST_F(Quarantine, ACheckThatFailsInAFrameEndsItsWorldAlone) {
  open("a");
  host("b");
  plant(Plant::kPlan);
  send(*world_, session_id_, 2, SessionMessage::Upsert{{test::walker(2)}});
  expect_put_aside("planted in plan");
}

TEST_F(Quarantine, ACheckThatFailsInATickIsItsAnswer) {
  open("a", /*lockstep=*/true);
  host("b");
  plant(Plant::kPlan);
  expect_quarantined(tick(*world_, "s").status());
  expect_put_aside("planted in plan");
}

TEST_F(Quarantine, ACheckThatFailsOnAHelpersThreadIsTheWorldsOwn) {
  open("a", /*lockstep=*/true);
  const auto other = host("b", /*lockstep=*/true);
  plant(Plant::kHelper);
  expect_quarantined(tick(*world_, "s").status());
  EXPECT_TRUE(tick(*other).ok());
  expect_put_aside("planted on a helper");
}

TEST_F(Quarantine, ACheckThatFailsInAQueryEndsItsWorldAndGivesItsSlotBack) {
  open("a");
  const auto other = host("b");
  int calls = 0;
  const auto answer = wait_for<AnySnapshot>([&](auto answered) {
    world_->query({}, [&calls, answered](absl::StatusOr<AnySnapshot> world) {
      REPATH_CHECK((++calls > 1 || !world.ok()) && "planted in a query");
      answered(std::move(world));
    });
  });
  expect_quarantined(answer.status());
  EXPECT_EQ(calls, 2);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(snapshot(*other, {}).ok()) << i;
  expect_put_aside("planted in a query");
}

TEST_F(Quarantine, ACheckThatFailsInWhatAQueryNeedsOfTheStrandIsItsAnswer) {
  open("a");
  host("b");
  plant(Plant::kCapture);
  expect_quarantined(snapshot(*world_, {}).status());
  expect_put_aside("planted in capture");
}

TEST_F(Quarantine, ACheckThatFailsInATimerEndsItsWorldAlone) {
  open("a", /*lockstep=*/false, /*ttl_us=*/1000);
  host("b");
  const auto second = std::make_shared<RecordingSink>();
  SessionOpen brief{"brief"};
  brief.ttl_us = 1000;
  const StreamId stream = world_->open_session(brief, second);
  ASSERT_TRUE(second->wait_until([](const auto& seen) { return seen.opened.has_value(); }));
  plant(Plant::kExpiry);
  world_->close_stream(stream);
  expect_put_aside("planted in ids_of");
}

// Calls of every kind wait behind a command in which a check fails.
TEST_F(Quarantine, EveryCallThatWaitsIsAnsweredOnce) {
  open("a", /*lockstep=*/true);
  const auto other = host("b");
  std::promise<void> go;
  world_->run_for_test([wait = go.get_future().share()](Engine&) {
    wait.wait();
    REPATH_CHECK(false && "planted while calls wait");
  });
  std::atomic<int> refused{0};
  const auto count = [&refused](const auto& answer) {
    EXPECT_EQ(error_reason(answer.status()), "QUARANTINED");
    ++refused;
  };
  world_->apply({{test::shut_door(), "", std::nullopt}, Durability::kApplied, 1}, count);
  world_->tick({"s", 100, 0}, count);
  world_->tick({"s", 100, 0, /*after_sequence=*/9}, count);
  world_->stats(count);
  for (int i = 0; i < 4; ++i) world_->query({}, count);
  std::atomic<int> taken{0};
  world_->session_message(session_id_, {2, SessionMessage::Remove{{AgentId{1}}}},
                          [&taken] { ++taken; });
  const auto late = std::make_shared<RecordingSink>();
  world_->open_watch({}, late);
  go.set_value();
  for (int i = 0; i < 1000 && refused < 8; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(late->wait_until([](const auto& seen) { return seen.end.has_value(); }));
  EXPECT_EQ(refused, 8);
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(late->seen().ends, 1);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(snapshot(*other, {}).ok()) << i;
  expect_put_aside("planted while calls wait");
}

TEST_F(Quarantine, ATickThatWaitsForMessagesEndsWithItsWorld) {
  open("a", /*lockstep=*/true);
  host("b");
  std::promise<absl::StatusOr<TickAnswer>> ticked;
  world_->tick({"s", 100, 0, /*after_sequence=*/9},
               [&ticked](absl::StatusOr<TickAnswer> answer) { ticked.set_value(answer); });
  plant(Plant::kApply);
  expect_quarantined(apply(*world_, test::shut_door()).status());
  expect_quarantined(ticked.get_future().get().status());
  expect_put_aside("planted in apply");
}

TEST_F(Quarantine, ACheckThatFailsWhileAWorldIsMadeIsTheAnswerAndThereIsNoWorld) {
  NewWorld world;
  world.name = "a";
  world.settings = registry_.default_settings();
  world.request_id = "r";
  world.make_spec = [](WorkMeter*) -> absl::StatusOr<AnyWorldSpec> {
    REPATH_CHECK(false && "planted in an import");
    return absl::UnknownError("");
  };
  const auto made = wait_for<WorldInfo>([&](auto answer) { registry_.create(world, answer); });
  EXPECT_EQ(made.status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(error_reason(made.status()), "CHECK_FAILED");
  EXPECT_EQ(registry_.list("", 10).size(), 0u);
  EXPECT_TRUE(create("a", false, "1", "r").ok());
}

TEST_F(Quarantine, StreamsOfEachKindCountFromTheirOpeningOn) {
  open("a", /*lockstep=*/true);
  const auto counted = [&] {
    EXPECT_TRUE(wait_for<WorldInfo>([&](auto answer) { world_->info(answer); }).ok());
    return world_->figures().streams;
  };
  EXPECT_EQ(counted(), 3u);
  world_->close_stream(session_id_);
  EXPECT_EQ(counted(), 2u);
}

TEST_F(Quarantine, FiguresStayAsTheyWere) {
  open("a", /*lockstep=*/true);
  ASSERT_TRUE(tick(*world_, "s").ok());
  plant(Plant::kPlan);
  expect_quarantined(tick(*world_, "s").status());
  expect_streams_ended();
  EXPECT_EQ(world_->figures().engine.agents, 1u);
  EXPECT_EQ(world_->figures().engine.frame, 1u);
  EXPECT_EQ(world_->figures().quarantined, 1u);
  EXPECT_EQ(world_->figures().streams, 0u);
}

}  // namespace
}  // namespace repath
