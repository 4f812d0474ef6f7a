// IDA*: finds a cheapest path to the nearest of one or several goals within limits of memory and
// work, by depth-first passes under a rising threshold of f.
//
// Source: R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search",
// Artificial Intelligence 27, 1985. Each pass cuts off nodes whose f is above the threshold. The
// next threshold is the least f that was cut off.
//
// On grids many paths lead to the same node, so the plain algorithm takes exponential time.
// Therefore half of the memory is a transposition table (see transposition_table.h). A node that a
// pass reaches again, and not with a smaller g, is not searched again. The lower bound of a node
// rises to the bound learned below it. The other half of the memory holds the path and the
// successors that wait along it: least f first, then larger g, then least id. The path is never
// longer than the graph has nodes.
//
// If the table has 24 bytes for each node, a pass searches a node again only when it finds a
// cheaper path to it. With less memory a pass repeats work, and with very little it is as slow as
// the paper's algorithm. Where costs hardly ever tie, every path has a threshold of its own: expect
// as many passes as there are different costs between the first estimate and the optimum.
//
// Not thread-safe. Borrows `graph`, which must outlive the search and must not change before the
// search is done. Memory: at most the limit; the table's part is allocated at once. Invariants:
// 1. The threshold is at most the cost of a cheapest path. Take the last node of such a path that a
//    pass searched with its least g. The next node was cut off, with an f of at most the path's
//    cost. The bound learned for the start is at most that cost as well. So a goal within the
//    threshold is a nearest one.
// 2. A lower bound in the table holds for its node on every path: it is the least step + lower
//    bound over *all* successors, including those on the path and those reached before.
// 3. "No path" is proved by a pass that left out no node: each node that it cut off was also
//    searched, after the pass reached it with a smaller g. It is also proved if every cut-off node
//    has learned an infinite bound. Where no goal can be reached, learned bounds rise without end
//    and would cut off the rim of the reachable area in every pass. Therefore passes 1, 2, 4, 8,
//    ... use the plain lower bound. If the table forgets too much, the pass that proves it may
//    never come; then a limit ends the search.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/chunked_stack.h"
#include "search/classic/transposition_table.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

template <SearchGraph Graph, LowerBound Bound = NearestGoalBound<Graph>>
class IdaStar {
 public:
  // REQUIRES: start and goals are nodes of the graph.
  IdaStar(const Graph& graph, NodeId start, GoalSet goals,
          SearchLimits limits) requires std::same_as<Bound, NearestGoalBound<Graph>>
      : IdaStar(graph, start, goals, Bound(graph, goals), limits) {}
  // Uses the caller's own lower bound to the nearest goal (see LowerBound).
  IdaStar(const Graph& graph, NodeId start, GoalSet goals, Bound bound, SearchLimits limits)
      : graph_(&graph),
        start_(start),
        goals_(std::move(goals)),
        bound_(std::move(bound)),
        limits_(limits),
        table_(graph.node_count(), limits.bytes_max / 2),
        next_threshold_(bound_(start)) {
    REPATH_CHECK(index(start) < graph.node_count());
  }

  // Expands at most `*expansions` nodes and subtracts the number used. O(degree^2) for each.
  // Returns kPathFound if path_cost() is the optimum, kNoPath if no goal can be reached,
  // kMemoryLimit if the path and the nodes that wait along it need more memory, and kWorkLimit if
  // limits.expansions_max are spent.
  [[nodiscard]] LimitedProgress advance(std::uint32_t* expansions) {
    while (progress_ == LimitedProgress::kOutOfBudget) {
      if (has_waiting()) {
        if (!look_at_next(expansions)) break;
      } else if (!path_.empty()) {
        leave();
      } else {
        begin_pass();
      }
    }
    return progress_;
  }

  // Returns the goal reached; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Returns the cost of the path to goal(), the least of all paths to all goals; kUnreachable
  // before kPathFound.
  Cost path_cost() const { return path_cost_; }
  // Returns a lower bound of the cost of every path to a goal, however the search ended.
  Cost lower_bound() const { return threshold_; }
  // Appends the nodes from the start to goal(), both included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const {
    REPATH_CHECK(goal_ != kNoNode);
    for (std::size_t i = 0; i < path_.size(); ++i) out->push_back(path_[i].node);
    out->push_back(goal_);
  }

  // Visits every node in the table or on the path, in ascending order of ids, with the g it was
  // last reached with and the known lower bound as h. The nodes on the path are open. O(n log n),
  // and as much extra memory.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    std::vector<TouchedNode> touched;
    table_.for_each([&](const TranspositionTable::Entry& e) {
      if (e.g != kUnreachable) touched.push_back({e.node, e.g, e.h, false});
    });
    for (std::size_t i = 0; i < path_.size(); ++i)
      touched.push_back({path_[i].node, path_[i].g, bound_(path_[i].node), true});
    // The entry of a node that is on the path comes first among the node's entries.
    std::ranges::sort(touched, [](const TouchedNode& a, const TouchedNode& b) {
      return a.node != b.node ? a.node < b.node : a.is_open > b.is_open;
    });
    NodeId last = kNoNode;
    for (const TouchedNode& t : touched) {
      if (t.node != last) visit(t);
      last = t.node;
    }
  }

  // Returns the node that was expanded last; kNoNode before the first.
  NodeId last_expanded() const { return last_expanded_; }
  // Number of expansions; a node counts each time it is expanded.
  std::uint64_t expanded() const { return expanded_; }
  // Number of edges examined.
  std::uint64_t generated() const { return generated_; }
  // Number of thresholds tried so far.
  std::uint32_t passes() const { return pass_; }
  std::size_t bytes() const { return table_.bytes() + path_.bytes() + waiting_.bytes(); }

 private:
  struct OnPath {
    NodeId node = kNoNode;
    std::uint32_t first_waiting = 0;  // waiting_[first_waiting, ...) are its successors
    Cost g = 0;
    Cost least = kUnreachable;  // least step + lower bound over the successors dealt with so far
  };
  struct Waiting {
    NodeId node = kNoNode;
    Cost g = 0;
    Cost f = 0;
    bool comes_before(const Waiting& other) const {
      if (f != other.f) return f < other.f;
      return g != other.g ? g > other.g : node < other.node;
    }
  };

  bool has_waiting() const {
    return waiting_.size() > (path_.empty() ? 0 : path_.back().first_waiting);
  }
  // Ends the search with kMemoryLimit if one more element on `stack` would exceed the limit.
  template <class Stack>
  bool has_room_for(const Stack& stack) {
    if (bytes() + stack.bytes_to_push() <= limits_.bytes_max) return true;
    progress_ = LimitedProgress::kMemoryLimit;
    return false;
  }
  bool is_plain_pass() const { return std::has_single_bit(pass_); }
  void begin_pass() {
    if (next_threshold_ == kUnreachable || (pass_ > 0 && left_out_ == 0)) {
      progress_ = LimitedProgress::kNoPath;
      return;
    }
    ++pass_;
    left_out_ = 0;
    threshold_ = next_threshold_;
    next_threshold_ = kUnreachable;
    wait({start_, 0, threshold_});
  }

  // Inserts a successor of the path's end among the waiting ones; the best comes last.
  void wait(const Waiting& w) {
    if (!has_room_for(waiting_)) return;
    waiting_.push_back(w);
    const std::size_t first = path_.empty() ? 0 : path_.back().first_waiting;
    std::size_t at = waiting_.size() - 1;
    for (; at > first && waiting_[at - 1].comes_before(w); --at) waiting_[at] = waiting_[at - 1];
    waiting_[at] = w;
  }

  // Returns whether n, reached with g, is worth searching in this pass. Sets *h to its lower bound.
  bool is_worth_it(NodeId n, Cost g, Cost* h) {
    const TranspositionTable::Entry* known = table_.find(n);
    *h = known != nullptr ? known->h : bound_(n);
    const bool is_of_this_pass = known != nullptr && known->pass == pass_;
    if (is_of_this_pass && known->g <= g) return false;
    const Cost f = saturating_add(g, is_plain_pass() ? bound_(n) : *h);
    if (f <= threshold_) return true;
    next_threshold_ = std::min(next_threshold_, f);
    if (!is_of_this_pass) {
      table_.put({n, pass_, kUnreachable, *h});
      ++left_out_;
    }
    return false;
  }

  // Updates the lower bound of the path's end by a successor with bound h that it reaches with g.
  void learn(Cost g, Cost h) {
    if (path_.empty()) return;
    OnPath& end = path_.back();
    end.least = std::min(end.least, saturating_add(g - end.g, h));
  }

  // Takes the best waiting node. Returns false if that needs an expansion and the slice has none
  // left.
  bool look_at_next(std::uint32_t* expansions) {
    const Waiting w = waiting_.back();
    Cost h = 0;
    if (!is_worth_it(w.node, w.g, &h)) {
      waiting_.pop_back();
      learn(w.g, h);
      return true;
    }
    if (h == 0 && goals_.contains(w.node)) {
      goal_ = w.node;
      path_cost_ = w.g;
      progress_ = LimitedProgress::kPathFound;
      return true;
    }
    if (*expansions == 0) return false;
    if (expanded_ == limits_.expansions_max) {
      progress_ = LimitedProgress::kWorkLimit;
      return true;
    }
    if (!has_room_for(path_)) return true;
    --*expansions;
    waiting_.pop_back();
    expand(w.node, w.g, h);
    return true;
  }

  void expand(NodeId n, Cost g, Cost h) {
    ++expanded_;
    last_expanded_ = n;
    const NodeId before = path_.empty() ? kNoNode : path_.back().node;
    const TranspositionTable::Entry* known = table_.find(n);
    if (known != nullptr && known->pass == pass_ && known->g == kUnreachable) --left_out_;
    table_.put({n, pass_, g, h});
    path_.push_back({n, static_cast<std::uint32_t>(waiting_.size()), g, kUnreachable});
    graph_->for_each_successor(n, [&](NodeId s, Cost step) {
      ++generated_;
      Cost h_s = 0;
      const bool is_worth = is_worth_it(s, g + step, &h_s);
      if (is_worth && s != n && s != before && path_.size() < graph_->node_count())
        wait({s, g + step, g + step + h_s});
      else
        learn(g + step, h_s);
    });
  }

  // Leaves the path's end, whose successors have all been dealt with.
  void leave() {
    const OnPath end = path_.back();
    path_.pop_back();
    TranspositionTable::Entry* known = table_.find(end.node);
    const Cost h = std::max(end.least, known != nullptr ? known->h : bound_(end.node));
    if (known != nullptr) known->h = h;
    if (path_.empty()) next_threshold_ = std::max(next_threshold_, h);
    learn(end.g, h);
  }

  const Graph* graph_;
  NodeId start_;
  GoalSet goals_;
  Bound bound_;
  SearchLimits limits_;
  LimitedProgress progress_ = LimitedProgress::kOutOfBudget;
  NodeId goal_ = kNoNode;
  Cost path_cost_ = kUnreachable;
  TranspositionTable table_;
  ChunkedStack<OnPath> path_;
  ChunkedStack<Waiting> waiting_;
  Cost threshold_ = 0;
  Cost next_threshold_ = 0;  // least f cut off in this pass
  std::uint32_t pass_ = 0;
  std::uint64_t left_out_ = 0;  // nodes cut off in this pass and not searched in it
  NodeId last_expanded_ = kNoNode;
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

}  // namespace repath
