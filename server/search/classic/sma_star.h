// SMA*: best-first search that forgets its worst leaves when its memory is full, and remembers how
// good the forgotten nodes could have been.
//
// Source: S. Russell, "Efficient memory-bounded search methods", ECAI 1992; the simplified
// algorithm has its name from there. The search keeps a tree of paths. It expands the deepest of
// the leaves with the least f. When there is no room, it forgets the shallowest of the leaves with
// the highest f and backs up its f in the parent. The parent then waits to be expanded again when
// no other node is better. Departures:
// a. There may be several goals, and advance() can stop between two expansions.
// b. Graphs have many paths to a node. A new path to a node in memory replaces the old one, and the
//    subtree below it, if it is better by (cost, then steps); otherwise it is dropped. So a node is
//    in memory at most once, and with memory for all nodes the search is A*.
// c. All successors are made in one expansion, except those that would be forgotten at once.
// d. A path that fills the memory is cut off. The search keeps the least f of all cuts, so that it
//    can report at its end whether it may have missed a better path.
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change before the
// search is done. Memory: at most the limit; 72 bytes for each node in memory, allocated as needed,
// and 4 for each node that could be in memory, allocated at once. Invariants, between two
// expansions:
// 1. The value f(n) is the least of n's `forgotten` and its children's f. Its `forgotten` is the
//    least f of the successors that are neither in memory nor dropped. For a node not yet expanded
//    it is the node's own f. A node waits to be expanded while `forgotten` is finite.
// 2. On a cheapest path with the fewest steps some node waits with `forgotten` at most the path's
//    cost, unless that path was cut off. A node of it that is in memory with its least g cannot be
//    replaced, and its children are made with an f of at most that cost. Forgetting hands that f to
//    the parent, and a path that was dropped in favour of this one is not needed. So a goal that
//    comes up is a nearest one if its cost is at most the least f cut off. If the waiting list is
//    empty and every path was followed to its end, no path exists.
//
// If all goals are out of reach and the reachable nodes exceed the memory, the search forgets nodes
// and returns to them for very long. It is not proved that it ends by itself; limits.expansions_max
// ends it in any case.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "search/chunked_stack.h"
#include "search/classic/pool_heap.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

template <SearchGraph Graph, LowerBound Bound = NearestGoalBound<Graph>>
class SmaStar {
 public:
  // REQUIRES: start and goals are nodes of the graph.
  SmaStar(const Graph& graph, NodeId start, GoalSet goals,
          SearchLimits limits) requires std::same_as<Bound, NearestGoalBound<Graph>>
      : SmaStar(graph, start, goals, Bound(graph, goals), limits) {}
  // Uses the caller's own lower bound to the nearest goal (see LowerBound).
  SmaStar(const Graph& graph, NodeId start, GoalSet goals, Bound bound, SearchLimits limits)
      : graph_(&graph),
        goals_(std::move(goals)),
        bound_(std::move(bound)),
        limits_(limits),
        buckets_(std::min<std::size_t>(graph.node_count(), limits.bytes_max / sizeof(Node)),
                 kNowhere),
        waiting_(&pool_),
        leaves_(&pool_) {
    REPATH_CHECK(index(start) < graph.node_count());
    if (buckets_.empty() || !has_room()) {
      progress_ = LimitedProgress::kMemoryLimit;
      return;
    }
    const Cost f = bound_(start);
    put_back(make({.g = 0, .f = f, .forgotten = f, .node = start}));
  }
  // Cannot be copied, because the heaps borrow the pool.
  SmaStar(const SmaStar&) = delete;
  SmaStar& operator=(const SmaStar&) = delete;

  // Expands at most `*expansions` nodes and subtracts the number used. O(degree log n) for each,
  // plus the depth of the tree. Returns kPathFound if path_cost() is the optimum, kNoPath if no
  // goal can be reached, and kWorkLimit if limits.expansions_max are spent. Returns kMemoryLimit if
  // all paths that fit are searched and a better one may not have fitted; goal() may then still
  // have a path, which is optimal if an optimal path fits.
  [[nodiscard]] LimitedProgress advance(std::uint32_t* expansions) {
    while (progress_ == LimitedProgress::kOutOfBudget) {
      const bool is_over = waiting_.empty();
      const std::uint32_t x = is_over ? kNowhere : waiting_.top();
      if (is_over || goals_.contains(pool_[x].node)) {
        goal_ = x;
        if (path_cost() > cut_off_)
          progress_ = LimitedProgress::kMemoryLimit;
        else
          progress_ = is_over ? LimitedProgress::kNoPath : LimitedProgress::kPathFound;
      } else if (*expansions == 0) {
        break;
      } else if (expanded_ == limits_.expansions_max) {
        progress_ = LimitedProgress::kWorkLimit;
      } else {
        --*expansions;
        expand(x);
      }
    }
    return progress_;
  }

  // Returns the goal reached; kNoNode before kPathFound, and with kMemoryLimit if no path was
  // found.
  NodeId goal() const { return goal_ == kNowhere ? kNoNode : pool_[goal_].node; }
  // Returns the cost of the path to goal(); kUnreachable if there is none.
  Cost path_cost() const { return goal_ == kNowhere ? kUnreachable : pool_[goal_].g; }
  // Returns a lower bound of the cost of every path to a goal, however the search ended.
  Cost lower_bound() const { return pool_.empty() ? 0 : std::min(pool_[0].f, cut_off_); }
  // Appends the nodes from the start to goal(), both included. REQUIRES: goal() != kNoNode.
  // O(length).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(goal_ != kNowhere);
    const auto first = static_cast<std::ptrdiff_t>(out->size());
    for (std::uint32_t n = goal_; n != kNowhere; n = pool_[n].parent) out->push_back(pool_[n].node);
    std::reverse(out->begin() + first, out->end());
  }

  // Visits every node in memory, in ascending order of ids. The nodes that wait to be expanded, for
  // the first time or again, are open. O(n log n), and as much extra memory.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    std::vector<TouchedNode> touched;
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      const Node& n = pool_[i];
      if (n.node == kNoNode) continue;
      const NodeId parent = n.parent == kNowhere ? kNoNode : pool_[n.parent].node;
      touched.push_back({n.node, n.g, bound_(n.node), n.forgotten != kUnreachable, parent});
    }
    std::ranges::sort(touched, {}, &TouchedNode::node);
    for (const TouchedNode& t : touched) visit(t);
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  // Number of expansions; a node counts each time it is expanded.
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  // Number of leaves forgotten so far.
  std::uint64_t forgotten() const { return forgotten_; }
  std::size_t bytes() const { return pool_.bytes() + buckets_.capacity() * sizeof(std::uint32_t); }

 private:
  // Refers to other nodes by their index in the pool; kNowhere for none.
  struct Node {
    Cost g = 0;
    Cost f = 0;
    Cost forgotten = 0;
    NodeId node = kNoNode;  // kNoNode: the element is free
    std::uint32_t parent = kNowhere;
    std::uint32_t depth = 0;
    std::uint32_t first_child = kNowhere;
    // Next child of its parent; of a free element the next free one.
    std::uint32_t sibling = kNowhere;
    std::uint32_t chained = kNowhere;  // next node in its bucket
    std::uint32_t waiting_at = kNowhere;
    std::uint32_t waiting_entry = kNowhere;
    std::uint32_t leaf_at = kNowhere;
    std::uint32_t leaf_entry = kNowhere;
  };
  struct LeastForgottenThenDeepest {
    bool operator()(const Node& a, const Node& b) const {
      if (a.forgotten != b.forgotten) return a.forgotten < b.forgotten;
      return a.depth != b.depth ? a.depth > b.depth : a.node < b.node;
    }
  };
  struct GreatestFThenShallowest {
    bool operator()(const Node& a, const Node& b) const {
      if (a.f != b.f) return a.f > b.f;
      return a.depth != b.depth ? a.depth < b.depth : a.node > b.node;
    }
  };

  std::uint32_t* bucket_of(NodeId n) { return &buckets_[mix(index(n)) % buckets_.size()]; }
  std::uint32_t find(NodeId v) {
    std::uint32_t n = *bucket_of(v);
    while (n != kNowhere && pool_[n].node != v) n = pool_[n].chained;
    return n;
  }

  bool has_room() const {
    return free_ != kNowhere || bytes() + pool_.bytes_to_push() <= limits_.bytes_max;
  }

  void expand(std::uint32_t x) {
    ++expanded_;
    last_expanded_ = pool_[x].node;
    const Cost f_least = pool_[x].forgotten;
    waiting_.remove(x);
    leaves_.remove(x);
    pool_[x].forgotten = kUnreachable;
    expanding_ = x;
    graph_->for_each_successor(pool_[x].node, [&](NodeId v, Cost step) {
      ++generated_;
      offer(v, pool_[x].g + step, f_least);
    });
    expanding_ = kNowhere;
    put_back(x);
    back_up(x);
  }

  // Takes a path to v through the node that is being expanded.
  void offer(NodeId v, Cost g, Cost f_least) {
    Node& x = pool_[expanding_];
    const std::uint32_t depth = x.depth + 1;
    const std::uint32_t there = find(v);
    if (there != kNowhere) {
      const Node& old = pool_[there];
      if (old.g != g ? old.g < g : old.depth <= depth) return;
      drop(there);
    }
    const Cost f = std::max(f_least, g + bound_(v));
    const Node fresh{
        .g = g, .f = f, .forgotten = f, .node = v, .parent = expanding_, .depth = depth};
    if (!has_room()) {
      if (leaves_.empty()) {
        cut_off_ = std::min(cut_off_, f);
        return;
      }
      if (GreatestFThenShallowest()(fresh, pool_[leaves_.top()])) {
        x.forgotten = std::min(x.forgotten, f);
        return;
      }
      forget(leaves_.top());
    }
    put_back(make(fresh));
  }

  // REQUIRES: has_room().
  std::uint32_t make(const Node& v) {
    std::uint32_t n = free_;
    if (n == kNowhere) {
      n = static_cast<std::uint32_t>(pool_.size());
      pool_.push_back({});
    }
    Node& at = pool_[n];
    free_ = at.sibling;
    // The heap entries stored here belong to other nodes.
    const std::uint32_t waiting_entry = at.waiting_entry;
    const std::uint32_t leaf_entry = at.leaf_entry;
    at = v;
    at.waiting_entry = waiting_entry;
    at.leaf_entry = leaf_entry;
    at.chained = std::exchange(*bucket_of(v.node), n);
    if (v.parent != kNowhere) at.sibling = std::exchange(pool_[v.parent].first_child, n);
    return n;
  }

  // Forgets the leaf and keeps its f in its parent.
  void forget(std::uint32_t leaf) {
    ++forgotten_;
    const std::uint32_t parent = pool_[leaf].parent;
    const Cost f = pool_[leaf].f;
    take_out(leaf);
    waiting_.remove(parent);
    pool_[parent].forgotten = std::min(pool_[parent].forgotten, f);
    put_back(parent);
  }

  // Drops n and its subtree for good, because there is a better path to n.
  void drop(std::uint32_t n) {
    const std::uint32_t parent = pool_[n].parent;
    std::uint32_t leaf = n;
    do {
      while (pool_[leaf].first_child != kNowhere) leaf = pool_[leaf].first_child;
      const std::uint32_t above = pool_[leaf].parent;
      take_out(leaf);
      leaf = above;
    } while (leaf != parent);
    put_back(parent);
    back_up(parent);
  }

  // REQUIRES: n is a leaf other than the start.
  void take_out(std::uint32_t n) {
    Node& at = pool_[n];
    waiting_.remove(n);
    leaves_.remove(n);
    std::uint32_t* link = bucket_of(at.node);
    while (*link != n) link = &pool_[*link].chained;
    *link = at.chained;
    link = &pool_[at.parent].first_child;
    while (*link != n) link = &pool_[*link].sibling;
    *link = at.sibling;
    at.node = kNoNode;
    at.sibling = std::exchange(free_, n);
  }

  // Puts n into the heaps where it belongs, unless it is being expanded.
  void put_back(std::uint32_t n) {
    waiting_.remove(n);
    leaves_.remove(n);
    if (n == expanding_) return;
    if (pool_[n].forgotten != kUnreachable) waiting_.put(n);
    if (pool_[n].first_child == kNowhere) leaves_.put(n);
  }

  // {BACKUP} Updates f of n and of the nodes above it, as far as it changes.
  void back_up(std::uint32_t n) {
    while (n != kNowhere && n != expanding_) {
      Node& at = pool_[n];
      Cost f = at.forgotten;
      for (std::uint32_t c = at.first_child; c != kNowhere; c = pool_[c].sibling)
        f = std::min(f, pool_[c].f);
      if (f == at.f) return;
      const bool is_leaf = leaves_.contains(n);
      if (is_leaf) leaves_.remove(n);
      at.f = f;
      if (is_leaf) leaves_.put(n);
      n = at.parent;
    }
  }

  const Graph* graph_;
  GoalSet goals_;
  Bound bound_;
  SearchLimits limits_;
  LimitedProgress progress_ = LimitedProgress::kOutOfBudget;
  ChunkedStack<Node> pool_;  // the start is at 0
  std::uint32_t free_ = kNowhere;
  std::vector<std::uint32_t> buckets_;  // by node id
  PoolHeap<Node, &Node::waiting_entry, &Node::waiting_at, LeastForgottenThenDeepest> waiting_;
  PoolHeap<Node, &Node::leaf_entry, &Node::leaf_at, GreatestFThenShallowest> leaves_;
  std::uint32_t expanding_ = kNowhere;  // the node being expanded; it is in neither heap
  std::uint32_t goal_ = kNowhere;
  Cost cut_off_ = kUnreachable;  // least f of a node that did not fit below its path
  NodeId last_expanded_ = kNoNode;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace repath
