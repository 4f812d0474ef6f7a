// Paths over meshes and graphs, from plain data to API messages. Pure functions, any thread.
#pragma once

#include <span>

#include "agents/route.h"
#include "repath/v1/common.pb.h"

namespace repath {

void fill_spot(const Spot& at, v1::Vec3* out);
// Appends x, y, z.
void add_spot(const Spot& at, google::protobuf::RepeatedField<double>* out);

// Returns v1::Path.digest over all points.
std::uint64_t digest_of(std::span<const RoutePoint> points);
// Returns bits of v1::WaypointFlag.
std::uint32_t waypoint_flags(const RoutePoint& point, bool is_start, bool is_end);
// Sets the positions, flags, areas, nodes (if any is not 0) and links (if there are any) of the
// first `most` waypoints, the number of waypoints left out, and the digest of all.
void fill_route(std::span<const RoutePoint> points, std::size_t most, v1::Path* out);

}  // namespace repath
