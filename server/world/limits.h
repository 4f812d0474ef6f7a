// Every limit of a world in one place, whatever its kind. Limits that the API promises are
// constants; the .proto files name the same figures. Limits that a server's configuration sets are
// in WorldLimits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "geometry/shapes.h"
#include "geometry/trig.h"
#include "grid/cells/map_import.h"
#include "grid/cells/terrain.h"

namespace repath {

// Also: kMapSideMax (16384 cells), kTerrainClassesMax (64), kFactorMin and kFactorMax (1 to 1000),
// kPolygonPointsMin and kPolygonPointsMax (3 to 256), kAngleMax (1e4 radians).

// Greatest length of names of worlds, profiles and terrain classes.
inline constexpr std::size_t kNameLengthMax = 64;
// A request_id belongs to its request so long after the answer, and a world keeps at most so many
// answers for repeats.
inline constexpr Micros kRequestAnswerUs = 600'000'000;
inline constexpr std::uint32_t kRequestAnswersMax = 65'536;
// Least and greatest side of a cell, in world units.
inline constexpr double kCellSizeMin = 1e-3;
inline constexpr double kCellSizeMax = 1e3;
// Upper bound of half extents and radii on grids, in cells; the lower bound is 0, excluded.
inline constexpr double kShapeExtentCellsMax = 32768;
// Greatest |x| and |z| of centres and corners, in world units.
inline constexpr double kCoordinateMax = 1e9;
// The same on navmeshes, where it bounds every corner of an obstacle. So any radius can grow the
// obstacle without leaving the lattice.
inline constexpr double kNavCoordinateMax = 33'480;
// Greatest radius of agents on navmeshes, in world units.
inline constexpr double kNavRadiusMax = 64;
// Greatest turning radius of a profile: cell sizes on grids, world units on navmeshes.
inline constexpr double kTurningCellsMax = 64;
inline constexpr double kNavTurningMax = 64;
// Maximum number of profiles of one world.
inline constexpr std::size_t kProfilesMax = 64;
// Maximum number of views, that is pairs (profile, team), in use at a time: in a grid, and in a
// navmesh or graph.
inline constexpr std::size_t kViewsMax = 256;
inline constexpr std::size_t kRouteViewsMax = 64;
// Maximum number of entries in all lists of one batch together.
inline constexpr std::size_t kBatchEntriesMax = 10'000;
// Maximum number of cells covered by the content that a batch adds, summed over its entries; the
// same maximum holds for the content that it removes.
inline constexpr std::uint64_t kBatchCellsMax = std::uint64_t{1} << 24;
// Maximum number of rows met by the outlines of the shapes that a batch adds, see outline_rows:
// many edges can share few cells. So many rows take no longer than a batch within the other limits.
inline constexpr std::uint64_t kBatchRowsMax = std::uint64_t{1} << 21;

struct WorldLimits {
  // Memory of terrain, obstacles and views, see World::bytes.
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint32_t obstacles_max = 1'000'000;
  // Grids only. Changed edges of one batch, all views together; 32 bytes each. The same maximum
  // holds for changed cells, which may have no edges.
  std::uint64_t batch_edges_max = std::uint64_t{1} << 25;
  // Grids only. Rows of 64 cells that one batch may look at, summed over the views; 40 ns each.
  std::uint64_t batch_view_rows_max = std::uint64_t{1} << 23;
  // Grids only. Obstacles of the tiles that one batch concerns, counted in each tile; 50 ns each.
  std::uint64_t batch_tile_obstacles_max = std::uint64_t{1} << 24;
  // Grids only. Obstacles on the rows that one batch looks at, counted in each row and view; 10 ns
  // each.
  std::uint64_t batch_row_obstacles_max = std::uint64_t{1} << 27;
  // Grids only. Rows of 64 cells that one batch may read to grow blocked cells by the agents'
  // radius, see Grower::rows_read; all views together; 3 ns each.
  std::uint64_t batch_grown_rows_max = std::uint64_t{1} << 28;
};

}  // namespace repath
