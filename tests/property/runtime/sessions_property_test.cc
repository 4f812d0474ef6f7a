// Random games of two sessions, callers without a session and a watch, on worlds of every kind.
// Agents are upserted, taken over, reported and removed; streams are read slowly, break and resume.
// Whenever a batch reports that everything was sent, a client that only reads batches knows what
// the engine knows.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "property/runtime/session_client.h"
#include "property/runtime/session_stage.h"
#include "runtime/stream_hub.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::Asked;
using test::SessionClient;

constexpr std::uint64_t kAgents = 8;

class SessionGame {
 public:
  SessionGame(test::SessionStage& stage, std::uint64_t seed)
      : random_(seed), stage_(stage), engine_(stage.make(&random_, executor_)) {
    for (const char* name : {"first", "second", ""}) {
      readers_.push_back(std::make_shared<Reader>(*this, name));
      open(*readers_.back());
    }
  }

  void play(int rounds) {
    for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
      SCOPED_TRACE(::testing::Message() << "round " << round);
      act();
    }
    for (int round = 0; round < 2000 && !::testing::Test::HasFailure(); ++round) {
      frame(100'000);
      for (const auto& reader : readers_) acknowledge(*reader);
    }
    for (const auto& reader : readers_) {
      if (!reader->is_open || ::testing::Test::HasFailure()) continue;
      EXPECT_EQ(reader->settled, engine_->revision()) << reader->name;
      EXPECT_TRUE(reader->was_checked);
    }
  }

  std::uint64_t checks() const { return checks_; }

 private:
  // One reader's end of its streams. The watch has no name.
  class Reader final : public EventSink {
   public:
    Reader(SessionGame& game, std::string name_in)
        : name(std::move(name_in)), client(*game.engine_, game.asked_), game_(game) {}

    void on_opened(const SessionOpened& opened) override {
      if (!opened.resumed) client.forget();
    }
    void on_batch(EventBatch batch) override {
      SCOPED_TRACE(::testing::Message() << "batch " << batch.number << " to '" << name << "'");
      last_batch = batch.number;
      settled = batch.settled;
      client.hear(batch);
      was_checked = game_.check(*this, batch);
    }
    void on_rejected(std::uint64_t, absl::Status status) override { rejected = std::move(status); }
    void on_unknown(std::uint64_t, std::vector<AgentId> agents) override { unknown = agents; }
    void on_end(absl::Status) override { is_open = false; }

    const std::string name;
    SessionClient client;
    StreamId stream{};
    bool is_open = false;
    std::uint64_t sequence = 0;
    std::uint64_t last_batch = 0;
    Revision settled{};
    bool was_checked = false;
    absl::Status rejected;
    std::vector<AgentId> unknown;
    std::set<AgentId> removed;  // removed by the reader itself

   private:
    SessionGame& game_;
  };

  std::uint32_t below(std::uint32_t n) { return random_.below(n); }
  AgentId some_agent() { return AgentId{1 + below(kAgents)}; }

  std::optional<OwnerId> owner_of(const Reader& reader) const {
    if (reader.name.empty()) return std::nullopt;
    return *hub_.owner_of(reader.name);
  }

  // Returns whether the batch completed the reader's knowledge; then compares it with the engine.
  bool check(const Reader& reader, const EventBatch& batch) {
    const Stream* stream = reader.name.empty() ? nullptr : hub_.stream_of(reader.name);
    if (stream != nullptr && !stream->outbox().empty()) return false;
    // The watch's outbox is not visible here, so the batch's own figures decide.
    if (stream == nullptr && batch.settled != engine_->revision()) return false;
    if (stream != nullptr) {
      EXPECT_EQ(batch.applied_sequence, hub_.sequence_of(reader.name));
      EXPECT_EQ(batch.settled, engine_->settled_revision(owner_of(reader)));
    }
    ++checks_;
    reader.client.check(owner_of(reader));
    return true;
  }

  void open(Reader& reader) {
    const std::shared_ptr<Reader> sink =
        *std::ranges::find_if(readers_, [&](const auto& other) { return other.get() == &reader; });
    reader.stream = StreamId{++last_stream_};
    reader.is_open = true;
    reader.last_batch = 0;
    if (reader.name.empty()) {
      ASSERT_TRUE(hub_.open_watch(reader.stream, {}, sink, now_).ok());
      return;
    }
    SessionOpen opening{reader.name};
    opening.ttl_us = 1'000'000;
    opening.ack_window = 1 + below(3);
    opening.sequence = reader.sequence = 1 + below(5);
    ASSERT_TRUE(hub_.open_session(reader.stream, opening, sink, now_).ok());
  }

  void act() {
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
        return upsert();
      case 3:
      case 4:
      case 5:
        return report();
      case 6:
        return remove();
      case 7:
      case 8:
        return change();
      case 9:
      case 10:
        return acknowledge(*readers_[below(3)]);
      case 11:
        return drop_or_open(*readers_[below(3)]);
      default:
        return frame(1 + below(below(2) == 0 ? 40 : 4000));
    }
  }

  void frame(WorkUnits budget) {
    now_ += 10;
    hub_.deliver_frame(engine_->step(budget, now_).frame, now_);
  }

  void change() {
    const auto answer = engine_->apply({stage_.batch(&random_), "", std::nullopt}, ++now_);
    if (answer.ok()) hub_.deliver(now_);
  }

  void acknowledge(Reader& reader) {
    if (!reader.is_open) return;
    if (reader.name.empty()) return hub_.ready(reader.stream, now_);
    send(reader, SessionMessage::Acknowledge{reader.last_batch});
  }

  void drop_or_open(Reader& reader) {
    if (reader.is_open && below(2) == 0) {
      hub_.detach(reader.stream, now_);
      reader.is_open = false;
      if (below(12) == 0) {
        now_ += 2'000'000;
        expire();
      }
      return;
    }
    if (reader.is_open && reader.name.empty()) return;
    if (below(2) == 0 || reader.name.empty()) reader.client.forget();
    for (const AgentId id : reader.removed) reader.client.forget(id);
    open(reader);
  }

  void expire() {
    hub_.expire(now_);
    std::erase_if(asked_, [&](const auto& a) { return !engine_->owner_of(a.first).has_value(); });
  }

  void send(Reader& reader, decltype(SessionMessage::action) action) {
    reader.rejected = absl::OkStatus();
    reader.unknown.clear();
    reader.sequence = hub_.sequence_of(reader.name) + 1 + below(3);
    hub_.take(reader.stream, {reader.sequence, std::move(action)}, ++now_);
  }

  // Asks by the reader's stream if it has one (the watch has none), otherwise by a call.
  template <class Message, class Call>
  absl::Status ask(Reader& reader, const Message& message, Call call) {
    if (!reader.name.empty() && reader.is_open && below(3) != 0) {
      send(reader, message);
      return reader.rejected;
    }
    Caller caller{reader.name};
    const bool exists = !reader.name.empty() && hub_.owner_of(reader.name).ok();
    if (!exists) caller.session_id.clear();
    if (exists && below(2) == 0) caller.sequence = hub_.sequence_of(reader.name) + 1 + below(3);
    const absl::Status status = call(caller);
    hub_.deliver(++now_);
    return status;
  }
  OwnerId caller_id(const Reader& reader) const {
    const auto owner = hub_.owner_of(reader.name);
    return owner.ok() ? *owner : kNoOwner;
  }
  bool is_anothers(AgentId agent, const Reader& reader) const {
    const auto owner = engine_->owner_of(agent);
    return owner && *owner != kNoOwner && *owner != caller_id(reader);
  }

  AgentSpec some_spec(AgentId id) {
    AgentSpec spec;
    const auto known = asked_.find(id);
    if (known != asked_.end() && below(3) != 0) {
      spec = known->second.spec;
      if (below(3) == 0) spec.priority = below(4);
      if (below(3) == 0) spec.confirm = !spec.confirm;
      if (below(3) == 0) spec.position = stage_.point(&random_);
    } else {
      spec.id = id;
      spec.position = stage_.point(&random_);
      spec.goals = {stage_.point(&random_)};
      spec.min_improvement_ratio = below(3) == 0 ? 0.2 : 0;
      spec.allow_partial = below(3) == 0;
      spec.snap_start = below(3) == 0;
      spec.confirm = below(3) == 0;
    }
    if (known == asked_.end() || below(2) == 0 || !is_same_question(known->second.spec, spec))
      spec.goal_generation = ++last_generation_;
    return spec;
  }

  void upsert() {
    Reader& reader = *readers_[below(3)];
    SessionMessage::Upsert message;
    message.take_over = below(2) == 0;
    bool is_refused = false;
    const AgentId first = some_agent();
    const AgentId second = some_agent();
    for (const AgentId id : {first, second}) {
      if (id == first && !message.agents.empty()) continue;
      message.agents.push_back(some_spec(id));
      is_refused |= is_anothers(id, reader) && !message.take_over;
    }
    const auto before = asked_;
    for (const AgentSpec& spec : message.agents) {
      if (is_refused) break;
      const auto [at, is_new] = asked_.try_emplace(spec.id);
      if (is_new || !is_same_question(at->second.spec, spec)) at->second.generations.clear();
      at->second.generations.insert(spec.goal_generation);
      at->second.spec = spec;
      reader.removed.erase(spec.id);
    }
    const absl::Status status = ask(
        reader, message, [&](const Caller& caller) { return hub_.upsert(caller, message, now_); });
    EXPECT_EQ(is_refused ? "AGENT_OWNED" : "", error_reason(status)) << status;
  }

  void report() {
    Reader& reader = *readers_[below(3)];
    SessionMessage::Report message;
    std::vector<AgentId> unknown;
    bool is_refused = false;
    for (std::uint32_t k = 1 + below(3); k > 0; --k) {
      const AgentId id = some_agent();
      if (std::ranges::any_of(message.positions, [&](const auto& p) { return p.id == id; }))
        continue;
      message.positions.push_back({id, place_of(id), PathVersion{}});
      if (!engine_->owner_of(id)) unknown.push_back(id);
      is_refused |= is_anothers(id, reader);
    }
    if (!is_refused) {
      for (const PositionReport& position : message.positions) {
        if (const auto at = asked_.find(position.id); at != asked_.end())
          at->second.spec.position = position.position;
      }
    }
    reader.unknown.clear();
    const absl::Status status = ask(reader, message, [&](const Caller& caller) {
      auto passed_over = hub_.report(caller, message, now_);
      if (passed_over.ok()) reader.unknown = *passed_over;
      return passed_over.status();
    });
    EXPECT_EQ(is_refused ? "AGENT_OWNED" : "", error_reason(status)) << status;
    EXPECT_EQ(reader.unknown, is_refused ? std::vector<AgentId>{} : unknown);
  }

  // Mostly further along the agent's path.
  MapPoint place_of(AgentId id) {
    const auto view = engine_->agent(id);
    if (!view || !view->has_verdict || !view->verdict.path || below(4) == 0)
      return stage_.point(&random_);
    const AgentPath& path = *view->verdict.path;
    if (!path.points.empty()) {
      const RoutePoint& at = path.points[below(static_cast<std::uint32_t>(path.points.size()))];
      return {at.at.x, at.at.z, at.at.y};
    }
    if (path.nodes.empty()) return stage_.point(&random_);
    const std::uint32_t node =
        index(path.nodes[below(static_cast<std::uint32_t>(path.nodes.size()))]);
    return {node % 14 + 0.5, node / 14 + 0.5};
  }

  void remove() {
    Reader& reader = *readers_[below(3)];
    const AgentId id = some_agent();
    const bool is_refused = is_anothers(id, reader);
    const bool was_there = engine_->owner_of(id).has_value();
    if (!is_refused && was_there) {
      asked_.erase(id);
      // A caller that removes an agent knows that it is gone, even if its stream breaks before that
      // is sent.
      for (const auto& other : readers_) {
        const bool is_owner = !other->name.empty() && caller_id(*other) == *engine_->owner_of(id);
        if (is_owner) other->removed.insert(id);
      }
    }
    const SessionMessage::Remove message{{id}};
    const absl::Status status = ask(reader, message, [&](const Caller& caller) {
      return hub_.remove(caller, message).status();
    });
    EXPECT_EQ(is_refused ? "AGENT_OWNED" : "", error_reason(status)) << status;
  }

  Random random_;
  test::SessionStage& stage_;
  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
  Metrics metrics_;
  StreamHub hub_{*engine_, {8, 8}, metrics_};
  std::map<AgentId, Asked> asked_;
  std::vector<std::shared_ptr<Reader>> readers_;
  Micros now_ = 1;
  std::uint64_t last_stream_ = 0;
  std::uint64_t last_generation_ = 0;
  std::uint64_t checks_ = 0;
};

template <class MakeStage>
void play(int games, MakeStage make_stage) {
  std::uint64_t checks = 0;
  for (int game = 0; game < games && !::testing::Test::HasFailure(); ++game) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(game);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    const std::unique_ptr<test::SessionStage> stage = make_stage();
    SessionGame played(*stage, seed);
    played.play(400);
    checks += played.checks();
  }
  EXPECT_GT(checks, 20u * static_cast<std::uint64_t>(games));
}

TEST(Sessions, OnGridsKnowWhatTheEngineKnows) {
  play(60, [] { return std::make_unique<test::GridStage>(); });
}

TEST(Sessions, OnMeshesKnowWhatTheEngineKnows) {
  play(15, [] { return std::make_unique<test::RouteStage>(std::make_unique<test::NavKind>()); });
}

TEST(Sessions, OnGraphsKnowWhatTheEngineKnows) {
  play(30, [] { return std::make_unique<test::RouteStage>(std::make_unique<test::GraphKind>()); });
}

TEST(Sessions, OnGroundOfBoundedSearchesKnowWhatTheEngineKnows) {
  play(15,
       [] { return std::make_unique<test::RouteStage>(std::make_unique<test::PlaneKind>(0.8)); });
}

}  // namespace
}  // namespace repath
