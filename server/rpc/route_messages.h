// What messages say of worlds of routes (meshes, graphs): profiles, batches, paths. Pure functions,
// any thread.
#pragma once

#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/route.h"
#include "repath/v1/common.pb.h"
#include "repath/v1/world.pb.h"
#include "routes/route_batch.h"
#include "rpc/field.h"

namespace repath {

// INVALID_ARGUMENT, reason KIND_UNSUITED, for what only grids have a use for.
absl::StatusOr<RouteProfile> to_route_profile(const v1::Profile& message, const Field& field);
// KIND_UNSUITED, field "[2].radius" in the list `field`: graphs have no use for a radius.
absl::Status check_profiles_for_graph(std::span<const RouteProfile> profiles, const Field& field);
void fill_route_profile(const RouteProfile& profile, v1::Profile* out);

// Checked: what the world cannot name (missing choices, sizes of lists, what is for grids alone).
absl::StatusOr<RouteBatch> to_route_batch(const v1::ChangeBatch& message, const Field& field);
void fill_route_batch(const RouteBatch& batch, v1::ChangeBatch* out);

// Of an obstacle; INVALID_ARGUMENT (SHAPE_MISSING, KIND_UNSUITED, ...).
absl::StatusOr<RouteShape> to_route_shape(const v1::Obstacle& message, const Field& field);

void fill_spot(const Spot& at, v1::Vec3* out);
// x, y, z.
void add_spot(const Spot& at, google::protobuf::RepeatedField<double>* out);

// v1::Path.digest of all the points.
std::uint64_t digest_of(std::span<const RoutePoint> points);
// Bits of v1::WaypointFlag.
std::uint32_t waypoint_flags(const RoutePoint& point, bool is_start, bool is_end);
// Positions, flags, areas, nodes (if any is not 0), links (if there are any) of the first `most`
// waypoints, how many are left out, and the digest of all.
void fill_route(std::span<const RoutePoint> points, std::size_t most, v1::Path* out);

}  // namespace repath
