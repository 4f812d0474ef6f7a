// Grows the blocked cells of a view by the disc of its agents (grid/cells/clearance.h), as a whole
// and after a batch.
//
// A view with a radius keeps two layers. Its base comes from terrain and obstacles alone. Its layer
// is the base with every barred cell blocked. An edit of the base changes the layer only within the
// disc's reach of cells that were blocked or freed. Those rows of 64 cells are grown from the base
// again, so the layer does not depend on history. Not thread-safe; part of World.
//   1. A cell of the layer that closed gets the cause of a cell of its disc that the batch blocked.
//      A cell that opened gets the cause of a cell that the batch freed. The uppermost such cell
//      counts; ties go to the leftmost. A cell with only a new factor has its own cause.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/bits/spread.h"
#include "grid/cells/clearance.h"
#include "grid/cells/edges.h"
#include "grid/cells/layer.h"
#include "world/sight.h"
#include "world/view.h"

namespace repath {

// Returns row y of tile column tx as an agent with that disc sees it. REQUIRES: the row is on the
// map.
RowState grown_row(const GridLayer& base, const Disc& disc, std::int32_t tx, std::int32_t y);

// Grows the whole of `base` into `layer`. REQUIRES: `layer` is a copy of `base`. Returns false,
// with `layer` incomplete, if both together would take more than `bytes_max`. O(rows x reach).
[[nodiscard]] bool grow_all(const GridLayer& base, const Disc& disc, std::uint64_t bytes_max,
                            GridLayer* layer);

// Grows what one batch changed in one view.
class Grower {
 public:
  // Borrows all four arguments. `runs`: the changed cells of the base, sorted by (y, x0), disjoint.
  // O(runs x log runs).
  Grower(const Disc& disc, const GridLayer& before, const GridLayer& after,
         const std::vector<ChangedRun>& runs);

  // Returns how many rows of 64 cells run() reads: 2 x reach + 1 for each row that it grows.
  std::uint64_t rows_read() const;

  // Changes `layer`, a copy of the view's layer before the batch, to the one after it. Adds its
  // changed cells to `runs`, unsorted, and to delta's `freed` and `blocked`. Adds to `bytes` what
  // new tiles take beyond the old ones. Returns false, with all results incomplete, if there would
  // be more than `bytes_max`.
  [[nodiscard]] bool run(std::uint64_t bytes_max, std::uint64_t* bytes, GridLayer* layer,
                         std::vector<ChangedRun>* runs, ViewDelta* delta) const;

 private:
  // Rows of one tile to be grown: bit y.
  struct Rows {
    std::uint32_t tile;
    std::uint64_t rows;
  };
  struct Place {
    std::int32_t tx;
    std::int32_t y;
  };
  // The changed cells of a row and the manner of their change.
  struct Change {
    std::uint64_t closed;
    std::uint64_t opened;
    std::uint64_t weighed;
  };
  using Causes = std::array<std::uint32_t, kTileSide>;

  void add(const ChangedRun& run);
  void add_rows(std::int32_t tx, std::int32_t y0, std::int32_t y1);
  void merge_rows();
  bool switches(const ChangedRun& run) const;
  void note(const Change& change, Place place, const GridLayer& layer,
            std::vector<ChangedRun>* runs, ViewDelta* delta) const;
  void explain(const Change& change, Place place, Causes* causes) const;
  void trace(std::uint64_t cells, Place place, const GridLayer& free, const GridLayer& blocked,
             Causes* causes) const;

  const Disc& disc_;
  const GridLayer& before_;
  const GridLayer& after_;
  const std::vector<ChangedRun>& base_runs_;
  bool one_cause_;
  std::vector<Rows> rows_;       // in the end sorted by tile, each once
  std::size_t merge_at_ = 1024;  // number of entries that makes merging worth while
};

}  // namespace repath
