#include "runtime/outbox.h"

#include <algorithm>
#include <utility>

namespace repath {
namespace {

bool is_note(EventType type) {
  return type == EventType::kCostChanged || type == EventType::kConfirmed;
}

std::uint32_t dropped_with(const OutgoingEvent& e) { return e.event ? e.coalesced + 1 : 0; }

// `event` as it is when `replaced` goes unsent.
EventPtr without_lost_path(EventPtr event, const OutgoingEvent& replaced) {
  const bool counts_in_it = event->first_invalid_node && replaced.event && replaced.event->path &&
                            replaced.event->path->version == event->path_version;
  if (!counts_in_it) return event;
  AgentEvent changed = *event;
  changed.first_invalid_node.reset();
  changed.first_invalid_waypoint.reset();
  return share(std::move(changed));
}

}  // namespace

bool Outbox::is_to_begin(AgentId agent) const {
  const auto rest = first_.begin() + static_cast<std::ptrdiff_t>(begun_);
  return std::binary_search(rest, first_.end(), agent);
}

void Outbox::put(EventPtr event) {
  const AgentId agent = event->agent;
  const bool is_to_begin_with = is_to_begin(agent);
  // The latest verdict, looked up when its turn comes, has what a note says.
  if (is_to_begin_with && is_note(event->type) && !pending_.contains(agent)) return;
  const auto [at, is_new] = pending_.try_emplace(agent);
  if (is_new && !is_to_begin_with) order_.push_back(agent);
  Pending& pending = at->second;
  if (is_note(event->type)) {
    const std::uint32_t dropped = dropped_with(pending.note);
    coalesced_ += pending.note.event ? 1 : 0;
    pending.note = {std::move(event), dropped};
    return;
  }
  const std::uint32_t dropped = dropped_with(pending.verdict) + dropped_with(pending.note);
  coalesced_ += (pending.verdict.event ? 1u : 0u) + (pending.note.event ? 1u : 0u);
  event = without_lost_path(std::move(event), pending.verdict);
  pending = {{std::move(event), dropped}, {}};
}

void Outbox::pop_front() {
  if (!begins()) return order_.pop_front();
  if (++begun_ == first_.size()) first_ = {};
  if (!begins()) begun_ = 0;
}

std::vector<OutgoingEvent> Outbox::take(std::size_t bytes_max, const Latest& latest) {
  std::vector<OutgoingEvent> taken;
  std::size_t bytes = 0;
  for (; !empty(); pop_front()) {
    const auto at = pending_.find(front());
    const bool is_here = at != pending_.end();
    Pending looked_up;
    if (!is_here) looked_up.verdict.event = latest(front());
    Pending& pending = is_here ? at->second : looked_up;
    for (const OutgoingEvent* e : {&pending.verdict, &pending.note}) {
      if (e->event) bytes += e->event->size();
    }
    if (bytes > bytes_max && !taken.empty()) break;
    for (OutgoingEvent* e : {&pending.verdict, &pending.note}) {
      if (e->event) taken.push_back(std::move(*e));
    }
    if (is_here) pending_.erase(at);
  }
  return taken;
}

}  // namespace repath
