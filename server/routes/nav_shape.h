// Obstacles as a navmesh is carved by them. Pure functions.
#pragma once

#include <cstdint>

#include "agents/route.h"
#include "navmesh/carve/carved_mesh.h"
#include "world/batch.h"

namespace repath {

// Returns a factor of 1 or more in thousandths, rounded up.
std::uint32_t in_thousandths(double factor);

// Returns the shape that carves the mesh, grown by the radius if the obstacle blocks. REQUIRES:
// check_obstacles() is OK (world/checks.h), the radius in [0, kNavRadiusMax].
CarveShape carve_shape(const ObstacleSpec& obstacle, double radius);

// Returns a box around the pieces and a few millimetres more. All ground that they take or give
// back lies within.
RouteBox box_of(const CarveShape& shape);

inline bool overlap(const RouteBox& a, const RouteBox& b) {
  return a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_z <= b.max_z && b.min_z <= a.max_z;
}

}  // namespace repath
