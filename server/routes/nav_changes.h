// What an edit of a carved mesh did to those who walk on it, as changes with boxes. A part of
// routes/nav_world.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "navmesh/carve/carved_mesh.h"
#include "routes/route_world.h"
#include "world/batch.h"

namespace repath {

// An obstacle that the edit put, moved, switched or took away.
struct TouchedObstacle {
  ObstacleId id{};
  std::vector<std::uint32_t> base_cells_before{};  // where it was in force, ascending
  RouteBox box_before{};
  std::optional<Effect> before{};  // empty: it was not in force
  std::optional<Effect> after{};
  Revision shut_at{};  // of what it was before, as RouteChange has it
  std::uint64_t form = 0;
};

// What blocks or makes ground dearer rises when it comes and falls when it goes; another area type
// does either, as profiles have it. Where the border of other ground crosses that of what came or
// went, carving moves it, by half a step: costs of the ways across are to be summed anew all along
// it, so it rises as a whole. `mesh`: as the edit left it. O(base cells).
std::vector<RouteChange> changes_of_edit(const CarvedMesh& mesh, const CarveDelta& delta,
                                         std::span<const TouchedObstacle> touched);

}  // namespace repath
