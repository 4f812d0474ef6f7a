// The kernels of this room behind one interface, as agents use them: a search for one set of goals
// that may outlive its answer, take in changes and answer again.
//
// A goal-rooted search (D* Lite, alone or as a field) can be asked about any node. A start-rooted
// one (A*, jump points, LPA*) can be asked only about the nodes of the path it found, or about its
// root if it found none. Virtual calls: once for each slice, changed node and answer. Not
// thread-safe; different searches may run in parallel. Borrows the graph.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/cost.h"
#include "base/ids.h"
#include "search/goal_set.h"
#include "search/graph.h"
#include "search/incremental/d_star_lite.h"

namespace repath {

// All but the flood are strategies, in the order of Stats::strategies. Jump points and the flood
// are searches of grids.
enum class SearchKind : std::uint8_t { kAStar, kLpa, kDStarLite, kField, kJump, kFlood };

constexpr bool is_goal_rooted(SearchKind kind) {
  return kind == SearchKind::kDStarLite || kind == SearchKind::kField;
}
// Returns whether such a search can take in changes between slices.
constexpr bool is_incremental(SearchKind kind) {
  return is_goal_rooted(kind) || kind == SearchKind::kLpa;
}

class PathSearch {
 public:
  virtual ~PathSearch() = default;

  // Goes on until it knows the cost from `target` (goal-rooted) or from its root. Expands at most
  // `*expansions` nodes and subtracts the number used.
  virtual Progress advance(NodeId target, std::uint32_t* expansions) = 0;
  // After kPathFound: returns the cost of a path from `target` if it is known without the path,
  // else kUnreachable. O(1).
  virtual Cost known_cost(NodeId) const { return kUnreachable; }
  // After kPathFound: returns the cost of the path from `target`, or kUnreachable if the search
  // does not know it. REQUIRES: `target` is the root of a start-rooted search, or the node that the
  // search was last advanced for. O(1).
  virtual Cost path_cost(NodeId target) const { return known_cost(target); }
  // Returns a lower bound of any path from `target` to a goal, at the revision searched. May be
  // called at any time. O(1).
  virtual Cost lower_bound(NodeId) const { return 0; }
  // Appends the path from `target` to a goal, after kPathFound. Returns false if the search cannot
  // be asked about `target`. O(length).
  virtual bool append_path(NodeId target, std::vector<NodeId>* out) const = 0;
  // Appends the path from `target` to the reachable node least by (distance to the goals, cost,
  // id), after kNoPath of a flood. Returns false if the search cannot be asked about `target`.
  // O(nodes on cheapest paths).
  virtual bool append_partial_path(NodeId, std::vector<NodeId>*) const { return false; }
  // Returns the node where a start-rooted search began; kNoNode for a goal-rooted one.
  virtual NodeId root() const { return kNoNode; }
  // Takes in that the edges of `node` changed: those into it if the search is start-rooted, those
  // out of it otherwise. REQUIRES: is_incremental.
  virtual void on_edges_changed(NodeId) { REPATH_CHECK(false); }
  virtual std::size_t bytes() const = 0;
};

// Drops what lies before `target` in the path that begins at `path`[first]. If `target` is not on
// it, drops the whole path and returns false. O(length).
inline bool keep_rest(std::size_t first, NodeId target, std::vector<NodeId>* path) {
  const auto begin = path->begin() + static_cast<std::ptrdiff_t>(first);
  const auto at = std::find(begin, path->end(), target);
  if (at == path->end()) {
    path->resize(first);
    return false;
  }
  path->erase(begin, at);
  return true;
}

// A kernel that begins at the goals and takes in changes.
template <class Kernel>
class GoalRooted : public PathSearch {
 public:
  template <class... Args>
  explicit GoalRooted(Args&&... args) : kernel_(std::forward<Args>(args)...) {}

  bool append_path(NodeId target, std::vector<NodeId>* out) const override {
    REPATH_CHECK(kernel_.proves(target) && kernel_.append_path(target, out));
    return true;
  }
  void on_edges_changed(NodeId node) override { kernel_.on_edges_changed(node); }
  std::size_t bytes() const override { return kernel_.bytes(); }

 protected:
  Kernel kernel_;
};

// D* Lite of one agent, whose start moves.
template <class Graph>
class DStarLiteKept final : public GoalRooted<DStarLite<Graph>> {
 public:
  using GoalRooted<DStarLite<Graph>>::GoalRooted;

  Progress advance(NodeId target, std::uint32_t* expansions) override {
    if (this->kernel_.start() != target) this->kernel_.move_start(target);
    return this->kernel_.advance(expansions);
  }
  Cost lower_bound(NodeId target) const override {
    return this->kernel_.start() == target ? this->kernel_.lower_bound() : 0;
  }
  Cost path_cost(NodeId target) const override { return this->kernel_.cost(target); }
};

// A kernel that begins at the start; it takes in changes if it can.
template <class Kernel>
class StartRooted final : public PathSearch {
 public:
  template <class... Args>
  explicit StartRooted(NodeId start, Args&&... args)
      : root_(start), kernel_(std::forward<Args>(args)...) {}

  Progress advance(NodeId, std::uint32_t* expansions) override {
    return kernel_.advance(expansions);
  }
  bool append_path(NodeId target, std::vector<NodeId>* out) const override {
    const std::size_t first = out->size();
    static_cast<void>(kernel_.append_path(out));
    REPATH_CHECK(out->size() > first);
    return keep_rest(first, target, out);
  }
  Cost path_cost(NodeId target) const override {
    return target == root_ ? kernel_.path_cost() : kUnreachable;
  }
  NodeId root() const override { return root_; }
  void on_edges_changed(NodeId node) override {
    if constexpr (requires { kernel_.on_edges_changed(node); })
      kernel_.on_edges_changed(node);
    else
      PathSearch::on_edges_changed(node);
  }
  std::size_t bytes() const override { return kernel_.bytes(); }

 private:
  NodeId root_;
  Kernel kernel_;
};

}  // namespace repath
