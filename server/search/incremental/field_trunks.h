// Paths that a goal field has written, so that later paths copy the parts that they have in common.
//
// Paths go straight on while they can, so all paths that turn at the same node are equal behind it.
// They are kept as a tree: for each path only the part that it did not copy, and the place of the
// rest. Turns are found by a table of kSlots without probing; a path whose turn another one
// displaced is written again. Not thread-safe. Memory: 4 bytes for each of kNodesMax nodes and of
// one path, and 48 KiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace repath {

class FieldTrunks {
 public:
  static constexpr std::size_t kNodesMax = std::size_t{1} << 16;

  // Forgets all paths, because the nodes on them may change. Keeps the memory. O(1) if there are
  // none, otherwise O(kSlots).
  void clear() {
    if (stretches_.empty()) return;
    nodes_.clear();
    stretches_.clear();
    turns_.assign(kSlots, {});
  }

  // If a kept path turned at `n`, appends the nodes that followed there, down to the goal.
  bool copy_after(NodeId n, std::vector<NodeId>* out) {
    if (turns_.empty() || slot(n).node != n) return false;
    copied_ = slot(n).after;
    for (Place place = copied_; place.stretch != kNone;) {
      const Stretch& stretch = stretches_[place.stretch];
      out->insert(out->end(), nodes_.begin() + place.at, nodes_.begin() + stretch.end);
      place = stretch.next;
    }
    return true;
  }
  // Keeps a path. `own` are its nodes that were not copied, `turns` the indices of those where it
  // turned. Behind them the path reached its goal or, if `is_copied`, continued with the nodes that
  // the last copy_after() appended.
  void keep(std::span<const NodeId> own, std::span<const std::uint32_t> turns, bool is_copied) {
    if (turns.empty()) return;  // no path could find it
    if (nodes_.size() + own.size() > kNodesMax) {
      if (is_copied) return;  // clearing would delete the rest of this path
      clear();
    }
    if (turns_.empty()) turns_.resize(kSlots);
    const auto begin = static_cast<std::uint32_t>(nodes_.size());
    const auto stretch = static_cast<std::uint32_t>(stretches_.size());
    nodes_.insert(nodes_.end(), own.begin(), own.end());
    stretches_.push_back(
        {static_cast<std::uint32_t>(nodes_.size()), is_copied ? copied_ : Place{}});
    for (const std::uint32_t turn : turns)
      slot(own[turn]) = {own[turn], {stretch, begin + turn + 1}};
  }

  std::size_t bytes() const {
    return nodes_.capacity() * sizeof(NodeId) + stretches_.capacity() * sizeof(Stretch) +
           turns_.capacity() * sizeof(Turn);
  }

 private:
  static constexpr std::uint32_t kSlots = 4096;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Place {
    std::uint32_t stretch = kNone;
    std::uint32_t at = 0;  // index in nodes_
  };
  struct Stretch {
    std::uint32_t end = 0;  // index in nodes_
    Place next;             // none: the last node of the stretch is a goal
  };
  struct Turn {
    NodeId node = kNoNode;
    Place after;
  };

  // Neighbours get slots far apart (D. Knuth's multiplicative hashing).
  Turn& slot(NodeId n) { return turns_[index(n) * 2'654'435'769u >> 20]; }

  std::vector<NodeId> nodes_;
  std::vector<Stretch> stretches_;
  std::vector<Turn> turns_;  // kSlots elements; empty before the first path
  Place copied_;             // set by the last copy_after() that found a turn
};

}  // namespace repath
