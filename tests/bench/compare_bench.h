// `repath-bench compare`: all algorithms on generated ground of several kinds and densities.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct CompareOptions {
  std::vector<std::int32_t> sides{200, 300, 500};  // cells
  std::vector<double> densities{0.1, 0.2, 0.3};    // shares of blocked cells
  std::string map;                                 // a file in place of generated maps; or empty
  std::vector<std::string> algorithms;             // empty: all
  std::uint32_t queries = 5;                       // on each map
  int runs = 1;                                    // of each search; the least time counts
  std::uint64_t seed = 1;
  std::uint64_t work_max = 200'000;     // expansions of one search; ida and sma only
  std::size_t memory_max = 16'000'000;  // bytes of one search; ida and sma only
  bool json = false;
};

// Returns 0, 1 if an answer was wrong, or 2 for an unknown algorithm.
int run_compare(const CompareOptions& options);

}  // namespace repath::bench
