// A straight leg along walls that rounding has moved.
//
// Where the border of other ground meets a wall, the wall gets a corner there, which is rounded to
// the lattice: up to half a step into the ground. Who went along that wall still does, round the
// corner. So what counts as the leg is the way that follows it and goes round corners that are so
// near to it: rays towards its end, and when one is stopped, to the end of the edge that did.
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

// A straight part of such a way.
struct LegStretch {
  MeshPlace from;
  double to_x = 0;  // lattice steps
  double to_z = 0;
  std::vector<std::uint32_t> cells;  // as cast_ray() gives them
  double length() const { return leg_length(to_x - from.x, to_z - from.z); }
};

struct LegBeside {
  std::vector<LegStretch> stretches;  // none: it is blocked
  MeshPlace end;                      // no farther than twice kLegAside from where it leads
};

// From `from` to (to_x, to_z), steps. REQUIRES: as cast_ray(), and they are two points. Pure.
// O(rays), 768 at the most; mostly three that are stopped, where something is in the way.
LegBeside leg_beside_walls(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& from,
                           double to_x, double to_z);

}  // namespace repath
