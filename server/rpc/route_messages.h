// Profiles, batches and paths of meshes and graphs, between API messages and plain data. Pure
// functions, any thread.
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

// Returns INVALID_ARGUMENT with reason KIND_UNSUITED for settings that only grids use.
absl::StatusOr<RouteProfile> to_route_profile(const v1::Profile& message, const Field& field);
// Returns KIND_UNSUITED with field "[2].radius" of the list `field`: graphs do not use a radius.
absl::Status check_profiles_for_graph(std::span<const RouteProfile> profiles, const Field& field);
void fill_route_profile(const RouteProfile& profile, v1::Profile* out);

// Checks only mistakes that the world cannot name: missing choices, sizes of lists, settings for
// grids.
absl::StatusOr<RouteBatch> to_route_batch(const v1::ChangeBatch& message, const Field& field);
void fill_route_batch(const RouteBatch& batch, v1::ChangeBatch* out);

// Reads an obstacle's shape; INVALID_ARGUMENT (SHAPE_MISSING, KIND_UNSUITED, ...).
absl::StatusOr<RouteShape> to_route_shape(const v1::Obstacle& message, const Field& field);

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
