#include "navmesh/carved_mesh.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "navmesh/carve_editor.h"
#include "navmesh/size_cap.h"

namespace repath {

CarvedMesh::CarvedMesh() = default;
CarvedMesh::CarvedMesh(CarvedMesh&&) noexcept = default;
CarvedMesh& CarvedMesh::operator=(CarvedMesh&&) noexcept = default;
CarvedMesh::~CarvedMesh() = default;

absl::StatusOr<CarvedMesh> CarvedMesh::make(const MeshSource& source, double cell_side) {
  absl::StatusOr<NavMesh> whole = NavMesh::build(source);
  if (!whole.ok()) return whole.status();
  const absl::StatusOr<MeshSource> cut = cut_to_size(source, *whole, cell_side);
  if (!cut.ok()) return cut.status();
  absl::StatusOr<NavMesh> base = NavMesh::build(*cut);
  if (!base.ok()) return base.status();
  CarvedMesh carved;
  carved.base_ = std::make_unique<const NavMesh>(*std::move(base));
  carved.finder_ = std::make_unique<const CellFinder>(*carved.base_);
  carved.mesh_ = *carved.base_;
  carved.states_.resize(carved.base_->cells_end());
  Carver carver;
  for (std::uint32_t c = 0; c < carved.states_.size(); ++c) {
    State& state = carved.states_[c];
    LatticeRing ring;
    for (const NavMesh::Edge& e : carved.base_->edges_of(c))
      ring.push_back(carved.base_->vertex(e.vertex).at);
    carver.carve(ring, {}, &state.carving);
    for (std::uint32_t k = 0; k < ring.size(); ++k) state.fragments.sides.push_back({ring[k], k});
    state.fragments.ends.push_back(static_cast<std::uint32_t>(ring.size()));
    state.cells.push_back(c);
    carved.base_of_.push_back(c);
    carved.hash_ += carved.hash_of(c);
  }
  return carved;
}

absl::StatusOr<CarveDelta> CarvedMesh::apply(std::span<const CarveEdit> edits) {
  return CarveEditor(this).run(edits);
}

std::uint64_t CarvedMesh::hash_of(std::uint32_t base_cell) const {
  const Fragments& fragments = states_[base_cell].fragments;
  Hasher hash;
  hash.add(std::uint64_t{base_cell});
  for (const std::uint32_t end : fragments.ends) hash.add(std::uint64_t{end});
  for (const FragmentSide& side : fragments.sides)
    hash.add(static_cast<std::uint64_t>(side.from.x))
        .add(static_cast<std::uint64_t>(side.from.z))
        .add(std::uint64_t{side.on});
  return hash.value();
}

std::optional<MeshPlace> CarvedMesh::find_cell(Point at, double y, double reach) const {
  if (!(std::abs(at.x) <= kLatticeExtent) || !(std::abs(at.z) <= kLatticeExtent))
    return std::nullopt;
  const double x = to_fine_steps(at.x);
  const double z = to_fine_steps(at.z);
  std::vector<std::uint32_t> near;
  finder_->find_boxes(x - 1, x + 1, z - 1, z + 1, &near);  // rounding moves half a step
  std::optional<MeshPlace> best;
  double least = reach;
  for (const std::uint32_t base_cell : near)
    for (const std::uint32_t cell : states_[base_cell].cells) {
      if (!holds(mesh_, cell, x, z)) continue;
      const double away = std::abs(mesh_.height_at(cell, x, z) - y);
      if (away > least || (best && away >= least)) continue;
      least = away;
      best = MeshPlace{cell, x, z};
    }
  return best;
}

// In squares of twice the side each time, until what was found is nearer than what is outside.
std::optional<NearestPlace> CarvedMesh::find_nearest(Point at, double y, double radius,
                                                     double reach, const NavFilter& filter) const {
  if (!(std::abs(at.x) <= kLatticeExtent) || !(std::abs(at.z) <= kLatticeExtent) || radius < 0)
    return std::nullopt;
  const double x = to_fine_steps(at.x);
  const double z = to_fine_steps(at.z);
  const double far = std::min(radius, 4 * kLatticeExtent);
  std::optional<NearestPlace> best;
  std::vector<std::uint32_t> near;
  for (double side = std::min(far, 1.0);; side = std::min(far, 2 * side)) {
    const double steps = side * kLatticePerUnit + 1;
    near.clear();
    best.reset();
    finder_->find_boxes(x - steps, x + steps, z - steps, z + steps, &near);
    for (const std::uint32_t base_cell : near)
      for (const std::uint32_t cell : states_[base_cell].cells) {
        if (!filter.allows(mesh_.cell(cell).flags)) continue;
        std::optional<NearestPlace> found;
        if (offer_nearest(mesh_, cell, x, z, y, radius, reach, &found) &&
            (!best || found->distance < best->distance))
          best = found;
      }
    if (side >= far || (best && best->distance <= side)) break;
  }
  if (best) best->place = pull_into(mesh_, best->place.cell, best->place.x, best->place.z);
  return best;
}

}  // namespace repath
