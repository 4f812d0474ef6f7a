// The first half of working out a batch: whether it may be applied, which obstacles it means, which
// cells they cover, what memory it adds. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/ids.h"
#include "world/batch.h"
#include "world/obstacle_index.h"
#include "world/plane.h"

namespace repath {

class World;

// One obstacle or body of a batch; the id of a body is its agent's. `before` is borrowed from the
// world.
struct ResolvedObstacle {
  ObstacleId id{};
  bool is_body = false;
  const Obstacle* before = nullptr;  // null: the obstacle is new
  std::optional<Obstacle> upserted;  // replaces `before`
  std::optional<bool> switched;      // or: enables or disables it; neither: it is removed

  // Returns the obstacle as the batch leaves it, with its enabled flag; null if the batch removes
  // it.
  const Obstacle* after() const { return upserted ? &*upserted : switched ? before : nullptr; }
  bool enabled_after() const {
    return upserted ? upserted->spec.enabled : switched.value_or(false);
  }
  bool enabled_before() const { return before != nullptr && before->spec.enabled; }
  // Returns false if no view can tell the difference.
  bool matters() const {
    return upserted ? enabled_before() || enabled_after() : enabled_before() != enabled_after();
  }
};

// An edit of a team's plane; edits are kept in the order in which they take effect.
struct ResolvedPlaneEdit {
  PlaneKey key;
  CellSpans cells;  // on the map; for a decay the used cells
  LevelChange change;
};

struct ResolvedBatch {
  // Obstacles removed, switched, upserted, in the batch's order; then bodies, removed ones first.
  std::vector<ResolvedObstacle> obstacles;
  std::vector<TerrainEdit> terrain_edits;  // clipped to the map
  std::vector<ResolvedPlaneEdit> plane_edits;
  std::vector<Profile> new_profiles;
  std::uint64_t added_bytes = 0;  // memory of new obstacles and planes
};

// Checks sizes, ids, shapes, factors, rectangles and profiles of the whole batch. Returns the first
// fault in the order of ChangeBatch's lists, as documented at World::stage. Allocates memory only
// for the ids. O(n log n).
absl::Status check_batch(const ChangeBatch& batch, const World& world);

// Resolves the batch. REQUIRES: check_batch is OK. Fails with RESOURCE_EXHAUSTED, reason
// BATCH_TOO_LARGE (covered cells, rows of outlines), OBSTACLES_TOO_MANY or WORLD_MEMORY. O(entries
// x log n + covered rows).
absl::StatusOr<ResolvedBatch> resolve_batch(const ChangeBatch& batch, const World& world);

}  // namespace repath
