// Builds a navmesh from triangle soup with Recast: voxels, then regions, contours and polygons
// (navmesh/import/recast_polygons.h). It works tile by tile and then joins the tiles along their
// borders (navmesh/import/stitch.h).
//
// Heights are those of the polygons' corners. In between, they differ from the ground by at most
// height_tolerance() and a voxel, but for very rough ground (see polygons_of).
//
// Recast computes in floats and uses the C library's trigonometry for slopes. So keep its result as
// data: another machine may build a mesh with other bits.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

inline constexpr std::int64_t kVoxelColumnsMax = std::int64_t{1} << 28;
inline constexpr std::int64_t kTileColumnsMax = std::int64_t{1} << 22;  // including its border

// In world units unless stated otherwise. Ranges are closed.
struct RecastParameters {
  double cell_size = 0.3;         // width of a voxel, [0.01, 10]; a whole number of 1/16 mm
  double cell_height = 0.2;       // height of a voxel, [0.01, 10]
  double agent_radius = 0.6;      // [0, 100]
  double agent_height = 2.0;      // [0.01, 100]
  double agent_climb = 0.9;       // [0, agent_height)
  double slope_degrees = 45;      // [0, 89]
  double region_min = 8;          // side of a square, voxels, [0, 150]; smaller regions are dropped
  double region_merge = 20;       // side of a square, voxels, [0, 150]; smaller regions are merged
  double edge_length_max = 12;    // length of border edges, [0, 1000]; 0: no limit
  double edge_error_max = 1.3;    // deviation of simplified borders, voxels, [0.1, 10]
  std::int32_t tile_voxels = 64;  // side of a tile, [16, 1024]
};

// Returns the mesh. Memory: the voxels of one tile beside the mesh and the soup. Errors:
// - INVALID_ARGUMENT with reason MESH_EXTENT, or PARAMETER_RANGE, which names the field.
// - INVALID_ARGUMENT with reason NO_GROUND: there is no walkable ground.
// - INVALID_ARGUMENT with reason GROUND_FOLDED, which names the tile that Recast cannot divide.
// - RESOURCE_EXHAUSTED with reason MESH_TOO_LARGE: kVoxelColumnsMax or a limit of mesh_source.h is
//   exceeded, or Recast is out of memory.
// - WorkMeter::error(), naming the tile or the parameter at fault.
//
// `work` bounds the build (null: a meter with the default limits for a file of the soup's size).
// Columns of voxels and lists of triangles are counted before they are made. A step of Recast
// cannot be stopped, so its work is counted before the step, from the triangles, the spans and the
// corners of outlines.
absl::StatusOr<MeshSource> build_with_recast(const TriangleSoup& soup,
                                             const RecastParameters& parameters,
                                             WorkMeter* work = nullptr);

}  // namespace repath
