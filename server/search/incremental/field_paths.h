// Reads paths from the labels of a goal field. A path descends along tight edges: straight on while
// a tight edge leads straight on, otherwise to the tight successor with the least id. Parts that
// paths have in common are written once and copied (search/incremental/field_trunks.h), because
// most of a thousand agents with one goal soon walk where another agent does. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "search/graph.h"
#include "search/incremental/field_label.h"
#include "search/incremental/field_pages.h"
#include "search/incremental/field_trunks.h"

namespace repath {

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
