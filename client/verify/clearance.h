// Where an agent that has a size may be, kept by counting: for each cell, how many blocked squares
// (or regular hexagons, if it walks on those), on the map and off it, are nearer than the radius to
// its centre. An agent may be where none is.
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
  // About a ground without size. `radius` >= 0. O(cells x cells within the radius).
  Clearance(const Ground& ground, double radius);

  // A cell of the ground gets another factor, 0 if it is blocked. Adds to `touched` the cells whose
  // factor_at may be another now. O(cells within the radius).
  void set(Cell cell, double factor, std::vector<Cell>& touched);

  // The cell's factor for an agent of that size.
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
  // From a blocked cell in an even or an odd row to the cells it bars.
  std::array<std::vector<Offset>, 2> offsets_;
  std::vector<double> base_;
  std::vector<std::int32_t> near_;  // blocked squares that bar the cell
};

}  // namespace repath::verify
