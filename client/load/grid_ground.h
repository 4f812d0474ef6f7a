// A grid world as its game server knows it: where nobody can go, who stands where. Cells beyond the
// map are closed, so nothing needs to look for its edge. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/dice.h"
#include "verify/shapes.h"

namespace repath::load {

// A cell, packed: maps have at most 16,384 columns and rows.
struct Spot {
  std::int16_t x = 0;
  std::int16_t y = 0;
  bool operator==(const Spot&) const = default;
};

class GridGround {
 public:
  // `walls` row by row, not 0 where nobody ever goes. Finds the largest part that hangs together.
  // O(cells).
  GridGround(int width, int height, const std::vector<std::uint8_t>& walls);

  int width() const { return width_; }
  int height() const { return height_; }
  // Also for cells a few beyond the edge: at most one.
  bool is_open(int x, int y) const { return closed_[index(x, y)] == 0; }
  // A step to a neighbour; diagonal ones need both cells beside them.
  bool is_step_open(Spot from, int dx, int dy) const {
    const std::size_t at = index(from.x, from.y);
    const auto beside = static_cast<std::size_t>(dy * stride_);
    const auto across = static_cast<std::size_t>(dx);
    return (closed_[at + across + beside] | closed_[at + across] | closed_[at + beside]) == 0;
  }

  // An obstacle comes or goes. O(cells of the rectangle, which must be on the map).
  void shut(const verify::Rect& cells) { cover(cells, 1); }
  void reopen(const verify::Rect& cells) { cover(cells, -1); }

  // Who stands where.
  void enter(Spot at) { ++standing_[index(at.x, at.y)]; }
  void leave(Spot at) { --standing_[index(at.x, at.y)]; }

  // Is all of the rectangle open, and nobody in it?
  bool is_vacant(const verify::Rect& cells) const;
  // Is all of the rectangle and of the ring around it open? Then shutting it cuts nobody off.
  bool is_clear_around(const verify::Rect& cells) const;

  // A cell of the largest part, whatever stands on it now.
  Spot some_place(verify::Dice& dice) const { return dice.pick(main_part_); }
  std::size_t places() const { return main_part_.size(); }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>((y + 1) * stride_ + x + 1);
  }
  void cover(const verify::Rect& cells, int change);
  void find_main_part();

  int width_;
  int height_;
  int stride_;
  std::vector<std::uint16_t> closed_;  // how often: a wall, obstacles
  std::vector<std::uint16_t> standing_;
  std::vector<Spot> main_part_;
};

}  // namespace repath::load
