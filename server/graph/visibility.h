// Points of visibility: the corners of grown obstacles, linked where no obstacle is between them.
//
// Source: T. Lozano-Perez, M. Wesley, "An algorithm for planning collision-free paths among
// polyhedral obstacles", 1979; redundant corners and edges as in the reduced visibility graph.
//
// Obstacles are convex rings grown by the agent's radius (geometry/grow.h), so the agent is a
// point. Ground is every place that is not inside an obstacle. An agent may walk along an edge, but
// not along the seam of two obstacles that touch; where two touch in a single point it may pass
// between them. A corner inside another obstacle is left out, and so is an edge that is not tangent
// to the obstacle at both ends, because no shortest path uses them. Exact: signs of determinants on
// the lattice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "geometry/ring.h"
#include "graph/graph_source.h"

namespace repath {

inline constexpr std::size_t kVisibilityCornersMax = 8192;

class VisibilityMap {
 public:
  // Copies the rings. REQUIRES: they are convex and counterclockwise, without straight corners.
  explicit VisibilityMap(std::vector<LatticeRing> obstacles);

  struct Corner {
    LatticePoint at;
    std::uint32_t ring = 0;
    std::uint32_t number = 0;
  };
  // Returns the corners that are not inside an obstacle, in the order of ring and number.
  std::span<const Corner> corners() const { return corners_; }

  // Returns whether p is inside an obstacle, not merely on its edge.
  bool is_blocked(LatticePoint p) const;
  // Returns whether the straight line from p to q is free. O(all corners).
  bool sees(LatticePoint p, LatticePoint q) const;
  // Returns the approximate maximum work of sees(), in work units.
  std::uint64_t units() const { return units_; }
  // Returns whether the line from the corner to p leaves the corner's obstacle on one side.
  bool is_tangent(const Corner& corner, LatticePoint p) const;

 private:
  struct Bounded {
    LatticeRing ring;
    LatticeBox box;
  };
  // A stretch of a line along which a ring runs, measured by dot products with the line's
  // direction.
  struct Side {
    std::int64_t begin;
    std::int64_t end;
    bool left;
  };
  static bool blocks(const LatticeRing& ring, LatticePoint p, LatticePoint q,
                     std::vector<Side>* sides);

  std::vector<Bounded> rings_;
  std::uint64_t units_ = 0;
  std::vector<Corner> corners_;
};

// Returns the graph: first `points` (ids from 1 on, linked to every point and corner they see),
// then the corners, all at height `y`; costs are distances. Errors: RESOURCE_EXHAUSTED with reason
// GRAPH_TOO_LARGE if points and corners are more than kVisibilityCornersMax together, or
// WorkMeter::error() (null: no bound). REQUIRES: |y| <= kLatticeExtent. O(n^2 corners).
absl::StatusOr<GraphSource> visibility_graph(const VisibilityMap& map,
                                             std::span<const LatticePoint> points, double y,
                                             WorkMeter* work = nullptr);

}  // namespace repath
