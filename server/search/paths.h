// How kernels read paths out of what they know about nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"

namespace repath {

// Appends the nodes from the root of the parents to `last`, both included. `records.read(n).parent`
// is the node before n, or kNoNode. O(length).
template <class Records>
void append_parents(const Records& records, NodeId last, std::vector<NodeId>* out) {
  const auto first = static_cast<std::ptrdiff_t>(out->size());
  for (NodeId n = last; n != kNoNode; n = records.read(n).parent) out->push_back(n);
  std::reverse(out->begin() + first, out->end());
}

// Appends the nodes of a path from `from` to a node of cost 0, both included, along edges that are
// tight today: cost(u) = step + cost(v), the least id v first. `for_each_step(u, visit)` calls
// visit(v, step) for the edges of u. `cost` is that of `from`. If it is kUnreachable, or the chain
// is not tight everywhere, returns false and leaves *out unchanged. O(length * degree).
template <class ForEachStep, class CostOf>
bool append_tight_path(NodeId from, Cost cost, ForEachStep for_each_step, CostOf cost_of,
                       std::vector<NodeId>* out) {
  if (cost == kUnreachable) return false;
  const std::size_t first = out->size();
  out->push_back(from);
  while (cost != 0) {
    NodeId next = kNoNode;
    Cost rest = kUnreachable;
    for_each_step(out->back(), [&](NodeId v, Cost step) {
      const Cost after = cost_of(v);
      if (saturating_add(step, after) != cost || v >= next) return;
      next = v;
      rest = after;
    });
    if (next == kNoNode) {
      out->resize(first);
      return false;
    }
    out->push_back(next);
    cost = rest;
  }
  return true;
}

}  // namespace repath
