// The cells that an agent with a radius may enter, by counting. For each cell it counts the blocked
// squares, on the map and off it, that are nearer than the radius to its centre. For agents on
// hexagons it counts regular hexagons instead. An agent may enter cells with count 0.
//
// "Nearer" is by more than 1e-9 cell. Lengths are in cells. Thread rule: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "verify/ground.h"

namespace repath::verify {

class Clearance {
 public:
  // Starts from a ground for agents without size. `radius` >= 0. O(cells x cells within the
  // radius).
  Clearance(const Ground& ground, double radius);

  // Sets the factor of a cell of the ground, 0 if it is blocked. Adds to `touched` the cells whose
  // factor_at may have changed. O(cells within the radius).
  void set(Cell cell, double factor, std::vector<Cell>& touched);

  // Returns the cell's factor for an agent of that size.
  double factor_at(Cell cell) const {
    return near_[static_cast<std::size_t>(cell)] > 0 ? 0 : base_[static_cast<std::size_t>(cell)];
  }

 private:
  struct Offset {
    int dx;
    int dy;
  };

  void count(Cell cell, int by, std::vector<Cell>& touched);

  int width_;
  int height_;
  int stride_;
  // Offsets from a blocked cell to the cells it bars, for even and for odd rows.
  std::array<std::vector<Offset>, 2> offsets_;
  std::vector<double> base_;
  std::vector<std::int32_t> near_;  // blocked squares that bar the cell
};

}  // namespace repath::verify
