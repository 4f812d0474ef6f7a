// IDA*: a cheapest path to the nearest of one or several goals within a limit of memory and work,
// by depth-first passes under a threshold of f that rises.
//
// Source: R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search",
// Artificial Intelligence 27, 1985: each pass cuts off what has f above the threshold; the next
// threshold is the least f that was cut off. On grids, where there are many ways to a node, the
// plain form is exponential; so half of the memory goes to a transposition table (see
// transposition_table.h): a node reached again in a pass with no smaller g is not searched again,
// and the lower bound of a node rises to what was learned below it. The rest holds the path and the
// successors that wait along it, least f first, then larger g, then least id. The path is never
// longer than the graph has nodes. With memory for 24 bytes a node in the table, a pass searches a
// node again only when a cheaper way to it turns up; with less it repeats itself, and with very
// little it is as slow as the paper's. Every path has a threshold of its own where costs hardly
// ever tie: expect as many passes as there are different costs between the first estimate and the
// optimum.
//
// Not thread-safe. Borrows `graph`, which must outlive it and must not change at all before the
// search is done. Memory: at most what the limit says; the table's part is taken at once.
// Invariants:
//   1. The threshold is no more than the cost of a cheapest path. On such a path, take the last
//   node that was searched in a pass with its least g: the next one was cut off, with an f that is
//   no more than the path's cost; nor is what was learned of the start. So a goal within the
//   threshold is a nearest one.
//   2. A lower bound in the table holds for its node wherever it is reached from: it is the least
//   step + lower bound over *all* successors, those on the path and those reached before included.
//   3. "No path" is proved by a pass that left out no node, each one cut off having been searched
//   too after it was reached with a smaller g; or by what was learned of all that was cut off. What
//   was learned rises without end where no goal can be reached, and would cut off the rim of such a
//   place for ever; so the passes 1, 2, 4, 8, ... go by the plain lower bound. Where the table
//   forgets too much that pass may never come: then a limit ends it.
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
#include "search/limits.h"

namespace repath {

template <SearchGraph Graph, LowerBound Bound = NearestGoalBound<Graph>>
class IdaStar {
 public:
  // REQUIRES: start and goals are nodes of the graph.
  IdaStar(const Graph& graph, NodeId start, GoalSet goals,
          SearchLimits limits) requires std::same_as<Bound, NearestGoalBound<Graph>>
      : IdaStar(graph, start, goals, Bound(graph, goals), limits) {}
  // With the caller's own lower bound to the nearest goal (see LowerBound).
  IdaStar(const Graph& graph, NodeId start, GoalSet goals, Bound bound, SearchLimits limits);

  // Expands at most `*expansions` nodes and takes off what it used. kPathFound: path_cost() is the
  // optimum. kNoPath: no goal can be reached. kMemoryLimit: the path and what waits along it need
  // more. kWorkLimit: limits.expansions_max are spent. O(degree^2) each.
  [[nodiscard]] LimitedProgress advance(std::uint32_t* expansions);

  // The goal reached; kNoNode before kPathFound.
  NodeId goal() const { return goal_; }
  // Cost of the path to it, the least of all paths to all goals; kUnreachable before kPathFound.
  Cost path_cost() const { return path_cost_; }
  // No path to any goal costs less, whatever the end.
  Cost lower_bound() const { return threshold_; }
  // Appends the nodes from the start to goal(), both included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const;

  // Every node that the table or the path knows of, ascending by id, with the g it was last reached
  // with and what is known of its h; open are those on the path. O(n log n) and as much memory
  // beside.
  template <class Visit>
  void for_each_touched(Visit&& visit) const;

  // A node counts in each pass, and each time.
  std::uint64_t expanded() const { return expanded_; }
  // Edges looked at.
  std::uint64_t generated() const { return generated_; }
  // Thresholds tried so far.
  std::uint32_t passes() const { return pass_; }
  std::size_t bytes() const { return table_.bytes() + path_.bytes() + waiting_.bytes(); }

 private:
  struct OnPath {
    NodeId node = kNoNode;
    std::uint32_t first_waiting = 0;  // its successors are waiting_[first_waiting, ...)
    Cost g = 0;
    Cost least = kUnreachable;  // step + lower bound over the successors seen to already
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
  // Ends the search with kMemoryLimit if one more on `stack` would be too much.
  template <class Stack>
  bool has_room_for(const Stack& stack) {
    if (bytes() + stack.bytes_to_push() <= limits_.bytes_max) return true;
    progress_ = LimitedProgress::kMemoryLimit;
    return false;
  }
  bool is_plain_pass() const { return std::has_single_bit(pass_); }
  void begin_pass();
  void wait(const Waiting& w);
  bool is_worth_it(NodeId n, Cost g, Cost* h);
  void learn(Cost g, Cost h);
  bool look_at_next(std::uint32_t* expansions);
  void expand(NodeId n, Cost g, Cost h);
  void leave();

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
  std::uint64_t left_out_ = 0;  // nodes cut off in this pass and not searched in it otherwise
  std::uint64_t expanded_ = 0;
  std::uint64_t generated_ = 0;
};

template <SearchGraph Graph, LowerBound Bound>
IdaStar<Graph, Bound>::IdaStar(const Graph& graph, NodeId start, GoalSet goals, Bound bound,
                               SearchLimits limits)
    : graph_(&graph),
      start_(start),
      goals_(std::move(goals)),
      bound_(std::move(bound)),
      limits_(limits),
      table_(graph.node_count(), limits.bytes_max / 2),
      next_threshold_(bound_(start)) {
  REPATH_CHECK(index(start) < graph.node_count());
}

template <SearchGraph Graph, LowerBound Bound>
LimitedProgress IdaStar<Graph, Bound>::advance(std::uint32_t* expansions) {
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

template <SearchGraph Graph, LowerBound Bound>
void IdaStar<Graph, Bound>::begin_pass() {
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

// Puts a successor of the path's end in its place among those that wait; the best comes last.
template <SearchGraph Graph, LowerBound Bound>
void IdaStar<Graph, Bound>::wait(const Waiting& w) {
  if (!has_room_for(waiting_)) return;
  waiting_.push_back(w);
  const std::size_t first = path_.empty() ? 0 : path_.back().first_waiting;
  std::size_t at = waiting_.size() - 1;
  for (; at > first && waiting_[at - 1].comes_before(w); --at) waiting_[at] = waiting_[at - 1];
  waiting_[at] = w;
}

// Whether n, reached with g, is worth searching in this pass; *h becomes its lower bound.
template <SearchGraph Graph, LowerBound Bound>
bool IdaStar<Graph, Bound>::is_worth_it(NodeId n, Cost g, Cost* h) {
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

// The path's end hears the lower bound of a successor, which is reached with g.
template <SearchGraph Graph, LowerBound Bound>
void IdaStar<Graph, Bound>::learn(Cost g, Cost h) {
  if (path_.empty()) return;
  OnPath& end = path_.back();
  end.least = std::min(end.least, saturating_add(g - end.g, h));
}

// Takes the best that waits; false if that is an expansion too many for this slice.
template <SearchGraph Graph, LowerBound Bound>
bool IdaStar<Graph, Bound>::look_at_next(std::uint32_t* expansions) {
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

template <SearchGraph Graph, LowerBound Bound>
void IdaStar<Graph, Bound>::expand(NodeId n, Cost g, Cost h) {
  ++expanded_;
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

// All successors of the path's end have been seen to.
template <SearchGraph Graph, LowerBound Bound>
void IdaStar<Graph, Bound>::leave() {
  const OnPath end = path_.back();
  path_.pop_back();
  TranspositionTable::Entry* known = table_.find(end.node);
  const Cost h = std::max(end.least, known != nullptr ? known->h : bound_(end.node));
  if (known != nullptr) known->h = h;
  if (path_.empty()) next_threshold_ = std::max(next_threshold_, h);
  learn(end.g, h);
}

template <SearchGraph Graph, LowerBound Bound>
void IdaStar<Graph, Bound>::append_path(std::vector<NodeId>* out) const {
  REPATH_CHECK(goal_ != kNoNode);
  for (std::size_t i = 0; i < path_.size(); ++i) out->push_back(path_[i].node);
  out->push_back(goal_);
}

template <SearchGraph Graph, LowerBound Bound>
template <class Visit>
void IdaStar<Graph, Bound>::for_each_touched(Visit&& visit) const {
  std::vector<TouchedNode> touched;
  table_.for_each([&](const TranspositionTable::Entry& e) {
    if (e.g != kUnreachable) touched.push_back({e.node, e.g, e.h, false});
  });
  for (std::size_t i = 0; i < path_.size(); ++i)
    touched.push_back({path_[i].node, path_[i].g, bound_(path_[i].node), true});
  // Of a node's entries the one on the path comes first.
  std::ranges::sort(touched, [](const TouchedNode& a, const TouchedNode& b) {
    return a.node != b.node ? a.node < b.node : a.is_open > b.is_open;
  });
  NodeId last = kNoNode;
  for (const TouchedNode& t : touched) {
    if (t.node != last) visit(t);
    last = t.node;
  }
}

}  // namespace repath
