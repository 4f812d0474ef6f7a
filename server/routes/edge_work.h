// The work that a search does at nodes with very many edges.
//
// A kernel's budget counts the nodes that it expands, whatever their degree. A node with 50,000
// edges takes as long to expand as some thousands of ordinary ones. So the graph counts the edges
// that are looked at: one work unit for each kEdgesPerUnit edges of a node, beside its expansion. A
// node with fewer edges costs its expansion alone. The edges of one node cannot be cut in two. So a
// slice may do more work than it was granted; whoever grants slices asks for the units afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "search/graph.h"

namespace repath {

// The units for edges of one search. Not thread-safe.
class EdgeWork {
 public:
  // About as many edges as take as long to look at as a node of a street map takes to expand.
  static constexpr std::size_t kEdgesPerUnit = 16;

  // Counts one look at `edges` edges of a node.
  void add(std::size_t edges) { units_ += edges / kEdgesPerUnit; }
  // Returns the units since the last call of take().
  std::uint64_t units() const { return units_; }
  // Returns the same, and begins at 0 again.
  std::uint64_t take() { return std::exchange(units_, 0); }

 private:
  std::uint64_t units_ = 0;
};

// Calls advance(&expansions), of a search on a graph that counts into `work`, until the search
// ends, or until the expansions and the units for edges together are at least `*expansions`. Takes
// off the expansions alone. Grants the search one expansion at a time, so that it stops as soon as
// it has done enough.
template <class Advance>
auto advance_counted(const EdgeWork& work, std::uint32_t* expansions, const Advance& advance) {
  using Ends = decltype(advance(expansions));  // Progress or LimitedProgress
  const std::uint64_t begun = work.units();
  const std::uint32_t granted = *expansions;
  for (;;) {
    const std::uint32_t one = std::min<std::uint32_t>(*expansions, 1);
    std::uint32_t left = one;
    const Ends progress = advance(&left);
    *expansions -= one - left;
    const bool is_used = left < one;
    if (progress != Ends::kOutOfBudget || !is_used) return progress;
    if (granted - *expansions + (work.units() - begun) >= granted) return progress;
  }
}

}  // namespace repath
