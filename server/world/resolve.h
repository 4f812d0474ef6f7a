// The first half of working out a batch: which obstacles it means, which cells they cover, what it
// adds. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/ids.h"
#include "world/batch.h"
#include "world/compose.h"
#include "world/limits.h"
#include "world/obstacle.h"
#include "world/obstacle_index.h"
#include "world/plane.h"

namespace repath {

class World;

// One obstacle or body of a batch; the id of a body is its agent's. `before` is borrowed from the
// world.
struct ResolvedObstacle {
  ObstacleId id{};
  bool is_body = false;
  const Obstacle* before = nullptr;  // null: there is none
  std::optional<Obstacle> upserted;  // takes its place
  std::optional<bool> switched;      // or: the same, but enabled or not; neither: it is removed

  // The obstacle as the batch leaves it, with its enabled flag; null if it removes it.
  const Obstacle* after() const { return upserted ? &*upserted : switched ? before : nullptr; }
  bool enabled_after() const {
    return upserted ? upserted->spec.enabled : switched.value_or(false);
  }
  bool enabled_before() const { return before != nullptr && before->spec.enabled; }
  // False if no view can tell the difference.
  bool matters() const {
    return upserted ? enabled_before() || enabled_after() : enabled_before() != enabled_after();
  }
};

// An edit of a team's plane, in the order in which they take effect.
struct ResolvedPlaneEdit {
  PlaneKey key;
  CellSpans cells;  // on the map; of a decay those that are used
  LevelChange change;
};

struct ResolvedBatch {
  // Removed, switched, upserted, in the batch's order; then bodies, those that go first.
  std::vector<ResolvedObstacle> obstacles;
  std::vector<TerrainEdit> terrain_edits;  // clipped to the map
  std::vector<ResolvedPlaneEdit> plane_edits;
  std::vector<Profile> new_profiles;
  std::uint64_t added_bytes = 0;  // of obstacles and planes
};

// REQUIRES: check_batch is OK. RESOURCE_EXHAUSTED with reason BATCH_TOO_LARGE (covered cells, rows
// of outlines), OBSTACLES_TOO_MANY or WORLD_MEMORY. O(entries x log n + covered rows).
absl::StatusOr<ResolvedBatch> resolve_batch(const ChangeBatch& batch, const World& world);

}  // namespace repath
