// Game servers, editors, queries and worlds that come and go, each on separate threads, against the
// runtime behind a transport in this process. The checks must hold for every schedule of the
// threads. The tsan part runs it under ThreadSanitizer.
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/queries.h"
#include "runtime/registry.h"
#include "support/seed.h"
#include "unit/runtime/recording_sink.h"
#include "unit/runtime/square.h"

namespace repath {
namespace {

using test::RecordingSink;

constexpr int kWorlds = 2;
constexpr int kPlayersPerWorld = 2;
constexpr int kRounds = 1000;

Limits many_threads() {
  Limits limits;
  limits.world_threads = 3;
  limits.query_threads = 2;
  limits.writer_threads = 1;
  limits.plan_workers = 3;
  limits.frame_rate_hz = 500;
  limits.frame_budget_us = 200;
  return limits;
}

// Returns the answer of an asynchronous call.
template <class T, class Call>
absl::StatusOr<T> wait_for(Call call) {
  auto promise = std::make_shared<std::promise<absl::StatusOr<T>>>();
  auto future = promise->get_future();
  call([promise](absl::StatusOr<T> answer) { promise->set_value(std::move(answer)); });
  return future.get();
}

std::shared_ptr<WorldHost> make_world(Registry& registry, const std::string& name) {
  NewWorld world;
  world.name = name;
  world.settings = registry.default_settings();
  world.make_spec = [name](WorkMeter*) {
    return absl::StatusOr<WorldSpec>(test::square_spec(name));
  };
  const auto made = wait_for<WorldInfo>([&](auto answer) { registry.create(world, answer); });
  EXPECT_TRUE(made.ok()) << made.status();
  auto host = registry.find(name);
  EXPECT_TRUE(host.ok()) << host.status();
  return host.ok() ? *host : nullptr;
}

// A reader of a world's changes: one record for each revision, in order, then the end, once.
class Reader final : public ChangeSink {
 public:
  void on_changes(std::vector<LogRecord> records, Revision) override {
    const std::lock_guard lock(mutex_);
    for (const LogRecord& record : records) EXPECT_EQ(value(record.revision), ++revision_);
    written_ = false;
    changed_.notify_all();
  }
  void on_end(absl::Status) override {
    const std::lock_guard lock(mutex_);
    ++ends_;
    changed_.notify_all();
  }

  // Reads until the end.
  void read(WorldHost& world, StreamId stream) {
    for (std::unique_lock lock(mutex_); ends_ == 0; lock.lock()) {
      changed_.wait(lock, [this] { return !written_ || ends_ > 0; });
      written_ = true;
      lock.unlock();
      world.ready(stream);
    }
  }

  // Returns false if the record has not come within ten seconds.
  bool has_read(Revision revision) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10),
                             [&] { return revision_ == value(revision); });
  }
  int ends() {
    const std::lock_guard lock(mutex_);
    return ends_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t revision_ = 1;
  bool written_ = true;
  int ends_ = 0;
};

// A game server: a session that it drops and resumes, and the agents it believes to have.
class Player {
 public:
  Player(WorldHost& world, std::uint64_t number)
      : world_(world), number_(number), random_(test::seed() + number) {
    connect();
  }

  void play() {
    for (int round = 0; round < kRounds; ++round) act();
  }

  // Acknowledges batches until silence covers `revision` and everything sent before.
  void settle(Revision revision) {
    connect();
    const std::uint64_t opened = sequence_;
    for (std::uint64_t acknowledged = 0;; acknowledge(acknowledged)) {
      ASSERT_TRUE(sink_->wait_until([acknowledged](const RecordingSink::Seen& seen) {
        return !seen.batches.empty() && seen.batches.back().number > acknowledged;
      })) << "player "
          << number_ << " hears nothing any more";
      const EventBatch last = sink_->seen().batches.back();
      EXPECT_GE(last.applied_sequence, opened);
      if (last.settled == revision) break;
      acknowledged = last.number;
    }
    EXPECT_TRUE(sink_->seen().rejected.empty());
  }

  const std::set<std::uint64_t>& agents() const { return agents_; }
  RecordingSink& sink() { return *sink_; }

 private:
  void act() {
    switch (random_.below(8)) {
      case 0:
      case 1:
        return upsert();
      case 2:
        return report();
      case 3:
        return remove();
      case 4:
        return change();
      case 5:
        return ask();
      case 6:
        return acknowledge(newest());
      default:
        if (random_.below(4) == 0) connect();
    }
  }

  // If a stream is open, the new one takes its place.
  void connect() {
    if (random_.below(2) == 0) world_.close_stream(stream_);
    sink_ = std::make_shared<RecordingSink>();
    SessionOpen opening{"player-" + std::to_string(number_)};
    opening.ack_window = 16;
    opening.sequence = ++sequence_;
    stream_ = world_.open_session(opening, sink_);
  }

  void send(decltype(SessionMessage::action) action) {
    std::promise<void> taken;
    world_.session_message(stream_, {++sequence_, std::move(action)},
                           [&taken] { taken.set_value(); });
    taken.get_future().get();
  }

  void upsert() {
    std::vector<AgentSpec> specs;
    for (std::uint32_t i = 0; i < 5; ++i) {
      specs.push_back(test::walker(1000 * number_ + 5 * random_.below(8) + i));
      specs.back().goals = {{random_.unit() * 10, 4.5}};
      agents_.insert(value(specs.back().id));
    }
    send(SessionMessage::Upsert{specs});
  }

  void report() {
    SessionMessage::Report report;
    for (const std::uint64_t agent : agents_) {
      report.positions.push_back({AgentId{agent}, {random_.unit() * 10, 1.5}, {}});
    }
    send(std::move(report));
  }

  void remove() {
    if (agents_.empty()) return;
    const std::uint64_t agent = *agents_.begin();
    agents_.erase(agent);
    send(SessionMessage::Remove{{AgentId{agent}}});
  }

  void change() {
    const bool shut = random_.below(2) == 0;
    ChangeBatch batch = test::shut_door();
    batch.upsert_obstacles[0].enabled = shut;
    const auto done = wait_for<ChangeAnswer>([&](auto answer) {
      world_.apply({{std::move(batch), "", std::nullopt}, Durability::kApplied, 0}, answer);
    });
    EXPECT_TRUE(done.ok()) << done.status();
  }

  void ask() {
    const PathQuery query{{0.5, 0.5}, {{4.5, 4.5}}};
    const auto state = wait_for<QueryState>([&](auto answer) {
      world_.query({}, [&query, answer](absl::StatusOr<AnySnapshot> snapshot) {
        if (!snapshot.ok()) return answer(snapshot.status());
        answer(find_path(*snapshot->grid, query, {}).state);
      });
    });
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_TRUE(*state == QueryState::kComplete || *state == QueryState::kUnreachable);
  }

  std::uint64_t newest() const {
    const auto seen = sink_->seen();
    return seen.batches.empty() ? 0 : seen.batches.back().number;
  }

  void acknowledge(std::uint64_t number) { send(SessionMessage::Acknowledge{number}); }

  WorldHost& world_;
  const std::uint64_t number_;
  Random random_;
  std::shared_ptr<RecordingSink> sink_;
  StreamId stream_{};
  std::uint64_t sequence_ = 0;
  std::set<std::uint64_t> agents_;
};

// Batches count from 1 without a gap, silence takes no claim back, and nothing follows the end.
void expect_orderly(const RecordingSink::Seen& seen) {
  std::uint64_t number = 0;
  Revision settled{};
  for (const EventBatch& batch : seen.batches) {
    EXPECT_EQ(batch.number, ++number);
    EXPECT_LE(value(batch.settled), value(batch.revision));
    EXPECT_GE(value(batch.settled), value(settled));
    settled = batch.settled;
  }
}

Revision revision_of(WorldHost& world) {
  const auto info = wait_for<WorldInfo>([&](auto answer) { world.info(answer); });
  EXPECT_TRUE(info.ok()) << info.status();
  return info.ok() ? info->revision : Revision{};
}

std::set<std::uint64_t> agents_of(WorldHost& world) {
  const auto list = wait_for<AgentList>([&](auto answer) {
    world.list_agents({AgentId{}, 1000, false, {}}, answer);
  });
  std::set<std::uint64_t> ids;
  for (const AgentView& agent : list->agents) {
    ids.insert(value(agent.spec.id));
    EXPECT_FALSE(agent.waiting);
    EXPECT_TRUE(agent.has_verdict);
  }
  return ids;
}

// Makes worlds that live for a moment, with a stream on each.
void come_and_go(Registry& registry, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::string name = "passing-" + std::to_string(round % 3);
    const auto world = make_world(registry, name);
    ASSERT_NE(world, nullptr);
    const auto sink = std::make_shared<RecordingSink>();
    world->open_watch({}, sink);
    EXPECT_TRUE(wait_for<Revision>([&](auto answer) {
                  world->upsert_agents({}, {{test::walker(1)}}, answer);
                }).ok());
    EXPECT_TRUE(wait_for<Revision>([&](auto answer) { registry.remove(name, answer); }).ok());
    EXPECT_TRUE(sink->wait_until([](const auto& seen) { return seen.end.has_value(); }));
    EXPECT_EQ(sink->seen().end_reason(), "WORLD_UNKNOWN");
  }
}

class Crowd : public testing::Test {
 protected:
  void SetUp() override {
    for (int w = 0; w < kWorlds; ++w) {
      worlds_.push_back(make_world(registry_, "world-" + std::to_string(w)));
      ASSERT_NE(worlds_.back(), nullptr);
      for (int p = 0; p < kPlayersPerWorld; ++p) {
        players_.push_back(std::make_unique<Player>(*worlds_.back(), players_.size()));
      }
      readers_.push_back(std::make_shared<Reader>());
      const StreamId stream = worlds_.back()->open_changes(Revision{2}, readers_.back());
      reading_.emplace_back([world = worlds_.back(), reader = readers_.back(), stream] {
        reader->read(*world, stream);
      });
    }
  }

  void TearDown() override {
    registry_.drain();
    for (std::thread& thread : reading_) thread.join();
  }

  void play() {
    std::vector<std::thread> crowd;
    for (const auto& player : players_) crowd.emplace_back([&player] { player->play(); });
    crowd.emplace_back([this] { come_and_go(registry_, kRounds / 10); });
    for (std::thread& thread : crowd) thread.join();
  }

  void expect_settled(std::size_t w) {
    std::set<std::uint64_t> known;
    for (std::size_t p = w * kPlayersPerWorld; p < (w + 1) * kPlayersPerWorld; ++p) {
      players_[p]->settle(revision_of(*worlds_[w]));
      expect_orderly(players_[p]->sink().seen());
      known.insert(players_[p]->agents().begin(), players_[p]->agents().end());
    }
    EXPECT_EQ(agents_of(*worlds_[w]), known);
    EXPECT_TRUE(readers_[w]->has_read(revision_of(*worlds_[w])));
  }

  void expect_drained() {
    registry_.drain();
    for (std::thread& thread : reading_) thread.join();
    reading_.clear();
    for (const auto& reader : readers_) EXPECT_EQ(reader->ends(), 1);
    for (const auto& player : players_) {
      EXPECT_TRUE(player->sink().wait_until([](const auto& seen) { return seen.end.has_value(); }));
    }
  }

  Threads threads_{many_threads()};
  Registry registry_{many_threads(), threads_};
  std::vector<std::shared_ptr<WorldHost>> worlds_;
  std::vector<std::shared_ptr<Reader>> readers_;
  std::vector<std::thread> reading_;
  std::vector<std::unique_ptr<Player>> players_;
};

TEST_F(Crowd, IsToldTheTruthInTheEnd) {
  SCOPED_TRACE(test::seed_trace());
  play();
  for (std::size_t w = 0; w < worlds_.size(); ++w) expect_settled(w);
  expect_drained();
}

}  // namespace
}  // namespace repath
