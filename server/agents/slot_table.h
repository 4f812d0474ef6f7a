// The agents of one world by id, in slots that stay put, and beside each a short row with what the
// filters read of every agent at every commit.
//
// Agent has a `spec` (AgentSpec); Row a `standing` whose type has kEmpty, as a new Row has it, and
// kNone. Not thread-safe. Slots of removed agents are used again. Invariants: 1. rows()[s] speaks
// for the agent in slot s; an empty slot's row is a new Row; 2. by_id() and find() agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agents/agent.h"
#include "base/check.h"
#include "base/ids.h"

namespace repath {

template <class Agent, class Row>
class SlotTable {
 public:
  using Slot = std::uint32_t;

  // REQUIRES: the id is not there. Its row has kNone. O(log n).
  Slot add(AgentId id) {
    auto slot = static_cast<Slot>(agents_.size());
    if (empty_.empty()) {
      agents_.push_back(std::make_unique<Agent>());
      rows_.emplace_back();
    } else {
      slot = empty_.back();
      empty_.pop_back();
      agents_[slot] = std::make_unique<Agent>();
    }
    const bool is_new = slot_of_.emplace(id, slot).second;
    REPATH_CHECK(is_new);
    by_id_.emplace(id, slot);
    agents_[slot]->spec.id = id;
    rows_[slot].standing = decltype(Row::standing)::kNone;
    return slot;
  }

  // REQUIRES: not empty. O(log n).
  void remove(Slot slot) {
    const AgentId id = agents_[slot]->spec.id;
    slot_of_.erase(id);
    by_id_.erase(id);
    agents_[slot].reset();
    rows_[slot] = {};
    empty_.push_back(slot);
  }

  // O(1): every report asks.
  std::optional<Slot> find(AgentId id) const {
    const auto at = slot_of_.find(id);
    if (at == slot_of_.end()) return std::nullopt;
    return at->second;
  }

  // Null: the slot is empty.
  const Agent* get(Slot slot) const { return agents_[slot].get(); }
  // REQUIRES: not empty.
  Agent& operator[](Slot slot) { return *agents_[slot]; }
  const Agent& operator[](Slot slot) const { return *agents_[slot]; }
  Row& row(Slot slot) { return rows_[slot]; }
  const Row& row(Slot slot) const { return rows_[slot]; }
  // By slot.
  const std::vector<Row>& rows() const { return rows_; }
  // Ascending by id.
  const std::map<AgentId, Slot>& by_id() const { return by_id_; }
  std::size_t size() const { return by_id_.size(); }

 private:
  std::vector<std::unique_ptr<Agent>> agents_;
  std::vector<Row> rows_;
  std::vector<Slot> empty_;
  std::map<AgentId, Slot> by_id_;
  std::unordered_map<AgentId, Slot> slot_of_;  // never iterated
};

}  // namespace repath
