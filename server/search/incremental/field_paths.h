// Reads paths from the labels of a goal field. A path descends along tight edges: straight on while
// a tight edge leads straight on, otherwise to the tight successor with the least id. Parts that
// paths have in common are written once and copied, because most of a thousand agents with one goal
// soon walk where another agent does. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "search/graph.h"
#include "search/incremental/field_pages.h"

namespace repath {

// Paths that were written, so that later paths copy the parts that they have in common.
//
// Paths go straight on while they can, so all paths that turn at the same node are equal behind it.
// They are kept as a tree: for each path only the part that it did not copy, and the place of the
// rest. Turns are found by a table of kSlots without probing; a path whose turn another one
// displaced is written again. Memory: 4 bytes for each of kNodesMax nodes and of one path, and 48
// KiB.
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

template <SearchGraph Graph>
class FieldPaths {
 public:
  // Appends the nodes of a path from `from`, which has a label, to a goal, both included. If the
  // chain is not tight, returns false and leaves *out unchanged. `is_proved` means that no label on
  // the path changes before forget(). O(length), plus the degree for each turn that no other path
  // made.
  [[nodiscard]] bool append(const Graph& graph, const FieldPages& labels, NodeId from,
                            bool is_proved, std::vector<NodeId>* out) {
    if (cost_of(labels.read(from)) == kFieldNever) return false;
    const std::size_t first = out->size();
    out->push_back(from);
    turns_.clear();
    std::uint32_t stride = 0;  // difference of ids in the step before
    bool is_copied = false;
    std::size_t own = 1;  // number of nodes that were not copied
    for (NodeId last = from; cost_of(labels.read(last)) != 0; last = out->back()) {
      NodeId next{index(last) + stride};
      if (!leads_on(graph, labels, last, stride)) {
        is_copied = trunks_.copy_after(last, out);
        if (is_copied) break;
        turns_.push_back(static_cast<std::uint32_t>(own - 1));
        next = tight_successor(graph, labels, last);
      }
      if (next == kNoNode) {
        out->resize(first);
        return false;
      }
      out->push_back(next);
      ++own;
      stride = index(next) - index(last);
    }
    if (is_proved) trunks_.keep(std::span(*out).subspan(first, own), turns_, is_copied);
    return true;
  }
  // Forgets all paths. Call it before labels or edges change.
  void forget() { trunks_.clear(); }

  std::size_t bytes() const { return trunks_.bytes() + turns_.capacity() * sizeof(turns_[0]); }

 private:
  // Returns whether there is a tight edge from `n` to the node whose id is larger by `stride`.
  static bool leads_on(const Graph& graph, const FieldPages& labels, NodeId n,
                       std::uint32_t stride) {
    if constexpr (requires { graph.cost_between(n, n); }) {
      const NodeId ahead{index(n) + stride};
      if (stride == 0 || index(ahead) >= graph.node_count()) return false;
      const Cost cost = cost_of(labels.read(n));
      const Cost rest = cost_of(labels.read(ahead));
      return rest < cost && graph.cost_between(n, ahead) == cost - rest;
    }
    return false;
  }

  // Returns kNoNode if there is none.
  static NodeId tight_successor(const Graph& graph, const FieldPages& labels, NodeId n) {
    const Cost cost = cost_of(labels.read(n));
    NodeId next = kNoNode;
    graph.for_each_successor(n, [&](NodeId v, Cost step) {
      if (v < next && step + cost_of(labels.read(v)) == cost) next = v;
    });
    return next;
  }

  FieldTrunks trunks_;
  // Turns of the path being written, as indices from its first node.
  std::vector<std::uint32_t> turns_;
};

}  // namespace repath
