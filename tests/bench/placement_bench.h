// `repath-bench placements`: where a tower may stand on a generated map, by one query for all
// anchors, beside TestChanges for some of them.
#pragma once

#include <cstdint>

namespace repath::bench {

struct PlacementBenchOptions {
  std::int32_t side = 256;
  std::uint32_t agents = 300;
  std::int32_t tower = 2;     // its side, cells
  std::uint32_t tries = 500;  // anchors that TestChanges is asked of
  std::uint64_t seed = 1;
  bool json = false;
};

// Returns 0, or 1 if the two disagree.
int run_placements(const PlacementBenchOptions& options);

}  // namespace repath::bench
