// A point of the ground plane: x to the right, z down the map, in world units unless stated
// otherwise. (y is up and is not needed on the ground.)
#pragma once

namespace repath {

struct Point {
  double x = 0;
  double z = 0;
  bool operator==(const Point&) const = default;
};

}  // namespace repath
