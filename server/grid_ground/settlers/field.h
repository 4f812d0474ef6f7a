// Settler `field`: one search from the goals, which all agents that share them read.
//
// Why it is exact: GoalField (search/incremental/goal_field.h) proves a node once it is consistent
// and no entry of the queue can still lower it. The field reads the world's revision, or an older
// one that answers the agent's question. Its answer goes through all deltas since
// (Settling::finish).
//
// Where jump point search can answer, a field is only made or repaired when that costs less than a
// search for each agent that waits (SearchCosts::field_pays).
#pragma once

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class FieldSettler final : public Settler {
 public:
  explicit FieldSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  bool answers_as_it_is(const SearchState& field, Slot slot) const;

  Planning& p_;
};

}  // namespace repath
