#include "navmesh/import/plan_rings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

struct PlanEdge {
  LatticePoint a;
  LatticePoint b;
  std::uint32_t ring;
  std::uint32_t corner;
  std::int32_t low() const { return std::min(a.z, b.z); }
  std::int32_t high() const { return std::max(a.z, b.z); }
};

absl::Status not_simple(const std::vector<PlanRing>& rings, std::uint32_t ring, std::size_t corner,
                        const std::string& what) {
  return invalid_field("PLAN_NOT_SIMPLE", item(rings[ring].field, corner), what);
}

bool are_neighbours(const std::vector<PlanRing>& rings, const PlanEdge& e, const PlanEdge& f) {
  if (e.ring != f.ring) return false;
  const std::size_t n = rings[e.ring].corners.size();
  return (e.corner + 1) % n == f.corner || (f.corner + 1) % n == e.corner;
}

// Reports neighbouring edges that lie on each other, and edges without length.
absl::Status check_corners(const std::vector<PlanRing>& rings) {
  for (std::uint32_t r = 0; r < rings.size(); ++r) {
    const LatticeRing& ring = rings[r].corners;
    const std::size_t n = ring.size();
    for (std::size_t i = 0; i < n; ++i)
      if (ring[i] == ring[(i + n - 1) % n])
        return not_simple(rings, r, i, "this corner equals the one before it, rounded to 1/16 mm");
    for (std::size_t i = 0; i < n; ++i) {
      const LatticePoint before = ring[(i + n - 1) % n];
      const LatticePoint after = ring[(i + 1) % n];
      if (turn(before, ring[i], after) == 0 && onward(before, ring[i], after) <= 0)
        return not_simple(rings, r, i, "the two edges at this corner lie on each other");
    }
  }
  return absl::OkStatus();
}

std::vector<PlanEdge> edges_by_z(const std::vector<PlanRing>& rings) {
  std::vector<PlanEdge> edges;
  for (std::uint32_t r = 0; r < rings.size(); ++r) {
    const LatticeRing& ring = rings[r].corners;
    for (std::uint32_t i = 0; i < ring.size(); ++i)
      edges.push_back({ring[i], ring[(i + 1) % ring.size()], r, i});
  }
  std::ranges::sort(
      edges, {}, [](const PlanEdge& e) { return std::pair(e.low(), std::pair(e.ring, e.corner)); });
  return edges;
}

absl::Status check_edges(const std::vector<PlanRing>& rings, WorkMeter* work) {
  const std::vector<PlanEdge> edges = edges_by_z(rings);
  using Pair = std::pair<std::pair<std::uint32_t, std::uint32_t>, const PlanEdge*>;
  std::optional<Pair> first;  // least corner whose edge meets another, and that other edge
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t k = i + 1; k < edges.size() && edges[k].low() <= edges[i].high(); ++k) {
      if (!work->spend(2)) return work->error(rings[0].field);
      if (are_neighbours(rings, edges[i], edges[k]) ||
          !segments_meet(edges[i].a, edges[i].b, edges[k].a, edges[k].b))
        continue;
      for (const auto& [e, f] : {std::pair(i, k), std::pair(k, i)})
        if (const Pair found{{edges[e].ring, edges[e].corner}, &edges[f]};
            !first || found.first < first->first)
          first = found;
    }
  if (!first) return absl::OkStatus();
  const PlanEdge& other = *first->second;
  return not_simple(rings, first->first.first, first->first.second,
                    "the edge from this corner meets the edge from " +
                        item(rings[other.ring].field, other.corner) +
                        "; rings must neither cross nor touch");
}

}  // namespace

bool lies_inside(const LatticeRing& ring, LatticePoint p) {
  bool inside = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    LatticePoint a = ring[i];
    LatticePoint b = ring[(i + 1) % ring.size()];
    if (a.z > b.z) std::swap(a, b);
    if (a.z <= p.z && p.z < b.z && turn(a, b, p) < 0) inside = !inside;
  }
  return inside;
}

absl::Status check_rings(const std::vector<PlanRing>& rings, WorkMeter* work) {
  if (auto s = check_corners(rings); !s.ok()) return s;
  if (auto s = check_edges(rings, work); !s.ok()) return s;
  std::uint64_t corners = 0;
  for (const PlanRing& ring : rings) corners += ring.corners.size();
  for (std::size_t r = 1; r < rings.size(); ++r) {
    if (!work->spend(2 * corners)) return work->error(rings[r].field);
    if (!lies_inside(rings[0].corners, rings[r].corners[0]))
      return invalid_field("PLAN_HOLE", item(rings[r].field, 0), "lies outside of the outer ring");
    for (std::size_t k = 1; k < rings.size(); ++k)
      if (k != r && lies_inside(rings[k].corners, rings[r].corners[0]))
        return invalid_field("PLAN_HOLE", item(rings[r].field, 0), "lies in " + rings[k].field);
  }
  return absl::OkStatus();
}

}  // namespace repath
