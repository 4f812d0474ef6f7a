// `repath-bench scale`: the cost of one kind of local event on larger and larger maps.
#pragma once

#include <cstdint>
#include <string>

namespace repath::bench {

struct ScaleOptions {
  std::int32_t max_side = 8192;  // in cells; sides are 256, 512, ... up to this
  std::uint32_t events = 400;    // on each map
  std::uint32_t queries = 9;     // on each map
  std::uint64_t seed = 1;
  std::string without;  // settlers that the agent does without, as in without.h
  bool json = false;
};

// Returns 0, or 1 if a path was wrong.
int run_scale(const ScaleOptions& options);

}  // namespace repath::bench
