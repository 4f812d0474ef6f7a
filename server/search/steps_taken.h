// How a search went, for ExplainPath: its expansions in their order, and from where nodes were
// reached.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "search/graph.h"

namespace repath {

// Greatest number of expansions that are remembered.
inline constexpr std::size_t kStepsToldMax = 200'000;

// Runs a search and remembers its expansions. Belongs to one search.
template <class Kernel>
class StepsTaken {
 public:
  // Remembers the first `most` expansions; 0: the kernel runs as fast as it can. Borrows the
  // kernel.
  StepsTaken(Kernel* kernel, std::size_t most) : kernel_(kernel), most_(most) {}

  // As Kernel::advance. While there is something to remember it works expansion by expansion, which
  // changes nothing that the kernel finds. A kernel without last_expanded() has no order to
  // remember.
  auto advance(std::uint32_t* expansions) {
    if constexpr (requires { kernel_->last_expanded(); }) {
      using Ends = decltype(kernel_->advance(expansions));
      while (nodes_.size() < most_ && *expansions > 0) {
        const std::uint64_t before = count();
        std::uint32_t one = 1;
        const Ends progress = kernel_->advance(&one);
        *expansions -= 1 - one;
        if (count() != before) nodes_.push_back(kernel_->last_expanded());
        if (progress != Ends::kOutOfBudget) return progress;
      }
    }
    return kernel_->advance(expansions);
  }

  const std::vector<NodeId>& nodes() const { return nodes_; }
  // Returns the kernel's memory.
  std::size_t bytes() const { return kernel_->bytes(); }

 private:
  std::uint64_t count() const {
    if constexpr (requires { kernel_->nodes_expanded(); }) {
      return kernel_->nodes_expanded();
    } else {
      return kernel_->expanded();
    }
  }

  Kernel* kernel_;
  std::size_t most_;
  std::vector<NodeId> nodes_;
};

// Puts the closed nodes that no expansion names before the expansions, the nearest to the start
// first, ties by id.
inline void prepend_closed(const std::vector<TouchedNode>& touched,
                           std::vector<NodeId>* expansions) {
  std::vector<NodeId> named = *expansions;
  std::ranges::sort(named);
  std::vector<std::pair<Cost, NodeId>> first;
  for (const TouchedNode& node : touched)
    if (!node.is_open && !std::ranges::binary_search(named, node.node))
      first.emplace_back(node.g, node.node);
  std::ranges::sort(first);
  std::vector<NodeId> all;
  all.reserve(first.size() + expansions->size());
  for (const auto& [cost, node] : first) all.push_back(node);
  all.insert(all.end(), expansions->begin(), expansions->end());
  *expansions = std::move(all);
}

// Finds the parents of nodes that a kernel did not keep: a touched node from which a step leads to
// the node at just its cost, the least id among equals. `touched` ascends by node, and g is the
// cost from the start. O(edges log nodes).
template <SearchGraph Graph>
void fill_parents(const Graph& graph, std::vector<TouchedNode>* touched) {
  for (TouchedNode& node : *touched) {
    if (node.g == 0) continue;
    graph.for_each_predecessor(node.node, [&](NodeId before, Cost step) {
      const auto from = std::ranges::lower_bound(*touched, before, {}, &TouchedNode::node);
      if (from == touched->end() || from->node != before) return;
      if (saturating_add(from->g, step) == node.g) node.parent = std::min(node.parent, before);
    });
  }
}

}  // namespace repath
