#include "routes/nav_changes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "geometry/grow.h"
#include "navmesh/mesh/mesh_place.h"
#include "routes/boxes.h"

namespace repath {
namespace {

// Carving rounds to the lattice, and closes slivers under a millimetre.
constexpr double kBoundsMargin = 0.004;

bool have_common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    ++(a[i] < b[j] ? i : j);
  }
  return false;
}

RouteChange change_of(const RouteBox& box, const Effect& effect, bool comes, ObstacleId id) {
  const bool is_either = !effect.blocked && effect.area;
  return {.from = box,
          .to = box,
          .rose = comes || is_either,
          .fell = !comes || is_either,
          .least = 0,
          .cause = id};
}

void append_moved_borders(const CarvedMesh& mesh, std::vector<RouteChange>* changes) {
  const std::size_t count = changes->size();
  std::vector<std::uint32_t> cells;
  std::vector<ObstacleId> met;
  for (std::size_t i = 0; i < count; ++i) {
    const RouteChange cause = (*changes)[i];
    const RouteBox& box = cause.from;
    cells.clear();
    mesh.ground().finder().find_boxes(box.min_x * kLatticePerUnit, box.max_x * kLatticePerUnit,
                                      box.min_z * kLatticePerUnit, box.max_z * kLatticePerUnit,
                                      &cells);
    for (const std::uint32_t cell : cells)
      for (const ObstacleId id : mesh.obstacles_of(cell)) {
        const CarveShape& shape = *mesh.shape_of(id);
        if (shape.effect.blocks || std::ranges::find(met, id) != met.end()) continue;
        const RouteBox moved = box_of(shape);
        if (!meet(box, moved, 0)) continue;
        met.push_back(id);
        changes->push_back(change_of(moved, {}, true, cause.cause.value_or(id)));
      }
  }
}

}  // namespace

CarveShape carve_shape(const ObstacleSpec& obstacle, double radius) {
  CarveShape shape{.pieces = {},
                   .y0 = std::clamp(obstacle.bottom, -kHeightMax, kHeightMax),
                   .y1 = std::clamp(obstacle.top, -kHeightMax, kHeightMax),
                   .enabled = obstacle.enabled,
                   .effect = {.blocks = obstacle.effect.blocked}};
  if (!obstacle.effect.blocked) {
    shape.effect.factor = in_thousandths(obstacle.effect.factor);
    if (obstacle.effect.area) shape.effect.area = AreaType{*obstacle.effect.area};
    radius = 0;
  }
  auto grown = grow(obstacle.shape, radius);
  REPATH_CHECK(grown.ok());
  shape.pieces = *std::move(grown);
  return shape;
}

RouteBox box_of(const CarveShape& shape) {
  RouteBox box;
  for (const LatticeRing& ring : shape.pieces)
    for (const LatticePoint p : ring) {
      const Point at = to_point(p);
      add_to(&box, {at.x - kBoundsMargin, at.z - kBoundsMargin, at.x + kBoundsMargin,
                    at.z + kBoundsMargin});
    }
  return box;
}

void append_link_cells(const CarvedGround& ground,
                       std::span<const std::pair<std::uint32_t, bool>> switched,
                       std::vector<NodeId>* base_cells) {
  const std::vector<NavLink>& links = ground.base().links();
  const std::vector<NodeId> edited = *base_cells;
  const auto is_edited = [&](std::uint32_t cell) {
    return std::ranges::binary_search(edited, NodeId{cell});
  };
  std::vector<std::uint32_t> holders;
  std::vector<std::uint32_t> at_end;
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const NavLink& link = links[i];
    holders.clear();
    for (const auto& [cell, at] : {std::pair(link.from_cell, link.from), {link.to_cell, link.to}}) {
      cells_around(ground.base(), {cell, static_cast<double>(at.x), static_cast<double>(at.z)},
                   &at_end);
      holders.insert(holders.end(), at_end.begin(), at_end.end());
    }
    const bool is_switched =
        std::ranges::any_of(switched, [i](auto one) { return one.first == i; });
    if (!is_switched && std::ranges::none_of(holders, is_edited)) continue;
    for (const std::uint32_t cell : holders) base_cells->push_back(NodeId{cell});
  }
  std::ranges::sort(*base_cells);
  base_cells->erase(std::unique(base_cells->begin(), base_cells->end()), base_cells->end());
}

std::vector<RouteChange> changes_of_edit(const CarvedMesh& mesh, const CarveDelta& delta,
                                         std::span<const TouchedObstacle> touched) {
  std::vector<RouteChange> changes;
  for (const TouchedObstacle& one : touched) {
    if (one.before && have_common(one.base_cells_before, delta.base_cells)) {
      changes.push_back(change_of(one.box_before, *one.before, false, one.id));
      changes.back().shut_at = one.shut_at;
      changes.back().form = one.form;
    }
    if (one.after && have_common(mesh.base_cells_of(one.id), delta.base_cells))
      changes.push_back(change_of(box_of(*mesh.shape_of(one.id)), *one.after, true, one.id));
  }
  if (mesh.ground().had_changed_grounds()) append_moved_borders(mesh, &changes);
  return changes;
}

}  // namespace repath
