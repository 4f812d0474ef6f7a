// A waypoint graph as the kernels search it (concept SearchGraph of search/graph.h), seen through
// the filter of one agent profile; and the effect of edits on such a view.
//
// Borrows the graph, which must outlive it; edits show at once. Only reads, so it is as safe on any
// thread as the graph is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
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
  std::uint32_t width = 0;         // and this width (to_edge_width) or 0
  std::array<std::uint32_t, kGraphAreas> factors{};  // thousandths, >= 1000; 0 counts as 1000

  // Returns the cost of the edge for the agent, rounded up and at most kGraphCostMax; kUnreachable
  // if the agent may not use it.
  Cost cost(const EdgeState& edge) const {
    if (edge.cost == kUnreachable) return kUnreachable;
    if ((edge.flags & include) == 0 || (edge.flags & exclude) != 0) return kUnreachable;
    if (edge.width != 0 && edge.width < width) return kUnreachable;
    const std::uint32_t factor = factors[edge.area];
    if (factor <= 1000) return edge.cost;
    const auto scaled = static_cast<Cost>((Wide{edge.cost} * factor + 999) / 1000);
    return std::min(scaled, to_graph_cost(kGraphCostMax));
  }
  // Ignores whether the ends of the edge are enabled.
  Cost cost(const WaypointGraph::Edge& edge) const {
    return edge.enabled ? cost({edge.cost, edge.area, edge.flags, edge.width}) : kUnreachable;
  }
};

// The edge that an agent takes from a node to another: the cheapest one that it may use, of equals
// the one with the least key.
struct CheapestEdge {
  const WaypointGraph::Edge* edge = nullptr;  // null: there is none
  Cost cost = kUnreachable;                   // for the agent
  std::size_t compared = 0;                   // edges between the two nodes
};
// O(edges between the nodes + log degree).
inline CheapestEdge cheapest_edge(const WaypointGraph& graph, const GraphFilter& filter,
                                  NodeId from, NodeId to) {
  CheapestEdge best;
  if (!graph.is_enabled(from) || !graph.is_enabled(to)) return best;
  const std::span<const WaypointGraph::Edge> edges = graph.edges_between(from, to);
  best.compared = edges.size();
  for (const WaypointGraph::Edge& edge : edges) {
    const Cost cost = filter.cost(edge);
    if (cost >= best.cost) continue;
    best.edge = &edge;
    best.cost = cost;
  }
  return best;
}

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

  // Both visit in ascending order of node ids, each node once, at the cost of the cheapest edge.
  // Return the number of edges looked at.
  template <class Visit>
  std::size_t for_each_successor(NodeId n, Visit&& visit) const {
    if (!graph_->is_enabled(n)) return 0;
    const std::span<const WaypointGraph::Edge> edges = graph_->edges_from(n);
    for (std::size_t i = 0; i < edges.size();) {
      const NodeId to = edges[i].to;
      Cost least = kUnreachable;
      for (; i < edges.size() && edges[i].to == to; ++i)
        least = std::min(least, filter_.cost(edges[i]));
      if (least != kUnreachable && graph_->is_enabled(to)) visit(to, least);
    }
    return edges.size();
  }
  template <class Visit>
  std::size_t for_each_predecessor(NodeId n, Visit&& visit) const {
    const std::span<const NodeId> nodes = graph_->nodes_before(n);
    std::size_t edges = nodes.size();
    for (const NodeId m : nodes) {
      const CheapestEdge best = cheapest_edge(*graph_, filter_, m, n);
      edges += best.compared - std::min<std::size_t>(best.compared, 1);
      if (best.cost != kUnreachable) visit(m, best.cost);
    }
    return edges;
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
  std::uint8_t key = 0;
  bool operator==(const GraphEdgeChange&) const = default;
};

struct GraphDelta {
  std::vector<GraphEdgeChange> risen;  // sorted by (from, to, key), each edge once
  std::vector<GraphEdgeChange> fallen;
};

// Returns the changes as seen through the filter: for each edge its cost before the first and after
// the last change. O(n log n).
GraphDelta graph_delta(const GraphChanges& changes, const GraphFilter& filter);

}  // namespace repath
