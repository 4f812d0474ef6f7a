#include "runtime/verdict_diary.h"

namespace repath {
namespace {

// Memory of a verdict with its path and its places in both containers.
std::size_t bytes_of(const SharedEvent& event) {
  constexpr std::size_t kPlaces = 64;
  const std::size_t path = event.path ? event.path->nodes.size() * sizeof(NodeId) +
                                            event.path->points.size() * sizeof(RoutePoint)
                                      : 0;
  return sizeof(SharedEvent) + path + kPlaces + event.cause_revisions.size() * sizeof(Revision) +
         event.cause_obstacles.size() * sizeof(ObstacleId);
}

}  // namespace

void VerdictDiary::add(const EventPtr& event, Micros now) {
  if (!keeps()) return;
  auto& own = by_agent_[event->agent];
  own.push_back(order_.insert(order_.end(), {event, now}));
  bytes_ += bytes_of(*event);
  if (own.size() > kOfAgent) forget(own.front());
  while (bytes_ > bytes_max_) forget(order_.begin());
}

void VerdictDiary::forget(Order::iterator entry) {
  const auto at = by_agent_.find(entry->event->agent);
  at->second.pop_front();  // an agent's oldest verdict is the first of its own in the order
  if (at->second.empty()) by_agent_.erase(at);
  bytes_ -= bytes_of(*entry->event);
  order_.erase(entry);
}

std::vector<DiaryEntry> VerdictDiary::of(AgentId agent) const {
  std::vector<DiaryEntry> entries;
  const auto at = by_agent_.find(agent);
  if (at == by_agent_.end()) return entries;
  for (const Order::iterator entry : at->second) entries.push_back(*entry);
  return entries;
}

}  // namespace repath
