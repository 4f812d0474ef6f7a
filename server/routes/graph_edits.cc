#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/error.h"
#include "geometry/lattice.h"
#include "routes/graph_world.h"

namespace repath {
namespace {

// The graph as it will be, as far as the edits change it.
class EditedGraph {
 public:
  EditedGraph(const WaypointGraph& graph, double factor)
      : graph_(graph), factor_(factor), nodes_(graph.live_count()), edges_(graph.edge_count()) {}

  double brought() const { return brought_; }

  absl::Status operator()(const GraphNode& node) {
    for (const auto& [v, name] : {std::pair{node.x, "x"}, {node.y, "y"}, {node.z, "z"}})
      if (!(std::abs(v) <= kLatticeExtent))
        return invalid_field(std::isfinite(v) ? "OUT_OF_RANGE" : "NOT_FINITE",
                             std::string("add_node.position.") + name,
                             "must be a number within 33554 units of 0");
    if (node.area >= kGraphAreas)
      return invalid_field("OUT_OF_RANGE", "add_node.area", "must be below 64");
    if (node_at(node.id))
      return make_error(absl::StatusCode::kAlreadyExists, "NODE_EXISTS", "add_node.id",
                        "there is a node " + std::to_string(node.id) + " already");
    if (nodes_ >= kGraphNodesMax) return too_large("add_node", kGraphNodesMax);
    ++nodes_;
    changed_nodes_[node.id] = {spot_of(node), true, ++step_};
    return absl::OkStatus();
  }
  absl::Status operator()(const RemoveGraphNode& edit) {
    if (!node_at(edit.id)) return unknown("remove_node", edit.id);
    --nodes_;
    changed_nodes_[edit.id] = {{}, false, ++step_};
    return absl::OkStatus();
  }
  absl::Status operator()(const SwitchGraphNode& edit) {
    return node_at(edit.id) ? absl::OkStatus() : unknown("switch_node.id", edit.id);
  }
  absl::Status operator()(const GraphEdge& edge) {
    const std::optional<Spot> from = node_at(edge.from);
    const std::optional<Spot> to = node_at(edge.to);
    if (!from) return unknown("set_edge.from", edge.from);
    if (!to) return unknown("set_edge.to", edge.to);
    if (edge.from == edge.to)
      return invalid_field("OUT_OF_RANGE", "set_edge.to", "an edge leads from one node to another");
    if (edge.area >= kGraphAreas)
      return invalid_field("OUT_OF_RANGE", "set_edge.area", "must be below 64");
    if (edge.cost)
      if (auto s = check_cost(*edge.cost, "set_edge.cost"); !s.ok()) return s;
    if (!(edge.width >= 0 && edge.width <= kGraphWidthMax))
      return invalid_field(std::isfinite(edge.width) ? "OUT_OF_RANGE" : "NOT_FINITE",
                           "set_edge.width", "must be a number from 0 to 10000");
    if (edges_ + 2 > kGraphEdgesMax) return too_large("set_edge", kGraphEdgesMax);
    const double cost = edge.cost ? *edge.cost : distance_between(*from, *to);
    bring({edge.from, edge.to, edge.key}, cost);
    if (edge.both) bring({edge.to, edge.from, edge.key}, cost);
    return absl::OkStatus();
  }
  absl::Status operator()(const RemoveGraphEdge& edit) {
    const EdgeName name{edit.from, edit.to, edit.key};
    if (!has_edge(name)) return unknown_edge("remove_edge", name);
    changed_edges_[name] = {false, ++step_};
    return absl::OkStatus();
  }
  absl::Status operator()(const SwitchGraphEdge& edit) {
    const EdgeName name{edit.from, edit.to, edit.key};
    return has_edge(name) ? absl::OkStatus() : unknown_edge("switch_edge", name);
  }
  absl::Status operator()(const PriceGraphEdge& edit) {
    const EdgeName name{edit.from, edit.to, edit.key};
    if (!has_edge(name)) return unknown_edge("set_cost", name);
    if (auto s = check_cost(edit.cost, "set_cost.cost"); !s.ok()) return s;
    // The graph prices an edge by making it again, so it applies the same limit on the number of
    // edges.
    if (edges_ + 2 > kGraphEdgesMax) return too_large("set_cost", kGraphEdgesMax);
    bring_cost(edit.cost);
    return absl::OkStatus();
  }

 private:
  struct Node {
    Spot at;
    bool is_there;
    std::uint64_t step;
  };
  struct EdgeName {
    std::uint64_t from;
    std::uint64_t to;
    std::uint8_t key;
    auto operator<=>(const EdgeName&) const = default;
  };
  struct Edge {
    bool is_there;
    std::uint64_t step;
  };

  static absl::Status unknown(const std::string& field, std::uint64_t id) {
    return make_error(absl::StatusCode::kNotFound, "NODE_UNKNOWN", field,
                      "there is no node " + std::to_string(id));
  }
  static absl::Status unknown_edge(const std::string& field, const EdgeName& name) {
    return make_error(absl::StatusCode::kNotFound, "EDGE_UNKNOWN", field,
                      "no edge of key " + std::to_string(name.key) + " leads from " +
                          std::to_string(name.from) + " to " + std::to_string(name.to));
  }
  static absl::Status too_large(const std::string& field, std::size_t limit) {
    return make_error(
        absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", field,
        "a graph has at most " + std::to_string(limit) + " of these; remove some first");
  }
  static absl::Status check_cost(double cost, const std::string& field) {
    if (cost >= 0 && cost <= kGraphCostMax) return absl::OkStatus();
    return invalid_field(std::isfinite(cost) ? "OUT_OF_RANGE" : "NOT_FINITE", field,
                         "must be a number from 0 to 1000000");
  }

  std::optional<Spot> node_at(std::uint64_t id) const {
    if (const auto known = changed_nodes_.find(id); known != changed_nodes_.end())
      return known->second.is_there ? std::optional(known->second.at) : std::nullopt;
    const NodeId n = graph_.find(id);
    return n == kNoNode ? std::nullopt : std::optional(spot_of(graph_.node(n)));
  }
  // Returns whether the node came or went after that step.
  bool is_newer(std::uint64_t id, std::uint64_t step) const {
    const auto known = changed_nodes_.find(id);
    return known != changed_nodes_.end() && known->second.step > step;
  }
  bool has_edge(const EdgeName& name) const {
    const auto& [from, to, key] = name;
    if (!node_at(from) || !node_at(to)) return false;
    const auto known = changed_edges_.find(name);
    const std::uint64_t step = known == changed_edges_.end() ? 0 : known->second.step;
    if (is_newer(from, step) || is_newer(to, step)) return false;
    if (known != changed_edges_.end()) return known->second.is_there;
    return graph_.edge(graph_.find(from), graph_.find(to), key) != nullptr;
  }
  void bring(const EdgeName& name, double cost) {
    edges_ += has_edge(name) ? 0 : 1;  // edges that go with nodes are not subtracted
    changed_edges_[name] = {true, ++step_};
    bring_cost(cost);
  }
  void bring_cost(double cost) { brought_ += std::min((cost + 1) * factor_, kGraphCostMax); }

  const WaypointGraph& graph_;
  double factor_;
  std::size_t nodes_;
  std::size_t edges_;  // lower bound of the number of edges
  std::map<std::uint64_t, Node> changed_nodes_;
  std::map<EdgeName, Edge> changed_edges_;
  std::uint64_t step_ = 0;
  double brought_ = 0;
};

}  // namespace

absl::Status check_graph_edits(const WaypointGraph& graph, std::span<const GraphEdit> edits,
                               double factor, double* brought) {
  EditedGraph edited(graph, factor);
  for (std::size_t i = 0; i < edits.size(); ++i)
    if (auto s = std::visit(edited, edits[i]); !s.ok())
      return with_field_prefix(s, item("graph_edits", i) + ".");
  *brought += edited.brought();
  return absl::OkStatus();
}

}  // namespace repath
