// The ground of one kind of agent as the checker sees it: each cell blocked or free with a cost
// factor, the steps between them, and the costs of routes. Lengths and costs are in cells (a
// straight step at factor 1 costs 1).
//
// Steps: straight 1, diagonal the square root of two, times the mean of both cells' factors. A
// blocked cell has no steps. A diagonal needs both cells beside it free (CornerRule::kNone) or at
// least one (kOne). On hexagons (kHex) each odd row lies half a cell further to the right. A cell's
// neighbours are the six whose centres are then a cell away, and each step is straight.
//
// Cells are numbered with a blocked border around the map, so that every cell of the map has eight
// neighbours. Thread rule: one thread.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "verify/shapes.h"

namespace repath::verify {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kDiagonal = 1.4142135623730951;

enum class Topology { k4, k8, kHex };
enum class CornerRule { kNone, kOne };

using Cell = int;  // an index into the bordered grid

struct Ground {
  Ground(int map_width, int map_height, Topology topology, CornerRule corner);

  int width;
  int height;
  int stride;  // cells in a row, border included
  Topology topology;
  CornerRule corner;
  std::vector<double> factor;  // of each cell; 0 is blocked

  Cell cell(int x, int y) const { return (y + 1) * stride + x + 1; }
  CellXY at(Cell c) const { return {c % stride - 1, c / stride - 1}; }
  bool on_map(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  bool free(Cell c) const { return factor[static_cast<std::size_t>(c)] > 0; }

  // Returns the centre of a hexagon in the plane.
  static Point hex_centre(int x, int y);

  // Returns the cost of the step between two cells; kInfinity unless they are neighbours and the
  // step is allowed.
  double step(Cell from, Cell to) const;
  // Calls visit(neighbour, cost) for every step out of `from`.
  template <class Visit>
  void for_each_step(Cell from, Visit&& visit) const;

  // Returns the topology's metric, a lower bound of every path's cost.
  double metric(Cell a, Cell b) const;

 private:
  template <class Visit>
  void for_each_hex_step(Cell from, Visit&& visit) const;
  bool corner_open(Cell from, int dx, int dy) const {
    const bool beside_x = free(from + dx);
    const bool beside_y = free(from + dy * stride);
    return corner == CornerRule::kNone ? beside_x && beside_y : beside_x || beside_y;
  }
};

template <class Visit>
void Ground::for_each_hex_step(Cell from, Visit&& visit) const {
  const int left = at(from).y % 2 == 0 ? -1 : 0;  // of the left neighbour in a row beside
  for (const int to :
       {-stride + left, -stride + left + 1, -1, 1, stride + left, stride + left + 1}) {
    const double other = factor[static_cast<std::size_t>(from + to)];
    if (other > 0) visit(from + to, (factor[static_cast<std::size_t>(from)] + other) / 2);
  }
}

template <class Visit>
void Ground::for_each_step(Cell from, Visit&& visit) const {
  const double* at = factor.data() + from;
  const double own = *at;
  if (own == 0) return;
  if (topology == Topology::kHex) return for_each_hex_step(from, visit);
  const double north = at[-stride];
  const double west = at[-1];
  const double east = at[1];
  const double south = at[stride];
  if (north > 0) visit(from - stride, (own + north) / 2);
  if (west > 0) visit(from - 1, (own + west) / 2);
  if (east > 0) visit(from + 1, (own + east) / 2);
  if (south > 0) visit(from + stride, (own + south) / 2);
  if (topology == Topology::k4) return;
  const bool both = corner == CornerRule::kNone;
  const auto diagonal = [&](int to, double beside, double below) {
    const bool open = both ? beside > 0 && below > 0 : beside > 0 || below > 0;
    if (open && at[to] > 0) visit(from + to, kDiagonal * (own + at[to]) / 2);
  };
  diagonal(-stride - 1, west, north);
  diagonal(-stride + 1, east, north);
  diagonal(stride - 1, west, south);
  diagonal(stride + 1, east, south);
}

// A path by its cells. Waypoint i is cells[waypoint_at[i]].
struct Route {
  std::vector<Cell> cells;
  std::vector<int> waypoint_at;

  // Returns the first index of `c` from `from` on; empty if the route does not pass it there. A
  // driven path may pass a cell more than once.
  std::optional<int> index_of(Cell c, int from = 0) const;
};

// Returns the route along waypoints given as x, y pairs. Empty unless they are on the map, and each
// run goes along a row, a column or a diagonal and is not empty.
std::optional<Route> expand(const Ground& ground, const std::vector<int>& waypoints_xy);

// Returns the cost from cells[from] to the end; kInfinity if a step is closed or a single cell is
// blocked. O(cells).
double cost_of(const Ground& ground, const Route& route, int from);

// Returns the index of the cell at the end of the first closed step from `from` on; empty if all
// are open.
std::optional<int> first_broken(const Ground& ground, const Route& route, int from);

}  // namespace repath::verify
