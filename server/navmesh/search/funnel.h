// The shortest line through a row of portals, pulled tight like a string.
//
// Source: the funnel algorithm of B. Chazelle (1982) and D. T. Lee, F. P. Preparata (1984), in the
// simple form that begins again at each bend. Sides are exact (navmesh/mesh/exact_side.h).
#pragma once

#include <cstdint>
#include <vector>

namespace repath {

// A portal in the direction in which it is passed: its ends, in lattice steps, and the vertices
// there.
struct Portal {
  double left_x = 0;
  double left_z = 0;
  double right_x = 0;
  double right_z = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

// One bend, or the end, of the line.
struct FunnelPoint {
  double x = 0;
  double z = 0;
  std::uint32_t vertex = ~std::uint32_t{0};
  std::uint32_t passed = 0;  // number of portals passed from the start to here
};

// Appends the bends and the end, but not the start. O(portals) as a rule, O(portals x bends) at
// worst.
void pull_string(double start_x, double start_z, double end_x, double end_z,
                 const std::vector<Portal>& portals, std::vector<FunnelPoint>* out);

}  // namespace repath
