// Parts of making worlds that requests and world files share. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "repath/v1/world.pb.h"
#include "rpc/field.h"
#include "rpc/world_file.h"
#include "runtime/registry.h"

namespace repath {

// Reads options; those that are 0 stay as they are in `settings`.
absl::StatusOr<WorldSettings> to_settings(const v1::WorldOptions& message, WorldSettings settings,
                                          const Field& field);
// Reads name, options and request_id; definition and make_spec are still to be set.
absl::StatusOr<NewWorld> to_outline(const v1::CreateWorldRequest& request, const Registry& registry,
                                    const Field& field);
// Reads the remaining part for a grid; its map is still empty.
absl::StatusOr<WorldSpec> to_grid_spec(const v1::CreateWorldRequest& request, const Field& field);
// Reads the remaining part for a mesh or graph: only profiles.
absl::StatusOr<std::vector<Profile>> to_route_profiles(const v1::CreateWorldRequest& request,
                                                       WorldKind kind, const Field& field);
// Returns RESOURCE_EXHAUSTED with reason WORLD_MEMORY if a grid of so many cells is too large.
absl::Status check_cells(std::uint64_t cells, const WorldSettings& settings);

// Refuses fields of which a world file has its own; reason FILE_DECIDES.
absl::Status check_file_decides(const v1::CreateWorldRequest& request, const Field& field);
// Sets how the world is made of the world file, and its settings: those of `options` that are set,
// else the file's. Reads the head now and the rest when the world is made. Errors of the head name
// the field "chunk", errors of the options `at` / "options".
absl::Status put_file(std::string file, const v1::WorldOptions& options, const Field& at,
                      const Registry& registry, NewWorld* world);
// Reads a world file that the server itself has kept. Name and settings are those of `facts`.
absl::StatusOr<FiledWorld> read_kept_world(const std::string& file, const WorldFacts& facts,
                                           WorkMeter* work);

}  // namespace repath
