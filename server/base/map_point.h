// A position as clients give it. Plain values.
#pragma once

namespace repath {

// A position. On grids in cells, on the map: 0 <= x < width, 0 <= y < height. On meshes and graphs
// the x and z of the world, in world units.
struct MapPoint {
  double x = 0;
  double y = 0;
  double height = 0;  // meshes and graphs only
  bool operator==(const MapPoint&) const = default;
};

}  // namespace repath
