// Random directed graphs, and a plain search in them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "base/work_meter.h"
#include "routes/strong_parts.h"

namespace repath::test {

inline NodeWays random_ways(Random* random, std::uint32_t nodes, std::uint32_t mean) {
  NodeWays ways;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    for (std::uint32_t k = random->below(2 * mean + 1); k > 0; --k)
      ways.targets.push_back(random->below(nodes));
    ways.end_node();
  }
  return ways;
}

// Returns the parts, whatever work that takes.
inline std::unique_ptr<StrongParts> parts_of(const NodeWays& ways) {
  WorkMeter meter(kNoWorkLimits);
  return StrongParts::find(ways, &meter);
}

// Returns of each node whether `from` leads to it.
inline std::vector<bool> flood(const NodeWays& ways, std::uint32_t from) {
  std::vector<bool> met(ways.node_count(), false);
  std::vector<std::uint32_t> todo{from};
  met[from] = true;
  while (!todo.empty()) {
    const std::uint32_t n = todo.back();
    todo.pop_back();
    for (std::uint32_t w = ways.firsts[n]; w < ways.firsts[n + 1]; ++w) {
      if (met[ways.targets[w]]) continue;
      met[ways.targets[w]] = true;
      todo.push_back(ways.targets[w]);
    }
  }
  return met;
}

}  // namespace repath::test
