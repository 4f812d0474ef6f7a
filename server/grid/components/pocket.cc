#include "grid/components/pocket.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "grid/bits/fill_runs.h"
#include "grid/cells/free_cells.h"

namespace repath {
namespace {

constexpr std::int32_t kRows = 2 * kPocketReach + 1;
constexpr std::int32_t kColumns = 64;
// Number of rows to fill before a pocket is too winding to be worth it.
constexpr int kFillsMax = 40;
constexpr std::uint64_t kEdges = std::uint64_t{1} << 63 | 1;

// The window's cells as rows of bits; cells off the map are blocked.
class Window {
 public:
  Window(const GridLayer& layer, NodeId middle)
      : layer_(layer),
        x0_(layer.x_of(middle) - kColumns / 2),
        y0_(layer.y_of(middle) - kPocketReach) {}

  // Returns false if the cell is not in the window.
  bool seed(NodeId cell) {
    const std::int32_t x = layer_.x_of(cell) - x0_;
    const std::int32_t y = layer_.y_of(cell) - y0_;
    if (x < 0 || x >= kColumns || y < 0 || y >= kRows) return false;
    reached_[static_cast<std::size_t>(y)] |= std::uint64_t{1} << x;
    return true;
  }
  bool holds(NodeId cell) const {
    const std::int32_t x = layer_.x_of(cell) - x0_;
    const std::int32_t y = layer_.y_of(cell) - y0_;
    return x >= 0 && x < kColumns && y >= 0 && y < kRows &&
           (reached_[static_cast<std::size_t>(y)] >> x & 1) != 0;
  }

  // Fills rows down and up, each time as far as possible, until the reached set stops growing.
  // Returns false if it reaches the window's edge or does not end.
  bool flood(bool by_corners) {
    std::int32_t top = 0;
    std::int32_t bottom = kRows - 1;
    while (top < bottom && reached_[static_cast<std::size_t>(top)] == 0) ++top;
    while (bottom > top && reached_[static_cast<std::size_t>(bottom)] == 0) --bottom;
    for (std::int32_t y = top; y <= bottom; ++y)
      if (!fill(y, 0)) return false;
    for (bool grows = true; grows;) {
      grows = false;
      for (std::int32_t y = top + 1; y <= bottom + 1 && y < kRows; ++y) {
        if (!step(y, y - 1, by_corners, &grows)) return false;
        if (reached_[static_cast<std::size_t>(y)] != 0) bottom = std::max(bottom, y);
      }
      for (std::int32_t y = bottom - 1; y >= top - 1 && y >= 0; --y) {
        if (!step(y, y + 1, by_corners, &grows)) return false;
        if (reached_[static_cast<std::size_t>(y)] != 0) top = std::min(top, y);
      }
    }
    return true;
  }

 private:
  bool step(std::int32_t y, std::int32_t from, bool by_corners, bool* grows) {
    const std::uint64_t beside = reached_[static_cast<std::size_t>(from)];
    if (beside == 0) return true;
    const std::uint64_t before = reached_[static_cast<std::size_t>(y)];
    const std::uint64_t seeds = by_corners ? beside | beside << 1 | beside >> 1 : beside;
    if (!fill(y, seeds)) return false;
    *grows |= reached_[static_cast<std::size_t>(y)] != before;
    return true;
  }
  // Adds the runs of the row that touch `seeds` or reached cells. Returns false at the window's
  // edge, or if too many rows have been filled.
  bool fill(std::int32_t y, std::uint64_t seeds) {
    std::uint64_t& row = reached_[static_cast<std::size_t>(y)];
    if ((seeds | row) == 0) return true;
    if (++fills_ > kFillsMax) return false;
    row = bits::fill_runs(seeds | row, free_cells(layer_, x0_, y0_ + y));
    return row == 0 || ((row & kEdges) == 0 && y > 0 && y < kRows - 1);
  }

  const GridLayer& layer_;
  std::int32_t x0_;
  std::int32_t y0_;
  int fills_ = 0;
  std::array<std::uint64_t, kRows> reached_{};
};

}  // namespace

bool in_pocket(const GridLayer& layer, Topology topology, std::span<const NodeId> cells,
               NodeId other) {
  Window window(layer, cells.front());
  for (const NodeId cell : cells)
    if (!window.seed(cell)) return false;
  // Hexagons of the row beside are shifted. Counting both corners can only make the flood reach too
  // far.
  return window.flood(topology == Topology::kHex) && !window.holds(other);
}

}  // namespace repath
