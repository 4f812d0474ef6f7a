// Reports of graphs to a goal field about straight runs of labels
// (search/incremental/arrival_graph.h). Plain values.
#pragma once

#include <cstdint>

#include "base/cost.h"

namespace repath {

// Arrivals are [0, kFieldArrivals); kFieldArrivals itself marks a label without an arrival.
inline constexpr std::uint32_t kFieldArrivals = 8;
inline constexpr std::uint32_t kFieldRunMax = 32;
struct FieldRun {
  std::uint32_t nodes = 0;   // at most kFieldRunMax
  std::uint32_t stride = 0;  // difference of ids from one node to the next, modulo 2^32
  Cost step = 0;      // cost of each edge between them, and of the edge to the node after them
  bool ends = false;  // the last node does not hand on its label
};
}  // namespace repath
