// A mesh as the checker takes it from the server: its ground before anything stands on it
// (DebugService.GetGround), its links, and what obstacles take, asked one by one (GrowObstacle).
#pragma once

#include <grpcpp/support/status.h>

#include <memory>
#include <vector>

#include "verify/mesh_model.h"
#include "verify/world_link.h"

namespace repath::verify {

// `radii`: of each view's profile. Borrows `link`, which the model asks later too. Nothing if a
// call was refused, which `status` has. O(mesh).
std::unique_ptr<MeshModel> fetch_mesh(WorldLink& link, const std::vector<double>& radii,
                                      grpc::Status* status);

}  // namespace repath::verify
