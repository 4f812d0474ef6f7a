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

// On the plane: heights do not count.
inline double squared_distance(MapPoint a, MapPoint b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  return dx * dx + dy * dy;
}

}  // namespace repath
