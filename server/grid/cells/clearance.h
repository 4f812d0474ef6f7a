// How far an agent of a given size must stay away from blocked cells.
//
// THE RULE. An agent of radius r is barred from a blocked cell, and from every cell whose centre is
// nearer than r to a blocked cell's square. Outside the map every cell counts as blocked. Distances
// are straight. "Nearer" means by more than kRadiusTolerance (1e-9 cell), so that a radius typed in
// decimals, for example half a cell, still touches without being barred. So an agent with a radius
// of up to half a cell can go everywhere a point can go. For a profile that walks on hexagons the
// squares are regular hexagons, whose centres are a cell size apart.
//
// Computed row by row: in each row up to R rows away, the blocked cells that bar a given cell lie
// in a run of columns. These runs form the disc. 64 cells of a row are grown at once
// (bits/spread.h). Pure functions, as safe on any thread as the layers are.
#pragma once

#include <array>
#include <cstdint>

#include "grid/cells/layer.h"
#include "grid/cells/topology.h"

namespace repath {

inline constexpr double kRadiusTolerance = 1e-9;
// In cells. Up to this radius a disc reaches at most into the neighbouring word of 64 cells.
inline constexpr double kRadiusCellsMax = 32;

class Disc {
 public:
  // Columns counted from a cell, both inclusive; empty if lo > hi.
  struct Columns {
    std::int32_t lo = 0;
    std::int32_t hi = -1;
  };

  // Makes the disc of a point, which bars only the blocked cells.
  Disc() = default;
  // REQUIRES: radius_cells in [0, kRadiusCellsMax].
  Disc(double radius_cells, Topology topology);

  bool is_point() const { return reach_ == 0; }
  // Returns the largest number of rows or columns over which a blocked cell bars another cell,
  // [0, 38].
  std::int32_t reach() const { return reach_; }
  // Returns the columns, counted from x and within [-32, 32], in which a blocked cell `dy` rows
  // below (above if negative) bars cell (x, y). On hexagons they depend on whether y is odd.
  // REQUIRES: |dy| <= reach().
  Columns columns(std::int32_t dy, std::int32_t y) const {
    return columns_[static_cast<std::size_t>(y & 1)][static_cast<std::size_t>(dy + kReachMax)];
  }

 private:
  static constexpr std::int32_t kReachMax = 38;

  std::int32_t reach_ = 0;
  std::array<std::array<Columns, 2 * kReachMax + 1>, 2>
      columns_{};  // by parity of the row, then by dy
};

// Returns the blocked bits of row y in the tile columns tx - 1, tx and tx + 1; all bits off the map
// are set. REQUIRES: 0 <= tx < base.tiles_x().
std::array<std::uint64_t, 3> blocked_row(const GridLayer& base, std::int32_t tx, std::int32_t y);

// Returns the cells of row y in tile column tx from which the disc is barred. REQUIRES: the row is
// on the map. O(2 x reach + 1 rows).
std::uint64_t barred_word(const GridLayer& base, const Disc& disc, std::int32_t tx, std::int32_t y);

}  // namespace repath
