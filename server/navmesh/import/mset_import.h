// Reads tile sets of Detour: MSET version 1, as RecastDemo writes them, of DNAV tiles version 7,
// with references of 32 or 64 bits (the width that fits every size is taken, 32 first).
//
// Bytes are read as the structs lie in memory on little-endian machines. Corners are rounded to the
// lattice, those within two steps of their tile's border to the border's line; a polygon that this
// dents is cut, one that has no area is left out. Tiles are joined from the corners, not from the
// stored bytes of their links (navmesh/import/stitch.h), by the largest walkable climb of the
// tiles. Heights are those of polygons' corners; detail meshes are checked and dropped. Off-mesh
// connections become links, numbered from 1, if both ends find ground within their radius.
// Pure function, safe on any thread.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "base/work_meter.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {

// The mesh, provenance (tile in the file, polygon in the tile), or INVALID_ARGUMENT with reason
// MSET_SYNTAX (what it is not), MSET_SIZE (a count or size that the bytes do not bear out),
// MSET_INDEX, MSET_EXTENT (a coordinate), or RESOURCE_EXHAUSTED with MESH_TOO_LARGE; the message
// names tile and byte. Every size and number is checked against the file before use. O(n log n) in
// the bytes, and what joining tiles and finding the ends of connections take, which `work` bounds
// (null: a meter with the default limits): WorkMeter::error, naming the tile.
absl::StatusOr<MeshSource> import_mset(std::string_view bytes, WorkMeter* work = nullptr);

}  // namespace repath
