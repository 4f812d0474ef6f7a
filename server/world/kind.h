// The kinds of worlds. Plain values.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace repath {

enum class WorldKind : std::uint8_t { kGrid, kNavmesh, kGraph };

// Returns "grid", "navmesh" or "graph".
std::string_view name_of(WorldKind kind);

// Returns INVALID_ARGUMENT with reason KIND_UNSUITED: worlds of this kind do not support the field.
absl::Status unsuited(std::string_view field, WorldKind kind);

}  // namespace repath
