#include "navmesh/carve.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace repath {
namespace {

struct Bounds {
  LatticePoint low;
  LatticePoint high;
};

Bounds bounds_of(std::span<const LatticePoint> ring) {
  Bounds b{ring[0], ring[0]};
  for (const LatticePoint p : ring) {
    b.low = {std::min(b.low.x, p.x), std::min(b.low.z, p.z)};
    b.high = {std::max(b.high.x, p.x), std::max(b.high.z, p.z)};
  }
  return b;
}

bool are_near(const Bounds& a, const Bounds& b) {
  return a.low.x - kCarveMargin <= b.high.x && b.low.x - kCarveMargin <= a.high.x &&
         a.low.z - kCarveMargin <= b.high.z && b.low.z - kCarveMargin <= a.high.z;
}

}  // namespace

void Carver::whole_cell(std::span<const LatticePoint> cell, Carving* out) {
  for (std::uint32_t i = 0; i < cell.size(); ++i)
    out->edges.push_back({cell[i], FragmentEdgeKind::kBase, i, ObstacleId{}});
  out->fragment_ends.push_back(static_cast<std::uint32_t>(cell.size()));
}

void Carver::carve(std::span<const LatticePoint> cell, std::span<const CarveObstacle> obstacles,
                   Carving* out) {
  out->edges.clear();
  out->fragment_ends.clear();
  out->diagonals = 0;
  near_.clear();
  rings_.clear();
  const Bounds bounds = bounds_of(cell);
  for (const CarveObstacle& o : obstacles)
    if (are_near(bounds, bounds_of(o.ring))) {
      near_.push_back(o);
      rings_.push_back(o.ring);
    }
  if (near_.empty()) return whole_cell(cell, out);
  border_.find(cell, rings_);
  const bool done = partitioner_.run(border_.points(), border_.loop_ends(),
                                     PartitionMethod::kShortestDiagonals, &partition_);
  REPATH_CHECK(done);  // an arrangement has no reflex corner that sees nothing
  for (const PartitionEdge& e : partition_.edges) {
    const LatticePoint from = partition_.points[e.from];
    if ((e.source & kDiagonalBit) != 0) {
      out->edges.push_back(
          {from, FragmentEdgeKind::kDiagonal, e.source & ~kDiagonalBit, ObstacleId{}});
      continue;
    }
    const BorderSource source = border_.sources()[e.source];
    if (source.ring == kBaseRing) {
      out->edges.push_back({from, FragmentEdgeKind::kBase, source.edge, ObstacleId{}});
    } else {
      const CarveObstacle& o = near_[source.ring];
      out->edges.push_back({from, FragmentEdgeKind::kObstacle, o.first_corner + source.edge, o.id});
    }
  }
  out->fragment_ends = partition_.cell_ends;
  out->diagonals = partition_.diagonals;
}

}  // namespace repath
