// What is asked of a batch before it touches a world of routes, whatever the kind of the world.
// Pure functions. Errors carry reason and field as routes/route_world.h lists them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "routes/route_batch.h"
#include "routes/route_world.h"

namespace repath {

inline constexpr std::size_t kRouteNameLengthMax = 64;
// World units: every corner of an obstacle lies within this of 0, so that it can be grown by any
// radius without leaving the lattice.
inline constexpr double kRouteShapeExtent = 33'480;

// EMPTY_BATCH or BATCH_TOO_LARGE.
absl::Status check_size(const RouteBatch& batch);

// What a world is made with; adds "default" in front if it is missing. PROFILES_TOO_MANY,
// DUPLICATE_ID and those of check_profile; fields "profiles[2].radius".
absl::Status check_profiles(std::vector<RouteProfile>* profiles);

// NAME_INVALID, OUT_OF_RANGE, NOT_FINITE, DUPLICATE_ID; fields as of RouteProfile.
absl::Status check_profile(const RouteProfile& profile);

// Of the batch's profiles beside those known. PROFILE_EXISTS: the name has another meaning.
absl::Status check_new_profiles(const std::vector<RouteProfile>& known,
                                const std::vector<RouteProfile>& added);

// OUT_OF_RANGE, NOT_FINITE, POLYGON_SIZE, POLYGON_NOT_SIMPLE; `field` is the obstacle's. O(1) but
// for polygons, see geometry/shapes.h.
absl::Status check_obstacle(const RouteObstacle& obstacle, const std::string& field);

// DUPLICATE_ID: the batch names an obstacle or a link twice. O(n log n).
absl::Status check_ids_differ(const RouteBatch& batch);

// KIND_UNSUITED.
absl::Status unsuited(const std::string& field, const std::string& what);

}  // namespace repath
