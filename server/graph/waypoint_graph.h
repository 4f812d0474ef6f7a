// A weighted directed graph of waypoints: nodes with positions, edges with costs, areas, flags,
// widths and a switch. All of it may be edited; every edit reports which directed edges it touched.
//
// Thread rule: const functions may run on any number of threads while no thread edits. Invariants:
// 1. Indexes of nodes are dense, [0, node_count()), and stay the same. A removed node leaves its
//    place empty until a new node takes it, so node_count() never falls.
// 2. Edges from one node to another differ in their keys. The edges of a node are in ascending
// order
//    of the other node's index, then of the key.
// 3. An edge is open iff the edge and both its nodes are enabled.
// 4. ratio() x length <= cost for every edge that exists or existed, open or not, so ratio() never
//    rises. The heuristic of GraphView stays admissible when an edge is switched, removed or made
//    dearer. An edit that lowers ratio() reports it, and searches that keep state must then start
//    from scratch.
//
// Lengths for the heuristic are whole lattice steps rounded up, which makes it an exact metric.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/cost.h"
#include "base/ids.h"
#include "graph/graph_source.h"

namespace repath {

// An edge as searches see it. The cost is kUnreachable if there is no such edge or it is not open.
struct EdgeState {
  Cost cost = kUnreachable;
  std::uint8_t area = 0;
  std::uint16_t flags = 0;
  std::uint32_t width = 0;  // as to_edge_width; 0: every agent fits
  bool operator==(const EdgeState&) const = default;
};

struct TouchedEdge {
  NodeId from{};
  NodeId to{};
  EdgeState before;
  EdgeState after;
  std::uint8_t key = 0;
  bool operator==(const TouchedEdge&) const = default;
};

// The effects of edits; edits append to it. An edge that was touched twice is listed twice, in
// order.
struct GraphChanges {
  std::vector<TouchedEdge> edges;
  bool ratio_fell = false;
};

class WaypointGraph {
 public:
  struct Edge {
    NodeId to{};
    std::uint32_t width = 0;  // as to_edge_width
    Cost cost = 0;
    std::uint8_t area = 0;
    std::uint8_t key = 0;
    std::uint16_t flags = 0;
    bool enabled = true;
  };

  // Returns the graph with its nodes in the given order. Errors name the field ("edges[3].cost"):
  // INVALID_ARGUMENT with reason NODE_POSITION, NODE_AREA, NODE_ID (duplicate), EDGE_NODE (unknown,
  // or both ends the same), EDGE_COST (negative, too large, not a number), EDGE_WIDTH,
  // EDGE_AREA or EDGE_DOUBLED (same ends and key); RESOURCE_EXHAUSTED with reason GRAPH_TOO_LARGE.
  // O(n log n).
  static absl::StatusOr<WaypointGraph> build(const GraphSource& source);

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::size_t live_count() const { return by_id_.size(); }  // number of nodes
  std::size_t edge_count() const { return edges_; }         // number of directed edges, open or not
  std::size_t bytes() const;                                // approximate memory; O(1)
  bool is_live(NodeId n) const { return nodes_[index(n)].live; }
  // Returns the node. REQUIRES: it is live, or its place has stayed empty since it was removed.
  const GraphNode& node(NodeId n) const { return nodes_[index(n)].node; }
  // Returns the node with this id; kNoNode if there is none. O(1), because every point of a route
  // asks.
  NodeId find(std::uint64_t id) const;
  // Returns the nodes in ascending order of their ids.
  const std::map<std::uint64_t, NodeId>& by_id() const { return by_id_; }
  std::span<const Edge> edges_from(NodeId n) const { return nodes_[index(n)].out; }
  // Returns the edges from one node to another, ascending by key. O(log degree).
  std::span<const Edge> edges_between(NodeId from, NodeId to) const;
  // Returns the nodes from which an edge leads to n, each once, ascending.
  std::span<const NodeId> nodes_before(NodeId n) const { return nodes_[index(n)].in; }
  bool is_enabled(NodeId n) const { return nodes_[index(n)].node.enabled; }
  // Returns the edge; null if there is none. O(log degree).
  const Edge* edge(NodeId from, NodeId to, std::uint8_t key = 0) const;
  EdgeState state(NodeId from, NodeId to, std::uint8_t key = 0) const;

  // ratio() counts cost units per lattice step, in 2^-kRatioBits.
  static constexpr int kRatioBits = 20;
  // Keeps the heuristic below 2.5e14 units (search/classic/a_star.h). A ratio of more than 1,400 a
  // world unit would not help.
  static constexpr std::uint64_t kRatioMax = std::uint64_t{1} << 37;
  std::uint64_t ratio() const { return ratio_; }
  // Returns the distance in lattice steps, rounded up: a metric.
  std::uint64_t length(NodeId a, NodeId b) const;
  // Returns the way from a to b along x, y and z, in lattice steps.
  std::array<std::int64_t, 3> way(NodeId a, NodeId b) const;
  // Returns the same without signs.
  std::array<std::uint64_t, 3> apart(NodeId a, NodeId b) const;

  // Edits the graph. On an error (as of build(), or NOT_FOUND with reason NODE_UNKNOWN or
  // EDGE_UNKNOWN) the graph stays unchanged. Errors name the fields of GraphNode and GraphEdge.
  // O(degree).
  absl::Status add_node(const GraphNode& node);
  // Removes the node and all its edges.
  absl::Status remove_node(std::uint64_t id, GraphChanges* changes);
  absl::Status switch_node(std::uint64_t id, bool enabled, GraphChanges* changes);
  // Adds the edge or replaces an existing one; in both directions if `both`.
  absl::Status set_edge(const GraphEdge& edge, GraphChanges* changes);
  absl::Status remove_edge(std::uint64_t from, std::uint64_t to, GraphChanges* changes,
                           std::uint8_t key = 0);
  absl::Status switch_edge(std::uint64_t from, std::uint64_t to, bool enabled,
                           GraphChanges* changes, std::uint8_t key = 0);
  absl::Status set_cost(std::uint64_t from, std::uint64_t to, double cost, GraphChanges* changes,
                        std::uint8_t key = 0);

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
  absl::Status find_edge(std::uint64_t from, std::uint64_t to, std::uint8_t key, NodeId* a,
                         Edge** edge);
  Edge* edge_at(NodeId from, NodeId to, std::uint8_t key);
  void put(NodeId from, NodeId to, const GraphEdge& edge, GraphChanges* changes);
  void erase(NodeId from, NodeId to, std::uint8_t key, GraphChanges* changes);
  void lower_ratio(NodeId from, NodeId to, Cost cost, GraphChanges* changes);
  std::vector<TouchedEdge> states_around(NodeId n) const;

  std::vector<Place> nodes_;
  std::vector<NodeId> empty_;  // empty places, used from the back
  std::map<std::uint64_t, NodeId> by_id_;
  absl::flat_hash_map<std::uint64_t, NodeId> node_of_;  // as by_id_; never iterated
  std::size_t edges_ = 0;
  std::uint64_t ratio_ = kRatioMax;
};

// Returns the weak components: sets of nodes joined by edges, regardless of their direction and of
// whether they are open. The result has for each node the least index of its component, and kNoNode
// for empty places. There is no path between different components. O(n log n).
std::vector<NodeId> weak_components(const WaypointGraph& graph);

}  // namespace repath
