#include "grid/components/parting.h"

#include <algorithm>
#include <cstdint>

#include "grid/bits/diagonal.h"
#include "grid/cells/free_cells.h"

namespace repath {
namespace {

// Columns x0 to x1 and rows y0 to y1, inclusive.
struct CellBox {
  std::int32_t x0;
  std::int32_t y0;
  std::int32_t x1;
  std::int32_t y1;
};

CellBox box_around(const GridLayer& layer, std::span<const NodeId> cells) {
  CellBox box{layer.width(), layer.height(), -1, -1};
  for (const NodeId cell : cells) {
    const std::int32_t x = layer.x_of(cell);
    const std::int32_t y = layer.y_of(cell);
    box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y)};
  }
  return box;
}

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

}  // namespace

bool may_part(const GridLayer& layer, std::span<const NodeId> blocked) {
  const CellBox box = box_around(layer, blocked);
  if (box.x1 - box.x0 >= kPartingSideMax || box.y1 - box.y0 >= kPartingSideMax) return true;
  // Bits of the box's columns and one cell on each side, from the left on.
  const int wide = box.x1 - box.x0 + 1;
  const std::uint64_t inside = ((std::uint64_t{1} << wide) - 1) << 1;
  const auto row = [&](std::int32_t y) { return free_cells(layer, box.x0 - 1, y); };
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

}  // namespace repath
