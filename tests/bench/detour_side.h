// Detour on the polygons of a NavMesh, as one more side of navmesh-static: findPath, then
// findStraightPath. A mesh of one tile; cells of more than six corners are cut, which is all that
// Detour's polygons can have.
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

  // Null with `*why` if the mesh is more than one tile can hold. Copies what it needs.
  static std::unique_ptr<DetourSide> make(const NavMesh& mesh, std::string* why);
  ~DetourSide();

  // The polygon at a point, world units.
  Place locate(double x, double y, double z) const;
  // Ground length of the straight path, below 0 if none was found or it is partial. No allocation.
  double search(const Place& from, const Place& to);
  std::size_t polygons() const;
  // By how much the length last found may be off, because Detour's corners are rounded: world
  // units.
  double noise() const;

 private:
  DetourSide();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace repath::bench
