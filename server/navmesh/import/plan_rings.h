// Whether the rings of a floor are simple, disjoint and nested as they must be: a part of
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

// The first ring is the outer one. PLAN_NOT_SIMPLE or PLAN_HOLE, naming the corner or ring. Exact.
// O(n^2) at worst, sorted by z; WorkMeter::error, naming the outer ring, if that is over.
absl::Status check_rings(const std::vector<PlanRing>& rings, WorkMeter* work);

// By the parity of edges to the left. REQUIRES: p is on none of them.
bool lies_inside(const LatticeRing& ring, LatticePoint p);

}  // namespace repath
