#include "runtime/stream.h"

#include <algorithm>

#include "base/error.h"

namespace repath {

Stream::Stream(Audience audience, std::uint32_t window, std::shared_ptr<EventSink> sink,
               const DurableMark* durable)
    : audience_(std::move(audience)), window_(window), sink_(std::move(sink)), durable_(durable) {}

void Stream::begin_with(std::vector<AgentId> agents, Revision after) {
  begin_after_ = after;
  outbox_.begin_with(std::move(agents));
}

Revision Stream::settled_now(const Engine& engine) const {
  const Revision of_all = engine.settled_revision(audience_.owner);
  if (audience_.agents.empty() || of_all == engine.revision()) return of_all;
  Revision settled = engine.revision();
  for (const AgentId agent : audience_.agents) {
    const auto of_agent = engine.settled_revision_of(agent);
    if (of_agent) settled = std::min(settled, *of_agent);
  }
  return settled;
}

Engine::Waiting Stream::waiting_now(const Engine& engine, Micros now) const {
  const Engine::Waiting of_all = engine.waiting(audience_.owner, now);
  if (audience_.agents.empty() || of_all.agents == 0) return of_all;
  Engine::Waiting waiting;
  for (const AgentId agent : audience_.agents) {
    const auto settled = engine.settled_revision_of(agent);
    if (settled && *settled < engine.revision()) ++waiting.agents;
  }
  waiting.late = std::min(waiting.agents, of_all.late);
  return waiting;
}

std::vector<OutgoingEvent> Stream::take(LatestVerdicts& latest) {
  return outbox_.take(kBatchBytes, [&](AgentId agent) -> EventPtr {
    EventPtr event = latest.of(agent);
    return event && event->revision > begin_after_ ? event : nullptr;
  });
}

void Stream::send(std::vector<OutgoingEvent> events, const Engine& engine, std::uint64_t frame,
                  Micros now) {
  if (outbox_.empty()) {
    sent_settled_ = settled_now(engine);
    sent_sequence_ = safe_sequence_;
    sent_effect_ = sequence_;
  }
  const Engine::Waiting waiting = waiting_now(engine, now);
  OnItsWay sent{++last_batch_, {}};
  for (const OutgoingEvent& e : events) {
    if (!audience_.owner) break;
    if (e.event->path) sent.holds.paths.emplace_back(e.event->agent, e.event->path->version);
    if (e.event->reason == EventReason::kTakenOver) sent.holds.taken.push_back(e.event);
  }
  on_its_way_.push_back(std::move(sent));
  sink_->on_batch({last_batch_, engine.revision(), sent_settled_, sent_sequence_, std::move(events),
                   outbox_.coalesced(), waiting.agents, waiting.late, frame,
                   durable_ == nullptr ? DurableState{} : durable_->get(), sent_effect_});
}

void Stream::pump(LatestVerdicts& latest, std::uint64_t frame, Micros now, bool notice) {
  const Engine& engine = latest.engine();
  while (!outbox_.empty() && window_open()) {
    std::vector<OutgoingEvent> events = take(latest);
    notice = events.empty();  // no verdict is left to begin with; still send the settled revision
    if (!notice) send(std::move(events), engine, frame, now);
  }
  notice = notice || notice_held_up_;
  if (!notice) return;
  const bool advanced = safe_sequence_ > sent_sequence_ || settled_now(engine) > sent_settled_;
  notice_held_up_ = advanced && !window_open();
  if (advanced && window_open() && outbox_.empty()) send({}, engine, frame, now);
}

void Stream::finish(LatestVerdicts& latest, std::uint64_t frame, Micros now, absl::Status status) {
  while (!outbox_.empty()) send(take(latest), latest.engine(), frame, now);
  sink_->on_end(std::move(status));
}

absl::StatusOr<Stream::Arrived> Stream::acknowledge(std::uint64_t number) {
  if (number > last_batch_) {
    return invalid_field("BATCH_UNKNOWN", "acknowledge.batch_number",
                         "the last batch sent is " + std::to_string(last_batch_));
  }
  Arrived arrived;
  while (!on_its_way_.empty() && on_its_way_.front().number <= number) {
    const Arrived& holds = on_its_way_.front().holds;
    arrived.paths.insert(arrived.paths.end(), holds.paths.begin(), holds.paths.end());
    arrived.taken.insert(arrived.taken.end(), holds.taken.begin(), holds.taken.end());
    on_its_way_.pop_front();
  }
  return arrived;
}

std::pair<Revision, std::uint64_t> Stream::settled_when_read(const Engine& engine) const {
  if (!outbox_.empty()) return {sent_settled_, sent_effect_};
  return {settled_now(engine), sequence_};
}

}  // namespace repath
