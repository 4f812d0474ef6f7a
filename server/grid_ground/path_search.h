// The kernels of search/ behind one interface, as agents use them: a search for one set of goals
// on one view's graph.
//
// A goal-rooted search (D* Lite, alone or as a field) can be asked about any node. A start-rooted
// one (A*, jump points, LPA*) only speaks for the nodes of the path it found, or for its root if it
// found none. The flood for PARTIAL speaks for all nodes it reached. Virtual calls: once for each
// slice, changed node and answer. Not thread-safe; different searches may run in parallel. Borrows
// graph and goals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid/jps/idle_jumps.h"
#include "grid/jps/jump_map.h"
#include "search/graph.h"

namespace repath {

// All but the flood are strategies, in the order of Stats::strategies.
enum class SearchKind : std::uint8_t { kAStar, kLpa, kDStarLite, kField, kJump, kFlood };

constexpr bool is_goal_rooted(SearchKind kind) {
  return kind == SearchKind::kDStarLite || kind == SearchKind::kField;
}
// Can take changes between slices.
constexpr bool is_incremental(SearchKind kind) {
  return is_goal_rooted(kind) || kind == SearchKind::kLpa;
}

class PathSearch {
 public:
  virtual ~PathSearch() = default;

  // Goes on until it knows the cost from `target` (goal-rooted) or from its root. Expands at most
  // `*expansions` nodes and takes off what it used.
  virtual Progress advance(NodeId target, std::uint32_t* expansions) = 0;
  // After kPathFound: returns the cost of a path from `target`, where it is known without the path;
  // kUnreachable where it is unknown. O(1).
  virtual Cost known_cost(NodeId) const { return kUnreachable; }
  // Returns a lower bound of any path from `target` to a goal, at the revision searched. May be
  // called at any time. O(1).
  virtual Cost lower_bound(NodeId) const { return 0; }
  // Appends the path from `target` to a goal, after kPathFound. Returns false if the search does
  // not speak for `target`. O(length).
  virtual bool append_path(NodeId target, std::vector<NodeId>* out) const = 0;
  // Appends the path from `target` to the reachable node least by (distance to the goals, cost,
  // id), after kNoPath of a flood. Returns false if the search does not speak for `target`. O(nodes
  // on cheapest paths).
  virtual bool append_partial_path(NodeId, std::vector<NodeId>*) const { return false; }
  // Returns the node where a start-rooted search began; kNoNode for a goal-rooted one.
  virtual NodeId root() const { return kNoNode; }
  // Takes in that the edges of `node` changed. REQUIRES: is_incremental.
  virtual void on_edges_changed(NodeId) { REPATH_CHECK(false); }
  virtual std::size_t bytes() const = 0;
};

// Makes a search of this kind. kJump alone borrows `jumps`, the map of the graph's layer, which is
// uniform, and `idle`.
std::unique_ptr<PathSearch> make_search(SearchKind kind, const GridGraph& graph,
                                        const JumpMap& jumps, IdleJumps& idle, const Goals& goals,
                                        NodeId start);

// Drops what lies before `target` in the path that begins at `path`[first]. False, and the path is
// gone, if `target` is not on it. O(length).
bool keep_rest(std::size_t first, NodeId target, std::vector<NodeId>* path);

}  // namespace repath
