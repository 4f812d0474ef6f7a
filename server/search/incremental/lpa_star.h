// Lifelong Planning A*: finds a cheapest path from a fixed start to the nearest of a fixed set of
// goals, and repairs it when edge costs change.
//
// Source: S. Koenig, M. Likhachev, D. Furcy, "Lifelong Planning A*", Artificial Intelligence 155,
// 2004, Figure 3; {n} gives its line. Departures: a set of goals; advance() can stop between two
// expansions; integer keys with ties by id; a change is reported for a node. Each node remembers
// `via`, the predecessor that gives its rhs. (d_star_lite.h is the same machine turned round; read
// it with this file.)
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change except as
// on_edges_changed() allows. Memory: 32 bytes for each node of the touched pages, 32 for each node
// queued at once. Invariants, between two calls:
// 1. The value rhs(start) is 0. Every other rhs(n) is the least g(s) + c(s, n) over the
//    predecessors s, which is that of via(n).
// 2. Node n is queued iff g(n) != rhs(n), with the key calculate_key(n).
#pragma once

#include <algorithm>
#include <concepts>
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

template <SearchGraph Graph, LowerBound Bound = NearestGoalBound<Graph>>
class LpaStar {
 public:
  // REQUIRES: start and goals are nodes of the graph. {02}-{05} Initialize.
  LpaStar(const Graph& graph, NodeId start,
          GoalSet goals) requires std::same_as<Bound, NearestGoalBound<Graph>>
      : LpaStar(graph, start, goals, Bound(graph, goals)) {}
  // Uses the caller's own lower bound to the nearest goal (see LowerBound). It must not depend on
  // edge costs.
  LpaStar(const Graph& graph, NodeId start, GoalSet goals, Bound bound)
      : graph_(&graph),
        start_(start),
        goals_(std::move(goals)),
        bound_(std::move(bound)),
        records_(graph.node_count()) {
    REPATH_CHECK(index(start) < graph.node_count());
    Record& at = records_.touch(start_);
    at.rhs = 0;
    update_vertex(start_, &at);
  }

  // Expands at most `*expansions` nodes and subtracts the number used. After kPathFound path_cost()
  // is exact; kNoPath means that no goal can be reached. O(degree log n) for each, at most
  // O(degree^2) where a cost rose. {09}-{17} ComputeShortestPath.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    // {09} asks whether the top of the queue is below the key of the goal. Here the goal is the one
    // with the least rhs, m, and its key is [m; m]. That suffices: a goal with g < rhs would be
    // queued below it, and a cheaper path to any goal would begin at a node queued below it.
    while (open_.top_key() < Key{nearest_cost_, nearest_cost_}) {
      if (*expansions == 0) return Progress::kOutOfBudget;
      --*expansions;
      ++expanded_;
      const NodeId u = open_.top();  // {10}
      last_expanded_ = u;
      Record& at = records_.touch(u);
      if (at.g > at.rhs) {  // {11}
        settle_overconsistent(u, &at);
      } else {
        raise_underconsistent(u, &at);
      }
    }
    return nearest_cost_ == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
  }

  // Returns the known cost to the nearest goal. It is exact, kUnreachable included, if advance()
  // has ended and no change was reported since.
  Cost path_cost() const { return nearest_cost_; }
  // Appends the nodes from the start to the nearest goal (least id among equals), both included,
  // along edges that are tight today, and returns true. If there is no such chain, returns false
  // and leaves *out unchanged; after kPathFound there always is one. O(length * degree).
  [[nodiscard]] bool append_path(std::vector<NodeId>* out) const {
    const auto first = static_cast<std::ptrdiff_t>(out->size());
    const bool is_whole = append_tight_path(
        nearest_, nearest_cost_,
        [&](NodeId n, auto visit) { graph_->for_each_predecessor(n, visit); },
        [&](NodeId n) { return records_.read(n).g; }, out);
    std::reverse(out->begin() + first, out->end());
    return is_whole;
  }

  // {21}-{23}: reports that the cost of some edge *into* `to` changed, or that the edge opened or
  // closed. (If every edge has two equal directions, D* Lite takes reports of the same nodes.)
  // Report every such node after the graph has changed and before any other call. Reporting an
  // unchanged node is harmless. O(degree + log n).
  void on_edges_changed(NodeId to) {
    if (to == start_) return;
    Record fresh = records_.read(to);
    const Cost rhs_old = fresh.rhs;
    look_back(to, &fresh);
    if (fresh.rhs == kUnreachable && rhs_old == kUnreachable) return;
    Record& at = records_.touch(to);
    at.rhs = fresh.rhs;
    at.via = fresh.via;
    if (at.rhs != rhs_old) update_vertex(to, &at);
  }

  // Visits every node whose cost is or was known, in ascending order of ids.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    records_.for_each([&](NodeId n, const Record& r) {
      const Cost best = std::min(r.g, r.rhs);
      if (best != kUnreachable) visit(TouchedNode{n, best, r.h, r.slot.is_queued(), r.via});
    });
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  std::uint64_t expanded() const { return expanded_; }
  std::size_t bytes() const { return records_.bytes() + open_.bytes() + goals_.bytes(); }

 private:
  struct Record {
    Cost g = kUnreachable;
    Cost rhs = kUnreachable;
    Cost h = kUnreachable;  // set when the node is first queued
    // Predecessor that gives rhs; kNoNode on the start and where rhs is kUnreachable.
    NodeId via = kNoNode;
    HeapSlot slot;
  };

  void update_vertex(NodeId u, Record* at) {  // {06}-{08}
    if (at->h == kUnreachable) at->h = bound_(u);
    if (at->h == 0 && goals_.contains(u)) note_goal(u, at->rhs);
    if (at->g != at->rhs) {
      const Cost best = std::min(at->g, at->rhs);
      open_.put(u, {best + at->h, best}, &at->slot);  // {01}
    } else if (at->slot.is_queued()) {
      open_.remove(&at->slot);
    }
  }

  // Sets rhs and via from the predecessors. The first visited wins among equals.
  void look_back(NodeId u, Record* at) const {
    at->rhs = kUnreachable;
    at->via = kNoNode;
    graph_->for_each_predecessor(u, [&](NodeId s, Cost step) {
      const Cost through_s = saturating_add(records_.read(s).g, step);
      if (through_s >= at->rhs) return;
      at->rhs = through_s;
      at->via = s;
    });
  }

  void settle_overconsistent(NodeId u, Record* at) {  // {12}-{13}
    at->g = at->rhs;
    open_.remove(&at->slot);
    graph_->for_each_successor(u, [&](NodeId s, Cost step) {
      const Cost through_u = at->g + step;
      if (records_.read(s).rhs <= through_u) return;
      Record& after = records_.touch(s);
      after.rhs = through_u;
      after.via = u;
      update_vertex(s, &after);
    });
  }

  // The start needs no exception, because its rhs has no via.
  void raise_underconsistent(NodeId u, Record* at) {  // {15}-{17}
    at->g = kUnreachable;
    graph_->for_each_successor(u, [&](NodeId s, Cost) {
      if (records_.read(s).via != u) return;
      Record& after = records_.touch(s);
      look_back(s, &after);
      update_vertex(s, &after);
    });
    update_vertex(u, at);
  }

  // Updates nearest_ and nearest_cost_ after the rhs of `goal` changed. O(1), or O(goals) if the
  // nearest goal became farther.
  void note_goal(NodeId goal, Cost rhs) {
    const auto take_if_nearer = [&](NodeId n, Cost cost) {
      if (cost > nearest_cost_ || (cost == nearest_cost_ && n > nearest_)) return;
      nearest_ = n;
      nearest_cost_ = cost;
    };
    if (goal != nearest_ || rhs <= nearest_cost_) return take_if_nearer(goal, rhs);
    nearest_ = kNoNode;
    nearest_cost_ = kUnreachable;
    for (const NodeId n : goals_.nodes()) take_if_nearer(n, records_.read(n).rhs);
  }

  const Graph* graph_;
  NodeId start_;
  GoalSet goals_;
  Bound bound_;
  NodePages<Record> records_;
  OpenList<Key> open_;                // U
  Cost nearest_cost_ = kUnreachable;  // least rhs of all goals
  NodeId nearest_ = kNoNode;          // goal that has it; the least id among equals
  NodeId last_expanded_ = kNoNode;
  std::uint64_t expanded_ = 0;
};

}  // namespace repath
