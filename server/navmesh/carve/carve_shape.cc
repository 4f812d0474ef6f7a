#include "navmesh/carve/carve_shape.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "navmesh/mesh/convex_split.h"

namespace repath {
namespace {

std::uint32_t side_behind(const FragmentEdge& edge) {
  if (edge.kind == FragmentEdgeKind::kBase) return edge.number;
  return edge.kind == FragmentEdgeKind::kObstacle ? kWallSide : kInnerSide;
}

// Appends to `ring` the cuts that lie between p and q, in order along the edge ab.
void insert_cuts(LatticePoint a, LatticePoint b, LatticePoint q, std::span<const BaseCut> cuts,
                 std::vector<FragmentSide>* ring) {
  const auto along = [a, b](LatticePoint r) { return along_line(a, b, r); };
  const FragmentSide first = ring->back();
  const auto begin = static_cast<std::ptrdiff_t>(ring->size());
  for (const BaseCut& cut : cuts)
    if (along(first.from) < along(cut.at) && along(cut.at) < along(q))
      ring->push_back({cut.at, first.on});
  std::ranges::sort(ring->begin() + begin, ring->end(), {},
                    [&along](const FragmentSide& s) { return std::pair(along(s.from), s.from); });
  ring->erase(std::unique(ring->begin() + begin, ring->end()), ring->end());
}

}  // namespace

void find_cuts(std::span<const LatticePoint> cell, const Carving& carving,
               std::vector<BaseCut>* cuts) {
  cuts->clear();
  std::uint32_t begin = 0;
  for (const std::uint32_t end : carving.fragment_ends) {
    for (std::uint32_t e = begin; e < end; ++e) {
      const FragmentEdge& edge = carving.edges[e];
      if (edge.kind != FragmentEdgeKind::kBase) continue;
      const LatticePoint to = carving.edges[e + 1 == end ? begin : e + 1].from;
      if (edge.from != cell[edge.number]) cuts->push_back({edge.number, edge.from});
      if (to != cell[edge.number + 1 == cell.size() ? 0 : edge.number + 1])
        cuts->push_back({edge.number, to});
    }
    begin = end;
  }
  std::ranges::sort(*cuts);
  cuts->erase(std::unique(cuts->begin(), cuts->end()), cuts->end());
}

std::span<const BaseCut> cuts_of(const std::vector<BaseCut>& cuts, std::uint32_t edge) {
  const auto first = std::ranges::find(cuts, edge, &BaseCut::edge);
  auto last = first;
  while (last != cuts.end() && last->edge == edge) ++last;
  return {first, last};
}

bool FragmentShaper::shape(std::span<const LatticePoint> cell, const Carving& carving,
                           std::span<const std::span<const BaseCut>> cuts, Fragments* out) {
  out->sides.clear();
  out->ends.clear();
  out->grounds.clear();
  twins_.clear();
  seen_.assign(carving.diagonals, kNoTwin);
  std::uint32_t begin = 0;
  for (std::size_t f = 0; f < carving.fragment_ends.size(); ++f) {
    const std::uint32_t end = carving.fragment_ends[f];
    plain_.clear();
    ring_.clear();
    diagonals_.clear();
    for (std::uint32_t e = begin; e < end; ++e) {
      const FragmentEdge& edge = carving.edges[e];
      plain_.push_back({edge.from, side_behind(edge)});
      if (edge.kind == FragmentEdgeKind::kDiagonal)
        diagonals_.push_back({static_cast<std::uint32_t>(ring_.size()), edge.number});
      ring_.push_back(plain_.back());
      if (edge.kind == FragmentEdgeKind::kBase && !cuts[edge.number].empty())
        insert_cuts(cell[edge.number], cell[(edge.number + 1) % cell.size()],
                    carving.edges[e + 1 == end ? begin : e + 1].from, cuts[edge.number], &ring_);
    }
    const std::size_t sides = out->sides.size();
    const std::size_t fragments = out->ends.size();
    const bool is_plain = ring_.size() == plain_.size();
    const bool is_added =
        is_plain && ring_.size() <= kCellEdgesMax ? append(ring_, out) : add(ring_, out);
    if (!is_added && (is_plain || !add(plain_, out))) return false;
    twins_.resize(out->sides.size(), kNoTwin);
    if (is_added && out->ends.size() == fragments + 1) pair_up(sides);
    if (!carving.grounds.empty()) out->grounds.resize(out->ends.size(), carving.grounds[f]);
    begin = end;
  }
  return true;
}

// Notes which sides the diagonals of ring_ became, its first side being side `begin`.
void FragmentShaper::pair_up(std::size_t begin) {
  for (const auto& [place, number] : diagonals_) {
    const auto side = static_cast<std::uint32_t>(begin) + place;
    const std::uint32_t other = std::exchange(seen_[number], side);
    if (other == kNoTwin) continue;
    twins_[side] = other;
    twins_[other] = side;
  }
}

bool FragmentShaper::append(const std::vector<FragmentSide>& ring, Fragments* out) {
  out->sides.insert(out->sides.end(), ring.begin(), ring.end());
  out->ends.push_back(static_cast<std::uint32_t>(out->sides.size()));
  return true;
}

// Appends the ring, or what it must be cut into.
bool FragmentShaper::add(const std::vector<FragmentSide>& ring, Fragments* out) {
  points_.clear();
  for (const FragmentSide& side : ring) points_.push_back(side.from);
  if (ring.size() <= kCellEdgesMax && is_convex_ring(points_)) return append(ring, out);
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
