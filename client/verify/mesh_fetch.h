// Fetches a mesh from the server for the checker: its ground without obstacles
// (DebugService.GetGround), its links, and the area of each obstacle (GrowObstacle).
#pragma once

#include <grpcpp/support/status.h>

#include <memory>
#include <vector>

#include "verify/mesh_model.h"
#include "verify/world_link.h"

namespace repath::verify {

struct MeshWish {
  std::vector<MeshView> views;
  double base_radius = 0;         // as World.base_radius
  bool has_soft_changes = false;  // changes also add obstacles that make ground dearer
};

// Borrows `link`, which the model uses later too. Null after an error, which is then in `status`:
// that of a call, or FAILED_PRECONDITION if a view's flags exclude no ground or all of it. O(mesh)
// for each set of flags.
std::unique_ptr<RouteModel> fetch_mesh(WorldLink& link, const MeshWish& wish, grpc::Status* status);

}  // namespace repath::verify
