// Places for tests of navmesh searches: inside cells, on edges, on vertices.
#pragma once

#include "navmesh/mesh/mesh_place.h"
#include "support/random_meshes.h"

namespace repath::test {

inline MeshPlace random_end(Random* random, const MeshSource& source, const NavMesh& mesh) {
  std::uint32_t cell = 0;
  double x = 0;
  double z = 0;
  random_point_of(random, source, &cell, &x, &z);
  return pull_into(mesh, cell, x, z);
}

}  // namespace repath::test
