// A hub over an engine of any kind, and short names for the actions of tests with its streams.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "runtime/stream_hub.h"
#include "unit/runtime/recording_sink.h"
#include "unit/runtime/square.h"

namespace repath::test {

class HubBed {
 public:
  explicit HubBed(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  static std::unique_ptr<Engine> square(Executor& executor) {
    return Engine::create(*World::create(square_spec(), WorldLimits{}), EngineOptions{}, executor);
  }

  Engine& engine() { return *engine_; }
  StreamHub& hub() { return hub_; }

  std::shared_ptr<RecordingSink> open(StreamId id, const std::string& session,
                                      std::uint32_t window = 16, std::uint64_t sequence = 1) {
    auto sink = std::make_shared<RecordingSink>();
    SessionOpen opening{session};
    opening.ttl_us = 1'000'000;
    opening.ack_window = window;
    opening.sequence = sequence;
    const absl::Status status = hub_.open_session(id, opening, sink, now);
    EXPECT_TRUE(status.ok()) << status;
    return sink;
  }
  std::shared_ptr<RecordingSink> watch(StreamId id) {
    auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(hub_.open_watch(id, {}, sink, now).ok());
    return sink;
  }
  void send(StreamId id, std::uint64_t sequence, decltype(SessionMessage::action) action) {
    hub_.take(id, {sequence, std::move(action)}, now);
  }
  void upsert(StreamId id, std::uint64_t sequence, AgentSpec agent, bool take_over = false) {
    send(id, sequence, SessionMessage::Upsert{{std::move(agent)}, take_over});
  }
  void report(StreamId id, std::uint64_t sequence, std::uint64_t agent, MapPoint at,
              PathVersion version = {}) {
    send(id, sequence, SessionMessage::Report{{{AgentId{agent}, at, version}}});
  }
  void acknowledge(StreamId id, std::uint64_t sequence, const RecordingSink& sink) {
    send(id, sequence, SessionMessage::Acknowledge{sink.seen().batches.back().number});
  }
  void frame(WorkUnits budget = 1'000'000) {
    ++now;
    hub_.deliver_frame(engine_->step(budget, now).frame, now);
  }
  void apply(ChangeBatch batch) {
    const auto answer = engine_->apply({std::move(batch), "", std::nullopt}, ++now);
    ASSERT_TRUE(answer.ok()) << answer.status();
    hub_.deliver(now);
  }
  void detach(StreamId id) { hub_.detach(id, now); }

  Micros now = 1;

 private:
  std::unique_ptr<Engine> engine_;
  Metrics metrics_;
  StreamHub hub_{*engine_, {8, 8}, metrics_};
};

inline std::vector<EventPtr> events_of(const RecordingSink& sink) {
  std::vector<EventPtr> events;
  for (const EventBatch& batch : sink.seen().batches)
    for (const OutgoingEvent& e : batch.events) events.push_back(e.event);
  return events;
}

inline constexpr StreamId kFirst{1};
inline constexpr StreamId kSecond{2};
inline constexpr StreamId kThird{3};

}  // namespace repath::test
