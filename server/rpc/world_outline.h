// The common part of requests that make a world, whatever it is made from. Pure functions, any
// thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/sha256.h"
#include "repath/v1/world.pb.h"
#include "rpc/field.h"
#include "runtime/registry.h"

namespace repath {

// Reads name, options and request_id; make_spec and definition are still to be set.
absl::StatusOr<NewWorld> to_outline(const v1::CreateWorldRequest& request, const Registry& registry,
                                    const Field& field);

// Reads the remaining part for a grid; its map is still empty.
absl::StatusOr<WorldSpec> to_grid_spec(const v1::CreateWorldRequest& request, const Field& field);

// Reads the remaining part for a mesh or graph: only profiles.
absl::StatusOr<std::vector<Profile>> to_route_profiles(const v1::CreateWorldRequest& request,
                                                       WorldKind kind, const Field& field);

// Return the digest of everything but the request_id, which only distinguishes a repeat from a
// second request.
Sha256::Digest definition_of(v1::CreateWorldRequest request);
Sha256::Digest definition_of(v1::ImportWorldRequest::Header header, std::string_view file);

}  // namespace repath
