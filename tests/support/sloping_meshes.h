// Random small meshes whose cells are not planar.
#pragma once

#include "base/random.h"
#include "support/random_meshes.h"

namespace repath::test {

inline constexpr double kSteep = 3;  // from corner to corner, world units

// Returns cells of any form whose corners lie anywhere within kSteep, so they are not planar. Half
// of the meshes are height fields whose squares are larger than the mesh's cells.
inline MeshSource sloping_mesh(Random* random) {
  const bool is_field = random->below(2) == 0;
  MeshSource source = is_field ? squares(random_rows(random, 5)) : random_mesh(random, 8);
  for (auto& vertex : source.vertices) {
    if (is_field) {
      vertex.at.x *= 6;
      vertex.at.z *= 6;
    }
    vertex.y = kSteep * random->unit() * (is_field ? 2 : 1);
  }
  return source;
}

}  // namespace repath::test
