#include "grid/parting.h"

#include <algorithm>
#include <cstdint>

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

// Walks round a box, cell by cell, each next to the one before, and counts where free ones begin.
class RingWalk {
 public:
  explicit RingWalk(const GridLayer& layer) : layer_(layer) {}

  void look_at(std::int32_t x, std::int32_t y) {
    const bool is_free =
        x >= 0 && y >= 0 && x < layer_.width() && y < layer_.height() && layer_.is_free(x, y);
    if (is_first_) began_free_ = is_free;
    runs_ += is_free && (is_first_ || !was_free_) ? 1 : 0;
    was_free_ = is_free;
    is_first_ = false;
  }
  // The last cell is next to the first one.
  int runs_around() const { return runs_ - (runs_ > 1 && began_free_ && was_free_ ? 1 : 0); }

 private:
  const GridLayer& layer_;
  bool is_first_ = true;
  bool began_free_ = false;
  bool was_free_ = false;
  int runs_ = 0;
};

}  // namespace

bool may_part(const GridLayer& layer, std::span<const NodeId> blocked) {
  const CellBox box = box_around(layer, blocked);
  if (box.x1 - box.x0 >= kPartingSideMax || box.y1 - box.y0 >= kPartingSideMax) return true;
  for (std::int32_t y = box.y0; y <= box.y1; ++y)
    for (std::int32_t x = box.x0; x <= box.x1; ++x)
      if (layer.is_free(x, y)) return true;
  RingWalk walk(layer);
  for (std::int32_t x = box.x0 - 1; x <= box.x1; ++x) walk.look_at(x, box.y0 - 1);
  for (std::int32_t y = box.y0 - 1; y <= box.y1; ++y) walk.look_at(box.x1 + 1, y);
  for (std::int32_t x = box.x1 + 1; x >= box.x0; --x) walk.look_at(x, box.y1 + 1);
  for (std::int32_t y = box.y1 + 1; y >= box.y0; --y) walk.look_at(box.x0 - 1, y);
  return walk.runs_around() > 1;
}

}  // namespace repath
