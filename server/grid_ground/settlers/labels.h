// Settlers named `labels`: component labels say that the agent and its goals do not hang together.
//
// Why they are exact: labels unite all cells that hang together, and both ends of every link
// whatever its direction (grid/components/components.h). If no goal node has the agent's label at
// the world's revision, no path leads to one. That two labels are equal proves nothing here.
//
// Current labels cost a look, so they are asked before any search. Labels that lie behind cost what
// brings them up to date. If jump point search can answer, it goes first, and labels are asked once
// it has taken as long as they would (SearchCosts::units_before_labels).
#pragma once

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class LabelsSettler final : public Settler {
 public:
  explicit LabelsSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  Planning& p_;
};

// Asked later in a turn than LabelsSettler, of the agents that it left to this one.
class LabelsBehindSettler final : public Settler {
 public:
  explicit LabelsBehindSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  Planning& p_;
};

}  // namespace repath
