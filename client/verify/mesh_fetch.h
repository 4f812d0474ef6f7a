// Fetches a mesh from the server for the checker: its ground without obstacles
// (DebugService.GetGround), its links, and the area of each obstacle (GrowObstacle).
#pragma once

#include <grpcpp/support/status.h>

#include <memory>
#include <vector>

#include "verify/mesh_model.h"
#include "verify/world_link.h"

namespace repath::verify {

// `radii` has the radius of each view's profile. Borrows `link`, which the model uses later too.
// Null if a call was refused, with the error in `status`. O(mesh).
std::unique_ptr<MeshModel> fetch_mesh(WorldLink& link, const std::vector<double>& radii,
                                      grpc::Status* status);

}  // namespace repath::verify
