// What NavMesh::build refuses: sizes, ranges and shapes, before anything is made of them.
#pragma once

#include "absl/status/status.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// OK iff sizes, vertices, cells and links are within their limits, every cell is convex and every
// link ends in its cells. Errors as NavMesh::build tells them. O(corners).
absl::Status check_source(const MeshSource& source);

}  // namespace repath
