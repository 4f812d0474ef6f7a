// Checks that the rings of a floor are simple, disjoint and properly nested: a part of
// navmesh/import/floor_plan.h. Pure functions, safe on any thread.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/work_meter.h"
#include "geometry/ring.h"

namespace repath {

struct PlanRing {
  LatticeRing corners;  // of either orientation
  std::string field;    // "floors[0].outer"
};

// Checks the rings; the first is the outer one. Returns PLAN_NOT_SIMPLE or PLAN_HOLE, naming the
// corner or ring, or WorkMeter::error(), naming the outer ring. Exact. O(n^2) at worst, sorted by
// z.
absl::Status check_rings(const std::vector<PlanRing>& rings, WorkMeter* work);

// Decides by the parity of edges to the left. REQUIRES: p is on none of the edges.
bool lies_inside(const LatticeRing& ring, LatticePoint p);

}  // namespace repath
