// Checks of a batch before it touches a world of any kind. Pure functions. Errors are
// INVALID_ARGUMENT unless stated otherwise, with a reason and the field at fault.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/error.h"
#include "world/batch.h"

namespace repath {

// Bounds of the shapes of one world, in world units.
struct ShapeBounds {
  WorldKind kind = WorldKind::kGrid;
  double coordinate_max = 0;  // |x| and |z| of centres and corners
  double extent_max = 0;      // half extents and radii are in (0, extent_max]
  // Size of a grid in cells, which rectangles of cells must meet.
  std::int32_t width = 0;
  std::int32_t height = 0;
};
ShapeBounds grid_bounds(std::int32_t width, std::int32_t height, double cell_size);
ShapeBounds navmesh_bounds();

// Checks the numbers of entries in the lists of a batch. Errors: EMPTY_BATCH, BATCH_TOO_LARGE
// (RESOURCE_EXHAUSTED), and KIND_UNSUITED for a list that worlds of the kind do not support.
// `prefix` is put before the list's name and is the field of the first two.
absl::Status check_lists(const BatchSizes& sizes, WorldKind kind, std::string_view prefix = "");

// Checks a rectangle. Errors: RECT_EMPTY, OUTSIDE_MAP.
absl::Status check_rect(const CellRect& rect, const ShapeBounds& bounds, const std::string& field);
// Checks a shape. Errors: KIND_UNSUITED, those of check_rect, and those of check_measures() in
// geometry/shapes.h, which also says the cost. `field` names the shape's owner.
absl::Status check_shape(const Shape& shape, const ShapeBounds& bounds, const std::string& field);
// Checks the obstacles that the batch puts. Errors: those of check_shape, and of effects, teams and
// heights.
absl::Status check_obstacles(const ChangeBatch& batch, const ShapeBounds& bounds);

// Checks that ids differ. Error: DUPLICATE_ID if the batch names an obstacle, a body or a link
// twice. O(n log n).
absl::Status check_ids_differ(const ChangeBatch& batch);

// Returns NOT_FOUND with `reason`, for an id that the world does not have.
absl::Status unknown_id(std::string_view reason, const std::string& what, std::uint64_t id,
                        const std::string& field);

// Checks the ids of obstacles that the batch removes and switches. Error: OBSTACLE_UNKNOWN.
// `has(id)` returns whether the world has the obstacle.
template <class Has>
absl::Status check_known(const ChangeBatch& batch, Has has) {
  for (std::size_t i = 0; i < batch.remove_obstacles.size(); ++i)
    if (!has(batch.remove_obstacles[i]))
      return unknown_id("OBSTACLE_UNKNOWN", "obstacle", value(batch.remove_obstacles[i]),
                        item("remove_obstacles", i));
  for (std::size_t i = 0; i < batch.switch_obstacles.size(); ++i)
    if (!has(batch.switch_obstacles[i].id))
      return unknown_id("OBSTACLE_UNKNOWN", "obstacle", value(batch.switch_obstacles[i].id),
                        item("switch_obstacles", i) + ".id");
  return absl::OkStatus();
}

// Returns RESOURCE_EXHAUSTED with reason WORLD_MEMORY. `limit`: WorldLimits::memory_bytes, the half
// of a world's memory that map, obstacles and views may take.
absl::Status no_memory(std::uint64_t limit, std::string_view field = "");
// Returns RESOURCE_EXHAUSTED with reason EXPORTS_MAX, see kCopiesMax.
absl::Status too_many_copies();
// Checks that `count` obstacles or bodies are no more than WorldLimits::obstacles_max. Error:
// RESOURCE_EXHAUSTED with `reason`.
absl::Status check_number(std::size_t count, std::size_t most, std::string_view reason,
                          const char* what, const std::string& field);

}  // namespace repath
