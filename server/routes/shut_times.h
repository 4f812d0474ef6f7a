// Since when each obstacle of a carved mesh has shut what it covers: whose going tells nothing new
// to who proved something of the ground before it came.
//
// Let p be a revision before shut_at of an obstacle that goes. All that opens was open at p, or
// opened after it by the going of something that p had counted as shut, which was told then. For
// where obstacles overlap the younger one takes over the older one's time when that goes, as what
// both covered stays shut and nobody is told. What may make ground cheaper without having shut it
// (other areas, factors that go, links) sets what it lies under to "not known".
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "base/ids.h"
#include "navmesh/carve/carved_mesh.h"
#include "routes/nav_changes.h"

namespace repath {

class ShutTimes {
 public:
  // After an edit that makes revision `now`: fills TouchedObstacle::shut_at. `mesh`: as the edit
  // left it. O(what was touched and the obstacles of its base cells).
  void note(const CarvedMesh& mesh, Revision now, std::span<TouchedObstacle> touched);
  // Something opened wherever it is. O(obstacles).
  void forget() { since_.clear(); }

 private:
  void lower_beside(const CarvedMesh& mesh, std::span<const std::uint32_t> base_cells,
                    const RouteBox& box, Revision to);

  std::unordered_map<ObstacleId, Revision> since_;  // of what blocks; others: not known
};

}  // namespace repath
