// Obstacles as a navmesh is carved by them, and an edit of a carved mesh as changes with boxes for
// the agents on it. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "navmesh/carve/carved_mesh.h"
#include "routes/route_world.h"
#include "world/batch.h"

namespace repath {

// Returns the shape that carves the mesh, grown by the radius if the obstacle blocks. REQUIRES:
// check_obstacles() is OK (world/checks.h), the radius in [0, kNavRadiusMax].
CarveShape carve_shape(const ObstacleSpec& obstacle, double radius);

// Returns a box around the pieces and a few millimetres more. All ground that they take or give
// back lies within.
RouteBox box_of(const CarveShape& shape);

// An obstacle that the edit put, moved, switched or removed.
struct TouchedObstacle {
  ObstacleId id{};
  std::vector<std::uint32_t> base_cells_before{};  // where it was in force, ascending
  RouteBox box_before{};
  std::optional<Effect> before{};  // empty: it was not in force
  std::optional<Effect> after{};
  Revision shut_at{};  // of its former state, as RouteChange has it
  std::uint64_t form = 0;
};

// Adds to the base cells that changed all those that hold an end of a link that was switched, or
// that has an end in one of them. Such an end may be in another of these cells now, or in none, and
// then ground at the other end leads elsewhere. `switched`: places in the mesh's links.
// `base_cells`: ascending, and stays so. O(links).
void append_link_cells(const CarvedGround& ground,
                       std::span<const std::pair<std::uint32_t, bool>> switched,
                       std::vector<NodeId>* base_cells);

// Returns the changes of an edit. An obstacle that blocks or makes ground dearer is a rise when it
// comes and a fall when it goes. Another area type may be either, as profiles differ. Where the
// border of other ground crosses the obstacle's border, carving moves the former by half a step.
// Costs of ways across are then summed again all along the border, so the other ground rises as a
// whole. `mesh`: as the edit left it. O(base cells).
std::vector<RouteChange> changes_of_edit(const CarvedMesh& mesh, const CarveDelta& delta,
                                         std::span<const TouchedObstacle> touched);

}  // namespace repath
