// `repath-bench first-legs`: how long a new agent waits for a path that it can walk, and for the
// cheapest one, with and without first legs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct FirstLegOptions {
  std::vector<std::int32_t> sides{1024, 2048};
  std::vector<std::string> grounds{"rough", "rooms4"};  // see make_leg_ground in the .cc
  // Number of agents that join at once, in a world where one agent has walked from corner to corner
  // before.
  std::uint32_t agents = 8;
  std::uint64_t budget = 50'000;  // work units of a frame
  std::uint64_t seed = 1;
  bool json = false;
};

// Returns 0, or 1 if first legs changed the cost of any agent's cheapest path, or a bound was
// wrong.
int run_first_legs(const FirstLegOptions& options);

}  // namespace repath::bench
