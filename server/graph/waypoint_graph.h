// A weighted directed graph of waypoints: nodes with positions, edges with costs, areas, flags and
// a switch. Any of it may be edited; every edit says which directed edges it touched.
//
// Thread rule: const functions on any number of threads as long as nobody edits.
// Invariants:
//   1. Places of nodes are dense, [0, node_count()), and stay; a removed node leaves its place
//      empty until a new one takes it. node_count() never falls.
//   2. At most one edge leads from a node to another; edges of a node ascend by the other's place.
//   3. An edge is open iff it and both its nodes are enabled.
//   4. ratio() x length <= cost for every edge there is or was, open or not: it only ever falls. So
//      the heuristic of GraphView stays admissible whatever is switched, removed or made dearer;
//      an edit that lowers it says so, and searches that keep state must then begin anew.
// Lengths for the heuristic are whole lattice steps rounded up, so that it is a metric exactly.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/cost.h"
#include "base/ids.h"
#include "graph/graph_source.h"

namespace repath {

// An edge as searches see it; cost kUnreachable: there is none, or it is not open.
struct EdgeState {
  Cost cost = kUnreachable;
  std::uint8_t area = 0;
  std::uint16_t flags = 0;
  bool operator==(const EdgeState&) const = default;
};

struct TouchedEdge {
  NodeId from{};
  NodeId to{};
  EdgeState before;
  EdgeState after;
  bool operator==(const TouchedEdge&) const = default;
};

// What edits did; they append. An edge touched twice stands there twice, in order.
struct GraphChanges {
  std::vector<TouchedEdge> edges;
  bool ratio_fell = false;
};

class WaypointGraph {
 public:
  struct Edge {
    NodeId to{};
    Cost cost = 0;
    std::uint8_t area = 0;
    std::uint16_t flags = 0;
    bool enabled = true;
  };

  // The graph, nodes in the order given, or INVALID_ARGUMENT with reason NODE_POSITION, NODE_AREA,
  // NODE_ID (doubled), EDGE_NODE (unknown, or both ends the same), EDGE_COST (negative, too large,
  // no number), EDGE_AREA or EDGE_DOUBLED, naming the field ("edges[3].cost"); RESOURCE_EXHAUSTED
  // with GRAPH_TOO_LARGE. O(n log n).
  static absl::StatusOr<WaypointGraph> build(const GraphSource& source);

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::size_t live_count() const { return by_id_.size(); }  // nodes
  std::size_t edge_count() const { return edges_; }         // directed, open or not
  std::size_t bytes() const;                                // about; O(1)
  bool is_live(NodeId n) const { return nodes_[index(n)].live; }
  // REQUIRES: it is live, or was and nothing has taken its place since.
  const GraphNode& node(NodeId n) const { return nodes_[index(n)].node; }
  // kNoNode: there is none of that id. O(log n).
  NodeId find(std::uint64_t id) const;
  std::span<const Edge> edges_from(NodeId n) const { return nodes_[index(n)].out; }
  std::span<const NodeId> nodes_before(NodeId n) const { return nodes_[index(n)].in; }
  bool is_enabled(NodeId n) const { return nodes_[index(n)].node.enabled; }
  // Null: there is none. O(log degree).
  const Edge* edge(NodeId from, NodeId to) const;
  EdgeState state(NodeId from, NodeId to) const;

  // Units per step, in 2^-kRatioBits.
  static constexpr int kRatioBits = 20;
  // Keeps the heuristic below 2.5e14 units (search/classic/a_star.h); more than 1,400 a world unit
  // helps nobody.
  static constexpr std::uint64_t kRatioMax = std::uint64_t{1} << 37;
  std::uint64_t ratio() const { return ratio_; }
  // Steps between both, rounded up: a metric.
  std::uint64_t length(NodeId a, NodeId b) const;

  // Edits; on an error (as of build, or NOT_FOUND with NODE_UNKNOWN or EDGE_UNKNOWN) nothing
  // changes. Fields are named as those of GraphNode and GraphEdge. O(degree).
  absl::Status add_node(const GraphNode& node);
  // With all its edges.
  absl::Status remove_node(std::uint64_t id, GraphChanges* changes);
  absl::Status switch_node(std::uint64_t id, bool enabled, GraphChanges* changes);
  // Adds it or puts it in the place of the one that is there; both directions if `both`.
  absl::Status set_edge(const GraphEdge& edge, GraphChanges* changes);
  absl::Status remove_edge(std::uint64_t from, std::uint64_t to, GraphChanges* changes);
  absl::Status switch_edge(std::uint64_t from, std::uint64_t to, bool enabled,
                           GraphChanges* changes);
  absl::Status set_cost(std::uint64_t from, std::uint64_t to, double cost, GraphChanges* changes);

 private:
  struct Place {
    GraphNode node;
    std::int32_t at[3];  // lattice steps
    bool live = true;
    std::vector<Edge> out;
    std::vector<NodeId> in;
  };

  std::uint64_t length_squared(NodeId a, NodeId b) const;
  absl::Status check_node(const GraphNode& node) const;
  absl::Status check_edge(const GraphEdge& edge) const;
  absl::Status add_edges(const std::vector<GraphEdge>& edges);
  absl::Status find_edge(std::uint64_t from, std::uint64_t to, NodeId* a, Edge** edge);
  Edge* edge_at(NodeId from, NodeId to);
  void put(NodeId from, NodeId to, const GraphEdge& edge, GraphChanges* changes);
  void erase(NodeId from, NodeId to, GraphChanges* changes);
  void lower_ratio(NodeId from, NodeId to, Cost cost, GraphChanges* changes);
  std::vector<TouchedEdge> states_around(NodeId n) const;

  std::vector<Place> nodes_;
  std::vector<NodeId> empty_;  // places, to be taken from the back
  std::map<std::uint64_t, NodeId> by_id_;
  std::size_t edges_ = 0;
  std::uint64_t ratio_ = kRatioMax;
};

// Weak components: nodes joined by edges, whatever their direction and whether open or not. For
// each place the least place of its component; kNoNode for empty ones. Different components have no
// path between them. O(n log n).
std::vector<NodeId> weak_components(const WaypointGraph& graph);

}  // namespace repath
