// The floor plan that a mesh was made of, as text that an import reads as the same plan.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "base/byte_source.h"
#include "world/world_content.h"

namespace repath {

// Returns the plan as JSON (MAP_FORMAT_FLOOR_PLAN), with the links as they are now. An import of it
// by the same method makes the same mesh, vertex by vertex. FAILED_PRECONDITION with reason
// PLAN_MISSING, field "format", if the mesh was not made of a plan. REQUIRES: the content is that
// of a mesh. O(n log n) for n corners of cells.
absl::StatusOr<std::unique_ptr<ByteSource>> plan_text(std::shared_ptr<const WorldContent> content);

}  // namespace repath
