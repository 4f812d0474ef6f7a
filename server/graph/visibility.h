// Points of visibility: the corners of grown obstacles, linked where nothing is in the way.
//
// Source: T. Lozano-Perez, M. Wesley, "An algorithm for planning collision-free paths among
// polyhedral obstacles", 1979; redundant corners and edges as in the reduced visibility graph.
// Obstacles are convex rings grown by the walker's radius (geometry/grow.h), so a walker is a
// point. Ground is what lies inside of none; one may walk along an edge, but not along the seam of
// two obstacles that touch. (Where two touch in a single point one passes between them.) A corner
// inside another obstacle is left out, as is an edge that is not tangent to the obstacle at both
// ends: no shortest path uses either. Exact: signs of determinants on the lattice.
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
  // Copies the rings. REQUIRES: convex, counterclockwise, no straight corner.
  explicit VisibilityMap(std::vector<LatticeRing> obstacles);

  struct Corner {
    LatticePoint at;
    std::uint32_t ring = 0;
    std::uint32_t number = 0;
  };
  // Those not inside of an obstacle, by ring and number.
  std::span<const Corner> corners() const { return corners_; }

  // Inside of an obstacle, not on its edge.
  bool is_blocked(LatticePoint p) const;
  // Whether one can walk straight from p to q. O(all corners).
  bool sees(LatticePoint p, LatticePoint q) const;
  // About so many work units does sees() take at most.
  std::uint64_t units() const { return units_; }
  // Whether the line from the corner to p leaves the corner's obstacle on one side.
  bool is_tangent(const Corner& corner, LatticePoint p) const;

 private:
  struct Bounded {
    LatticeRing ring;
    LatticePoint low;
    LatticePoint high;
  };
  // Where a ring runs along a way, as far as products of directions tell.
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

// The graph: first `points` (ids from 1 on, linked to all they see), then the corners, all at
// height `y`, costs their distances. RESOURCE_EXHAUSTED with GRAPH_TOO_LARGE if there are more than
// kVisibilityCornersMax of both, or WorkMeter::error (null: no bound). REQUIRES: |y| <=
// kLatticeExtent. O(n^2 corners).
absl::StatusOr<GraphSource> visibility_graph(const VisibilityMap& map,
                                             std::span<const LatticePoint> points, double y,
                                             WorkMeter* work = nullptr);

}  // namespace repath
