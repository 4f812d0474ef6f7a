#include "reroute/agent_table.h"

#include "base/check.h"

namespace repath {

RouteSlot RouteAgentTable::add(AgentId id) {
  RouteSlot slot = static_cast<RouteSlot>(agents_.size());
  if (!empty_.empty()) {
    slot = empty_.back();
    empty_.pop_back();
    agents_[slot] = std::make_unique<RouteAgent>();
  } else {
    agents_.push_back(std::make_unique<RouteAgent>());
    rows_.emplace_back();
  }
  agents_[slot]->spec.id = id;
  rows_[slot].standing = RouteStanding::kNone;
  const bool is_new = by_id_.emplace(id, slot).second;
  REPATH_CHECK(is_new);
  return slot;
}

void RouteAgentTable::remove(RouteSlot slot) {
  by_id_.erase(agents_[slot]->spec.id);
  agents_[slot].reset();
  rows_[slot] = {};
  empty_.push_back(slot);
}

std::optional<RouteSlot> RouteAgentTable::find(AgentId id) const {
  const auto it = by_id_.find(id);
  if (it == by_id_.end()) return std::nullopt;
  return it->second;
}

}  // namespace repath
