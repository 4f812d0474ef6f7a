// The second half of working out a batch. Finds the rows of 64 cells that the batch touches,
// computes them again for every view in use, and turns changed cells into changed edges. Part of
// World::stage; used once. Not thread-safe.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "world/grower.h"
#include "world/resolve.h"
#include "world/staged.h"
#include "world/world.h"

namespace repath {

class Stager {
 public:
  // Borrows the world until run() returns.
  Stager(const World& world, ResolvedBatch batch);

  // Works the batch out; to be called once. Fails with RESOURCE_EXHAUSTED, reason BATCH_TOO_LARGE
  // (rows looked at, obstacles there, changed cells, changed edges, grown rows) or WORLD_MEMORY.
  // Each limit is checked for all views before the work that it bounds.
  absl::StatusOr<StagedBatch> run();

 private:
  // A row `row` of tile `tile` that entry `op` of the batch touches. Entries are counted through.
  // First come the obstacles, so that op is the cause (bodies are no causes), then the terrain
  // edits, then those of planes.
  struct Touch {
    std::uint32_t tile;
    std::uint16_t row;
    std::uint16_t op;
    auto operator<=>(const Touch&) const = default;
  };
  // Cells of the current row that an obstacle of the batch covers, before or after.
  struct OpBits {
    std::uint64_t bits = 0;
    std::uint64_t shut = 0;    // of these, the cells that it blocks from now on
    std::uint64_t turned = 0;  // and those that it leaves free, but with another effect than before
    TeamMask teams = 0;
    std::uint32_t cause = kNoCause;
    std::optional<AgentId> body;
  };
  // The results for one view.
  struct ViewWork {
    const World::View* view;
    TileRef fresh;  // the current tile as it will be; empty: unchanged so far
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
  absl::Status check_rows() const;
  absl::Status look_at_tile(std::span<const Touch> touches);
  void gather_covers(std::span<const Touch> touches);
  void add_unchanged(const ObstacleIndex& index, const std::vector<ObstacleId>& changing,
                     std::size_t tile);
  void look_at_row(std::span<const Touch> touches, Place place);
  void read_terrain(std::span<const Touch> touches, Place place);
  void read_levels(std::span<const Touch> touches, Place place);
  void gather_ops(std::span<const Touch> touches, Place place);
  void note(const RowState& row, std::uint64_t changed, Place place, ViewWork* work) const;
  absl::Status grow_views();
  absl::Status grow(const Grower& grower, ViewWork* work);
  absl::Status check_edges() const;
  GridGraph graph_of(const ViewWork& work, const GridLayer& layer) const;
  absl::Status finish(ViewWork* work);

  const World& world_;
  StagedBatch staged_;
  std::uint64_t bytes_;                      // the world's memory after the commit
  const std::uint64_t bytes_max_;            // no less than the world has: removals are not refused
  std::uint64_t edges_left_;                 // edges that the remaining views may still change
  std::uint64_t covers_read_ = 0;            // obstacles on rows looked at, for each view
  std::uint64_t changed_cells_ = 0;          // before radii grow them, of all views
  std::vector<ObstacleId> changing_;         // obstacles of the batch that matter, ascending
  std::vector<ObstacleId> changing_bodies_;  // the same for bodies
  std::vector<Touch> touches_;
  std::vector<ViewWork> views_;

  // Scratch of the current tile and row, kept to reuse its memory.
  std::vector<Cover> covers_;
  TileCovers tile_covers_;
  std::vector<TerrainId> terrain_;
  std::vector<CoverBits> cover_bits_;
  std::vector<LevelRow> levels_;
  std::vector<OpBits> op_bits_;
};

}  // namespace repath
