// Sessions and positions on the disk, and the durable revision that clients get.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "unit/runtime/durable_fixture.h"

namespace repath {
namespace {

using test::RecordingSink;
using test::wait_for;

class DurableSessions : public test::Durable {
 protected:
  void report(StreamId stream, std::uint64_t sequence, std::uint64_t agent, double x) {
    world()->session_message(
        stream, {sequence, SessionMessage::Report{{{AgentId{agent}, {x, 1.5}, PathVersion{}}}}},
        [] {});
  }
  // Waits until the store has the agent at `x`. Returns when its positions were reported.
  std::map<AgentId, WallMicros> wait_for_position(std::uint64_t agent, double x) {
    for (int i = 0; i < 1000; ++i) {
      std::map<AgentId, WallMicros> times;
      bool is_there = false;
      for (const PositionRow& row : store_.world("a").positions) {
        times[row.id] = row.at;
        is_there = is_there || (row.id == AgentId{agent} && row.position.x == x);
      }
      if (is_there) return times;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "the position was not kept";
    return {};
  }
  std::uint64_t applied_when_opened(std::uint64_t sequence) {
    const auto [sink, stream] = open("s", sequence);
    EXPECT_TRUE(sink->wait_until([](const auto& seen) { return seen.opened.has_value(); }));
    info();  // comes after all that the opening does
    return sink->seen().opened->applied_sequence;
  }
  AgentList agents() {
    auto list =
        wait_for<AgentList>([&](auto answer) { world()->list_agents(AgentListCommand{}, answer); });
    EXPECT_TRUE(list.ok()) << list.status();
    return list.ok() ? *std::move(list) : AgentList{};
  }
};

TEST_F(DurableSessions, AfterADrainASessionCountsFromTheNextStartIfItHadAStream) {
  ASSERT_TRUE(create("a").ok());
  const auto [left, left_stream] = open("left");
  ASSERT_TRUE(left->wait_until([](const auto& seen) { return applied(seen) == 1; }));
  world()->close_stream(left_stream);
  const auto [sink, stream] = open("s");
  world()->session_message(stream, {2, upsert(1)}, [] {});
  report(stream, 3, 1, 2.5);
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 3; }));
  registry_->drain();
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return seen.end.has_value(); }));
  world()->unload_if_idle(0);
  info();
  EXPECT_TRUE(world()->is_loaded()) << "a load before the end would count from the last start";
  const auto page =
      wait_for<SessionPage>([&](auto answer) { world()->list_sessions("", 10, answer); });
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_EQ(page->sessions.size(), 2u);
  EXPECT_FALSE(page->sessions[1].is_connected);
  EXPECT_EQ(page->sessions[1].left_us, 0u);
  stop();
  const auto sessions = store_.world("a").sessions;
  EXPECT_GT(sessions.at("left").left_at, 0u);
  EXPECT_EQ(sessions.at("s").left_at, 0u);
  EXPECT_EQ(sessions.at("s").sequence, 3u);
  start();
  const auto again =
      wait_for<SessionPage>([&](auto answer) { world()->list_sessions("", 10, answer); });
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_EQ(again->sessions.size(), 2u);
  EXPECT_GT(again->sessions[1].left_us, 0u);
}

TEST_F(DurableSessions, APositionKeepsTheTimeOfItsOwnReport) {
  ASSERT_TRUE(create("a").ok());
  {
    const auto [sink, stream] = open("s");
    world()->session_message(stream, {2, upsert(1)}, [] {});
    world()->session_message(stream, {3, upsert(2)}, [] {});
    report(stream, 4, 1, 2.5);
    const auto first = wait_for_position(1, 2.5);
    report(stream, 5, 2, 2.5);
    const auto both = wait_for_position(2, 2.5);
    EXPECT_EQ(both.at(AgentId{1}), first.at(AgentId{1}));
    EXPECT_GT(both.at(AgentId{2}), both.at(AgentId{1}));
  }
  crash();
  const AgentList list = agents();
  ASSERT_EQ(list.agents.size(), 2u);
  EXPECT_GT(list.agents[0].position_age_us, list.agents[1].position_age_us);
  EXPECT_GT(list.agents[1].position_age_us, 0u);
  // It has not reported since, so another agent's report does not make its position newer.
  const auto before = wait_for_position(1, 2.5);
  const auto [sink, stream] = open("s", 10);
  report(stream, 11, 2, 1.5);
  const auto after = wait_for_position(2, 1.5);
  EXPECT_EQ(after.at(AgentId{1}), before.at(AgentId{1}));
  EXPECT_GT(after.at(AgentId{2}), before.at(AgentId{2}));
}

TEST_F(DurableSessions, OpeningNamesTheLastSafeMessageHoweverFastItIsRepeated) {
  ASSERT_TRUE(create("a").ok());
  const auto [sink, stream] = open("s");
  world()->session_message(stream, {2, upsert(1)}, [] {});
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 2; }));
  store_.hold(true);
  EXPECT_EQ(applied_when_opened(10), 2u);
  EXPECT_EQ(applied_when_opened(20), 2u) << "10 is not safe yet";
  store_.commit_quietly();
  EXPECT_EQ(applied_when_opened(30), 20u);
  EXPECT_EQ(applied_when_opened(40), 20u);
  store_.hold(false);
}

// Each stream begins with its own sequence: a client that has lost its own can resume.
TEST_F(DurableSessions, AStreamMayBeginWithALowerSequenceThanTheOneBefore) {
  ASSERT_TRUE(create("a").ok());
  const auto [sink, stream] = open("s", 5000);
  ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 5000; }));
  const auto [again, resumed] = open("s", 7);
  world()->session_message(resumed, {7, upsert(1)}, [] {});
  world()->session_message(resumed, {8, upsert(2)}, [] {});
  ASSERT_TRUE(again->wait_until([](const auto& seen) { return applied(seen) == 8; }));
  const RecordingSink::Seen seen = again->seen();
  EXPECT_EQ(seen.opened->applied_sequence, 5000u);
  ASSERT_EQ(seen.rejected.size(), 1u);
  EXPECT_EQ(seen.rejected[0].first, 7u);
  EXPECT_EQ(error_reason(seen.rejected[0].second), "SEQUENCE_NOT_RISING");
  EXPECT_EQ(applied_when_opened(3), 8u) << "the last message, not the greatest number";
}

// The connection breaks before the client reads that its second agent was refused.
class UnreadRefusal : public DurableSessions {
 protected:
  void have_one_refused() {
    ASSERT_TRUE(create("a").ok());
    const auto [sink, stream] = open("s");
    world()->session_message(stream, {2, upsert(1)}, [] {});
    ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 2; }));
    store_.refuse(true);
    world()->session_message(stream, {3, upsert(2)}, [] {});
    ASSERT_TRUE(sink->wait_until([](const auto& seen) { return !seen.rejected.empty(); }));
    EXPECT_EQ(error_reason(sink->seen().rejected[0].second), "STORE_UNAVAILABLE");
    store_.refuse(false);
    world()->session_message(stream, {4, upsert(3)}, [] {});
    ASSERT_TRUE(sink->wait_until([](const auto& seen) { return applied(seen) == 4; }));
    if (is_read_) {
      const std::uint64_t last = sink->seen().batches.back().number;
      world()->session_message(stream, {5, SessionMessage::Acknowledge{last}}, [] {});
    }
    world()->close_stream(stream);
    info();
  }
  bool is_read_ = false;
};

TEST_F(UnreadRefusal, IsNotToldAsAppliedWhenTheSessionResumes) {
  have_one_refused();
  EXPECT_EQ(applied_when_opened(10), 2u);
}

TEST_F(UnreadRefusal, IsNotToldAsAppliedAfterACrash) {
  have_one_refused();
  crash();
  EXPECT_EQ(applied_when_opened(10), 2u);
  EXPECT_EQ(agents().agents.size(), 2u);
}

TEST_F(UnreadRefusal, IsPassedOnceItIsRead) {
  is_read_ = true;
  have_one_refused();
  crash();
  EXPECT_EQ(applied_when_opened(10), 5u);
}

// ---- the durable revision in histories ----

// Compares each message with what its transport would say of the disk.
class ChangesAndDisk final : public ChangeSink {
 public:
  explicit ChangesAndDisk(std::shared_ptr<WorldHost> host) : host_(std::move(host)) {}
  void on_changes(std::vector<LogRecord> records, Revision) override {
    const std::lock_guard lock(mutex_);
    for (const LogRecord& record : records) {
      ++records_;
      EXPECT_LE(record.revision, host_->durable().revision);
    }
  }
  void on_end(absl::Status) override {}
  std::size_t records() const {
    const std::lock_guard lock(mutex_);
    return records_;
  }

 private:
  std::shared_ptr<WorldHost> host_;
  mutable std::mutex mutex_;
  std::size_t records_ = 0;
};

class HistoryAndDisk : public DurableSessions {
 protected:
  // Makes changes that are on the disk before the world hears of it.
  void change_unheard(int changes) {
    store_.hold(true);
    for (int i = 0; i < changes; ++i) {
      const ChangeBatch batch = i % 2 == 0 ? test::shut_door() : test::open_door();
      ASSERT_TRUE(apply(batch, "", Durability::kApplied).ok());
    }
    store_.commit_quietly();
  }
  void read_all(Revision last) {
    const auto page =
        wait_for<ChangePage>([&](auto answer) { world()->read_changes(Revision{2}, 100, answer); });
    ASSERT_TRUE(page.ok()) << page.status();
    EXPECT_EQ(page->revision, last);
    ASSERT_FALSE(page->records.empty());
    EXPECT_EQ(page->records.back().revision, last);
    EXPECT_EQ(world()->durable().revision, last);
  }
};

TEST_F(HistoryAndDisk, APageTellsOfADiskThatHasItsChanges) {
  ASSERT_TRUE(create("a").ok());
  change_unheard(1);
  read_all(Revision{2});
}

TEST_F(HistoryAndDisk, APageFromTheDiskTellsSoToo) {
  ASSERT_TRUE(create("a").ok());
  store_.set_window(1);
  change_unheard(4);
  read_all(Revision{5});
}

TEST_F(HistoryAndDisk, AMessageToAReaderTellsOfADiskThatHasItsChanges) {
  ASSERT_TRUE(create("a").ok());
  const auto sink = std::make_shared<ChangesAndDisk>(world());
  const StreamId stream = world()->open_changes(Revision{2}, sink);
  for (std::size_t records : {1, 2}) {
    change_unheard(1);
    for (int i = 0; i < 1000 && sink->records() < records; ++i) {
      world()->ready(stream);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_EQ(sink->records(), records);
  }
}

}  // namespace
}  // namespace repath
