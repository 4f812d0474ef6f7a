// Builds a navmesh from triangle soup with Recast: voxels, watershed regions, contours, polygons;
// tile by tile, the tiles then joined along their borders (navmesh/import/stitch.h).
//
// Heights are those of the polygons' corners. Recast counts in floats and uses the C library's
// trigonometry for slopes: what it builds is data from then on, to be kept, not to be built again
// elsewhere in the hope of the same bits.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

inline constexpr std::int64_t kVoxelColumnsMax = std::int64_t{1} << 28;
inline constexpr std::int64_t kTileColumnsMax = std::int64_t{1} << 22;  // its border included

// World units unless said otherwise. Ranges are closed.
struct RecastParameters {
  double cell_size = 0.3;         // of a voxel on the ground, [0.01, 10]; a whole number of 1/16 mm
  double cell_height = 0.2;       // of a voxel, [0.01, 10]
  double agent_radius = 0.6;      // [0, 100]
  double agent_height = 2.0;      // [0.01, 100]
  double agent_climb = 0.9;       // [0, agent_height)
  double slope_degrees = 45;      // [0, 89]
  double region_min = 8;          // smaller regions go: side of a square, voxels, [0, 150]
  double region_merge = 20;       // smaller regions are merged, the same, [0, 150]
  double edge_length_max = 12;    // of borders, [0, 1000]; 0: as long as they come
  double edge_error_max = 1.3;    // of simplified borders, voxels, [0.1, 10]
  std::int32_t tile_voxels = 64;  // side of a tile, [16, 1024]
};

// Called after each tile with (tiles done, tiles in all); false ends the build.
using BuildProgress = std::function<bool(std::uint32_t, std::uint32_t)>;

// The mesh, one component or many, provenance (tile, polygon). INVALID_ARGUMENT: PARAMETER_RANGE
// with the field's name, MESH_EXTENT, or NO_GROUND if nothing can be walked on; RESOURCE_EXHAUSTED:
// MESH_TOO_LARGE (kVoxelColumnsMax, the limits of mesh_source.h, or out of memory in Recast);
// CANCELLED if `progress` said so. Memory: one tile's voxels beside the mesh and the soup.
//
// `work` (null: a meter with the default limits for a file of the soup's size) bounds it:
// WorkMeter::error, naming the tile or the parameter at fault. Columns of voxels and lists of
// triangles are counted before any is made; what a tile takes is counted, from the triangles, the
// spans and the corners of outlines, before each step of Recast, which cannot be stopped itself.
absl::StatusOr<MeshSource> build_with_recast(const TriangleSoup& soup,
                                             const RecastParameters& parameters,
                                             const BuildProgress& progress,
                                             WorkMeter* work = nullptr);

}  // namespace repath
