// Points of visibility: the corners of grown obstacles, linked where no obstacle is between them.
//
// Source: T. Lozano-Perez, M. Wesley, "An algorithm for planning collision-free paths among
// polyhedral obstacles", 1979; redundant corners and edges as in the reduced visibility graph.
//
// Obstacles are convex rings grown by the agent's radius (geometry/grow.h), so the agent is a
// point. Ground is every place that is not inside an obstacle. An agent may walk along an edge, but
// not along the seam of two obstacles that touch; where two touch in a single point it may pass
// between them. A corner inside another obstacle is left out, and so is an edge that is not tangent
// to the obstacle at both ends, because no shortest path uses them. Corners at one place make one
// node; an edge then is tangent to one of their obstacles. Exact: signs of determinants on the
// lattice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  // Copies the rings; corners outside `within` are left out. REQUIRES: the rings are convex and
  // counterclockwise, without straight corners. O(corners x rings).
  explicit VisibilityMap(std::vector<LatticeRing> obstacles,
                         const std::optional<LatticeBox>& within = std::nullopt);

  struct Corner {
    LatticePoint at;
    std::uint32_t ring = 0;
    std::uint32_t number = 0;
  };
  // Returns the corners that are not inside an obstacle, in the order of ring and number.
  std::span<const Corner> corners() const { return corners_; }

  // Returns whether p is inside an obstacle, not merely on its edge.
  bool is_blocked(LatticePoint p) const;
  // Lines of sight that are looked along one after the other.
  struct Look {
    std::uint32_t ring = 0;   // is tried first: the one that blocked the last blocked line
    std::uint64_t units = 0;  // work units so far
  };
  // Returns whether the straight line from p to q is free. O(all corners).
  bool sees(LatticePoint p, LatticePoint q) const {
    Look look;
    return sees(p, q, &look);
  }
  bool sees(LatticePoint p, LatticePoint q, Look* look) const;
  // Returns the approximate maximum work of sees() and is_blocked(), in work units.
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

// Returns the graph. Its first nodes are `points`, with ids from 1 on, linked to every point and
// corner that they see. The corners that see any other place follow, one node for each place. All
// have the height `y`, and costs are distances. Errors: RESOURCE_EXHAUSTED with reason
// GRAPH_TOO_LARGE if points and corners are more than kVisibilityCornersMax together, or
// WorkMeter::error() (null: no bound). REQUIRES: |y| <= kLatticeExtent. O(n^2 corners).
absl::StatusOr<GraphSource> visibility_graph(const VisibilityMap& map,
                                             std::span<const LatticePoint> points, double y,
                                             WorkMeter* work = nullptr);

}  // namespace repath
