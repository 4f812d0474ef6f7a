// Dijkstra's search from one or several sources. It finds the nearest of many goals, the area
// within a cost, or the distance to every node.
//
// Source: E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959. Nodes are
// settled in the order of (cost, node id). The parent of a node is the first settled node that
// gives it its least cost.
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change before the
// search is done. Memory: 16 bytes for each node of the touched pages, 24 for each open node, 4 for
// each settled one. Invariant: every settled node's cost is exact, whenever the search stops.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/goal_set.h"
#include "search/graph.h"
#include "search/node_pages.h"
#include "search/open_list.h"
#include "search/paths.h"

namespace repath {

// A node where the search begins, and the cost of starting there.
struct Source {
  NodeId node = kNoNode;
  Cost cost = 0;
};

template <SearchGraph Graph>
class Dijkstra {
 public:
  // Settles only nodes whose cost is at most `bound`. Without goals it settles all of them.
  // REQUIRES: sources and goals are nodes of the graph.
  Dijkstra(const Graph& graph, std::span<const Source> sources, GoalSet goals = {},
           Cost bound = kUnreachable)
      : graph_(&graph), goals_(std::move(goals)), bound_(bound), records_(graph.node_count()) {
    for (const Source& source : sources) {
      REPATH_CHECK(index(source.node) < graph.node_count());
      relax(source.node, kNoNode, source.cost);
    }
  }

  // Expands at most `*expansions` nodes and subtracts the number used. O(log n) for each. Returns
  // kPathFound if the nearest goal is settled. Returns kNoPath if all nodes within the bound are
  // settled and no goal is among them; a search without goals always ends so.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    while (goal_ == kNoNode) {
      if (open_.empty()) return Progress::kNoPath;
      const NodeId u = open_.top();
      const bool is_goal = goals_.contains(u);
      if (!is_goal && *expansions == 0) return Progress::kOutOfBudget;
      Record& at = records_.touch(u);
      open_.remove(&at.slot);
      settled_.push_back(u);
      if (is_goal) {
        goal_ = u;
        break;
      }
      --*expansions;
      ++expanded_;
      graph_->for_each_successor(u, [&](NodeId v, Cost step) {
        ++generated_;
        relax(v, u, at.g + step);
      });
    }
    return Progress::kPathFound;
  }

  // Returns the nearest goal, the least id among equals; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Returns the cost to goal(), including the cost of its source; kUnreachable before kPathFound.
  Cost path_cost() const { return goal_ == kNoNode ? kUnreachable : records_.read(goal_).g; }

  // Returns the nodes settled so far, nearest first.
  std::span<const NodeId> settled() const { return settled_; }
  bool is_settled(NodeId n) const {
    const Record& r = records_.read(n);
    return r.g != kUnreachable && !r.slot.is_queued();
  }
  // Returns the exact cost of a settled node. For any other node returns the best cost known so
  // far, kUnreachable if none is known.
  Cost cost(NodeId n) const { return records_.read(n).g; }
  // Returns the node before n on a cheapest path; kNoNode for a source. REQUIRES: is_settled(n).
  NodeId parent(NodeId n) const { return records_.read(n).parent; }
  // Appends the nodes from n's source to n, both included. REQUIRES: is_settled(n). O(length).
  void append_path(NodeId n, std::vector<NodeId>* out) const {
    REPATH_CHECK(is_settled(n));
    append_parents(records_, n, out);
  }

  // Visits every node reached so far, in ascending order of ids; h is 0.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    records_.for_each([&](NodeId n, const Record& r) {
      if (r.g != kUnreachable) visit(TouchedNode{n, r.g, 0, r.slot.is_queued(), r.parent});
    });
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return expanded_ == 0 ? kNoNode : settled_[expanded_ - 1]; }
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const {
    return records_.bytes() + open_.bytes() + settled_.capacity() * sizeof(NodeId);
  }

 private:
  struct Record {
    Cost g = kUnreachable;
    NodeId parent = kNoNode;
    HeapSlot slot;
  };
  struct ByCost {
    Cost g = kUnreachable;
    auto operator<=>(const ByCost&) const = default;
  };

  void relax(NodeId n, NodeId parent, Cost g) {
    if (g > bound_) return;
    Record& r = records_.touch(n);
    if (g >= r.g) return;
    r.g = g;
    r.parent = parent;
    open_.put(n, {g}, &r.slot);
  }

  const Graph* graph_;
  GoalSet goals_;
  Cost bound_;
  NodeId goal_ = kNoNode;
  NodePages<Record> records_;
  OpenList<ByCost> open_;
  std::vector<NodeId> settled_;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath
