// Kinds of ground. A map holds one class number for each cell. The map's table gives the meaning of
// a class, and a profile may change it (world/profile.h). Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace repath {

// The index of a class in its map's table.
enum class TerrainId : std::uint8_t {};
constexpr std::size_t index(TerrainId t) { return static_cast<std::size_t>(t); }

inline constexpr std::size_t kTerrainClassesMax = 64;
inline constexpr double kFactorMin = 1;
inline constexpr double kFactorMax = 1000;

struct TerrainClass {
  std::string name = {};  // 1 to 64 characters of [A-Za-z0-9_.-], unique in its table
  char symbol = '.';      // in text maps; printable or space, unique in its table
  // Default cost factor, [kFactorMin, kFactorMax]; without meaning if `forbidden`.
  double factor = 1;
  bool forbidden = false;  // agents may not walk here, unless their profile allows it
  bool operator==(const TerrainClass&) const = default;
};

using TerrainTable = std::vector<TerrainClass>;

// Returns the table for worlds that bring none. Numbers never change; new classes are appended.
//   0 ground '.'   1 wall '#' (forbidden)   2 swamp 'S', factor 1   3 trees 'T' (forbidden)
//   4 water 'W' (forbidden)   5 out_of_bounds '@' (forbidden)
//   6 to 14: factor_1 '1' to factor_9 '9'
const TerrainTable& default_terrain();

// A grid of terrain: the content of a map file. cells.size() == width * height, row-major, each
// below classes.size().
struct GridMap {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<TerrainId> cells = {};
  TerrainTable classes = default_terrain();
};

}  // namespace repath
