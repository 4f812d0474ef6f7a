// A grid world as its game server knows it: closed cells, and where agents stand. Cells beyond the
// map are closed, so that no caller needs to check for its edge. Thread rule: one thread.
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
  // `walls` has a number for each cell, row by row; 0 is open ground. Finds the largest connected
  // part. O(cells).
  GridGround(int width, int height, const std::vector<std::uint8_t>& walls);

  int width() const { return width_; }
  int height() const { return height_; }
  // Also defined one cell beyond the edge.
  bool is_open(int x, int y) const { return closed_[index(x, y)] == 0; }
  // Whether the step to a neighbour is open. A diagonal step needs both cells beside it.
  bool is_step_open(Spot from, int dx, int dy) const {
    const std::size_t at = index(from.x, from.y);
    const auto beside = static_cast<std::size_t>(dy * stride_);
    const auto across = static_cast<std::size_t>(dx);
    return (closed_[at + across + beside] | closed_[at + across] | closed_[at + beside]) == 0;
  }

  // An obstacle comes or goes. O(cells of the rectangle, which must be on the map).
  void shut(const verify::Rect& cells) { cover(cells, 1); }
  void reopen(const verify::Rect& cells) { cover(cells, -1); }

  // Counts agents by cell.
  void enter(Spot at) { ++standing_[index(at.x, at.y)]; }
  void leave(Spot at) { --standing_[index(at.x, at.y)]; }

  // Whether the whole rectangle is open and no agent is in it.
  bool is_vacant(const verify::Rect& cells) const;
  // Whether the rectangle and the ring around it are open. Then shutting it cuts no agent off.
  bool is_clear_around(const verify::Rect& cells) const;

  // Returns a cell of the largest part, whether or not it is shut now.
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
  std::vector<std::uint16_t> closed_;  // number of walls and obstacles on each cell
  std::vector<std::uint16_t> standing_;
  std::vector<Spot> main_part_;
};

}  // namespace repath::load
