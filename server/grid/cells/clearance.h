// How far an agent of some size must stay from what is blocked.
//
// THE RULE. An agent of radius r is barred from a blocked cell, and from every cell whose centre is
// nearer than r to a blocked cell's square; outside of the map every cell is blocked. Distances are
// straight; "nearer" means by more than kRadiusTolerance (1e-9 cell), so that a radius typed in
// decimals, half a cell say, still touches without being barred. So with a radius up to half a cell
// an agent goes wherever a point does. For a profile that walks on hexagons the squares are regular
// hexagons instead, whose centres are a cell size apart.
//
// Computed row by row: about a cell, the blocked cells that bar it lie in a run of columns in each
// row up to R rows away, the disc. 64 cells of a row are grown at once (bits/spread.h).
// Pure functions, safe on any thread as the layers are.
#pragma once

#include <array>
#include <cstdint>

#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

inline constexpr double kRadiusTolerance = 1e-9;
// Cells. Up to here a disc reaches into the neighbouring word of 64 cells and no further.
inline constexpr double kRadiusCellsMax = 32;

class Disc {
 public:
  // Columns from a cell, both inclusive; lo > hi: none.
  struct Columns {
    std::int32_t lo = 0;
    std::int32_t hi = -1;
  };

  // Of a point: bars nothing but blocked cells.
  Disc() = default;
  // REQUIRES: radius_cells in [0, kRadiusCellsMax].
  Disc(double radius_cells, Topology topology);

  bool is_point() const { return reach_ == 0; }
  // A blocked cell bars no cell that is farther away than this many rows or columns, [0, 38].
  std::int32_t reach() const { return reach_; }
  // The blocked cells `dy` rows below (above if negative) that bar cell (x, y) are those in these
  // columns from x; within [-32, 32]. On hexagons they depend on whether y is odd. REQUIRES:
  // |dy| <= reach().
  Columns columns(std::int32_t dy, std::int32_t y) const {
    return columns_[static_cast<std::size_t>(y & 1)][static_cast<std::size_t>(dy + kReachMax)];
  }

 private:
  static constexpr std::int32_t kReachMax = 38;

  std::int32_t reach_ = 0;
  std::array<std::array<Columns, 2 * kReachMax + 1>, 2>
      columns_{};  // by parity of the row, then dy
};

// The blocked bits of row y in the tile columns tx - 1, tx and tx + 1; all set off the map.
// REQUIRES: 0 <= tx < base.tiles_x().
std::array<std::uint64_t, 3> blocked_row(const GridLayer& base, std::int32_t tx, std::int32_t y);

// The cells from which the disc is barred, of row y in tile column tx. REQUIRES: the row is on the
// map. O(2 x reach + 1 rows).
std::uint64_t barred_word(const GridLayer& base, const Disc& disc, std::int32_t tx, std::int32_t y);

}  // namespace repath
