// The second half of working out a batch: finds the rows of 64 cells it touches, looks at these
// anew for every view in use, and turns changed cells into changed edges. Part of World::stage;
// used once. Not thread-safe.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "world/compose.h"
#include "world/resolve.h"
#include "world/staged.h"
#include "world/world.h"

namespace repath {

class Stager {
 public:
  // Borrows the world until run() returns.
  Stager(const World& world, ResolvedBatch batch);

  // Once. RESOURCE_EXHAUSTED with reason BATCH_TOO_LARGE (changed edges, grown rows) or
  // WORLD_MEMORY.
  absl::StatusOr<StagedBatch> run();

 private:
  // Entry `op` of the batch touches row `row` of tile `tile`. Entries are counted through: first
  // the obstacles, so that op is the cause (bodies are none), then the terrain edits, then those of
  // planes.
  struct Touch {
    std::uint32_t tile;
    std::uint16_t row;
    std::uint16_t op;
    auto operator<=>(const Touch&) const = default;
  };
  // Cells of the row at hand that an obstacle of the batch covers, before or after.
  struct OpBits {
    std::uint64_t bits;
    TeamMask teams;
    std::uint32_t cause;
    std::optional<AgentId> body;
  };
  // Everything that is found out for one view.
  struct ViewWork {
    const World::View* view;
    TileRef fresh;  // the tile at hand as it will be; empty: nothing changed in it yet
    std::vector<ChangedRun> runs;
    GridLayer layer;
    GridLayer base;  // only if the view has a radius
    ViewDelta delta;
  };
  struct Place {
    std::int32_t tx;
    std::int32_t y;
  };

  void hash_obstacles_and_profiles();
  void touch_all();
  void touch(const CellSpan& span, std::size_t op);
  absl::Status look_at_tile(std::span<const Touch> touches);
  void gather_covers(std::span<const Touch> touches);
  void add_unchanged(const ObstacleIndex& index, const std::vector<ObstacleId>& changing,
                     std::size_t tile);
  void look_at_row(std::span<const Touch> touches, Place place);
  void read_terrain(std::span<const Touch> touches, Place place);
  void read_levels(std::span<const Touch> touches, Place place);
  void gather_ops(std::span<const Touch> touches, Place place);
  void note(const RowState& row, std::uint64_t changed, Place place, ViewWork* work) const;
  absl::Status grow(ViewWork* work);
  absl::Status finish(ViewWork* work);

  const World& world_;
  StagedBatch staged_;
  std::uint64_t bytes_;                      // the world's, if committed
  std::uint64_t edges_left_;                 // that the views to come may still change
  std::uint64_t grown_rows_left_;            // that the views to come may still have read
  std::vector<ObstacleId> changing_;         // obstacles of the batch that matter, ascending
  std::vector<ObstacleId> changing_bodies_;  // and bodies
  std::vector<Touch> touches_;
  std::vector<ViewWork> views_;

  // Of the tile and the row at hand; kept to reuse their memory.
  std::vector<Cover> covers_;
  std::vector<TerrainId> terrain_;
  std::vector<CoverBits> cover_bits_;
  std::vector<LevelRow> levels_;
  std::vector<OpBits> op_bits_;
};

}  // namespace repath
