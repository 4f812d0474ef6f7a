#include "navmesh/carve_shape.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "navmesh/convex_split.h"
#include "navmesh/nav_mesh.h"

namespace repath {
namespace {

std::uint32_t side_behind(const FragmentEdge& edge) {
  if (edge.kind == FragmentEdgeKind::kBase) return edge.number;
  return edge.kind == FragmentEdgeKind::kObstacle ? kWallSide : kInnerSide;
}

// Appends to `ring` the cuts that lie between p and q, in order along the edge ab.
void insert_cuts(LatticePoint a, LatticePoint b, LatticePoint q,
                 const std::vector<LatticePoint>& cuts, std::vector<FragmentSide>* ring) {
  const auto along = [a, b](LatticePoint r) {
    return (std::int64_t{b.x} - a.x) * (std::int64_t{r.x} - a.x) +
           (std::int64_t{b.z} - a.z) * (std::int64_t{r.z} - a.z);
  };
  const FragmentSide first = ring->back();
  const std::size_t begin = ring->size();
  for (const LatticePoint r : cuts)
    if (along(first.from) < along(r) && along(r) < along(q)) ring->push_back({r, first.on});
  const auto by_place = [&along](const FragmentSide& s, const FragmentSide& t) {
    const std::int64_t at_s = along(s.from);
    const std::int64_t at_t = along(t.from);
    return at_s != at_t ? at_s < at_t : s.from < t.from;
  };
  std::sort(ring->begin() + static_cast<std::ptrdiff_t>(begin), ring->end(), by_place);
  ring->erase(std::unique(ring->begin() + static_cast<std::ptrdiff_t>(begin), ring->end()),
              ring->end());
}

}  // namespace

void append_cuts(const Carving& carving, std::uint32_t edge, std::vector<LatticePoint>* cuts) {
  std::uint32_t begin = 0;
  for (const std::uint32_t end : carving.fragment_ends) {
    for (std::uint32_t e = begin; e < end; ++e) {
      if (carving.edges[e].kind != FragmentEdgeKind::kBase || carving.edges[e].number != edge)
        continue;
      cuts->push_back(carving.edges[e].from);
      cuts->push_back(carving.edges[e + 1 == end ? begin : e + 1].from);
    }
    begin = end;
  }
}

bool FragmentShaper::shape(std::span<const LatticePoint> cell, const Carving& carving,
                           std::span<const std::vector<LatticePoint>> cuts, Fragments* out) {
  out->sides.clear();
  out->ends.clear();
  out->grounds.clear();
  std::uint32_t begin = 0;
  for (std::size_t f = 0; f < carving.fragment_ends.size(); ++f) {
    const std::uint32_t end = carving.fragment_ends[f];
    plain_.clear();
    ring_.clear();
    for (std::uint32_t e = begin; e < end; ++e) {
      const FragmentEdge& edge = carving.edges[e];
      plain_.push_back({edge.from, side_behind(edge)});
      ring_.push_back(plain_.back());
      if (edge.kind == FragmentEdgeKind::kBase && !cuts[edge.number].empty())
        insert_cuts(cell[edge.number], cell[(edge.number + 1) % cell.size()],
                    carving.edges[e + 1 == end ? begin : e + 1].from, cuts[edge.number], &ring_);
    }
    if (!add(ring_, out) && (ring_.size() == plain_.size() || !add(plain_, out))) return false;
    if (!carving.grounds.empty()) out->grounds.resize(out->ends.size(), carving.grounds[f]);
    begin = end;
  }
  return true;
}

// Appends the ring, or what it must be cut into.
bool FragmentShaper::add(const std::vector<FragmentSide>& ring, Fragments* out) {
  points_.clear();
  for (const FragmentSide& side : ring) points_.push_back(side.from);
  if (ring.size() <= kCellEdgesMax && is_convex(points_)) {
    out->sides.insert(out->sides.end(), ring.begin(), ring.end());
    out->ends.push_back(static_cast<std::uint32_t>(out->sides.size()));
    return true;
  }
  std::vector<MeshSource::Vertex> vertices;
  std::vector<std::uint32_t> all;
  for (const LatticePoint p : points_) {
    all.push_back(static_cast<std::uint32_t>(vertices.size()));
    vertices.push_back({p, 0});
  }
  pieces_.clear();
  if (!append_convex(vertices, all, &pieces_)) return false;
  for (const std::vector<std::uint32_t>& piece : pieces_) {
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const std::uint32_t next = piece[k + 1 == piece.size() ? 0 : k + 1];
      const bool is_whole = next == (piece[k] + 1) % ring.size();
      out->sides.push_back({points_[piece[k]], is_whole ? ring[piece[k]].on : kInnerSide});
    }
    out->ends.push_back(static_cast<std::uint32_t>(out->sides.size()));
  }
  return true;
}

}  // namespace repath
