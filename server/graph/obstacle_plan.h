// Reads the ground of a plan as obstacles: what surrounds its outline, and the polygons in it. All
// are grown by the radius of an agent, so the agent is a point.
//
// {"outer": [[x, z], ...], "holes": [[[x, z], ...], ...], "radius": 0.5}
// World units; corners are rounded to the lattice. Rings may run either way. Each must be simple,
// but holes may overlap each other and the outline. Without "outer" the ground has no end. Pure
// functions, safe on any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json_input.h"
#include "base/work_meter.h"
#include "geometry/ring.h"
#include "graph/visibility.h"

namespace repath {

inline constexpr double kPlanRadiusMax = 64;  // world units

struct ObstaclePlan {
  // Convex, counterclockwise, without straight corners. With a radius their corners are on
  // millimetres (geometry/grow.h); without one they are those of the plan, exactly.
  std::vector<LatticeRing> obstacles;
  LatticeRing outer;  // counterclockwise; empty if the ground has no end

  // Returns the bounds of the outline; empty without one.
  std::optional<LatticeBox> bounds() const;
  // Returns whether an agent can stand there: on or within the outline, and in no obstacle. `map`
  // is made of `obstacles`. Exact. O(corners).
  bool is_open(const VisibilityMap& map, LatticePoint p) const;
};

// Reads the three members of the object; the caller looks for unknown ones. `needs_radius`: a
// missing "radius" is an error; otherwise it is 0. Errors:
// - INVALID_ARGUMENT, naming the field ("holes[1][4]"), with reason JSON_FIELD (missing or out of
//   range) or PLAN_NOT_SIMPLE (a corner whose edge touches another edge or turns back on itself).
// - RESOURCE_EXHAUSTED with reason GRAPH_TOO_LARGE: more than kVisibilityCornersMax corners.
// - OUT_OF_RANGE with reason OUTSIDE_LATTICE: a grown ring, or what surrounds the outline, would
//   leave the extent of the lattice.
// - WorkMeter::error(), naming the ring.
// O(n^2) in the corners of a ring.
absl::StatusOr<ObstaclePlan> read_obstacle_plan(const JsonObject& plan, bool needs_radius,
                                                WorkMeter* work);

}  // namespace repath
