// Checks the sizes, ranges and shapes of a source for NavMesh::build, before memory is allocated
// for it.
#pragma once

#include "absl/status/status.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Returns OK iff sizes, vertices, cells and links are within their limits, every cell is convex,
// and every link ends in its cells. Errors are those of NavMesh::build. O(corners).
absl::Status check_source(const MeshSource& source);

}  // namespace repath
