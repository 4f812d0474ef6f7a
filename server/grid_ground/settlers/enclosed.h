// Settler `enclosed`: a look around the agent and around its goals.
//
// Why it is exact: in_pocket (grid/components/surroundings.h) walks around all ground that hangs
// together with a place, and gives up after a few dozen cells. If it comes to the end of that
// ground without meeting the other place, no path leads from one to the other at the world's
// revision.
#pragma once

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

class EnclosedSettler final : public Settler {
 public:
  explicit EnclosedSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  bool is_enclosed(const Turn& turn);

  Planning& p_;
};

}  // namespace repath
