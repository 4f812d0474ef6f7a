// Reads tile sets of Detour: MSET version 1, as RecastDemo writes them, with DNAV tiles of version
// 7 and references of 32 or 64 bits. It takes the width that fits every size, 32 first.
//
// Bytes are read as the structs lie in memory on little-endian machines. Corners are rounded to the
// lattice; a corner within two steps of its tile's border moves onto the border. A polygon that
// this makes concave is cut; one without area is left out. Tiles are joined by their corners
// instead of the stored links (navmesh/import/stitch.h), up to the largest walkable climb of the
// tiles. Heights are those of the polygons' corners; detail meshes are checked and dropped.
// Off-mesh connections become links, numbered from 1, if both ends find ground within their radius.
// Pure function, safe on any thread.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Returns the mesh. Every size and number is checked against the file before use. O(n log n) in the
// bytes, plus the cost of joining tiles and finding the ends of connections, which `work` bounds
// (null: a meter with the default limits). Errors:
// - INVALID_ARGUMENT, naming tile and byte, with reason MSET_SYNTAX (not such a file), MSET_SIZE (a
//   count or size that contradicts the bytes), MSET_INDEX or MSET_EXTENT (a coordinate).
// - RESOURCE_EXHAUSTED with reason MESH_TOO_LARGE.
// - WorkMeter::error(), naming the tile.
absl::StatusOr<MeshSource> import_mset(std::string_view bytes, WorkMeter* work = nullptr);

}  // namespace repath
