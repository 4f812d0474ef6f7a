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
  auto changed = std::make_shared<AgentEvent>(*event);
  changed->first_invalid_node.reset();
  changed->first_invalid_waypoint.reset();
  return changed;
}

}  // namespace

Outbox::Pending& Outbox::pending_of(AgentId agent) {
  const auto [at, is_new] = pending_.try_emplace(agent);
  if (is_new) order_.push_back(agent);
  return at->second;
}

void Outbox::put(EventPtr event) {
  Pending& pending = pending_of(event->agent);
  if (is_note(event->type)) {
    const std::uint32_t dropped = dropped_with(pending.note);
    coalesced_ += pending.note.event ? 1 : 0;
    pending.note = {std::move(event), dropped};
    return;
  }
  const std::uint32_t dropped = dropped_with(pending.verdict) + dropped_with(pending.note);
  coalesced_ += (pending.verdict.event ? 1u : 0u) + (pending.note.event ? 1u : 0u);
  event = without_lost_path(std::move(event), pending.verdict);
  pending = {false, {std::move(event), dropped}, {}};
}

void Outbox::put_latest(AgentId agent) { pending_of(agent).latest = true; }

std::vector<OutgoingEvent> Outbox::take(std::size_t bytes_max, const Latest& latest) {
  std::vector<OutgoingEvent> taken;
  std::size_t bytes = 0;
  while (!order_.empty()) {
    const auto at = pending_.find(order_.front());
    Pending& pending = at->second;
    if (pending.latest) pending = {false, {latest(order_.front()), 0}, {}};
    for (const OutgoingEvent* e : {&pending.verdict, &pending.note}) {
      if (e->event) bytes += estimated_bytes(*e->event);
    }
    if (bytes > bytes_max && !taken.empty()) break;
    for (OutgoingEvent* e : {&pending.verdict, &pending.note}) {
      if (e->event) taken.push_back(std::move(*e));
    }
    pending_.erase(at);
    order_.pop_front();
  }
  return taken;
}

std::size_t estimated_bytes(const AgentEvent& event) {
  constexpr std::size_t kWithoutPath = 512;    // both lists of causes at their limit
  constexpr std::size_t kWaypoint = 24 + 6;    // three doubles, two varints
  constexpr std::size_t kPoint = 24 + 10 + 4;  // three doubles, an id, flags and area
  std::size_t turns = 0;
  if (event.path) {
    if (const std::size_t points = event.path->points.size(); points > 0)
      return kWithoutPath + kPoint * std::min(points, kPathWaypointsMax);
    const std::vector<NodeId>& nodes = event.path->nodes;
    std::uint32_t step = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const std::uint32_t next_step = index(nodes[i]) - index(nodes[i - 1]);
      if (next_step != step) ++turns;
      step = next_step;
    }
  }
  return kWithoutPath + kWaypoint * std::min(turns + 2, kPathWaypointsMax);
}

}  // namespace repath
