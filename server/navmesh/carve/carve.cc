#include "navmesh/carve/carve.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "base/check.h"

namespace repath {
namespace {

// Returns where CarveBorder::find begins the loop around a cell that loses no ground: with the
// lesser of the two sides at its least corner.
std::uint32_t begin_of_loop(std::span<const LatticePoint> cell) {
  const auto size = static_cast<std::uint32_t>(cell.size());
  const auto least = static_cast<std::uint32_t>(std::ranges::min_element(cell) - cell.begin());
  const std::uint32_t before = least == 0 ? size - 1 : least - 1;
  const std::uint32_t after = least + 1 == size ? 0 : least + 1;
  return cell[after] < cell[before] ? least : before;
}

}  // namespace

bool has_beyond(std::span<const LatticePoint> ring, std::span<const LatticePoint> others) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LatticePoint a = ring[i];
    const LatticePoint b = ring[i + 1 == ring.size() ? 0 : i + 1];
    const std::int64_t length =
        std::abs(std::int64_t{b.x} - a.x) + std::abs(std::int64_t{b.z} - a.z);
    const std::int64_t far = -kCarveMargin * length;
    if (std::ranges::all_of(others, [=](LatticePoint p) { return turn(a, b, p) < far; }))
      return true;
  }
  return false;
}

bool Carver::whole_cell(std::span<const LatticePoint> cell, std::uint32_t begin, Carving* out) {
  for (std::uint32_t k = 0; k < cell.size(); ++k) {
    const auto i = static_cast<std::uint32_t>((begin + k) % cell.size());
    out->edges.push_back({cell[i], FragmentEdgeKind::kBase, i, ObstacleId{}});
  }
  out->fragment_ends.push_back(static_cast<std::uint32_t>(cell.size()));
  return true;
}

bool Carver::carve(std::span<const LatticePoint> cell, std::span<const CarveObstacle> obstacles,
                   Carving* out, WorkMeter* work) {
  WorkMeter endless(kNoWorkLimits);
  if (work == nullptr) work = &endless;
  out->edges.clear();
  out->fragment_ends.clear();
  out->diagonals = 0;
  out->grounds.clear();
  near_.clear();
  rings_.clear();
  soft_.clear();
  const LatticeBox around = bounds_of(cell).grown(kCarveMargin);
  for (const CarveObstacle& o : obstacles) {
    if (!around.meets(bounds_of(o.ring))) continue;
    if (!o.effect.blocks)
      soft_.push_back({static_cast<std::uint32_t>(near_.size()), o.id, o.effect});
    near_.push_back(o);
    rings_.push_back(o.ring);
  }
  if (near_.empty()) return whole_cell(cell, 0, out);
  // Obstacles that are near by their bounds often take nothing. That is found out without an
  // arrangement, with the same result.
  find_reaching(cell);
  if (reaching_.empty()) return whole_cell(cell, begin_of_loop(cell), out);
  if (soft_.empty() && !always_arranges_ && plain_.find(cell, rings_, reaching_, work))
    return append_fragments(plain_, out, work);
  if (!border_.find(cell, rings_, soft_, work)) return false;
  for (std::uint32_t g = 0; g < border_.grounds().size(); ++g) {
    border_.trace(g);
    if (!append_fragments(border_, out, work)) return false;
    if (border_.grounds().size() > 1)
      out->grounds.resize(out->fragment_ends.size(), border_.grounds()[g]);
  }
  if (std::ranges::none_of(out->grounds, &FragmentGround::is_changed)) out->grounds.clear();
  return true;
}

void Carver::find_reaching(std::span<const LatticePoint> cell) {
  reaching_.clear();
  for (std::uint32_t i = 0; i < rings_.size(); ++i)
    if (!has_beyond(cell, rings_[i]) && !has_beyond(rings_[i], cell)) reaching_.push_back(i);
}

template <class Border>
bool Carver::append_fragments(const Border& border, Carving* out, WorkMeter* work) {
  const bool done = partitioner_.run(border.points(), border.loop_ends(),
                                     PartitionMethod::kShortestDiagonals, &partition_, work);
  if (work->is_over()) return false;
  REPATH_CHECK(done);  // every reflex corner of an arrangement sees another corner
  const auto before = static_cast<std::uint32_t>(out->edges.size());
  out->edges.resize(before + partition_.edges.size());
  FragmentEdge* edge = out->edges.data() + before;
  for (const PartitionEdge& e : partition_.edges) {
    const LatticePoint from = partition_.points[e.from];
    if ((e.source & kDiagonalBit) != 0) {
      *edge++ = {from, FragmentEdgeKind::kDiagonal, out->diagonals + (e.source & ~kDiagonalBit),
                 ObstacleId{}};
      continue;
    }
    const BorderSource source = border.sources()[e.source];
    if (source.ring == kBaseRing) {
      *edge++ = {from, FragmentEdgeKind::kBase, source.edge, ObstacleId{}};
    } else if (source.ring == kSeamRing) {
      *edge++ = {from, FragmentEdgeKind::kSeam, 0, ObstacleId{}};
    } else {
      const CarveObstacle& o = near_[source.ring];
      *edge++ = {from, FragmentEdgeKind::kObstacle, o.first_corner + source.edge, o.id};
    }
  }
  for (const std::uint32_t end : partition_.cell_ends) out->fragment_ends.push_back(before + end);
  out->diagonals += partition_.diagonals;
  return true;
}

}  // namespace repath
