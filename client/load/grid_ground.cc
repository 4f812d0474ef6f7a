#include "load/grid_ground.h"

#include <utility>

namespace repath::load {

GridGround::GridGround(int width, int height, const std::vector<std::uint8_t>& walls)
    : width_(width), height_(height), stride_(width + 2) {
  const auto cells = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(height + 2);
  closed_.assign(cells, 1);
  standing_.assign(cells, 0);
  std::size_t from = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) closed_[index(x, y)] = walls[from++] != 0 ? 1 : 0;
  find_main_part();
}

// Flooding over straight steps: a diagonal one is open only where two straight ones are.
void GridGround::find_main_part() {
  std::vector<bool> seen(closed_.size());
  std::vector<Spot> part;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      if (!is_open(x, y) || seen[index(x, y)]) continue;
      part.assign(1, {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)});
      seen[index(x, y)] = true;
      for (std::size_t i = 0; i < part.size(); ++i) {
        const Spot at = part[i];
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
          const int u = at.x + dx;
          const int v = at.y + dy;
          if (!is_open(u, v) || seen[index(u, v)]) continue;
          seen[index(u, v)] = true;
          part.push_back({static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)});
        }
      }
      if (part.size() > main_part_.size()) main_part_.swap(part);
    }
  }
}

void GridGround::cover(const verify::Rect& cells, int change) {
  for (int y = cells.y0; y < cells.y1; ++y) {
    for (int x = cells.x0; x < cells.x1; ++x) {
      std::uint16_t& closed = closed_[index(x, y)];
      closed = static_cast<std::uint16_t>(closed + change);
    }
  }
}

bool GridGround::is_vacant(const verify::Rect& cells) const {
  if (cells.x0 < 0 || cells.y0 < 0 || cells.x1 > width_ || cells.y1 > height_) return false;
  for (int y = cells.y0; y < cells.y1; ++y)
    for (int x = cells.x0; x < cells.x1; ++x)
      if (!is_open(x, y) || standing_[index(x, y)] != 0) return false;
  return true;
}

bool GridGround::is_clear_around(const verify::Rect& cells) const {
  if (cells.x0 < 0 || cells.y0 < 0 || cells.x1 > width_ || cells.y1 > height_) return false;
  for (int y = cells.y0 - 1; y <= cells.y1; ++y)
    for (int x = cells.x0 - 1; x <= cells.x1; ++x)
      if (!is_open(x, y)) return false;
  return true;
}

}  // namespace repath::load
