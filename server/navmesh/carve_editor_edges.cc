// The edges of what an edit brings: their heights, and what is behind them.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "navmesh/carve_editor.h"

namespace repath {

void CarveEditor::place_edges(StagedCell* staged) {
  const NavMesh::Cell& from = mesh_.base().cell(staged->base_cell);
  find_slopes(staged->base_cell);
  staged->edges.clear();
  for (std::size_t f = 0; f < staged->cells.size(); ++f) {
    const std::span<const FragmentSide> sides = staged->fragments.fragment(f);
    const auto count = static_cast<std::uint32_t>(sides.size());
    const std::uint32_t cell = staged->cells[f];
    const std::uint32_t first = cell != kNoCell ? mesh_.ground_.mesh_.cell(cell).first
                                                : NavMesh::new_edge(change_.edges.size());
    for (std::uint32_t k = 0; k < count; ++k) staged->edges.push_back(first + k);
    if (cell != kNoCell) continue;
    const FragmentGround ground = staged->fragments.ground_of(f);
    change_.come.push_back({.first = static_cast<std::uint32_t>(change_.edges.size()),
                            .count = count,
                            .area = ground.area.value_or(from.area),
                            .flags = from.flags,
                            .factor = ground.factor,
                            .origin = from.origin});
    for (const FragmentSide& side : sides)
      change_.edges.push_back({side.from, height_at(staged->base_cell, side.from), kNoEdge});
  }
}

void CarveEditor::find_slopes(std::uint32_t base_cell) {
  const NavMesh& base = mesh_.base();
  const std::span<const NavMesh::Edge> edges = base.edges_of(base_cell);
  slopes_.clear();
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto [low, high] =
        std::minmax(edges[k].vertex, edges[k + 1 == edges.size() ? 0 : k + 1].vertex);
    const NavMesh::Vertex& a = base.vertex(low);
    const NavMesh::Vertex& b = base.vertex(high);
    slopes_.push_back({a.at, b.at, a.y, b.y});
  }
  is_flat_ = std::ranges::all_of(
      slopes_, [this](const BaseSlope& s) { return s.from == slopes_[0].from && s.to == s.from; });
}

// Along base edges the height is that of the edge, the same for both cells.
double CarveEditor::height_at(std::uint32_t base_cell, LatticePoint p) const {
  if (is_flat_) return slopes_[0].from;  // to the bit what is below
  for (const BaseSlope& slope : slopes_) {
    if (p == slope.a) return slope.from;
    if (p == slope.b) return slope.to;
    const std::int64_t dx = std::int64_t{slope.b.x} - slope.a.x;
    const std::int64_t dz = std::int64_t{slope.b.z} - slope.a.z;
    if (2 * std::abs(turn(slope.a, slope.b, p)) > std::abs(dx) + std::abs(dz)) continue;
    const bool by_x = std::abs(dx) >= std::abs(dz);
    const double share = by_x ? (double{0} + p.x - slope.a.x) / static_cast<double>(dx)
                              : (double{0} + p.z - slope.a.z) / static_cast<double>(dz);
    return slope.from + (slope.to - slope.from) * std::clamp(share, 0.0, 1.0);
  }
  return mesh_.base().height_at(base_cell, p.x, p.z);
}

// Of the cell's new edges, and of those new ones behind them.
void CarveEditor::find_twins(const StagedCell& staged) {
  const Fragments& fragments = staged.fragments;
  for (std::size_t f = 0; f < fragments.ends.size(); ++f) {
    if (staged.cells[f] != kNoCell) continue;
    const std::uint32_t begin = fragments.begin_of(f);
    for (std::uint32_t side = begin; side < fragments.ends[f]; ++side) {
      const std::uint32_t place = staged.edges[side] - NavMesh::new_edge(0);
      if (change_.edges[place].twin != kNoEdge) continue;
      const std::uint32_t next = side + 1 == fragments.ends[f] ? begin : side + 1;
      const std::uint32_t twin = twin_of(staged, side, fragments.sides[next].from);
      change_.edges[place].twin = twin;
      if (twin != kNoEdge && twin >= NavMesh::new_edge(0))
        change_.edges[twin - NavMesh::new_edge(0)].twin = staged.edges[side];
    }
  }
}

// The edge behind a side that ends at `to`.
std::uint32_t CarveEditor::twin_of(const StagedCell& staged, std::uint32_t side,
                                   LatticePoint to) const {
  const FragmentSide& of = staged.fragments.sides[side];
  if (of.on == kWallSide) return kNoEdge;
  if (of.on == kInnerSide) {
    if (staged.twins[side] != FragmentShaper::kNoTwin) return staged.edges[staged.twins[side]];
    return find_side(staged.base_cell, kInnerSide, to, of.from);
  }
  const NavMesh::Edge& e = mesh_.base().edges_of(staged.base_cell)[of.on];
  if (e.twin == kNoEdge) return kNoEdge;
  return find_side(e.neighbour, mesh_.base().edge(e.twin).place, to, of.from);
}

std::uint32_t CarveEditor::find_side(std::uint32_t base_cell, std::uint32_t on, LatticePoint from,
                                     LatticePoint to) const {
  const StagedCell* staged = find_staged(base_cell);
  const bool is_shaped = staged != nullptr && staged->is_shaped;
  const Fragments& fragments = is_shaped ? staged->fragments : mesh_.states_[base_cell].fragments;
  for (std::uint32_t side = 0; side < fragments.sides.size(); ++side) {
    if (fragments.sides[side].on != on || fragments.sides[side].from != from) continue;
    const auto f = static_cast<std::size_t>(std::ranges::upper_bound(fragments.ends, side) -
                                            fragments.ends.begin());
    const std::uint32_t begin = fragments.begin_of(f);
    const std::uint32_t next = side + 1 == fragments.ends[f] ? begin : side + 1;
    if (fragments.sides[next].from != to) continue;
    if (is_shaped) return staged->edges[side];
    return mesh_.ground_.mesh_.cell(mesh_.cells_of(base_cell)[f]).first + side - begin;
  }
  return kNoEdge;
}

}  // namespace repath
