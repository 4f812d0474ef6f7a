// What graphs tell a goal field of where labels run on (search/incremental/arrival_graph.h). Plain
// values.
#pragma once

#include <cstdint>

#include "base/cost.h"

namespace repath {

// Arrivals are [0, kFieldArrivals); kFieldArrivals itself is a label from nowhere.
inline constexpr std::uint32_t kFieldArrivals = 8;
inline constexpr std::uint32_t kFieldRunMax = 32;
struct FieldRun {
  std::uint32_t nodes = 0;   // at most kFieldRunMax
  std::uint32_t stride = 0;  // from one's id to the next one's, modulo 2^32
  Cost step = 0;             // of each edge between them, and of the one to the node behind them
  bool ends = false;         // the last one hands on to nobody
};
}  // namespace repath
