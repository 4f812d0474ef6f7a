// Fringe search: finds a cheapest path to the nearest of one or several goals. It passes again and
// again over one list of waiting nodes instead of keeping them sorted.
//
// Source: Y. Bjornsson, M. Enzenberger, R. Holte, J. Schaeffer, "Fringe Search: Beating A* at
// Pathfinding on Game Maps", CIG 2005, Figure 2; function and variable names are the paper's. The
// list is doubly linked through the nodes' own records. Each pass expands the nodes with f <=
// flimit on the spot, visits their successors next, and leaves the other nodes for later. The next
// flimit is the least f that was left. Departures:
// a. There may be a set of goals.
// b. A call of advance() can stop between two visits.
// c. Successors are inserted one by one behind the expanded node, so the last one comes up first.
// d. Passing over kPassedMax nodes uses up one expansion. With many different costs, a slice would
//    otherwise pass over far more nodes than it expands.
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change before the
// search is done. Memory: 32 bytes for each node of the touched pages. Invariants, between two
// visits:
// 1. The value flimit is at most the cost of a cheapest path. The first node of such a path that
//    was not expanded with its least g waits in the list with that g, and flimit is the least f of
//    all waiting nodes. So a goal visited with f <= flimit is a nearest one.
// 2. The list holds each node at most once: the nodes that were reached, and not expanded since
//    their g became smaller. Each node is expanded at most once: f never falls along a path, so
//    every node expanded in a pass has f = flimit, and a cheaper path found later would have a
//    smaller f.
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
#include "search/paths.h"

namespace repath {

template <SearchGraph Graph, LowerBound Bound = NearestGoalBound<Graph>>
class FringeSearch {
 public:
  // Passing over this many nodes counts as one expansion.
  static constexpr std::uint32_t kPassedMax = 64;

  // REQUIRES: start and goals are nodes of the graph.
  FringeSearch(const Graph& graph, NodeId start,
               GoalSet goals) requires std::same_as<Bound, NearestGoalBound<Graph>>
      : FringeSearch(graph, start, goals, Bound(graph, goals)) {}
  // Uses the caller's own lower bound to the nearest goal (see LowerBound).
  FringeSearch(const Graph& graph, NodeId start, GoalSet goals, Bound bound)
      : graph_(&graph),
        goals_(std::move(goals)),
        bound_(std::move(bound)),
        records_(graph.node_count()),
        first_(start),
        now_(start) {
    REPATH_CHECK(index(start) < graph.node_count());
    Record& at = records_.touch(start);
    at.g = 0;
    at.h = flimit_ = bound_(start);
    at.is_listed = true;
  }

  // Expands at most `*expansions` nodes and subtracts the number used. Returns kNoPath if no goal
  // can be reached. O(degree) for each; allocates when a page is first touched.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    while (goal_ == kNoNode) {
      if (first_ == kNoNode) return Progress::kNoPath;
      if (now_ == kNoNode) end_pass();
      const NodeId n = now_;
      const Record& at = records_.read(n);
      const Cost f = at.g + at.h;
      if (f <= flimit_ && is_goal(n, at)) {
        goal_ = n;
        break;
      }
      if (f <= flimit_ || unpaid_ == kPassedMax) {
        if (*expansions == 0) return Progress::kOutOfBudget;
        --*expansions;
      }
      if (f <= flimit_) {
        expand(n);
        continue;
      }
      unpaid_ = unpaid_ == kPassedMax ? 1 : unpaid_ + 1;
      ++passed_;
      fmin_ = std::min(fmin_, f);
      now_ = at.next;
    }
    return Progress::kPathFound;
  }

  // Returns the goal reached; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Returns the cost of the path to goal(), the least of all paths to all goals; kUnreachable
  // before kPathFound.
  Cost path_cost() const { return goal_ == kNoNode ? kUnreachable : records_.read(goal_).g; }
  // Appends the nodes from the start to goal(), both included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(goal_ != kNoNode);
    append_parents(records_, goal_, out);
  }

  // Visits every node reached so far, in ascending order of ids.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    records_.for_each([&](NodeId n, const Record& r) {
      if (r.g != kUnreachable) visit(TouchedNode{n, r.g, r.h, r.is_listed, r.parent});
    });
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  // Number of times that a node was left for later.
  std::uint64_t passed() const { return passed_; }
  std::size_t bytes() const { return records_.bytes(); }

 private:
  struct Record {
    Cost g = kUnreachable;
    Cost h = 0;  // valid if g is finite
    NodeId parent = kNoNode;
    NodeId prev = kNoNode;  // neighbours in the list
    NodeId next = kNoNode;
    bool is_listed = false;
  };

  bool is_goal(NodeId n, const Record& r) const { return r.h == 0 && goals_.contains(n); }
  void end_pass() {
    flimit_ = fmin_;
    fmin_ = kUnreachable;
    now_ = first_;
  }

  void expand(NodeId n) {
    ++expanded_;
    last_expanded_ = n;
    const Cost g = records_.read(n).g;
    graph_->for_each_successor(n, [&](NodeId s, Cost step) {
      ++generated_;
      relax(s, n, g + step);
    });
    now_ = records_.read(n).next;
    remove(n);
  }

  void relax(NodeId s, NodeId n, Cost g) {
    Record& r = records_.touch(s);
    if (g >= r.g) return;
    if (r.g == kUnreachable) r.h = bound_(s);
    if (r.is_listed) remove(s);
    r.g = g;
    r.parent = n;
    insert_after(n, s);
  }

  void insert_after(NodeId n, NodeId s) {
    Record& before = records_.touch(n);
    Record& at = records_.touch(s);
    at.prev = n;
    at.next = before.next;
    at.is_listed = true;
    if (at.next != kNoNode) records_.touch(at.next).prev = s;
    before.next = s;
  }

  void remove(NodeId n) {
    Record& at = records_.touch(n);
    (at.prev == kNoNode ? first_ : records_.touch(at.prev).next) = at.next;
    if (at.next != kNoNode) records_.touch(at.next).prev = at.prev;
    at.prev = at.next = kNoNode;
    at.is_listed = false;
  }

  const Graph* graph_;
  GoalSet goals_;
  Bound bound_;
  NodeId goal_ = kNoNode;
  NodePages<Record> records_;
  NodeId first_;              // first node of the list; kNoNode if it is empty
  NodeId now_;                // next node to visit; kNoNode at the end of a pass
  Cost flimit_;               // nodes with a larger f are left for later
  Cost fmin_ = kUnreachable;  // least f left for later in this pass
  std::uint32_t unpaid_ = 0;  // nodes passed over and not charged for yet
  NodeId last_expanded_ = kNoNode;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
  std::uint64_t passed_ = 0;
};

}  // namespace repath
