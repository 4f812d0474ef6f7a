// Finds the agents of one world by id. Each agent has a slot that stays the same. A short row for
// each slot holds the data that the filters read at every commit.
//
// `Agent` has a `spec` (AgentSpec). `Row` has a `standing`, whose type has the values kEmpty (in a
// new Row) and kNone. Not thread-safe. Slots of removed agents are used again. Invariants:
// 1. rows()[s] describes the agent in slot s; the row of an empty slot is a new Row.
// 2. by_id() and find() agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "agents/agent.h"
#include "base/check.h"
#include "base/ids.h"

namespace repath {

template <class Agent, class Row>
class SlotTable {
 public:
  using Slot = std::uint32_t;

  // Adds an agent and sets the standing of its row to kNone. REQUIRES: no agent has this id.
  // O(log n).
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

  // Removes the agent in the slot. REQUIRES: the slot is not empty. O(log n).
  void remove(Slot slot) {
    const AgentId id = agents_[slot]->spec.id;
    slot_of_.erase(id);
    by_id_.erase(id);
    agents_[slot].reset();
    rows_[slot] = {};
    empty_.push_back(slot);
  }

  // Returns the slot of an agent. O(1), because every report asks.
  std::optional<Slot> find(AgentId id) const {
    const auto at = slot_of_.find(id);
    if (at == slot_of_.end()) return std::nullopt;
    return at->second;
  }

  // Returns the agent in the slot; null if the slot is empty.
  const Agent* get(Slot slot) const { return agents_[slot].get(); }
  // Return the agent in the slot. REQUIRES: the slot is not empty.
  Agent& operator[](Slot slot) { return *agents_[slot]; }
  const Agent& operator[](Slot slot) const { return *agents_[slot]; }
  Row& row(Slot slot) { return rows_[slot]; }
  const Row& row(Slot slot) const { return rows_[slot]; }
  // Returns the rows, indexed by slot.
  const std::vector<Row>& rows() const { return rows_; }
  // Returns the agents in ascending order of their ids.
  const std::map<AgentId, Slot>& by_id() const { return by_id_; }
  std::size_t size() const { return by_id_.size(); }

 private:
  std::vector<std::unique_ptr<Agent>> agents_;
  std::vector<Row> rows_;
  std::vector<Slot> empty_;
  std::map<AgentId, Slot> by_id_;
  // Seeded, because clients choose the ids. Never iterated.
  absl::flat_hash_map<AgentId, Slot> slot_of_;
};

}  // namespace repath
