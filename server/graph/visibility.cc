#include "graph/visibility.h"

#include <algorithm>
#include <map>
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

// Returns the corners at each place, places in the order of their first corners.
std::vector<std::vector<VisibilityMap::Corner>> by_place(
    std::span<const VisibilityMap::Corner> corners) {
  std::map<LatticePoint, std::size_t> number;
  std::vector<std::vector<VisibilityMap::Corner>> places;
  for (const VisibilityMap::Corner& corner : corners) {
    const auto [found, is_new] = number.try_emplace(corner.at, places.size());
    if (is_new) places.emplace_back();
    places[found->second].push_back(corner);
  }
  return places;
}

}  // namespace

VisibilityMap::VisibilityMap(std::vector<LatticeRing> obstacles,
                             const std::optional<LatticeBox>& within) {
  for (LatticeRing& ring : obstacles) {
    units_ += 1 + ring.size();
    const LatticeBox box = bounds_of(ring);
    rings_.push_back({std::move(ring), box});
  }
  for (std::uint32_t r = 0; r < rings_.size(); ++r)
    for (std::uint32_t i = 0; i < rings_[r].ring.size(); ++i) {
      const LatticePoint at = rings_[r].ring[i];
      if ((!within || within->holds(at)) && !is_blocked(at)) corners_.push_back({at, r, i});
    }
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

bool VisibilityMap::sees(LatticePoint p, LatticePoint q, Look* look) const {
  std::vector<Side> sides;
  const LatticeBox line = bounds_of(p, q);
  const auto is_blocker = [&](std::uint32_t r) {
    if (!rings_[r].box.meets(line)) return false;
    look->units += rings_[r].ring.size();
    return blocks(rings_[r].ring, p, q, &sides);
  };
  if (look->ring < rings_.size() && is_blocker(look->ring)) return false;
  sides.clear();
  for (std::uint32_t r = 0; r < rings_.size(); ++r)
    if (is_blocker(r)) {
      look->units += r / 4;  // boxes are looked at
      look->ring = r;
      return false;
    }
  look->units += 1 + rings_.size() / 4;
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
  const std::size_t first = points.size();
  const std::vector<std::vector<VisibilityMap::Corner>> places = by_place(map.corners());
  const std::size_t size = first + places.size();
  if (size > kVisibilityCornersMax)
    return make_error(absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", "",
                      "there are " + std::to_string(size) + " points and corners; the limit is " +
                          std::to_string(kVisibilityCornersMax));
  const auto at = [&](std::size_t i) {
    return i < first ? points[i] : places[i - first].front().at;
  };
  const auto is_tangent = [&](std::size_t i, LatticePoint p) {
    return i < first || std::ranges::any_of(places[i - first], [&](const auto& corner) {
             return map.is_tangent(corner, p);
           });
  };
  GraphSource source;
  VisibilityMap::Look look;
  std::vector<bool> used(size, false);
  std::fill_n(used.begin(), first, true);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = i + 1; k < size; ++k) {
      look.units += 2;
      if (work != nullptr && !work->spend(std::exchange(look.units, 0))) return work->error("");
      if (!is_tangent(i, at(k)) || !is_tangent(k, at(i)) || !map.sees(at(i), at(k), &look))
        continue;
      if (source.edges.size() == kGraphEdgesMax / 2)
        return make_error(
            absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", "",
            "more than " + std::to_string(kGraphEdgesMax / 2) + " pairs see each other");
      source.edges.push_back({.from = i, .to = k, .cost = {}, .both = true});
      used[i] = used[k] = true;
    }
  std::vector<std::uint64_t> ids(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (!used[i]) continue;
    const Point p = to_point(at(i));
    ids[i] = source.nodes.size() + 1;
    source.nodes.push_back({.id = ids[i], .x = p.x, .y = y, .z = p.z});
  }
  for (GraphEdge& edge : source.edges) {
    edge.from = ids[edge.from];
    edge.to = ids[edge.to];
  }
  return source;
}

}  // namespace repath
