// Runs a kernel of any type to its end.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "search/goal_set.h"

namespace repath::test {

// Runs to the end in slices of less than `slice_max`; calls after_slice() after each.
auto run_in_slices(Random& random, auto& search, std::uint32_t slice_max, auto&& after_slice) {
  while (true) {
    std::uint32_t slice = random.below(slice_max);
    const std::uint32_t granted = slice;
    const std::uint64_t before = search.expanded();
    const auto progress = search.advance(&slice);
    EXPECT_LE(search.expanded() - before, granted - slice);
    after_slice();
    using P = std::remove_const_t<decltype(progress)>;
    if (progress != P::kOutOfBudget) return progress;
    EXPECT_EQ(slice, 0u);
  }
}

auto run_in_slices(Random& random, auto& search) {
  return run_in_slices(random, search, 20, [] {});
}

auto run_uncut(auto& search) {
  std::uint32_t plenty = ~std::uint32_t{0};
  return search.advance(&plenty);
}

inline Cost nearest(const std::vector<Cost>& distance, const GoalSet& goals) {
  Cost least = kUnreachable;
  for (const NodeId goal : goals.nodes()) least = std::min(least, distance[index(goal)]);
  return least;
}

std::vector<NodeId> path_of(const auto& search) {
  std::vector<NodeId> path;
  search.append_path(&path);
  return path;
}

}  // namespace repath::test
