// A ground drawn in a test: `#` is a wall.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "load/grid_ground.h"

namespace repath::load {

inline GridGround draw(const std::vector<std::string>& rows) {
  std::vector<std::uint8_t> walls;
  for (const std::string& row : rows)
    for (const char c : row) walls.push_back(c == '#' ? 1 : 0);
  return GridGround(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), walls);
}

}  // namespace repath::load
