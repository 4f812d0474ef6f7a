// Every limit of a world in one place, whatever its kind. What the API promises (the .proto names
// the same figures) is constant; what a server may be configured to is in WorldLimits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "geometry/shapes.h"
#include "geometry/trig.h"
#include "grid/cells/map_import.h"
#include "grid/cells/terrain.h"

namespace repath {

// Also: kMapSideMax (16384 cells), kTerrainClassesMax (64), kFactorMin and kFactorMax (1 to 1000),
// kPolygonPointsMin and kPolygonPointsMax (3 to 256), kAngleMax (1e4 radians).

// Of worlds, profiles and terrain classes.
inline constexpr std::size_t kNameLengthMax = 64;
// World units.
inline constexpr double kCellSizeMin = 1e-3;
inline constexpr double kCellSizeMax = 1e3;
// On grids half extents and radii are in (0, this], in cells.
inline constexpr double kShapeExtentCellsMax = 32768;
// |x| and |z| of centres and corners, world units.
inline constexpr double kCoordinateMax = 1e9;
// The same on navmeshes, where every corner of an obstacle lies within it, so that the obstacle can
// be grown by any radius without leaving the lattice.
inline constexpr double kNavCoordinateMax = 33'480;
// Radius of agents on navmeshes, world units.
inline constexpr double kNavRadiusMax = 64;
// Of one world.
inline constexpr std::size_t kProfilesMax = 64;
// Pairs (profile, team) in use at a time: on grids, and on navmeshes and graphs.
inline constexpr std::size_t kViewsMax = 256;
inline constexpr std::size_t kRouteViewsMax = 64;
// All lists of one batch together.
inline constexpr std::size_t kBatchEntriesMax = 10'000;
// Cells covered by what a batch brings, summed over its entries; as many by what it takes away.
inline constexpr std::uint64_t kBatchCellsMax = std::uint64_t{1} << 24;
// Rows met by the outlines of the shapes that a batch brings, see outline_rows: many edges can
// share few cells. So many take no longer than what the other limits allow.
inline constexpr std::uint64_t kBatchRowsMax = std::uint64_t{1} << 21;

struct WorldLimits {
  // Terrain, obstacles and views, see World::bytes.
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint32_t obstacles_max = 1'000'000;
  // Grids only. Changed edges of one batch, all views together; 32 bytes each.
  std::uint64_t batch_edges_max = std::uint64_t{1} << 25;
  // Grids only. Rows of 64 cells that one batch may have read to grow what is blocked by the
  // agents' radius, see Grower::rows_read; all views together; 3 ns each.
  std::uint64_t batch_grown_rows_max = std::uint64_t{1} << 28;
};

}  // namespace repath
