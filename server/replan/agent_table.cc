#include "replan/agent_table.h"

#include "base/check.h"

namespace repath {

Slot AgentTable::add(AgentId id) {
  Slot slot = 0;
  if (empty_.empty()) {
    slot = static_cast<Slot>(agents_.size());
    agents_.push_back(std::make_unique<Agent>());
    rows_.emplace_back();
  } else {
    slot = empty_.back();
    empty_.pop_back();
    agents_[slot] = std::make_unique<Agent>();
  }
  REPATH_CHECK(by_id_.emplace(id, slot).second);
  agents_[slot]->spec.id = id;
  rows_[slot].standing = Standing::kNone;
  return slot;
}

void AgentTable::remove(Slot slot) {
  by_id_.erase(agents_[slot]->spec.id);
  agents_[slot].reset();
  rows_[slot] = {};
  empty_.push_back(slot);
}

std::optional<Slot> AgentTable::find(AgentId id) const {
  const auto it = by_id_.find(id);
  if (it == by_id_.end()) return std::nullopt;
  return it->second;
}

}  // namespace repath
