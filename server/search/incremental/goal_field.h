// Goal field: the exact cost from every node to the nearest goal, kept through edits and shared by
// many agents.
//
// Source: G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of the
// shortest-path problem", J. Algorithms 21 (1996), in two phases, with R. Dial's buckets
// (field_buckets.h) instead of a heap. A node has one label; it needs neither a second value nor a
// key. After edits:
// a. Phase 1 raises every node that lost its support, in ascending order of old labels. A node is
//    supported while some successor s that is not raised has c(n, s) + label(s) <= label(n). When a
//    node is raised, the field next asks the nodes that leaned on it and the nodes beside it that
//    are no nearer to a goal. A node beside a raised node that keeps its label is opened.
// b. Phase 2 looks once at each changed node for the best label that its successors offer, and
//    settles open nodes in ascending order, as Dijkstra does. It stops at the first node asked for
//    that is proved; other nodes stay open.
//
// The source looks at each raised node for the offers of its successors; here that is left out,
// because most of them are raised as well. If phase 1 raises many of all labelled nodes
// (raise_patience.h), all labels are dropped, and phase 2 begins at the goals. A path is copied
// from an earlier path where it meets it. A graph may report which predecessors a node need not
// label (ArrivalGraph), and where labels run on straight: on uniform grids few nodes ever wait in a
// bucket.
//
// Not thread-safe. Borrows `graph`, which must outlive the field and must not change except as
// on_edges_changed() allows. Memory: 8 bytes for each node of the touched pages, 8 for each node
// open at once, 24 for each that the array of buckets does not reach, and at most 4 MiB of buckets.
// Invariants, between two calls, when no node is suspected or waits to be looked at:
// 1. Every label is the cost of a path to a goal, or kUnreachable. Following supports descends by
//    at least edge_min in each step and ends at a goal.
// 2. For every edge (m, s): label(m) <= c(m, s) + label(s), unless s is open. With an ArrivalGraph
//    this need only hold if label(s) lies below the bucket before the first open one.
//
// Why proves() is right. Let b be the first bucket of open nodes, and m the node nearest to a goal
// whose label exceeds its true cost t. The labels of its successors on optimal paths are true. By
// (2) one of them is open (for an ArrivalGraph see there), so t is at least edge_min above the
// lower end of that bucket. Buckets are at most edge_min wide. So no node of buckets up to b has a
// wrong label on the path to a goal, and every node taken from bucket b has its final label.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/goal_set.h"
#include "search/graph.h"
#include "search/incremental/arrival_graph.h"
#include "search/incremental/field_buckets.h"
#include "search/incremental/field_pages.h"
#include "search/incremental/field_paths.h"
#include "search/incremental/raise_patience.h"

namespace repath {

template <SearchGraph Graph>
class GoalField {
 public:
  // Nodes labelled along a run that count as one expansion.
  static constexpr std::uint32_t kRunNodes = 4;

  // REQUIRES: goals are nodes of the graph; no edge ever costs less than `edge_min`, which is at
  // least 1. The nearer `edge_min` is to the least cost, the fewer buckets there are.
  GoalField(const Graph& graph, GoalSet goals, Cost edge_min)
      : graph_(&graph),
        goals_(std::move(goals)),
        width_bits_(static_cast<int>(std::bit_width(edge_min)) - 1),
        labels_(graph.node_count(), kFieldNever) {
    REPATH_CHECK(edge_min >= 1);
    for (const NodeId goal : goals_.nodes()) REPATH_CHECK(index(goal) < graph.node_count());
    begin();
  }

  // Continues until proves(target). Does at most `*expansions` units of work and subtracts the
  // units used. A unit is a node asked for its support, a node looked at, a node settled, or
  // kRunNodes nodes of the runs from it. O(degree) for each. Returns kNoPath if no goal can be
  // reached from `target`.
  [[nodiscard]] Progress advance_to(NodeId target, std::uint32_t* expansions) {
    while (!proves(target)) {
      if (*expansions == 0) return Progress::kOutOfBudget;
      std::uint32_t used = 1;
      if (!suspects_.empty()) {
        ask_next();
      } else if (!pending_.empty()) {
        look_at_next();
      } else {
        used = settle_bucket(*expansions);
      }
      *expansions -= std::min(used, *expansions);  // the runs of the last node are not cut
      expanded_ += used;
    }
    return cost(target) == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
  }

  // Returns whether cost(n) is the true cost from n to the nearest goal, kUnreachable included.
  // Valid at any time, also between slices, once every change has been reported. O(1).
  bool proves(NodeId n) const {
    if (!suspects_.empty() || !pending_.empty()) return false;
    return open_.empty() || bucket_of(labels_.read(n)) <= open_.first();
  }
  // Returns the known cost from n to the nearest goal, exact iff proves(n).
  Cost cost(NodeId n) const {
    const Cost cost = cost_of(labels_.read(n));
    return cost == kFieldNever ? kUnreachable : cost;
  }

  // Appends the nodes of a path from `from` to a goal, both included, along edges that are tight
  // today: straight on (by the same difference of ids), otherwise least id first. If proves(from)
  // and cost(from) is finite, there is such a path; it is optimal and depends on the graph alone.
  // If the chain is not tight, returns false and leaves *out unchanged. O(length + turns * degree).
  [[nodiscard]] bool append_path(NodeId from, std::vector<NodeId>* out) const {
    return paths_.append(*graph_, labels_, from, proves(from), out);
  }

  // Reports that the cost of some edge out of `from` changed, or that the edge opened or closed.
  // Report every such node after the graph has changed and before any other call. Reporting an
  // unchanged node is harmless. O(1), amortized over the nodes settled before, and
  // O(nodes to look at).
  void on_edges_changed(NodeId from) {
    paths_.forget();
    hand_on_again();
    const Word word = labels_.read(from);
    if (cost_of(word) == 0) return;  // a goal
    if (cost_of(word) != kFieldNever && (word & kFieldSuspect) == 0)
      suspect(from, &labels_.touch(from));
    // Earlier offers may no longer hold.
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(taken_));
    offered_ = taken_ = 0;
    pending_.push_back({from});
  }
  // Forgets all work and frees the labels' memory.
  void reset() {
    forget();
    labels_.clear();
    expanded_ = raised_ = rebuilds_ = 0;
    begin();
  }
  const GoalSet& goals() const { return goals_; }

  // Number of expansions that advance_to() used since the constructor or reset().
  std::uint64_t expanded() const { return expanded_; }
  // Number of nodes raised, included in expanded().
  std::uint64_t raised() const { return raised_; }
  // Number of times that all labels were dropped.
  std::uint64_t rebuilds() const { return rebuilds_; }
  std::size_t bytes() const {
    std::size_t bytes =
        labels_.bytes() + suspects_.bytes() + open_.bytes() + goals_.bytes() + paths_.bytes();
    bytes += pending_.capacity() * sizeof(Pending);
    for (const auto& nodes : recent_) bytes += nodes.capacity() * sizeof(NodeId);
    return bytes;
  }

 private:
  using Word = FieldLabel;

  // A run's labels are less than this many buckets ahead of the first one, as a step spans less
  // than two.
  static constexpr std::uint64_t kRecentBuckets = 2 * kFieldRunMax + 4;

  struct Beside {
    NodeId node{};
    Word word = 0;
  };
  struct Pending {
    NodeId node{};
    Cost best = 0;  // the least cost that its successors offer
  };

  std::uint64_t bucket_of(Word word) const { return cost_of(word) >> width_bits_; }

  void begin() {
    for (const NodeId goal : goals_.nodes()) {
      labels_.touch(goal) = open_from(kFieldArrivals);
      open_.push(0, goal);
    }
    labelled_ = goals_.nodes().size();
  }

  // Forgets everything but keeps the memory.
  void forget() {
    labels_.fill();
    paths_.forget();
    suspects_.clear();
    open_.clear();
    pending_.clear();
    offered_ = taken_ = 0;
    for (std::vector<NodeId>& nodes : recent_) nodes.clear();
    raised_now_ = 0;
  }

  // A bucket is no wider than an edge, so the nodes that this one could lean on were decided
  // before.
  void ask_next() {  // phase 1: asks one suspect
    suspects_.seek();
    const NodeId n = suspects_.pop();
    Word& word = labels_.touch(n);
    word &= ~kFieldSuspect;
    bool is_supported = false;
    around_.clear();
    graph_->for_each_successor(n, [&](NodeId s, Cost step) {
      around_.push_back({s, labels_.read(s)});
      is_supported |= step + cost_of(around_.back().word) <= cost_of(word);
    });
    if (is_supported) {
      // Even if it was open: it may now lean on another node than the one its label came from.
      open(n, &word);
    } else {
      raise(n, &word);
      if (!patience_.goes_on(raised_now_, labelled_ + raised_now_)) {
        forget();
        begin();
        ++rebuilds_;
        return;
      }
    }
    if (!suspects_.empty()) return;
    patience_.note_end();
    raised_now_ = 0;
  }

  // REQUIRES: around_ holds the successors of n.
  void raise(NodeId n, Word* word) {
    const Cost cost = cost_of(*word);
    *word = kFieldNever;
    --labelled_;
    ++raised_;
    ++raised_now_;
    // Nodes that are no nearer to a goal become suspects. Most of them are raised as well; the
    // others are opened when they are asked.
    for (const auto& [s, other] : around_) {
      if (cost_of(other) == kFieldNever || (other & kFieldSuspect) != 0) continue;
      cost_of(other) >= cost ? suspect(s, &labels_.touch(s)) : open(s, &labels_.touch(s));
    }
    if constexpr (!SymmetricGraph<Graph>) {
      graph_->for_each_predecessor(n, [&](NodeId m, Cost step) {
        const Word leaning = labels_.read(m);
        if (cost_of(leaning) < cost + step || cost_of(leaning) == kFieldNever) return;
        if ((leaning & kFieldSuspect) == 0) suspect(m, &labels_.touch(m));
      });
    }
  }

  void suspect(NodeId n, Word* word) {
    if (cost_of(*word) == 0) return;  // a goal
    *word |= kFieldSuspect;
    suspects_.push(bucket_of(*word), n);
  }

  void open(NodeId n, Word* word) {
    if (!is_open(*word)) open_.push(bucket_of(*word), n);
    *word = cost_of(*word) | open_from(kFieldArrivals);
  }

  // Looks at all changed nodes before it gives out labels, because a new label is never better than
  // the labels it was made of.
  void look_at_next() {  // phase 2: looks at one changed node; later gives one its label
    if (offered_ < pending_.size()) {
      Pending& pending = pending_[offered_++];
      pending.best = kFieldNever;
      graph_->for_each_successor(pending.node, [&](NodeId s, Cost step) {
        const Cost cost = cost_of(labels_.read(s));
        if (cost != kFieldNever) pending.best = std::min(pending.best, cost + step);
      });
      return;
    }
    const Pending pending = pending_[taken_++];
    if (pending.best < cost_of(labels_.read(pending.node))) {
      Word& word = labels_.touch(pending.node);
      labelled_ += cost_of(word) == kFieldNever;
      word = pending.best | open_from(kFieldArrivals);
      open_.push(bucket_of(word), pending.node);
    }
    if (taken_ < pending_.size()) return;
    pending_.clear();
    offered_ = taken_ = 0;
  }

  // Returns the units used. Labels that the bucket's nodes hand on belong into later buckets.
  std::uint32_t settle_bucket(std::uint32_t most) {  // phase 2: settles open nodes
    if (!open_.has_first()) {
      open_.seek();
      return 0;  // the target may be proved already
    }
    const std::uint64_t bucket = open_.first();
    if (ArrivalGraph<Graph> && bucket / kRecentBuckets != recent_buckets_) {
      recent_buckets_ = bucket / kRecentBuckets;
      std::swap(recent_[0], recent_[1]);
      recent_[0].clear();
    }
    std::uint32_t used = 0;
    while (used < most && open_.has_first()) {
      const NodeId n = open_.pop();
      const Word word = labels_.read(n);
      if (!is_open(word) || bucket_of(word) != bucket) continue;  // no longer due
      labels_.touch(n) = cost_of(word);
      if (ArrivalGraph<Graph>) recent_[0].push_back(n);
      hand_on(n, word);
      used += 1 + std::exchange(run_over_, 0) / kRunNodes;
    }
    return used;
  }

  void hand_on(NodeId n, Word word) {
    const Cost cost = cost_of(word);
    if constexpr (ArrivalGraph<Graph>) {
      const auto arrival = arrival_of(word);
      graph_->for_each_predecessor_after(
          n, arrival, [&](NodeId m, Cost step, std::uint32_t a) { run_on(m, cost + step, a); });
    } else {
      graph_->for_each_predecessor(
          n, [&](NodeId m, Cost step) { label(m, cost + step, open_from(kFieldArrivals)); });
    }
  }

  // Returns false if the node's label is already at most `cost`.
  bool label(NodeId n, Cost cost, Word arrival) {
    if (cost_of(labels_.read(n)) <= cost) return false;
    Word& word = labels_.touch(n);
    labelled_ += cost_of(word) == kFieldNever;
    word = cost | arrival;
    if (arrival != 0) open_.push(bucket_of(word), n);
    return true;
  }

  // Labels a node and, before their turn, the nodes after it that would only hand the label
  // straight on. Such a label may not be final. But a node with a true label got it from a node
  // whose label was true at that time.
  void run_on(NodeId n, Cost cost, std::uint32_t arrival) {
    if (cost_of(labels_.read(n)) <= cost) return;
    const FieldRun run = graph_->run_from(n, arrival);
    for (std::uint32_t i = 0; i < run.nodes; ++i) {
      if (!label(n, cost, 0)) return;
      recent_[0].push_back(n);
      ++run_over_;
      n = NodeId{index(n) + run.stride};
      cost += run.step;
    }
    if (!run.ends) label(n, cost, open_from(arrival));
  }

  // Opens again the settled nodes that left out a predecessor in favour of an n' that may still
  // wait (see ArrivalGraph). Below the bucket before the first open one, each n' has had its turn.
  // Nodes that were raised or lowered since then are not concerned.
  void hand_on_again() {
    if constexpr (ArrivalGraph<Graph>) {
      if (open_.empty()) {
        for (std::vector<NodeId>& nodes : recent_) nodes.clear();
        return;
      }
      open_.seek();
      const std::uint64_t first = open_.first();
      for (std::vector<NodeId>& nodes : recent_) {
        for (const NodeId n : nodes) {
          const Word word = labels_.read(n);
          if (cost_of(word) == kFieldNever || is_open(word) || bucket_of(word) + 1 < first)
            continue;
          labels_.touch(n) = word | open_from(kFieldArrivals);
          open_.push(bucket_of(word), n);
        }
        nodes.clear();
      }
    }
  }

  const Graph* graph_;
  GoalSet goals_;
  int width_bits_;
  FieldPages labels_;
  FieldBuckets<NodeId> suspects_;  // by label
  FieldBuckets<NodeId> open_;      // by label
  // Changed nodes: the first offered_ of them have `best`, the first taken_ have received it.
  std::vector<Pending> pending_;
  std::size_t offered_ = 0;
  std::size_t taken_ = 0;
  // Nodes settled or run over while the first bucket was in the present group of kRecentBuckets,
  // and in the group before.
  std::array<std::vector<NodeId>, 2> recent_;
  std::uint64_t recent_buckets_ = 0;
  std::vector<Beside> around_;  // successors of the suspect that is being asked
  RaisePatience patience_;
  mutable FieldPaths<Graph> paths_;
  std::uint32_t run_over_ = 0;    // nodes run over since the last one was settled
  std::uint64_t labelled_ = 0;    // number of nodes with a label
  std::uint64_t raised_now_ = 0;  // nodes raised in this phase 1
  std::uint64_t expanded_ = 0;
  std::uint64_t raised_ = 0;
  std::uint64_t rebuilds_ = 0;
};

}  // namespace repath
