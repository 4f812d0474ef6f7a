// Fetches a mesh from the server for the checker: its ground without obstacles
// (DebugService.GetGround), its links, and the area of each obstacle (GrowObstacle).
#pragma once

#include <grpcpp/support/status.h>

#include <memory>
#include <vector>

#include "verify/mesh_model.h"
#include "verify/world_link.h"

namespace repath::verify {

// `base_radius`: what the server says that the mesh was made for. Borrows `link`, which the model
// uses later too. Null if a call was refused, with the error in `status`. O(mesh).
std::unique_ptr<MeshModel> fetch_mesh(WorldLink& link, const std::vector<MeshView>& views,
                                      double base_radius, grpc::Status* status);

}  // namespace repath::verify
