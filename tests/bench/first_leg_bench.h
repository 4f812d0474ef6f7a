// `repath-bench first-legs`: how long a new agent waits for a path it can walk, and for the
// cheapest one, with first legs and without.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct FirstLegOptions {
  std::vector<std::int32_t> sides{1024, 2048};
  std::vector<std::string> grounds{"rough", "rooms4"};  // see make_leg_ground in the .cc
  std::uint32_t agents = 8;       // that join at once, in a world where one has gone from corner to
                                  // corner before
  std::uint64_t budget = 50'000;  // work units of a frame
  std::uint64_t seed = 1;
  bool json = false;
};

// 0, or 1 if legs changed what anybody's cheapest path costs, or a bound was wrong.
int run_first_legs(const FirstLegOptions& options);

}  // namespace repath::bench
