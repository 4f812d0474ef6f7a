// Ground drawn as text: one square for each character, '#' is blocked.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace repath::test {

// Returns whether the point lies deeper than `most` in a blocked square, or off the map.
inline bool is_in_wall(const std::vector<std::string>& rows, double x, double z, double most) {
  const auto width = static_cast<double>(rows[0].size());
  const auto height = static_cast<double>(rows.size());
  if (x < -most || z < -most || x > width + most || z > height + most) return true;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const double dx = std::min(x - static_cast<double>(c), static_cast<double>(c) + 1 - x);
      const double dz = std::min(z - static_cast<double>(r), static_cast<double>(r) + 1 - z);
      if (rows[r][c] == '#' && std::min(dx, dz) > most) return true;
    }
  return false;
}

}  // namespace repath::test
