// The parts of a world's state hash, whatever the kind of the world. A world's content hash is the
// sum modulo 2^64 of its parts' hashes, so that a batch adds and takes off only what it changes, in
// any order; the state hash folds the revision into it.
//
// Doubles count by their bits. The same numbers on every machine and in every build. Pure
// functions.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "graph/waypoint_graph.h"
#include "grid/cells/terrain.h"
#include "navmesh/mesh/mesh_source.h"
#include "world/batch.h"
#include "world/plane.h"
#include "world/profile.h"

namespace repath {

// What never changes: of a grid size, cell size and terrain classes, of a navmesh all but its
// links. O(n).
std::uint64_t content_hash(const GridMap& map, double cell_size);
std::uint64_t content_hash(const MeshSource& source, double cell_side);
std::uint64_t content_hash(const Profile& profile);
std::uint64_t content_hash(const ObstacleSpec& spec);
std::uint64_t content_hash(const Body& body);
// One cell's terrain; 0 for class 0. `node` is y * width + x.
std::uint64_t content_hash(NodeId node, TerrainId terrain);

// One cell's level in one plane; 0 for level 0.
std::uint64_t content_hash(PlaneKey plane, NodeId node, Level level);

std::uint64_t content_hash(const NavLink& link);
std::uint64_t content_hash(const GraphNode& node);
std::uint64_t content_hash(std::uint64_t from, std::uint64_t to, const WaypointGraph::Edge& edge);

std::uint64_t fold_revision(std::uint64_t content_hash, Revision revision);

}  // namespace repath
