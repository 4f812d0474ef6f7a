// The parts of the state hash of a world of routes. A world's content hash is the sum modulo 2^64
// of its parts' hashes, so that a batch adds and takes off only what it changes, in any order; the
// state hash folds the revision into it.
//
// Doubles count by their bits. The same numbers on every machine and in every build. Pure
// functions.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "graph/waypoint_graph.h"
#include "navmesh/mesh/mesh_source.h"
#include "routes/route_batch.h"

namespace repath {

// All of it but links. O(n).
std::uint64_t route_hash(const MeshSource& source, double cell_side);
std::uint64_t route_hash(const NavLink& link);
std::uint64_t route_hash(const RouteProfile& profile);
std::uint64_t route_hash(const RouteObstacle& obstacle);
std::uint64_t route_hash(const GraphNode& node);
std::uint64_t route_hash(std::uint64_t from, std::uint64_t to, const WaypointGraph::Edge& edge);

std::uint64_t fold_route_revision(std::uint64_t content_hash, Revision revision);

}  // namespace repath
