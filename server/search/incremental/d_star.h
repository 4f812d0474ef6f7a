// D*, the original dynamic A*, with a set of goals: rooted at the goals, repaired after edits, with
// a start that moves.
//
// Source: A. Stentz, "Optimal and efficient path planning for partially-known environments", ICRA
// 1994; the basic algorithm, without the focus of 1995. Function names, letters and the order of
// statements are the paper's; {n} gives its line. Here h is the cost to the goal and not a
// heuristic. The key k is the least h since the state was put into OPEN. The pointer b leads to the
// next state. A state with k < h is RAISED, a state with k = h is LOWERED. Departures:
// a. There may be several goals, each with h = 0.
// b. A call of advance() can stop between two states (a budget) and continue later without loss. It
//    can continue for any node (advance_to) and reports for any node whether it is done (proves).
// c. The graph is directed: X hands its costs to its predecessors, and its successors lower X.
// d. An edge may be closed, so h may be kUnreachable. A NEW state is only opened with a finite h.
// e. A change is reported for a node. MODIFY-COST puts the edge's head into OPEN; here that is done
//    for each head that now gives the node another h. A node whose edge to b is gone is raised at
//    once, because its b does not see the edge any more.
// f. Ties are broken by node id, so that replay is bit-identical.
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change except as
// on_edges_changed() allows. Memory: 32 bytes for each node of the touched pages, 24 for each node
// in OPEN at once. Invariants, between two calls:
// 1. OPEN holds the states with t = OPEN, each with its key k <= h.
// 2. A state Y with a b has h(Y) = c(Y, b(Y)) + h(b(Y)) with the present edge, or b(Y) is in OPEN
//    with a k less than h(Y). Goals are the only states with a finite h and no b.
// 3. For every edge (Y, X) with X CLOSED: h(Y) <= c(Y, X) + h(X), or Y is in OPEN with a k of at
//    most that sum.
//
// The proof and its condition: cost(n) is the true cost from n to the nearest goal, kUnreachable
// included, as long as the least k in OPEN is not below h(n). For h(n) = kUnreachable that means an
// empty OPEN. It is the paper's theorem (h(X) <= k_min is optimal), and it follows from the
// invariants:
// a. h(n) is achieved. b(n) cannot be in OPEN with less than h(n). So h(n) is the sum in (2),
//    h(b(n)) is less, and the same holds down to a goal.
// b. No path is cheaper. Suppose that the true cost d is below h(n). On a cheapest path take the
//    state Y nearest to the goal whose h is too high, and its next state X, whose h is right. Then
//    c(Y, X) + h(X) is at most d, so OPEN holds X or, by (3), Y with at most d: a contradiction.
//
// The property tests check this for every node in every state, above all in half-done ones.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/goal_set.h"
#include "search/graph.h"
#include "search/node_pages.h"
#include "search/open_list.h"
#include "search/paths.h"

namespace repath {

template <SearchGraph Graph>
class DStar {
 public:
  // REQUIRES: start and goals are nodes of the graph.
  DStar(const Graph& graph, NodeId start, GoalSet goals)
      : graph_(&graph), start_(start), goals_(std::move(goals)), records_(graph.node_count()) {
    REPATH_CHECK(index(start) < graph.node_count());
    for (const NodeId goal : goals_.nodes()) {
      REPATH_CHECK(index(goal) < graph.node_count());
      insert(goal, &records_.touch(goal), 0);
    }
  }

  // Calls advance_to(start()). After kPathFound path_cost() is exact; kNoPath means that no goal
  // can be reached.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    return advance_to(start_, expansions);
  }
  // Continues until proves(target). Takes at most `*expansions` states from OPEN and subtracts the
  // number used. O(degree log n) for each.
  [[nodiscard]] Progress advance_to(NodeId target, std::uint32_t* expansions) {
    while (!proves(target)) {
      if (*expansions == 0) return Progress::kOutOfBudget;
      --*expansions;
      ++expanded_;
      process_state();
    }
    return cost(target) == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
  }

  // Returns whether cost(n) is the true cost from n to the nearest goal, kUnreachable included.
  // Valid at any time, also between slices, once every change has been reported. O(1).
  bool proves(NodeId n) const { return open_.top_key().k >= records_.read(n).h; }
  // Exact iff proves(n); kUnreachable for a NEW state.
  Cost cost(NodeId n) const { return records_.read(n).h; }
  // Returns cost(start()).
  Cost path_cost() const { return cost(start_); }

  // Appends the nodes of a path from `from` to a goal, both included, and returns true. It follows
  // only edges that are tight today, h(u) = c(u, v) + h(v), least id first (b is one such v), so
  // the path costs cost(from). If proves(from) and cost(from) is finite, there is such a path; it
  // is optimal and depends on the graph alone, not on the history of edits. If the chain is not
  // tight everywhere, returns false and leaves *out unchanged. O(length * degree).
  [[nodiscard]] bool append_path(NodeId from, std::vector<NodeId>* out) const {
    return append_tight_path(
        from, cost(from), [&](NodeId n, auto visit) { graph_->for_each_successor(n, visit); },
        [&](NodeId n) { return records_.read(n).h; }, out);
  }

  // Moves the start to any node, blocked ones included. All knowledge stays valid; only the target
  // of advance() changes. O(1).
  void move_start(NodeId start) {
    REPATH_CHECK(index(start) < graph_->node_count());
    start_ = start;
  }
  // MODIFY-COST: reports that the cost of some edge out of `from` changed, or that the edge opened
  // or closed. Report every such node after the graph has changed and before any other call.
  // Reporting an unchanged node is harmless. O(degree log n).
  void on_edges_changed(NodeId from) {
    // Opens a head if it is b(from) and now gives another h, or if it gives less than h(from).
    if (goals_.contains(from)) return;
    const Record old = records_.read(from);
    bool has_b = old.b == kNoNode;
    graph_->for_each_successor(from, [&](NodeId x, Cost step) {
      const Record& after = records_.read(x);
      has_b = has_b || x == old.b;
      if (after.t != Tag::kClosed || after.h == kUnreachable) return;
      const Cost through_x = after.h + step;
      if (through_x < old.h || (x == old.b && through_x != old.h))
        insert(x, &records_.touch(x), after.h);
    });
    if (!has_b) redirect(from, &records_.touch(from), kNoNode, kUnreachable);
  }

  NodeId start() const { return start_; }
  const GoalSet& goals() const { return goals_; }

  // Visits every node whose cost is known, in ascending order of ids; g is the paper's h, h is 0.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    records_.for_each([&](NodeId n, const Record& r) {
      if (r.h != kUnreachable) visit(TouchedNode{n, r.h, 0, r.slot.is_queued(), r.b});
    });
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  // Number of states taken from OPEN.
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const { return records_.bytes() + open_.bytes() + goals_.bytes(); }

 private:
  enum class Tag : std::uint8_t { kNew, kOpen, kClosed };
  struct Record {
    Cost h = kUnreachable;
    Cost k = kUnreachable;
    NodeId b = kNoNode;  // next state; kNoNode on goals and where h is kUnreachable
    HeapSlot slot;
    Tag t = Tag::kNew;
  };
  struct ByK {
    Cost k = kUnreachable;
    auto operator<=>(const ByK&) const = default;
  };

  void process_state() {
    const NodeId x = open_.top();  // {01}-{03}
    last_expanded_ = x;
    const Cost k_old = open_.top_key().k;
    Record& at = records_.touch(x);
    open_.remove(&at.slot);
    at.t = Tag::kClosed;
    if (k_old < at.h) lower_by_successors(x, &at, k_old);
    if (k_old == at.h) {
      propagate_lowered(x, at);
    } else {
      propagate_raised(x, &at);
      wake_successors(x, at, k_old);
    }
  }

  // Looks for a better path of a raised state among the states that are already right.
  void lower_by_successors(NodeId x, Record* at, Cost k_old) {  // {04}-{07}
    graph_->for_each_successor(x, [&](NodeId y, Cost step) {
      ++generated_;
      const Cost h = records_.read(y).h;
      if (h > k_old || at->h <= h + step) return;
      at->b = y;
      at->h = h + step;
    });
  }

  void propagate_lowered(NodeId x, const Record& at) {  // {08}-{13}
    graph_->for_each_predecessor(x, [&](NodeId y, Cost step) {
      ++generated_;
      const Record& before = records_.read(y);
      const Cost through_x = at.h + step;
      if (before.b == x ? before.h != through_x : before.h > through_x)
        redirect(y, &records_.touch(y), x, through_x);
    });
  }

  // Raises the states that lean on x together with it. If x would help other states, x is opened
  // again, so that it hands on its new h when its turn comes.
  void propagate_raised(NodeId x, Record* at) {  // {14}-{21}
    bool helps = false;
    graph_->for_each_predecessor(x, [&](NodeId y, Cost step) {
      ++generated_;
      const Record& before = records_.read(y);
      const Cost through_x = saturating_add(at->h, step);
      const bool is_new = before.t == Tag::kNew && through_x != kUnreachable;
      if (is_new || (before.b == x && before.h != through_x))
        redirect(y, &records_.touch(y), x, through_x);
      else if (before.b != x && before.h > through_x)
        helps = true;
    });
    if (helps) insert(x, at, at->h);
  }

  // Opens successors that would give x a better path but may have to be raised themselves first.
  void wake_successors(NodeId x, const Record& at, Cost k_old) {  // {23}-{25}
    graph_->for_each_successor(x, [&](NodeId y, Cost step) {
      ++generated_;
      const Record& after = records_.read(y);
      if (after.t != Tag::kClosed || after.b == x || after.h <= k_old) return;
      if (at.h > saturating_add(after.h, step)) insert(y, &records_.touch(y), after.h);
    });
  }

  void insert(NodeId x, Record* at, Cost h_new) {
    if (at->t == Tag::kNew) at->k = h_new;
    if (at->t == Tag::kOpen) at->k = std::min(at->k, h_new);
    if (at->t == Tag::kClosed) at->k = std::min(at->h, h_new);
    at->h = h_new;
    at->t = Tag::kOpen;
    open_.put(x, {at->k}, &at->slot);
  }

  void redirect(NodeId y, Record* at, NodeId x, Cost h_new) {
    at->b = h_new == kUnreachable ? kNoNode : x;
    insert(y, at, h_new);
  }

  const Graph* graph_;
  NodeId start_;
  GoalSet goals_;
  NodePages<Record> records_;
  OpenList<ByK> open_;
  NodeId last_expanded_ = kNoNode;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath
