// D*, the original dynamic A*, with a set of goals: rooted at the goals, repaired after edits, with
// a start that moves.
//
// Source: A. Stentz, "Optimal and efficient path planning for partially-known environments", ICRA
// 1994; the basic algorithm, without the focus of 1995. Function names, letters and the order of
// statements are the paper's; {n} gives its line. h is the cost to the goal here, not a heuristic;
// k is the least h since the state was put into OPEN; b points to the next state on the way. A
// state with k < h is RAISED, one with k = h is LOWERED. Where this file departs:
//   - there may be several goals, each with h = 0;
//   - advance() can stop between two states (a budget) and go on later with no loss; it can go on
//   for any node (advance_to) and says of any node whether it is done (proves);
//   - the graph is directed: X's costs go on to its predecessors, X is lowered by its successors;
//   - an edge may be closed altogether, so h may be kUnreachable, and no NEW state is opened with
//   it;
//   - a change is reported per node: MODIFY-COST puts the edge's head into OPEN, which is done here
//   for each head that gives the node another h now; a node whose edge to b is gone is raised at
//   once, since its b does not see the edge any more;
//   - ties are broken by node id, so that replay is bit-identical.
//
// Not thread-safe. Borrows `graph`, which must outlive it (or until rebind()) and must not change
// except as on_edges_changed() says. Memory: 32 bytes for each node of the touched pages, 24 for
// each node ever in OPEN at once. Invariants, between two calls:
//   1. OPEN holds the states with t = OPEN under their k, which is no more than h.
//   2. A state Y with a b has h(Y) = c(Y, b(Y)) + h(b(Y)), with the edge as it is today, or b(Y) is
//   in OPEN under a k less than h(Y). Only goals have a finite h and no b.
//   3. For every edge (Y, X) with X CLOSED: h(Y) <= c(Y, X) + h(X), or Y is in OPEN under a k of no
//   more than that.
//
// What is proved, and when: cost(n) is the true cost from n to the nearest goal, kUnreachable
// included, as long as the least k in OPEN is not below h(n); where h(n) is kUnreachable that means
// an empty OPEN. It is the paper's theorem (h(X) <= k_min is optimal), from the invariants so: (a)
// h(n) is achieved: b(n) cannot be in OPEN under less than h(n), so h(n) is what (2) says and
// h(b(n)) is less; and so on down to a goal. (b) Nothing is cheaper: were d < h(n) the true cost,
// take on a cheapest path the state Y nearest to the goal whose h is too high, and the next one, X,
// whose h is not. c(Y, X) + h(X) is no more than d then, so OPEN holds X or, by (3), Y under no
// more than d: a contradiction. The property tests ask it of every node in every state, half-done
// ones above all.
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

namespace repath {

template <SearchGraph Graph>
class DStar {
 public:
  // REQUIRES: start and goals are nodes of the graph.
  DStar(const Graph& graph, NodeId start, GoalSet goals);

  // advance_to(start()): kPathFound means path_cost() is exact, kNoPath that no goal can be
  // reached.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    return advance_to(start_, expansions);
  }
  // Goes on until proves(target). Takes at most `*expansions` states from OPEN and takes off what
  // it used. O(degree log n) each.
  [[nodiscard]] Progress advance_to(NodeId target, std::uint32_t* expansions);

  // True if cost(n) is the true cost from n to the nearest goal, kUnreachable included. Right at
  // any time, also between slices, once every change has been reported. O(1).
  bool proves(NodeId n) const { return open_.top_key().k >= records_.read(n).h; }
  // Exact iff proves(n); kUnreachable for a NEW state.
  Cost cost(NodeId n) const { return records_.read(n).h; }
  // cost(start()).
  Cost path_cost() const { return cost(start_); }

  // Appends the nodes of a path from `from` to a goal, both included, and returns true. Follows
  // only edges that are tight today, h(u) = c(u, v) + h(v), least id first (b is one such v), so
  // the path costs cost(from). If proves(from), there is one unless cost(from) is kUnreachable, it
  // is optimal, and it depends on the graph alone, not on the history of edits. If the chain is not
  // tight everywhere, returns false and leaves *out as it was. O(length * degree).
  [[nodiscard]] bool append_path(NodeId from, std::vector<NodeId>* out) const;

  // The start may be any node, blocked ones too. Nothing is searched anew, nothing is unlearned:
  // only what advance() asks for changes. O(1).
  void move_start(NodeId start);
  // MODIFY-COST: the cost of some edge out of `from` changed, or the edge opened or closed. Report
  // every such node after the graph has changed and before anything else is called. Reporting a
  // node for nothing is harmless. O(degree log n).
  void on_edges_changed(NodeId from);
  // Goes on over another graph object with the same nodes. The caller then reports every node whose
  // out-edges differ between the two by on_edges_changed().
  void rebind(const Graph& graph);
  // Forgets all work and gives its memory back: the next advance() is a fresh search.
  void reset();

  NodeId start() const { return start_; }
  const GoalSet& goals() const { return goals_; }

  // Every node whose cost is known, ascending by id; g is the paper's h, h is 0.
  template <class Visit>
  void for_each_touched(Visit&& visit) const;

  // States taken from OPEN since the constructor or reset().
  std::uint64_t expanded() const { return expanded_; }
  // Edges looked at on the way.
  std::uint64_t generated() const { return generated_; }
  std::size_t bytes() const { return records_.bytes() + open_.bytes() + goals_.bytes(); }

 private:
  enum class Tag : std::uint8_t { kNew, kOpen, kClosed };
  struct Record {
    Cost h = kUnreachable;
    Cost k = kUnreachable;
    NodeId b = kNoNode;  // the next state; kNoNode on goals and where h is kUnreachable
    HeapSlot slot;
    Tag t = Tag::kNew;
  };
  struct ByK {
    Cost k = kUnreachable;
    auto operator<=>(const ByK&) const = default;
  };

  void initialize();
  void process_state();
  void lower_by_successors(NodeId x, Record* at, Cost k_old);    // {04}-{07}
  void propagate_lowered(NodeId x, const Record& at);            // {08}-{13}
  void propagate_raised(NodeId x, Record* at);                   // {14}-{21}
  void wake_successors(NodeId x, const Record& at, Cost k_old);  // {23}-{25}
  void insert(NodeId x, Record* at, Cost h_new);
  void redirect(NodeId y, Record* at, NodeId x, Cost h_new);

  const Graph* graph_;
  NodeId start_;
  GoalSet goals_;
  NodePages<Record> records_;
  OpenList<ByK> open_;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

template <SearchGraph Graph>
DStar<Graph>::DStar(const Graph& graph, NodeId start, GoalSet goals)
    : graph_(&graph), start_(start), goals_(std::move(goals)), records_(graph.node_count()) {
  REPATH_CHECK(index(start) < graph.node_count());
  initialize();
}

template <SearchGraph Graph>
void DStar<Graph>::initialize() {
  for (const NodeId goal : goals_.nodes()) {
    REPATH_CHECK(index(goal) < graph_->node_count());
    insert(goal, &records_.touch(goal), 0);
  }
}

template <SearchGraph Graph>
Progress DStar<Graph>::advance_to(NodeId target, std::uint32_t* expansions) {
  while (!proves(target)) {
    if (*expansions == 0) return Progress::kOutOfBudget;
    --*expansions;
    ++expanded_;
    process_state();
  }
  return cost(target) == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
}

template <SearchGraph Graph>
void DStar<Graph>::process_state() {
  const NodeId x = open_.top();  // {01}-{03}
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

// A raised state looks for a better way among the states that are right already.
template <SearchGraph Graph>
void DStar<Graph>::lower_by_successors(NodeId x, Record* at, Cost k_old) {
  graph_->for_each_successor(x, [&](NodeId y, Cost step) {
    ++generated_;
    const Cost h = records_.read(y).h;
    if (h > k_old || at->h <= h + step) return;
    at->b = y;
    at->h = h + step;
  });
}

template <SearchGraph Graph>
void DStar<Graph>::propagate_lowered(NodeId x, const Record& at) {
  graph_->for_each_predecessor(x, [&](NodeId y, Cost step) {
    ++generated_;
    const Record& before = records_.read(y);
    const Cost through_x = at.h + step;
    if (before.b == x ? before.h != through_x : before.h > through_x)
      redirect(y, &records_.touch(y), x, through_x);
  });
}

// What hangs on x is raised with it. Where x would help others it is opened again, to do so when
// its turn comes with its new h.
template <SearchGraph Graph>
void DStar<Graph>::propagate_raised(NodeId x, Record* at) {
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

// Successors that would give x a better way, but may have to be raised themselves first.
template <SearchGraph Graph>
void DStar<Graph>::wake_successors(NodeId x, const Record& at, Cost k_old) {
  graph_->for_each_successor(x, [&](NodeId y, Cost step) {
    ++generated_;
    const Record& after = records_.read(y);
    if (after.t != Tag::kClosed || after.b == x || after.h <= k_old) return;
    if (at.h > saturating_add(after.h, step)) insert(y, &records_.touch(y), after.h);
  });
}

template <SearchGraph Graph>
void DStar<Graph>::insert(NodeId x, Record* at, Cost h_new) {
  if (at->t == Tag::kNew) at->k = h_new;
  if (at->t == Tag::kOpen) at->k = std::min(at->k, h_new);
  if (at->t == Tag::kClosed) at->k = std::min(at->h, h_new);
  at->h = h_new;
  at->t = Tag::kOpen;
  open_.put(x, {at->k}, &at->slot);
}

template <SearchGraph Graph>
void DStar<Graph>::redirect(NodeId y, Record* at, NodeId x, Cost h_new) {
  at->b = h_new == kUnreachable ? kNoNode : x;
  insert(y, at, h_new);
}

template <SearchGraph Graph>
bool DStar<Graph>::append_path(NodeId from, std::vector<NodeId>* out) const {
  if (cost(from) == kUnreachable) return false;
  const std::size_t first = out->size();
  out->push_back(from);
  Cost left = cost(from);
  while (left != 0) {
    NodeId next = kNoNode;
    Cost rest = kUnreachable;
    graph_->for_each_successor(out->back(), [&](NodeId v, Cost step) {
      const Cost h = records_.read(v).h;
      if (saturating_add(step, h) != left || v >= next) return;
      next = v;
      rest = h;
    });
    if (next == kNoNode) {
      out->resize(first);
      return false;
    }
    out->push_back(next);
    left = rest;
  }
  return true;
}

template <SearchGraph Graph>
void DStar<Graph>::move_start(NodeId start) {
  REPATH_CHECK(index(start) < graph_->node_count());
  start_ = start;
}

// A head is opened if it is b(from) and gives another h now, or if it gives less than h(from).
template <SearchGraph Graph>
void DStar<Graph>::on_edges_changed(NodeId from) {
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

template <SearchGraph Graph>
void DStar<Graph>::rebind(const Graph& graph) {
  REPATH_CHECK(graph.node_count() == graph_->node_count());
  graph_ = &graph;
}

template <SearchGraph Graph>
void DStar<Graph>::reset() {
  open_.clear();
  records_.clear();
  expanded_ = generated_ = 0;
  initialize();
}

template <SearchGraph Graph>
template <class Visit>
void DStar<Graph>::for_each_touched(Visit&& visit) const {
  records_.for_each([&](NodeId n, const Record& r) {
    if (r.h != kUnreachable) visit(TouchedNode{n, r.h, 0, r.slot.is_queued()});
  });
}

}  // namespace repath
