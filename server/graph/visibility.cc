#include "graph/visibility.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

bool is_inside(const LatticeRing& ring, LatticePoint p) {
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (turn(ring[i], ring[(i + 1) % ring.size()], p) <= 0) return false;
  return true;
}

}  // namespace

VisibilityMap::VisibilityMap(std::vector<LatticeRing> obstacles) {
  for (LatticeRing& ring : obstacles) {
    units_ += 1 + ring.size();
    const LatticeBox box = bounds_of(ring);
    rings_.push_back({std::move(ring), box});
  }
  for (std::uint32_t r = 0; r < rings_.size(); ++r)
    for (std::uint32_t i = 0; i < rings_[r].ring.size(); ++i)
      if (!is_blocked(rings_[r].ring[i])) corners_.push_back({rings_[r].ring[i], r, i});
}

bool VisibilityMap::is_blocked(LatticePoint p) const {
  return std::ranges::any_of(
      rings_, [p](const Bounded& b) { return b.box.holds(p) && is_inside(b.ring, p); });
}

// Returns whether the straight line from p to q enters the inside of the ring. It does not iff one
// of the ring's edges, or the line itself, separates both. Appends to `sides` where the ring runs
// along the line.
bool VisibilityMap::blocks(const LatticeRing& ring, LatticePoint p, LatticePoint q,
                           std::vector<Side>* sides) {
  bool left = false;
  bool right = false;
  bool separated = false;
  const std::size_t n = ring.size();
  for (std::size_t i = 0; i < n; ++i) {
    const LatticePoint a = ring[i];
    const LatticePoint b = ring[(i + 1) % n];
    const std::int64_t side = turn(p, q, a);
    left = left || side > 0;
    right = right || side < 0;
    separated = separated || (turn(a, b, p) <= 0 && turn(a, b, q) <= 0);
    if (side != 0 || turn(p, q, b) != 0) continue;
    // The inside is to the left of a -> b.
    const auto [begin, end] = std::minmax({along_line(p, q, a), along_line(p, q, b)});
    sides->push_back({std::max<std::int64_t>(begin, 0), std::min(end, along_line(p, q, q)),
                      along_line(p, q, a) < along_line(p, q, b)});
  }
  return !separated && left && right;
}

bool VisibilityMap::sees(LatticePoint p, LatticePoint q) const {
  std::vector<Side> sides;
  for (const Bounded& b : rings_)
    if (b.box.meets(bounds_of(p, q)) && blocks(b.ring, p, q, &sides)) return false;
  for (const Side& one : sides)
    for (const Side& other : sides)
      if (one.left && !other.left &&
          std::max(one.begin, other.begin) < std::min(one.end, other.end))
        return false;
  return true;
}

bool VisibilityMap::is_tangent(const Corner& corner, LatticePoint p) const {
  const LatticeRing& ring = rings_[corner.ring].ring;
  const std::size_t n = ring.size();
  const std::int64_t before = turn(corner.at, p, ring[(corner.number + n - 1) % n]);
  const std::int64_t after = turn(corner.at, p, ring[(corner.number + 1) % n]);
  return (before >= 0 && after >= 0) || (before <= 0 && after <= 0);
}

absl::StatusOr<GraphSource> visibility_graph(const VisibilityMap& map,
                                             std::span<const LatticePoint> points, double y,
                                             WorkMeter* work) {
  const std::span<const VisibilityMap::Corner> corners = map.corners();
  const std::size_t first = points.size();
  const std::size_t size = first + corners.size();
  if (size > kVisibilityCornersMax)
    return make_error(absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", "",
                      "there are " + std::to_string(size) + " points and corners; the limit is " +
                          std::to_string(kVisibilityCornersMax));
  GraphSource source;
  const auto at = [&](std::size_t i) { return i < first ? points[i] : corners[i - first].at; };
  for (std::size_t i = 0; i < size; ++i) {
    const Point p = to_point(at(i));
    source.nodes.push_back({.id = i + 1, .x = p.x, .y = y, .z = p.z});
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = i + 1; k < size; ++k) {
      if (i >= first && !map.is_tangent(corners[i - first], at(k))) continue;
      if (k >= first && !map.is_tangent(corners[k - first], at(i))) continue;
      if (work != nullptr && !work->spend(map.units())) return work->error("");
      if (!map.sees(at(i), at(k))) continue;
      if (source.edges.size() == kGraphEdgesMax / 2)
        return make_error(
            absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", "",
            "more than " + std::to_string(kGraphEdgesMax / 2) + " pairs see each other");
      source.edges.push_back({.from = i + 1, .to = k + 1, .cost = {}, .both = true});
    }
  return source;
}

}  // namespace repath
