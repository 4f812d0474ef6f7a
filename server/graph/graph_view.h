// A waypoint graph as the kernels search it (concept SearchGraph of search/graph.h), seen through
// the filter of one agent profile; and the effect of edits on such a view.
//
// Borrows the graph, which must outlive it; edits show at once. Only reads, so it is as safe on any
// thread as the graph is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "geometry/ring.h"
#include "graph/waypoint_graph.h"
#include "search/graph.h"

namespace repath {

// The edges that an agent may use, and their costs for it. By default it may use all edges at their
// own costs.
struct GraphFilter {
  std::uint16_t include = 0xffff;  // an edge must have at least one of these flags
  std::uint16_t exclude = 0;       // and none of these flags
  std::array<std::uint32_t, kGraphAreas> factors{};  // thousandths, >= 1000; 0 counts as 1000

  // Returns the cost of the edge for the agent, rounded up and at most kGraphCostMax; kUnreachable
  // if the agent may not use it.
  Cost cost(const EdgeState& edge) const {
    if (edge.cost == kUnreachable) return kUnreachable;
    if ((edge.flags & include) == 0 || (edge.flags & exclude) != 0) return kUnreachable;
    const std::uint32_t factor = factors[edge.area];
    if (factor <= 1000) return edge.cost;
    const auto scaled = static_cast<Cost>((Wide{edge.cost} * factor + 999) / 1000);
    return std::min(scaled, to_graph_cost(kGraphCostMax));
  }
};

class GraphView {
 public:
  explicit GraphView(const WaypointGraph* graph, const GraphFilter& filter = {})
      : graph_(graph), filter_(filter) {}

  std::uint32_t node_count() const { return graph_->node_count(); }

  // Returns the straight distance times the least ratio of an edge's cost to its length, rounded
  // up. It is a metric and a lower bound of every path's cost. It changes only when an edit reports
  // that the ratio fell.
  Cost heuristic(NodeId a, NodeId b) const {
    constexpr Wide kUp = (Wide{1} << WaypointGraph::kRatioBits) - 1;
    return static_cast<Cost>((Wide{graph_->length(a, b)} * graph_->ratio() + kUp) >>
                             WaypointGraph::kRatioBits);
  }

  // Visits in ascending order of node ids.
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    if (!graph_->is_enabled(n)) return;
    for (const WaypointGraph::Edge& e : graph_->edges_from(n)) {
      if (!e.enabled || !graph_->is_enabled(e.to)) continue;
      if (const Cost c = filter_.cost({e.cost, e.area, e.flags}); c != kUnreachable) visit(e.to, c);
    }
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    for (const NodeId m : graph_->nodes_before(n))
      if (const Cost c = filter_.cost(graph_->state(m, n)); c != kUnreachable) visit(m, c);
  }

 private:
  const WaypointGraph* graph_;
  GraphFilter filter_;
};
static_assert(SearchGraph<GraphView>);

struct GraphEdgeChange {
  NodeId from{};
  NodeId to{};
  Cost before = kUnreachable;  // kUnreachable: the edge is not open, or not for this agent
  Cost after = kUnreachable;
  bool operator==(const GraphEdgeChange&) const = default;
};

struct GraphDelta {
  std::vector<GraphEdgeChange> risen;  // sorted by (from, to), each edge once
  std::vector<GraphEdgeChange> fallen;
};

// Returns the changes as seen through the filter: for each edge its cost before the first and after
// the last change. O(n log n).
GraphDelta graph_delta(const GraphChanges& changes, const GraphFilter& filter);

}  // namespace repath
