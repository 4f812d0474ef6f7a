// The parts of a world's state hash, whatever the kind of the world. A world's content hash is the
// sum modulo 2^64 of its parts' hashes, so a batch adds and takes off only the parts it changes, in
// any order. The state hash folds the revision into it.
//
// Doubles count by their bits. Hashes are the same on every machine and in every build. Pure
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

// Returns the hash of the parts that never change. For a grid these are size, cell size and terrain
// classes; for a navmesh everything except its links. O(n).
std::uint64_t content_hash(const GridMap& map, double cell_size);
std::uint64_t content_hash(const MeshSource& source, double cell_side);
// Returns the hash of the radius that a navmesh was made for; 0 for radius 0.
std::uint64_t base_radius_hash(double base_radius);
std::uint64_t content_hash(const Profile& profile);
std::uint64_t content_hash(const ObstacleSpec& spec);
std::uint64_t content_hash(const Body& body);
// Returns the hash of one cell's terrain; 0 for class 0. `node` is y * width + x.
std::uint64_t content_hash(NodeId node, TerrainId terrain);

// Returns the hash of one cell's level in one plane; 0 for level 0.
std::uint64_t content_hash(PlaneKey plane, NodeId node, Level level);

std::uint64_t content_hash(const NavLink& link);
std::uint64_t content_hash(const GraphNode& node);
std::uint64_t content_hash(std::uint64_t from, std::uint64_t to, const WaypointGraph::Edge& edge);

std::uint64_t fold_revision(std::uint64_t content_hash, Revision revision);

}  // namespace repath
