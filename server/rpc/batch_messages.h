// Batches of changes, profiles and terrain classes, between API messages and the world's plain
// data. Pure functions, any thread.
#pragma once

#include "absl/status/statusor.h"
#include "repath/v1/world.pb.h"
#include "rpc/field.h"
#include "world/batch.h"

namespace repath {

// Returns NOT_FOUND with reason TERRAIN_UNKNOWN if the table has no such class.
absl::StatusOr<TerrainId> terrain_by_name(const std::string& name, const TerrainTable& terrain,
                                          const Field& field);

// `unspecified`: the topology of a profile that leaves it open.
absl::StatusOr<Profile> to_profile(const v1::Profile& message, const TerrainTable& terrain,
                                   Topology unspecified, const Field& field);
void fill_profile(const Profile& profile, const TerrainTable& terrain, v1::Profile* out);

absl::StatusOr<TerrainClass> to_terrain_class(const v1::TerrainClass& message, const Field& field);
void fill_terrain_class(const TerrainClass& terrain, v1::TerrainClass* out);

absl::StatusOr<Polygon> to_polygon(const v1::PolygonShape& message, const Field& field);

// Returns an error with reason EMPTY_BATCH or BATCH_TOO_LARGE.
absl::Status check_batch_size(const v1::ChangeBatch& message, const Field& field);

// Maximum size of one batch on the wire, in bytes. Sent to watchers it takes a little more: masks
// and defaults that a client may leave out.
inline constexpr std::size_t kBatchBytesMax = 4'000'000;

absl::StatusOr<ChangeBatch> to_batch(const v1::ChangeBatch& message, const TerrainTable& terrain,
                                     Topology unspecified, const Field& field);
void fill_batch(const ChangeBatch& batch, const TerrainTable& terrain, v1::ChangeBatch* out);

}  // namespace repath
