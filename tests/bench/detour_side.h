// Detour on the polygons of a NavMesh, as one more side of navmesh-static: findPath, then
// findStraightPath. A mesh of one tile; cells with more than six corners, Detour's limit for
// polygons, are cut.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "navmesh/mesh/nav_mesh.h"

namespace repath::bench {

class DetourSide {
 public:
  struct Place {
    unsigned polygon = 0;  // 0: none
    float at[3] = {0, 0, 0};
  };

  // Returns null, with `*why`, if the mesh does not fit one tile. Copies what it needs.
  static std::unique_ptr<DetourSide> make(const NavMesh& mesh, std::string* why);
  ~DetourSide();

  // Returns the polygon at a point, in world units.
  Place locate(double x, double y, double z) const;
  // Returns the length of the straight path on the ground; below 0 if there is none or it is
  // partial. Does not allocate.
  double search(const Place& from, const Place& to);
  std::size_t polygons() const;
  // Returns the possible error of the last length in world units, because Detour's corners are
  // rounded.
  double noise() const;

 private:
  DetourSide();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace repath::bench
