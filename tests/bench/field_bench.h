// `repath-bench field`: many agents with one goal, changes of every kind, and several ways to keep
// all their paths right, on the same changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct FieldOptions {
  std::string map;
  std::vector<std::uint32_t> agents;  // one round for each number
  std::uint32_t events = 200;         // in each round
  std::uint64_t seed = 1;
  std::vector<std::string> strategies;
  std::vector<std::string> without;  // one more side each: `auto` without these settlers
  bool json = false;
};

// Returns 0, or 1 if an answer was wrong.
int run_field(const FieldOptions& options);

}  // namespace repath::bench
