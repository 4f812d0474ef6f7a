// D* Lite, optimized version, with a set of goals; also the goal field, one such search shared by
// many starts.
//
// Source: S. Koenig and M. Likhachev, "D* Lite", AAAI 2002, Figure 4. Function names, variable
// names and the order of statements are the paper's; {n} gives its line. Departures:
// a. There may be several goals, each with rhs = 0.
// b. A call of advance() can stop between two expansions (a budget) and continue later without
//    loss.
// c. It can continue for any node, not only for the start (advance_to), and reports for any node
//    whether it is done (proves).
// d. Keys are integers, and ties are broken by node id, so that replay is bit-identical.
// e. The value k_m grows on every move of the start, not on the first edge change after it, because
//    advance() may run in between.
// f. A change is reported for a node (recompute its rhs), not for an edge.
// g. Each node remembers `via`, the successor that gives its rhs. So {26} asks "did rhs(s) come
//    from u?" instead of comparing sums, and a tie costs no recomputation. A queued node whose rhs
//    did not change keeps its older key, which {14} corrects if it ever comes to the top.
// h. The value k_m does not grow for ever: before it could overflow, all queued nodes get new keys.
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change except as
// on_edges_changed() allows. Memory: 24 bytes for each node of the touched pages, 32 for each node
// queued at once. Invariants, between two calls:
// 1. The value rhs(n) is 0 on goals, otherwise the least c(n, s) + g(s) over the successors s,
//    which is c + g of via(n).
// 2. Node n is queued iff g(n) != rhs(n) (n is inconsistent), with a key not above
//    calculate_key(n).
//
// Why proves() is right. Let k(n) = [rhs(n) + h(start, n) + k_m; rhs(n)] and suppose that the top
// of the queue is not below k(n). If g(n) were less than rhs(n), n itself would be queued below
// k(n) (2); so k(n) is the key of n. Every node m whose key is strictly less is then consistent.
// a. rhs(n) is achieved. A successor m that gives rhs(n) has g(m) < rhs(n), and h(start, m) <=
//    h(start, n) + c(n, m), so its key is less than k(n). Hence g(m) = rhs(m), and the same holds
//    down to a goal.
// b. No path is cheaper. On a path of true cost d < rhs(n), the inconsistent node nearest to the
//    goal has an rhs of at most its true cost. Hence its k1 is at most d + h(start, n) + k_m, which
//    is less than k(n): a contradiction. If all nodes are consistent, g adds up to at most d.
//
// With h = 0 (Focus::kNone) the same holds for every node at once, and with an empty queue for
// unreachable nodes, too.
#pragma once

#include <algorithm>
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

// The target that guides the search.
enum class Focus {
  kStart,  // the heuristic to the moving start: one agent
  kNone,   // h = 0: a field shared by many starts; start() is then only where advance() stops
};

template <SearchGraph Graph>
class DStarLite {
 public:
  // REQUIRES: start and goals are nodes of the graph. {02}-{06} Initialize.
  DStarLite(const Graph& graph, NodeId start, GoalSet goals, Focus focus = Focus::kStart)
      : graph_(&graph),
        start_(start),
        goals_(std::move(goals)),
        focus_(focus),
        records_(graph.node_count()) {
    REPATH_CHECK(index(start) < graph.node_count());
    for (const NodeId goal : goals_.nodes()) {
      REPATH_CHECK(index(goal) < graph.node_count());
      Record& at = records_.touch(goal);
      at.rhs = 0;
      update_vertex(goal, &at);
    }
  }

  // Calls advance_to(start()). After kPathFound path_cost() is exact; kNoPath means that no goal
  // can be reached.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    return advance_to(start_, expansions);
  }
  // Continues until proves(target). Expands at most `*expansions` nodes and subtracts the number
  // used; a queued node put back under its newer key {15} counts as one. O(degree log n) for each,
  // at most O(degree^2) where a cost rose. {10}-{28} ComputeShortestPath.
  [[nodiscard]] Progress advance_to(NodeId target, std::uint32_t* expansions) {
    while (!proves(target)) {  // {10}
      if (*expansions == 0) return Progress::kOutOfBudget;
      --*expansions;
      ++expanded_;
      const NodeId u = open_.top();  // {11}
      last_expanded_ = u;
      Record& at = records_.touch(u);
      const Key k_new = calculate_key(u, at);  // {13}
      if (open_.top_key() < k_new) {           // {14}
        open_.put(u, k_new, &at.slot);         // {15}
      } else if (at.g > at.rhs) {              // {16}
        settle_overconsistent(u, &at);
      } else {
        raise_underconsistent(u, &at);
      }
    }
    return cost(target) == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
  }

  // Returns whether cost(n) is the true cost from n to the nearest goal, kUnreachable included.
  // Valid at any time, also between slices, once every change has been reported. O(1).
  bool proves(NodeId n) const { return !(open_.top_key() < key_of(n, records_.read(n).rhs)); }
  // Returns the known cost from n to the nearest goal, exact iff proves(n). It is rhs of the paper,
  // one step ahead of g, so n need not have been expanded.
  Cost cost(NodeId n) const { return records_.read(n).rhs; }
  // Returns cost(start()).
  Cost path_cost() const { return cost(start_); }
  // Returns a lower bound of the cost of every path from start() to a goal. It is valid whenever
  // proves() is. It equals path_cost() once that is proved. Until then it follows from the top of
  // the queue. On any path the inconsistent node nearest to the goal is queued with a k1 of at most
  // the path's cost + k_m. O(1).
  Cost lower_bound() const {
    const Cost top = open_.top_key().k1;
    return std::min(path_cost(), top == kUnreachable ? top : top - std::min(top, k_m_));
  }

  // Appends the nodes of a path from `from` to a goal, both included, and returns true. It follows
  // only edges that are tight today, g(u) = c(u, v) + g(v), least id first, so the path costs
  // cost(from). If proves(from) and cost(from) is finite, there is such a path; it is optimal and
  // depends on the graph alone, not on the history of edits. If the chain is not tight everywhere,
  // returns false and leaves *out unchanged. O(length * degree).
  [[nodiscard]] bool append_path(NodeId from, std::vector<NodeId>* out) const {
    return append_tight_path(
        from, cost(from), [&](NodeId n, auto visit) { graph_->for_each_successor(n, visit); },
        [&](NodeId n) { return records_.read(n).g; }, out);
  }

  // {35}, {38}. Moves the start to any node. A blocked node has no successors, so its cost is
  // kUnreachable. O(1), but once in a long while O(nodes touched), see restart_keys().
  void move_start(NodeId start) {
    REPATH_CHECK(index(start) < graph_->node_count());
    if (focus_ == Focus::kStart) k_m_ += graph_->heuristic(start_, start);
    start_ = start;
    if (k_m_ > kOffsetMax) restart_keys();
  }
  // {40}-{46}: reports that the cost of some edge out of `from` changed, or that the edge opened or
  // closed. Report every such node after the graph has changed and before any other call. Reporting
  // an unchanged node is harmless. O(degree + log n).
  void on_edges_changed(NodeId from) {
    if (goals_.contains(from)) return;
    Record fresh = records_.read(from);
    const Cost rhs_old = fresh.rhs;
    look_ahead(from, &fresh);
    if (fresh.rhs == kUnreachable && rhs_old == kUnreachable) return;
    Record& at = records_.touch(from);
    at.rhs = fresh.rhs;
    at.via = fresh.via;
    if (at.rhs != rhs_old) update_vertex(from, &at);
  }

  NodeId start() const { return start_; }
  const GoalSet& goals() const { return goals_; }

  // Visits every node whose cost is or was known, in ascending order of ids; h is the heuristic to
  // the start, or 0 with Focus::kNone.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    records_.for_each([&](NodeId n, const Record& r) {
      const Cost best = std::min(r.g, r.rhs);
      if (best != kUnreachable)
        visit(TouchedNode{n, best, heuristic(n), r.slot.is_queued(), r.via});
    });
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  // Number of expansions.
  std::uint64_t expanded() const { return expanded_; }
  std::size_t bytes() const { return records_.bytes() + open_.bytes() + goals_.bytes(); }

 private:
  struct Record {
    Cost g = kUnreachable;
    Cost rhs = kUnreachable;
    // Successor that gives rhs; kNoNode on goals and where rhs is kUnreachable.
    NodeId via = kNoNode;
    HeapSlot slot;
  };

  Cost heuristic(NodeId s) const {
    return focus_ == Focus::kStart ? graph_->heuristic(start_, s) : 0;
  }
  Key key_of(NodeId s, Cost best) const {
    return best == kUnreachable ? Key{} : Key{best + heuristic(s) + k_m_, best};
  }
  Key calculate_key(NodeId s, const Record& at) const {  // {01}
    return key_of(s, std::min(at.g, at.rhs));
  }
  // Gives every queued node its key without an offset, so that k_m never overflows.
  void restart_keys() {
    k_m_ = 0;
    std::vector<NodeId> queued;
    records_.for_each([&](NodeId n, const Record& r) {
      if (r.slot.is_queued()) queued.push_back(n);
    });
    for (const NodeId n : queued) {
      Record& at = records_.touch(n);
      open_.put(n, calculate_key(n, at), &at.slot);
    }
  }
  void update_vertex(NodeId u, Record* at) {  // {07}-{09}
    if (at->g != at->rhs) {
      open_.put(u, calculate_key(u, *at), &at->slot);
    } else if (at->slot.is_queued()) {
      open_.remove(&at->slot);
    }
  }

  // Sets rhs and via from the successors. The first visited wins among equals, so that the graph's
  // order of ids does not matter.
  void look_ahead(NodeId u, Record* at) const {
    at->rhs = kUnreachable;
    at->via = kNoNode;
    graph_->for_each_successor(u, [&](NodeId s, Cost step) {
      const Cost through_s = saturating_add(step, records_.read(s).g);
      if (through_s >= at->rhs) return;
      at->rhs = through_s;
      at->via = s;
    });
  }

  void settle_overconsistent(NodeId u, Record* at) {  // {17}-{21}
    at->g = at->rhs;
    open_.remove(&at->slot);
    graph_->for_each_predecessor(u, [&](NodeId s, Cost step) {
      const Cost through_u = step + at->g;
      if (records_.read(s).rhs <= through_u) return;
      Record& before = records_.touch(s);
      before.rhs = through_u;
      before.via = u;
      update_vertex(s, &before);
    });
  }

  // Goals need no exception, because their rhs has no via.
  void raise_underconsistent(NodeId u, Record* at) {  // {23}-{28}
    at->g = kUnreachable;
    graph_->for_each_predecessor(u, [&](NodeId s, Cost) {
      if (records_.read(s).via != u) return;
      Record& before = records_.touch(s);
      look_ahead(s, &before);
      update_vertex(s, &before);
    });
    update_vertex(u, at);
  }

  // The largest k_m: with a path and a heuristic, of at most 2^59 each, a key stays far below
  // kUnreachable.
  static constexpr Cost kOffsetMax = Cost{1} << 62;

  const Graph* graph_;
  NodeId start_;
  GoalSet goals_;
  Focus focus_;
  Cost k_m_ = 0;
  NodePages<Record> records_;
  OpenList<Key> open_;  // U
  NodeId last_expanded_ = kNoNode;
  std::uint64_t expanded_ = 0;
};

}  // namespace repath
