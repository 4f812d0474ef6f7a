// `repath-bench dynamic`: one walking agent for each query of a scenario, changes of every kind,
// and several ways to keep its path right, on the same changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct DynamicOptions {
  std::string map;  // file, with a scenario
  std::string scen;
  std::string scape;           // name of a generated map, if there is no file
  std::int32_t side = 512;     // side of the generated map, cells
  double density = 0.2;        // share of blocked cells of the generated map, if the scape asks it
  std::uint32_t events = 400;  // total number of changes
  std::uint64_t seed = 1;
  unsigned passes = 3;  // over all agents; the least time of each change and move counts
  std::vector<std::string> strategies;
  std::vector<std::string> without;  // one more side each: `auto` without these settlers
  std::string peer;  // command that takes MAP SCEN and prints "cost us" for each query
  bool json = false;
};

// Returns 0, 1 if an answer was wrong, or 3 if the peer failed.
int run_dynamic(const DynamicOptions& options);

}  // namespace repath::bench
