#include "runtime/latest_verdicts.h"

#include <optional>
#include <utility>

namespace repath {
namespace {

std::size_t memory_of(const SharedEvent& event) {
  std::size_t bytes = sizeof(SharedEvent) + event.size();
  if (event.path) {
    bytes += event.path->nodes.capacity() * sizeof(NodeId);
    bytes += event.path->points.capacity() * sizeof(RoutePoint);
  }
  return bytes;
}

}  // namespace

EventPtr LatestVerdicts::of(AgentId agent) {
  if (const auto at = kept_.find(agent); at != kept_.end()) return at->second;
  std::optional<AgentEvent> verdict = engine_.latest_verdict(agent);
  if (!verdict) return nullptr;
  EventPtr event = share(*std::move(verdict));
  const std::size_t bytes = memory_of(*event);
  if (kept_bytes_ + bytes <= kKeptBytes) {
    kept_bytes_ += bytes;
    kept_.emplace(agent, event);
  }
  return event;
}

const std::vector<AgentId>& LatestVerdicts::agents() {
  if (agents_.empty()) agents_ = engine_.agent_ids(std::nullopt);
  return agents_;
}

void LatestVerdicts::forget() {
  agents_ = {};
  kept_ = {};
  kept_bytes_ = 0;
}

std::optional<Micros> LatestVerdicts::expiry() const {
  if (agents_.empty() && kept_.empty()) return std::nullopt;
  return used_at_ + kKeptUs;
}

}  // namespace repath
