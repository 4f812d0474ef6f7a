// `repath-bench static`: every query of a scenario on its unchanging map, by one or several kernels
// in the same run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct StaticOptions {
  std::string map;
  std::string scen;
  std::vector<std::string> algorithms;
  std::string peer;         // command that takes MAP SCEN and prints "cost us" for each query
  std::size_t queries = 0;  // maximum; 0: all
  std::uint64_t work_max = 1'000'000;   // expansions of one search; ida and sma only
  std::size_t memory_max = 16'000'000;  // bytes of one search; ida and sma only
  unsigned passes = 3;                  // the best time of each query over this many passes counts
  bool cold = false;                    // whether the caches are emptied before each search
  bool json = false;
};

// Returns 0, or 1 if an answer was wrong.
int run_static(const StaticOptions& options);

}  // namespace repath::bench
