#include "grid/cells/terrain.h"

namespace repath {

const TerrainTable& default_terrain() {
  static const TerrainTable table = [] {
    TerrainTable classes{
        {.name = "ground", .symbol = '.'},
        {.name = "wall", .symbol = '#', .forbidden = true},
        {.name = "swamp", .symbol = 'S'},
        {.name = "trees", .symbol = 'T', .forbidden = true},
        {.name = "water", .symbol = 'W', .forbidden = true},
        {.name = "out_of_bounds", .symbol = '@', .forbidden = true},
    };
    for (char digit = '1'; digit <= '9'; ++digit) {
      classes.push_back({.name = std::string("factor_") + digit,
                         .symbol = digit,
                         .factor = static_cast<double>(digit - '0')});
    }
    return classes;
  }();
  return table;
}

}  // namespace repath
