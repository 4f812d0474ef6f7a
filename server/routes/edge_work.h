// The work that a search does at nodes with very many edges, and a search that pays for it.
//
// A kernel's budget counts the nodes that it expands, whatever their degree. A node with 50,000
// edges takes as long to expand as some thousands of ordinary ones. So the graph counts the edges
// that are looked at, and the search pays further work units for them: one for each kEdgesPerUnit
// edges of a node. A node with fewer edges costs its expansion alone. The edges of one node cannot
// be cut in two; a search owes what its slice cannot pay, and its next slices pay that first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "search/graph.h"

namespace repath {

// The units that one search owes for edges. Not thread-safe.
class EdgeWork {
 public:
  // About as many edges as take as long to look at as a node of a street map takes to expand.
  static constexpr std::size_t kEdgesPerUnit = 16;

  // Counts one look at `edges` edges of a node.
  void add(std::size_t edges) { owed_ += edges / kEdgesPerUnit; }
  // Pays as much as `*units` allow, and takes that off. Returns whether nothing is owed any more.
  bool pay(std::uint32_t* units) {
    const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(owed_, *units));
    owed_ -= part;
    *units -= part;
    return owed_ == 0;
  }

 private:
  std::uint64_t owed_ = 0;
};

// Calls advance(&expansions), of a search on a graph that counts into `work`, until the search ends
// or `*units` are used up. Takes off the units used: those of the expansions and those for edges.
// Grants the search one expansion at a time, so that it stops as soon as an expansion costs more
// than what is left. Returns an end of the search only when nothing is owed.
template <class Advance>
auto advance_paid(EdgeWork* work, std::uint32_t* units, const Advance& advance) {
  using Ends = decltype(advance(units));  // Progress or LimitedProgress
  while (work->pay(units)) {
    const std::uint32_t granted = std::min<std::uint32_t>(*units, 1);
    std::uint32_t left = granted;
    const Ends progress = advance(&left);
    const bool is_used = left < granted;
    *units -= granted - left;
    if (progress != Ends::kOutOfBudget) return work->pay(units) ? progress : Ends::kOutOfBudget;
    if (!is_used) break;
  }
  return Ends::kOutOfBudget;
}

}  // namespace repath
