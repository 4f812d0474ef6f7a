#include "world/kind.h"

#include <string>

#include "base/error.h"

namespace repath {

std::string_view name_of(WorldKind kind) {
  constexpr std::string_view kNames[] = {"grid", "navmesh", "graph"};
  return kNames[static_cast<std::size_t>(kind)];
}

absl::Status unsuited(std::string_view field, WorldKind kind) {
  return invalid_field(
      "KIND_UNSUITED", field,
      "this world is a " + std::string(name_of(kind)) + ", which has no use for it");
}

}  // namespace repath
