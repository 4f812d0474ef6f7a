#include "runtime/outbox.h"

#include <algorithm>
#include <utility>

namespace repath {

bool Outbox::is_to_begin(AgentId agent) const {
  const auto rest = first_.begin() + static_cast<std::ptrdiff_t>(begun_);
  return std::binary_search(rest, first_.end(), agent);
}

void Outbox::drop_events(Pending* pending) {
  for (EventPtr* event : {&pending->verdict, &pending->cost, &pending->confirmation}) {
    if (!*event) continue;
    ++coalesced_;
    ++pending->before_verdict;
    event->reset();
  }
  pending->before_verdict += std::exchange(pending->before_cost, 0);
  pending->before_verdict += std::exchange(pending->before_confirmation, 0);
}

// Returns `event` with the waypoint that this reader has, or without it. `event` is an INVALIDATED
// whose path the reader may have in part or not at all.
EventPtr Outbox::with_waypoint_as_had(EventPtr event, const Pending* pending) {
  const PathVersion version = event->path_version;
  const bool is_looked_up = pending != nullptr ? pending->is_empty() : is_to_begin(event->agent);
  const bool goes_unsent = pending != nullptr && pending->verdict && pending->verdict->path &&
                           pending->verdict->path->version == version;
  if (is_looked_up || goes_unsent) had_[event->agent] = {version, std::nullopt};
  const auto had = had_.find(event->agent);
  if (had == had_.end() || had->second.version != version) return event;
  const std::optional<std::uint32_t> behind = had->second.behind;
  AgentEvent changed = *event;
  changed.first_invalid_node.reset();
  if (behind && *changed.first_invalid_waypoint > *behind) {
    *changed.first_invalid_waypoint -= *behind;
  } else {
    changed.first_invalid_waypoint.reset();
  }
  return share(std::move(changed));
}

void Outbox::put(EventPtr event) {
  const AgentId agent = event->agent;
  const bool is_to_begin_with = is_to_begin(agent);
  auto at = pending_.find(agent);
  const bool is_looked_up = at != pending_.end() ? at->second.is_empty() : is_to_begin_with;
  // The latest verdict is looked up when its turn comes and then includes the note's content.
  if (is_note(event->type) && is_looked_up) return;
  if (event->first_invalid_waypoint) {
    const Pending* pending = at == pending_.end() ? nullptr : &at->second;
    event = with_waypoint_as_had(std::move(event), pending);
  } else if (!is_note(event->type)) {
    had_.erase(agent);
  }
  if (at == pending_.end()) {
    at = pending_.try_emplace(agent).first;
    if (!is_to_begin_with) order_.push_back(agent);
  }
  Pending& pending = at->second;
  if (is_note(event->type)) return put_note(std::move(event), &pending);
  drop_events(&pending);
  pending.verdict = std::move(event);
}

// A new cost replaces the confirmations before it. A confirmation does not replace a new cost.
void Outbox::put_note(EventPtr event, Pending* pending) {
  const bool is_cost = event->type == EventType::kCostChanged;
  EventPtr& own = is_cost ? pending->cost : pending->confirmation;
  std::uint32_t& before = is_cost ? pending->before_cost : pending->before_confirmation;
  if (own) {
    ++coalesced_;
    ++before;
  }
  own = std::move(event);
  if (!is_cost || !pending->confirmation) return;
  ++coalesced_;
  before += 1 + std::exchange(pending->before_confirmation, 0);
  pending->confirmation.reset();
}

void Outbox::put_latest(AgentId agent) {
  had_.erase(agent);
  const auto at = pending_.find(agent);
  if (at != pending_.end()) return drop_events(&at->second);
  if (is_to_begin(agent)) return;
  pending_.try_emplace(agent);
  order_.push_back(agent);
}

void Outbox::drop(AgentId agent) {
  had_.erase(agent);
  const auto at = pending_.find(agent);
  if (at != pending_.end()) drop_events(&at->second);
}

void Outbox::pop_front() {
  if (!begins()) return order_.pop_front();
  if (++begun_ == first_.size()) first_ = {};
  if (!begins()) begun_ = 0;
}

void Outbox::note_looked_up(const EventPtr& verdict) {
  if (!verdict) return;
  if (verdict->type == EventType::kInvalidated)
    had_[verdict->agent] = {verdict->path_version, std::nullopt};
  if (verdict->waypoints_behind > 0)
    had_[verdict->agent] = {verdict->path_version, verdict->waypoints_behind};
}

std::vector<OutgoingEvent> Outbox::take(std::size_t bytes_max, const Latest& latest) {
  std::vector<OutgoingEvent> taken;
  std::size_t bytes = 0;
  for (; !empty(); pop_front()) {
    const AgentId agent = front();
    const auto at = pending_.find(agent);
    Pending events = at == pending_.end() ? Pending{} : at->second;
    if (events.is_empty()) {
      events.verdict = latest(agent);
      note_looked_up(events.verdict);
    }
    for (const EventPtr& event : {events.verdict, events.cost, events.confirmation})
      if (event) bytes += event->size();
    if (bytes > bytes_max && !taken.empty()) break;
    if (events.verdict) taken.push_back({std::move(events.verdict), events.before_verdict});
    if (events.cost) taken.push_back({std::move(events.cost), events.before_cost});
    if (events.confirmation)
      taken.push_back({std::move(events.confirmation), events.before_confirmation});
    if (at != pending_.end()) pending_.erase(at);
  }
  return taken;
}

}  // namespace repath
