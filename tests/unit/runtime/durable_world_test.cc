// Worlds over a durable store that is late, fails, comes back, or forgets what was not durable.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/registry.h"
#include "unit/runtime/durable_fixture.h"

namespace repath {
namespace {

using test::Durable;
using test::RecordingSink;
using test::RememberingCodec;
using test::ScriptedStore;
using test::ScriptedWorld;
using test::wait_for;

constexpr auto kSoon = std::chrono::milliseconds(50);

TEST_F(Durable, AWorldIsThereAfterACrashWithItsEpochAndAGreaterIncarnation) {
  const auto made = create("a");
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->durable.incarnation, 1u);
  const auto shut = apply(test::shut_door());
  ASSERT_TRUE(shut.ok()) << shut.status();
  crash();
  EXPECT_EQ(store_.loads(), 0u);
  const WorldInfo again = info();
  EXPECT_EQ(store_.loads(), 1u);
  EXPECT_EQ(again.facts->epoch, made->facts->epoch);
  EXPECT_EQ(again.revision, shut->revision);
  EXPECT_EQ(again.state_hash, shut->state_hash);
  EXPECT_EQ(again.durable, (DurableState{Revision{2}, 2}));
}

TEST_F(Durable, AnAnswerWaitsForTheDiskAndThePromiseAppliedDoesNot) {
  ASSERT_TRUE(create("a").ok());
  store_.hold(true);
  auto later = begin_apply(test::shut_door());
  EXPECT_EQ(later.wait_for(kSoon), std::future_status::timeout);
  const auto now = apply(test::open_door(), "", Durability::kApplied);
  ASSERT_TRUE(now.ok()) << now.status();
  EXPECT_EQ(now->revision, Revision{3});
  EXPECT_EQ(info().durable.revision, Revision{1});
  EXPECT_EQ(later.wait_for(kSoon), std::future_status::timeout);
  store_.hold(false);
  ASSERT_TRUE(later.get().ok());
  EXPECT_EQ(info().durable.revision, Revision{3});
}

TEST_F(Durable, WhatWasNotDurableIsGoneAfterACrashAndWasNotAcknowledged) {
  ASSERT_TRUE(create("a").ok());
  ASSERT_TRUE(apply(test::shut_door()).ok());
  store_.hold(true);
  auto lost = begin_apply(test::open_door());
  EXPECT_EQ(info().revision, Revision{3});
  EXPECT_EQ(lost.wait_for(kSoon), std::future_status::timeout);
  crash();
  EXPECT_EQ(info().revision, Revision{2});
}

TEST_F(Durable, ACallerWhoHasGoneIsNotKept) {
  ASSERT_TRUE(create("a").ok());
  store_.hold(true);
  std::atomic<bool> has_gone = false;
  std::atomic<std::uint64_t> noted = 0;
  const auto over = [&] {
    return has_gone ? absl::DeadlineExceededError("late") : absl::OkStatus();
  };
  const auto note = [&](const ChangeAnswer& change) { noted = value(change.revision); };
  auto answer = begin_apply(test::shut_door(), over, note);
  EXPECT_EQ(answer.wait_for(kSoon), std::future_status::timeout);
  EXPECT_EQ(noted, 0u);
  has_gone = true;
  EXPECT_TRUE(absl::IsDeadlineExceeded(answer.get().status()));
  EXPECT_EQ(noted, 2u) << "the change has taken effect";
  EXPECT_TRUE(absl::IsDeadlineExceeded(begin_apply(test::open_door(), over, note).get().status()));
  EXPECT_EQ(noted, 2u) << "nothing has changed";
  store_.hold(false);
  EXPECT_EQ(info().revision, Revision{2});
}

TEST_F(Durable, AStoreThatTakesNoMoreRefusesBeforeAnythingIsChangedAndComesBack) {
  ASSERT_TRUE(create("a").ok());
  store_.refuse(true);
  EXPECT_EQ(error_reason(apply(test::shut_door()).status()), "STORE_UNAVAILABLE");
  EXPECT_EQ(error_reason(apply(test::shut_door(), "", Durability::kApplied).status()),
            "STORE_UNAVAILABLE");
  const auto upserted =
      wait_for<Revision>([&](auto answer) { world()->upsert_agents({}, upsert(1), answer); });
  EXPECT_EQ(error_reason(upserted.status()), "STORE_UNAVAILABLE");
  EXPECT_EQ(error_reason(create("b").status()), "STORE_UNAVAILABLE");
  EXPECT_EQ(error_reason(test::remove_world(*registry_, "a").status()), "STORE_UNAVAILABLE");
  EXPECT_EQ(info().revision, Revision{1});
  EXPECT_EQ(info().agents, 0u);
  store_.refuse(false);
  EXPECT_TRUE(apply(test::shut_door()).ok());
  EXPECT_TRUE(create("b").ok());
}

TEST_F(Durable, AStoreThatHasFailedEndsTheWait) {
  ASSERT_TRUE(create("a").ok());
  store_.hold(true);
  auto answer = begin_apply(test::shut_door());
  EXPECT_EQ(answer.wait_for(kSoon), std::future_status::timeout);
  store_.fail();
  EXPECT_EQ(error_reason(answer.get().status()), "STORE_UNAVAILABLE");
}

TEST_F(Durable, ARepeatedRequestGetsTheFirstAnswerAfterACrash) {
  ASSERT_TRUE(create("a", "1", "make").ok());
  const auto first = apply(test::shut_door(), "once");
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(apply(test::open_door()).ok());
  crash();
  const auto again = apply(test::shut_door(), "once");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->repeated_request);
  EXPECT_EQ(again->revision, first->revision);
  EXPECT_EQ(again->state_hash, first->state_hash);
  EXPECT_EQ(info().revision, Revision{3});
  EXPECT_EQ(error_reason(create("b", "2", "make").status()), "REQUEST_ID_REUSED");
  EXPECT_EQ(create("a", "1", "make")->revision, Revision{1});
  EXPECT_EQ(create("a", "1")->revision, Revision{3});  // not a repeat: the world as it is now
  EXPECT_EQ(error_reason(create("a", "2").status()), "WORLD_EXISTS");
}

TEST_F(Durable, ARepeatOfARequestThatIsNotDurableWaitsToo) {
  ASSERT_TRUE(create("a").ok());
  store_.hold(true);
  auto first = std::async([&] { return apply(test::shut_door(), "once"); });
  while (info().revision != Revision{2}) std::this_thread::yield();
  auto second = std::async([&] { return apply(test::shut_door(), "once"); });
  EXPECT_EQ(second.wait_for(kSoon), std::future_status::timeout);
  store_.hold(false);
  EXPECT_FALSE(first.get()->repeated_request);
  EXPECT_TRUE(second.get()->repeated_request);
}

class Walking : public Durable {
 protected:
  // Reports agent 1 at (2.5, 1.5) as message 4 of a stream, and crashes once the store has that.
  // Returns the agents after the next start.
  absl::StatusOr<AgentList> report_and_crash(RecordingSink& sink, StreamId stream) {
    world()->session_message(
        stream, {4, SessionMessage::Report{{{AgentId{1}, {2.5, 1.5}, PathVersion{}}}}}, [] {});
    EXPECT_TRUE(sink.wait_until([](const auto& seen) { return applied(seen) == 4; }));
    while (store_.world("a").positions.empty())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    crash();
    return wait_for<AgentList>(
        [&](auto answer) { world()->list_agents(AgentListCommand{}, answer); });
  }
};

TEST_F(Walking, AgentsComeBackInTheirSessionsAtTheirNewestPositions) {
  ASSERT_TRUE(create("a").ok());
  const auto [sink, stream] = open("s");
  world()->session_message(stream, {2, upsert(1)}, [] {});
  world()->session_message(stream, {3, upsert(2)}, [] {});
  const auto list = report_and_crash(*sink, stream);
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->agents.size(), 2u);
  EXPECT_EQ(list->agents[0].spec.position.x, 2.5);
  EXPECT_EQ(list->agents[1].spec.position.x, test::walker(2).position.x);
  EXPECT_GT(list->agents[0].position_age_us, 0u);
  const auto [again, resumed] = open("s", 5);
  ASSERT_TRUE(again->wait_until([](const auto& seen) { return seen.types().size() >= 2; }));
  const auto seen = again->seen();
  EXPECT_TRUE(seen.opened->resumed);
  EXPECT_EQ(seen.opened->agents, 2u);
  EXPECT_EQ(seen.opened->durable.incarnation, 2u);
  for (const EventBatch& batch : seen.batches)
    for (const OutgoingEvent& e : batch.events) {
      EXPECT_EQ(e.event->reason, EventReason::kRecovered);
      EXPECT_GT(value(e.event->path_version), std::uint64_t{2} << 32);
    }
}

// As after a start with a clock that was an hour ahead.
TEST_F(Walking, AClockThatIsPutBackLosesNoPositionAndKeepsNoSessionLonger) {
  constexpr WallMicros kHourUs = 3'600'000'000;
  ASSERT_TRUE(create("a").ok());
  {
    const auto [sink, stream] = open("s");
    world()->session_message(stream, {2, upsert(1)}, [] {});
    ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 2; }));
  }
  stop();
  store_.edit("a", [](ScriptedWorld& stored) {
    for (auto& [id, row] : stored.agents) {
      const auto content = read_agent_row(row.spec);
      row.spec = write_agent_row({content->at + kHourUs, content->spec});
    }
    for (auto& [name, row] : stored.sessions) row.left_at = wall_now_us() + kHourUs;
  });
  start();
  const auto page =
      wait_for<SessionPage>([&](auto answer) { world()->list_sessions("", 10, answer); });
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_EQ(page->sessions.size(), 1u);
  EXPECT_LE(page->sessions[0].left_us, page->sessions[0].ttl_us);
  const auto [sink, stream] = open("s", 3);
  const auto list = report_and_crash(*sink, stream);
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->agents.size(), 1u);
  EXPECT_EQ(list->agents[0].spec.position.x, 2.5);
}

TEST_F(Durable, AppliedSequenceNamesMessagesThatAreDurableAndProgressAloneSendsIt) {
  ASSERT_TRUE(create("a").ok());
  const auto [sink, stream] = open("s");
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 1; }));
  store_.hold(true);
  world()->session_message(stream, {2, upsert(1)}, [] {});
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return !seen.types().empty(); }));
  std::this_thread::sleep_for(kSoon);
  EXPECT_EQ(applied(sink->seen()), 1u);
  store_.hold(false);
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 2; }));
}

TEST_F(Durable, ReadersOfTheHistoryGetWhatIsDurableAndOldRecordsFromTheDisk) {
  class Changes final : public ChangeSink {
   public:
    void on_changes(std::vector<LogRecord> records, Revision revision) override {
      const std::lock_guard lock(mutex);
      for (const LogRecord& record : records) revisions.push_back(value(record.revision));
      last = revision;
    }
    void on_end(absl::Status) override {}
    std::mutex mutex;
    std::vector<std::uint64_t> revisions;
    Revision last{};
  };
  ASSERT_TRUE(create("a").ok());
  store_.set_window(1);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(apply(test::shut_door()).ok());
    ASSERT_TRUE(apply(test::open_door()).ok());
  }
  store_.hold(true);
  ASSERT_TRUE(apply(test::shut_door(), "", Durability::kApplied).ok());
  const auto page =
      wait_for<ChangePage>([&](auto answer) { world()->read_changes(Revision{2}, 100, answer); });
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->records.size(), 4u);
  EXPECT_EQ(page->revision, Revision{5});
  const auto sink = std::make_shared<Changes>();
  const StreamId stream = world()->open_changes(Revision{2}, sink);
  const auto wait_for_records = [&](std::size_t count) {
    for (int i = 0; i < 1000; ++i) {
      {
        const std::lock_guard lock(sink->mutex);
        if (sink->revisions.size() >= count) return;
      }
      world()->ready(stream);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  wait_for_records(4);
  std::this_thread::sleep_for(kSoon);
  {
    const std::lock_guard lock(sink->mutex);
    EXPECT_EQ(sink->revisions, (std::vector<std::uint64_t>{2, 3, 4, 5}));
  }
  store_.hold(false);
  wait_for_records(5);
  const std::lock_guard lock(sink->mutex);
  EXPECT_EQ(sink->revisions, (std::vector<std::uint64_t>{2, 3, 4, 5, 6}));
}

TEST_F(Durable, ADamagedRecordRefusesThatWorldWithThePlaceAndOthersAreServed) {
  ASSERT_TRUE(create("a").ok());
  ASSERT_TRUE(create("b").ok());
  ASSERT_TRUE(apply(test::shut_door()).ok());
  stop();
  store_.edit("a", [](ScriptedWorld& world) { world.records.at(0).state_hash ^= 1; });
  start();
  const auto refused = wait_for<WorldInfo>([&](auto answer) { world("a")->info(answer); });
  EXPECT_TRUE(absl::IsDataLoss(refused.status()));
  EXPECT_EQ(error_reason(refused.status()), "WORLD_DAMAGED");
  EXPECT_NE(std::string(refused.status().message()).find("revision 2"), std::string::npos);
  EXPECT_TRUE(absl::IsDataLoss(apply(test::open_door()).status()));
  EXPECT_EQ(store_.loads(), 1u);
  EXPECT_TRUE(wait_for<WorldInfo>([&](auto answer) { world("b")->info(answer); }).ok());
  const auto listed = wait_for<WorldInfo>([&](auto answer) { world("a")->info_as_is(answer); });
  ASSERT_TRUE(listed.ok());
  EXPECT_FALSE(listed->quarantine_reason.empty());
  EXPECT_TRUE(test::remove_world(*registry_, "a").ok());
}

TEST_F(Durable, CommandsWaitForTheLoadInTheirOrder) {
  ASSERT_TRUE(create("a").ok());
  crash();
  std::vector<std::future<absl::StatusOr<ChangeAnswer>>> answers;
  for (int i = 0; i < 10; ++i)
    answers.push_back(begin_apply(i % 2 == 0 ? test::shut_door() : test::open_door()));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto answer = answers[i].get();
    ASSERT_TRUE(answer.ok()) << answer.status();
    EXPECT_EQ(value(answer->revision), i + 2);
  }
  EXPECT_EQ(store_.loads(), 1u);
}

TEST_F(Durable, AnIdleWorldIsSavedPutOutOfMemoryAndLoadedAgain) {
  ASSERT_TRUE(create("a").ok());
  const auto shut = apply(test::shut_door());
  world()->unload_if_idle(0);
  for (int i = 0; i < 1000 && world()->is_loaded(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(world()->is_loaded());
  EXPECT_EQ(store_.snapshots(), 1u);
  EXPECT_EQ(world()->memory_bytes(), 0u);
  const auto listed = wait_for<WorldInfo>([&](auto answer) { world()->info_as_is(answer); });
  EXPECT_FALSE(listed->is_loaded);
  EXPECT_EQ(listed->revision, Revision{2});
  EXPECT_EQ(store_.loads(), 0u);
  EXPECT_EQ(info().state_hash, shut->state_hash);
  EXPECT_EQ(info().durable.incarnation, 2u);
  EXPECT_EQ(store_.loads(), 1u);
}

TEST_F(Durable, WhereMemoryIsFullIdleWorldsMakeRoomAndAWorldWithoutRoomIsShownAsStored) {
  stop();
  limits_.memory_total_mb = 1;
  start();
  std::string last;
  absl::Status full;
  const auto create_large = [&](const auto& name) { return create(name, "1", "", 200).status(); };
  for (int i = 0; i < 100 && full.ok(); ++i) {
    const std::string name = "w" + std::to_string(i);
    full = create_large(name);
    if (full.ok()) last = name;
  }
  ASSERT_EQ(error_reason(full), "MEMORY_TOTAL");
  EXPECT_EQ(error_facts(full).at(0).first, "retry_delay_ms");
  bool has_room = false;
  for (int i = 0; i < 600 && !has_room; ++i) {
    has_room = create_large("more").ok();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(has_room);
  // A limit that no world keeps stands for one that others fill.
  stop();
  limits_.memory_total_mb = 0;
  start();
  const auto stored = wait_for<WorldInfo>([&](auto answer) { world(last)->info(answer); });
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_FALSE(stored->is_loaded);
}

TEST_F(Durable, ALookAtItsFiguresKeepsNoWorldInMemory) {
  constexpr Micros kIdleUs = 100'000;
  ASSERT_TRUE(create("a").ok());
  const auto look = [&] {
    return wait_for<WorldStats>([&](auto answer) { world()->stats(answer); });
  };
  // It is loaded for the look, and that is a use.
  world()->unload_if_idle(0);
  for (int i = 0; i < 1000 && world()->is_loaded(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(look().ok());
  EXPECT_TRUE(world()->is_loaded());
  std::this_thread::sleep_for(std::chrono::microseconds(2 * kIdleUs));
  ASSERT_TRUE(look().ok());
  world()->unload_if_idle(kIdleUs);
  for (int i = 0; i < 1000 && world()->is_loaded(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(world()->is_loaded());
}

TEST_F(Durable, AWorldWithAStreamOrWithUndurableUnitsStaysInMemory) {
  ASSERT_TRUE(create("a").ok());
  const auto [sink, stream] = open("s");
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.opened.has_value(); }));
  world()->unload_if_idle(0);
  info();
  EXPECT_TRUE(world()->is_loaded());
  world()->close_stream(stream);
  store_.hold(true);
  ASSERT_TRUE(apply(test::shut_door(), "", Durability::kApplied).ok());
  world()->unload_if_idle(0);
  info();
  EXPECT_TRUE(world()->is_loaded());
  store_.hold(false);
}

TEST_F(Durable, ASessionThatExpiredMeanwhileGoesWithItsAgents) {
  ASSERT_TRUE(create("a").ok());
  {
    const auto [sink, stream] = open("s");
    world()->session_message(stream, {2, upsert(1)}, [] {});
    ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 2; }));
    world()->close_stream(stream);
    info();
  }
  stop();
  EXPECT_GT(store_.world("a").sessions.at("s").left_at, 0u);
  store_.edit("a", [](ScriptedWorld& world) { world.sessions.at("s").left_at = 1; });
  start();
  info();
  for (int i = 0; i < 1000 && info().agents > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(info().agents, 0u);
  EXPECT_TRUE(store_.world("a").agents.empty());
  EXPECT_TRUE(store_.world("a").sessions.empty());
}

TEST_F(Durable, ADeletedWorldIsGoneAfterACrash) {
  ASSERT_TRUE(create("a").ok());
  ASSERT_TRUE(test::remove_world(*registry_, "a").ok());
  EXPECT_EQ(error_reason(registry_->find("a").status()), "WORLD_UNKNOWN");
  crash();
  EXPECT_EQ(error_reason(registry_->find("a").status()), "WORLD_UNKNOWN");
  EXPECT_TRUE(create("a", "2").ok());
}

TEST_F(Durable, AWorldOutOfMemoryIsDeletedLikeAnyOther) {
  ASSERT_TRUE(create("a").ok());
  const std::shared_ptr<WorldHost> host = world();
  host->unload_if_idle(0);
  while (host->is_loaded()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(test::remove_world(*registry_, "a").ok());
  const auto info = wait_for<WorldInfo>([&](auto answer) { host->info_as_is(answer); });
  EXPECT_EQ(error_reason(info.status()), "WORLD_UNKNOWN");
}

TEST_F(Durable, DrainingSavesWhatHasChanged) {
  ASSERT_TRUE(create("a").ok());
  ASSERT_TRUE(create("b").ok());
  ASSERT_TRUE(apply(test::shut_door()).ok());
  EXPECT_TRUE(registry_->save_worlds(std::chrono::seconds(10)).empty());
  EXPECT_EQ(store_.snapshots(), 1u);
  store_.refuse(true);
  ASSERT_TRUE(wait_for<WorldInfo>([&](auto answer) { world()->info(answer); }).ok());
  EXPECT_TRUE(registry_->save_worlds(std::chrono::seconds(10)).empty());
}

}  // namespace
}  // namespace repath
