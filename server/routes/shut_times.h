// The revision since when each obstacle of a carved mesh has shut the ground it covers. A proof at
// an earlier revision has counted that ground as open, so the fall when the obstacle goes is
// nothing new to it.
//
// Let p be a revision before shut_at of an obstacle that goes. All ground that opens was open at p,
// or opened after p when an obstacle went that p had counted as shut, and that fall was reported
// then. The reason: if obstacles overlap and the older one goes, the younger one takes over its
// time. The ground that both covered stays shut, and no fall of it is reported. Other area types,
// factors that go and links may make ground cheaper that they had not shut. They set the obstacles
// on that ground to "not known".
#pragma once

#include <cstdint>
#include <span>

#include "absl/container/flat_hash_map.h"
#include "base/ids.h"
#include "navmesh/carve/carved_mesh.h"
#include "routes/nav_changes.h"

namespace repath {

class ShutTimes {
 public:
  // Fills TouchedObstacle::shut_at after an edit that makes revision `now`. `mesh`: as the edit
  // left it. O(touched obstacles and the obstacles of their base cells).
  void note(const CarvedMesh& mesh, Revision now, std::span<TouchedObstacle> touched);
  // Forgets all times, because something opened at an unknown place. O(obstacles).
  void forget() { since_.clear(); }

 private:
  void lower_beside(const CarvedMesh& mesh, std::span<const std::uint32_t> base_cells,
                    const RouteBox& box, Revision to);

  // The times of blocking obstacles; those of others are not known. Seeded, because clients choose
  // the ids.
  absl::flat_hash_map<ObstacleId, Revision> since_;
};

}  // namespace repath
