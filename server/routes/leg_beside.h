// A straight leg along walls that rounding has moved.
//
// If the border of other ground meets a wall, the wall gets a corner there. Rounding to the lattice
// moves the corner up to half a step into the ground. An agent that went along that wall may still
// do so, round the corner. So the leg stands for the way that follows it and goes round corners
// within kLegAside. That way is made of rays towards the leg's end. If a ray is stopped, the next
// one leads to the end of the edge that stopped it.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_filter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

inline constexpr double kLegAside = 2;  // lattice steps

inline double leg_length(double dx, double dz) { return std::sqrt(dx * dx + dz * dz); }

// A straight part of the way beside a leg.
struct LegStretch {
  MeshPlace from;
  double to_x = 0;  // lattice steps
  double to_z = 0;
  std::vector<std::uint32_t> cells;  // as cast_ray() gives them
  double length() const { return leg_length(to_x - from.x, to_z - from.z); }
};

struct LegBeside {
  std::vector<LegStretch> stretches;  // none: the leg is blocked
  MeshPlace end;                      // at most twice kLegAside from the leg's end
};

// Follows the leg from `from` to (to_x, to_z), in lattice steps. REQUIRES: as cast_ray(), and the
// two points differ. Pure. O(rays): at most 768, mostly three that are stopped if something is in
// the way.
LegBeside leg_beside_walls(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from,
                           double to_x, double to_z);

}  // namespace repath
