// Batches of changes, profiles and terrain classes from API messages to the world's plain data,
// whatever the kind of the world. Reading checks only mistakes that the rooms below cannot name
// (missing choices, enums, sizes of lists); they check the rest. Pure functions, any thread.
#pragma once

#include "absl/status/statusor.h"
#include "repath/v1/world.pb.h"
#include "rpc/field.h"
#include "world/batch.h"

namespace repath {

// The facts of a world that decide what a message means in it. Borrows the table.
struct WorldTerms {
  WorldKind kind = WorldKind::kGrid;
  const TerrainTable& terrain;       // empty but for grids
  Topology topology = Topology::k8;  // of profiles that leave it open
};

// Returns NOT_FOUND with reason TERRAIN_UNKNOWN if the table has no such class.
absl::StatusOr<TerrainId> terrain_by_name(const std::string& name, const TerrainTable& terrain,
                                          const Field& field);

absl::StatusOr<Profile> to_profile(const v1::Profile& message, const WorldTerms& world,
                                   const Field& field);
void fill_profile(const Profile& profile, const WorldTerms& world, v1::Profile* out);

absl::StatusOr<TerrainClass> to_terrain_class(const v1::TerrainClass& message, const Field& field);
void fill_terrain_class(const TerrainClass& terrain, v1::TerrainClass* out);

// Check the range (OUT_OF_RANGE). Flags that are 0 stand for `otherwise`.
absl::StatusOr<std::uint8_t> to_area(std::uint32_t area, const Field& field);
inline constexpr std::uint16_t kAllFlags = 0xffff;
absl::StatusOr<std::uint16_t> to_flags(std::uint32_t flags, std::uint16_t otherwise,
                                       const Field& field);

// Reads an obstacle's shape; INVALID_ARGUMENT (SHAPE_MISSING, LIST_SIZE).
absl::StatusOr<Shape> to_shape(const v1::Obstacle& message, const Field& field);

// Read a node and an edge of a graph; what the graph itself checks is left out.
absl::StatusOr<GraphNode> to_graph_node(const v1::GraphNode& message, const Field& field);
absl::StatusOr<GraphEdge> to_graph_edge(const v1::GraphEdge& message, const Field& field);

// Maximum size of one batch on the wire, in bytes.
inline constexpr std::size_t kBatchBytesMax = 4'000'000;

// Returns an error with reason EMPTY_BATCH, BATCH_TOO_LARGE or KIND_UNSUITED too.
absl::StatusOr<ChangeBatch> to_batch(const v1::ChangeBatch& message, const WorldTerms& world,
                                     const Field& field);

// Check that a client has given every place (PLACE_MISSING): one that is left out would be read as
// the origin. Logs of older servers may hold such batches, so reading them does not check it.
absl::Status check_places(const v1::Obstacle& message, const Field& field);
absl::Status check_places(const v1::ChangeBatch& message, const Field& field);

// Returns a batch as the log keeps it: as the client sent it, without fields that this server does
// not know. It has not applied them, and readers get these bytes: some clients end over a field of
// an old kind (a group) that they do not know.
std::string batch_bytes(const v1::ChangeBatch& message);
// Reads it back. DATA_LOSS with reason BATCH_DAMAGED if the bytes are no batch.
absl::Status read_batch(const std::string& bytes, v1::ChangeBatch* out);

}  // namespace repath
