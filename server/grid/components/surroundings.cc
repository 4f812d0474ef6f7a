#include "grid/components/surroundings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "grid/bits/diagonal.h"
#include "grid/bits/fill_runs.h"
#include "grid/cells/place.h"

namespace repath {
namespace {

// The ring of cells around a box with sides of at most kPartingSideMax, each next to the one
// before.
class Ring {
 public:
  void add(std::uint64_t cells, int count) {
    cells_ |= (cells & ((std::uint64_t{1} << count) - 1)) << size_;
    size_ += count;
  }
  // Returns whether the free cells form more than one run. The last cell is next to the first one.
  bool has_several_runs() const {
    const std::uint64_t before = cells_ << 1 | cells_ >> (size_ - 1);
    const std::uint64_t beginnings = cells_ & ~before;
    return (beginnings & (beginnings - 1)) != 0;
  }

 private:
  std::uint64_t cells_ = 0;
  int size_ = 0;
};

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
    const Place at = place_in_window(cell);
    if (!kAll.contains(at)) return false;
    reached_[static_cast<std::size_t>(at.y)] |= std::uint64_t{1} << at.x;
    return true;
  }
  bool holds(NodeId cell) const {
    const Place at = place_in_window(cell);
    return kAll.contains(at) && (reached_[static_cast<std::size_t>(at.y)] >> at.x & 1) != 0;
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
  static constexpr PlaceBox kAll{0, 0, kColumns - 1, kRows - 1};

  Place place_in_window(NodeId cell) const {
    return {layer_.x_of(cell) - x0_, layer_.y_of(cell) - y0_};
  }
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
    row = bits::fill_runs(seeds | row, layer_.free_from(x0_, y0_ + y));
    return row == 0 || ((row & kEdges) == 0 && y > 0 && y < kRows - 1);
  }

  const GridLayer& layer_;
  std::int32_t x0_;
  std::int32_t y0_;
  int fills_ = 0;
  std::array<std::uint64_t, kRows> reached_{};
};

}  // namespace

bool may_part(const GridLayer& layer, std::span<const NodeId> blocked) {
  PlaceBox box;
  for (const NodeId cell : blocked) box.add(place_of(layer, cell));
  if (box.x1 - box.x0 >= kPartingSideMax || box.y1 - box.y0 >= kPartingSideMax) return true;
  // Bits of the box's columns and one cell on each side, from the left on.
  const int wide = box.x1 - box.x0 + 1;
  const std::uint64_t inside = ((std::uint64_t{1} << wide) - 1) << 1;
  const auto row = [&](std::int32_t y) { return layer.free_from(box.x0 - 1, y); };
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  for (std::int32_t y = box.y0; y <= box.y1; ++y) {
    const std::uint64_t cells = row(y);
    if ((cells & inside) != 0) return true;
    left = left << 1 | (cells & 1);  // the last row's cell comes first
    right |= (cells >> (wide + 1) & 1) << (y - box.y0);
  }
  const int high = box.y1 - box.y0 + 1;
  Ring ring;
  ring.add(row(box.y0 - 1), wide + 2);
  ring.add(right, high);
  ring.add(bits::mirror(row(box.y1 + 1)) >> (62 - wide), wide + 2);
  ring.add(left, high);
  return ring.has_several_runs();
}

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
