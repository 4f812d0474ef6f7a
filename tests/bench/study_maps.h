// The maps of `repath-bench studies`, made by code from the parameters that the published studies
// give. Equal arguments give equal maps on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grid/cells/terrain.h"

namespace repath::bench {

// Obstacles of a map of scattered_obstacles(): the first 9, 13 or 15 of one list, of eight kinds.
inline constexpr int kStudyObstaclesMax = 15;
// Makes a square map with the first `count` obstacles, at places that are fixed shares of the side.
// REQUIRES: side >= 100; 0 <= count <= kStudyObstaclesMax.
GridMap scattered_obstacles(std::int32_t side, int count);

// "forest", "lakes", "cubicles", "obstacle" (a trap: a U that opens to the left) and "rooms".
const std::vector<std::string>& study_grid_names();
// Makes one of the five maps of 44 x 44 cells. REQUIRES: a name of study_grid_names().
GridMap make_study_grid(std::string_view name);

// Makes a square map of forest with exactly `cells` free cells. REQUIRES: 100 <= cells.
GridMap forest_with_free_cells(std::uint32_t cells, std::uint64_t seed);
// Makes an open square map with pillars of one cell at every third cell of every third row.
GridMap pillars(std::int32_t side);

// Returns a floor plan (navmesh/import/floor_plan.h): a hall of `side` world units with
// columns x columns square pillars, each half as wide as the distance between two, turned a little.
std::string hall_of_pillars(double side, int columns);

}  // namespace repath::bench
