// The edges of the cells that an edit adds, and the edges behind them.
#include <algorithm>
#include <cstddef>

#include "navmesh/carve/carve_editor.h"

namespace repath {

void CarveEditor::place_edges(StagedCell* staged) {
  const NavMesh::Cell& from = mesh_.base().cell(staged->base_cell);
  staged->edges.clear();
  for (std::size_t f = 0; f < staged->cells.size(); ++f) {
    const std::span<const FragmentSide> sides = staged->fragments.fragment(f);
    const auto count = static_cast<std::uint32_t>(sides.size());
    const std::uint32_t cell = staged->cells[f];
    const std::uint32_t first = cell != kNoCell ? mesh_.ground_.mesh_.cell(cell).first
                                                : NavMesh::new_edge(tools_.change.edges.size());
    for (std::uint32_t k = 0; k < count; ++k) staged->edges.push_back(first + k);
    if (cell != kNoCell) continue;
    const FragmentGround ground = staged->fragments.ground_of(f);
    tools_.change.come.push_back({.first = static_cast<std::uint32_t>(tools_.change.edges.size()),
                                  .count = count,
                                  .area = ground.area.value_or(from.area),
                                  .flags = from.flags,
                                  .factor = ground.factor});
    for (const FragmentSide& side : sides) {
      tools_.change.edges.push_back({.from = side.from});
      tools_.edge_base_cells.push_back(staged->base_cell);
    }
  }
}

// Finds the twins of the cell's new edges, and makes each the twin of its twin if that is new as
// well.
void CarveEditor::find_twins(const StagedCell& staged) {
  const Fragments& fragments = staged.fragments;
  for (std::size_t f = 0; f < fragments.ends.size(); ++f) {
    if (staged.cells[f] != kNoCell) continue;
    const std::uint32_t begin = fragments.begin_of(f);
    for (std::uint32_t side = begin; side < fragments.ends[f]; ++side) {
      const std::uint32_t place = staged.edges[side] - NavMesh::new_edge(0);
      if (tools_.change.edges[place].twin != kNoEdge) continue;
      const std::uint32_t next = side + 1 == fragments.ends[f] ? begin : side + 1;
      const std::uint32_t twin = twin_of(staged, side, fragments.sides[next].from);
      tools_.change.edges[place].twin = twin;
      if (twin != kNoEdge && twin >= NavMesh::new_edge(0))
        tools_.change.edges[twin - NavMesh::new_edge(0)].twin = staged.edges[side];
    }
  }
}

// Returns the edge behind a side that ends at `to`.
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
