// The search behind PARTIAL. It finds the way to the reachable node that is least by (distance to
// the goals, cost, id), from the place where the agent is when the node is known.
//
// Dijkstra from the start over everything that can be reached, unless that is a goal. The nodes
// nearest to the goals are its ends. An agent that has left the path to the ends can still reach
// the same nodes. So the ends stay and only the way there is missing: Dijkstra runs again, from the
// ends over all that was reached, and its result speaks for each of those nodes. So at most two
// floods answer an agent that moves every frame. Costs are symmetric (grid/cells/graph.h). Source:
// E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959. Memory: that of the two
// searches. Not thread-safe. Borrows graph and goals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid_ground/path_search.h"
#include "search/classic/dijkstra.h"

namespace repath {

class Flood final : public PathSearch {
 public:
  Flood(const GridGraph& graph, const Goals& goals, NodeId start);

  // kNoPath: everything was reached and no goal among it, and the way from `target` to an end is
  // known, or `target` was not reached.
  Progress advance(NodeId target, std::uint32_t* expansions) override;
  bool append_path(NodeId target, std::vector<NodeId>* out) const override;
  bool append_partial_path(NodeId target, std::vector<NodeId>* out) const override;
  NodeId root() const override { return root_; }
  std::size_t bytes() const override;

 private:
  void find_ends();
  bool is_on_path(NodeId target) const;
  void append_way_back(NodeId target, std::vector<NodeId>* out) const;

  const GridGraph& graph_;
  const Goals& goals_;
  NodeId root_;
  Dijkstra<GridGraph> reached_;
  std::vector<NodeId> ends_;  // ascending; empty until everything is reached
  std::vector<NodeId> path_;  // from the root to the end that is its own
  std::optional<Dijkstra<GridGraph>> to_ends_;
};

}  // namespace repath
