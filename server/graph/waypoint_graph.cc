#include "graph/waypoint_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/equal_run.h"
#include "base/error.h"
#include "geometry/ring.h"

namespace repath {
namespace {

std::int32_t to_steps(double units) {
  return static_cast<std::int32_t>(std::floor(units * kLatticePerUnit + 0.5));
}

absl::Status too_large(const char* what, std::size_t limit) {
  return make_error(absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", what,
                    "a graph has at most " + std::to_string(limit));
}

// Returns the least whole number whose square is not below v.
std::uint64_t root_up(std::uint64_t v) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(v)));
  while (root * root < v) ++root;
  while (root > 0 && (root - 1) * (root - 1) >= v) --root;
  return root;
}

absl::Status unknown_node(const char* field, std::uint64_t id) {
  return make_error(absl::StatusCode::kNotFound, "NODE_UNKNOWN", field,
                    "there is no node " + std::to_string(id));
}

constexpr auto kEdgeOrder = [](const WaypointGraph::Edge& e) { return std::pair(e.to, e.key); };

}  // namespace

NodeId WaypointGraph::find(std::uint64_t id) const {
  const auto found = node_of_.find(id);
  return found == node_of_.end() ? kNoNode : found->second;
}

std::size_t WaypointGraph::bytes() const {
  constexpr std::size_t kOfMap = 64;  // estimate for one element of by_id_
  const std::size_t of_table = node_of_.capacity() * (sizeof(std::pair<std::uint64_t, NodeId>) + 1);
  return nodes_.capacity() * sizeof(Place) + by_id_.size() * kOfMap + of_table +
         edges_ * (sizeof(Edge) + sizeof(NodeId)) + empty_.capacity() * sizeof(NodeId);
}

std::span<const WaypointGraph::Edge> WaypointGraph::edges_between(NodeId from, NodeId to) const {
  return equal_run(nodes_[index(from)].out, to, &Edge::to);
}

const WaypointGraph::Edge* WaypointGraph::edge(NodeId from, NodeId to, std::uint8_t key) const {
  const std::vector<Edge>& out = nodes_[index(from)].out;
  const auto found = std::ranges::lower_bound(out, std::pair(to, key), {}, kEdgeOrder);
  return found == out.end() || found->to != to || found->key != key ? nullptr : &*found;
}

WaypointGraph::Edge* WaypointGraph::edge_at(NodeId from, NodeId to, std::uint8_t key) {
  return const_cast<Edge*>(std::as_const(*this).edge(from, to, key));
}

EdgeState WaypointGraph::state(NodeId from, NodeId to, std::uint8_t key) const {
  const Edge* e = edge(from, to, key);
  if (e == nullptr || !e->enabled || !is_enabled(from) || !is_enabled(to)) return {};
  return {e->cost, e->area, e->flags, e->width};
}

std::uint64_t WaypointGraph::length(NodeId a, NodeId b) const {
  return root_up(length_squared(a, b));
}

std::array<std::int64_t, 3> WaypointGraph::way(NodeId a, NodeId b) const {
  std::array<std::int64_t, 3> way{};
  for (std::size_t i = 0; i < 3; ++i)
    way[i] = std::int64_t{nodes_[index(b)].at[i]} - nodes_[index(a)].at[i];
  return way;
}

std::array<std::uint64_t, 3> WaypointGraph::apart(NodeId a, NodeId b) const {
  const std::array<std::int64_t, 3> signed_way = way(a, b);
  std::array<std::uint64_t, 3> apart{};
  for (std::size_t i = 0; i < 3; ++i)
    apart[i] = static_cast<std::uint64_t>(std::abs(signed_way[i]));
  return apart;
}

std::uint64_t WaypointGraph::length_squared(NodeId a, NodeId b) const {
  std::uint64_t sum = 0;
  for (const std::uint64_t d : apart(a, b)) sum += d * d;
  return sum;
}

absl::Status WaypointGraph::check_node(const GraphNode& node) const {
  for (const double v : {node.x, node.y, node.z})
    if (!(std::abs(v) <= kLatticeExtent))
      return invalid_field("NODE_POSITION", "position",
                           "each coordinate must be a number within " +
                               std::to_string(static_cast<int>(kLatticeExtent)) + " of 0");
  if (node.area >= kGraphAreas)
    return invalid_field("NODE_AREA", "area", "must be below " + std::to_string(kGraphAreas));
  if (by_id_.count(node.id) != 0)
    return invalid_field("NODE_ID", "id",
                         "there is a node " + std::to_string(node.id) + " already");
  if (by_id_.size() >= kGraphNodesMax) return too_large("nodes", kGraphNodesMax);
  return absl::OkStatus();
}

absl::Status WaypointGraph::check_edge(const GraphEdge& edge) const {
  if (find(edge.from) == kNoNode) return unknown_node("from", edge.from);
  if (find(edge.to) == kNoNode) return unknown_node("to", edge.to);
  if (edge.from == edge.to) return invalid_field("EDGE_NODE", "to", "must differ from `from`");
  if (edge.cost && !(*edge.cost >= 0 && *edge.cost <= kGraphCostMax))
    return invalid_field("EDGE_COST", "cost", "must be a number from 0 to 1000000");
  if (!(edge.width >= 0 && edge.width <= kGraphWidthMax))
    return invalid_field("EDGE_WIDTH", "width", "must be a number from 0 to 10000");
  if (edge.area >= kGraphAreas)
    return invalid_field("EDGE_AREA", "area", "must be below " + std::to_string(kGraphAreas));
  if (edges_ + 2 > kGraphEdgesMax) return too_large("edges", kGraphEdgesMax);
  return absl::OkStatus();
}

void WaypointGraph::lower_ratio(NodeId from, NodeId to, Cost cost, GraphChanges* changes) {
  const std::uint64_t steps = length(from, to);
  if (steps == 0) return;
  const auto most = static_cast<std::uint64_t>((Wide{cost} << kRatioBits) / steps);
  if (most >= ratio_) return;
  ratio_ = most;
  changes->ratio_fell = true;
}

void WaypointGraph::put(NodeId from, NodeId to, const GraphEdge& edge, GraphChanges* changes) {
  const EdgeState before = state(from, to, edge.key);
  Edge* e = edge_at(from, to, edge.key);
  if (e == nullptr) {
    const bool is_first = edges_between(from, to).empty();
    std::vector<Edge>& out = nodes_[index(from)].out;
    const auto place = std::ranges::lower_bound(out, std::pair(to, edge.key), {}, kEdgeOrder);
    e = &*out.insert(place, Edge{.to = to, .key = edge.key});
    std::vector<NodeId>& in = nodes_[index(to)].in;
    if (is_first) in.insert(std::ranges::lower_bound(in, from), from);
    ++edges_;
  }
  // No cost exceeds kGraphCostMax here: the farthest two points of the extent are closer than that.
  const double distance =
      std::sqrt(static_cast<double>(length_squared(from, to))) / kLatticePerUnit;
  e->cost = to_graph_cost(edge.cost ? *edge.cost : distance);
  e->area = edge.area;
  e->flags = edge.flags;
  e->enabled = edge.enabled;
  e->width = to_edge_width(edge.width);
  lower_ratio(from, to, e->cost, changes);
  const EdgeState after = state(from, to, edge.key);
  if (before != after) changes->edges.push_back({from, to, before, after, edge.key});
}

void WaypointGraph::erase(NodeId from, NodeId to, std::uint8_t key, GraphChanges* changes) {
  const EdgeState before = state(from, to, key);
  std::vector<Edge>& out = nodes_[index(from)].out;
  out.erase(std::ranges::lower_bound(out, std::pair(to, key), {}, kEdgeOrder));
  std::vector<NodeId>& in = nodes_[index(to)].in;
  if (edges_between(from, to).empty()) in.erase(std::ranges::lower_bound(in, from));
  --edges_;
  if (before != EdgeState{}) changes->edges.push_back({from, to, before, {}, key});
}

absl::StatusOr<WaypointGraph> WaypointGraph::build(const GraphSource& source) {
  if (source.nodes.size() > kGraphNodesMax) return too_large("nodes", kGraphNodesMax);
  if (source.edges.size() > kGraphEdgesMax) return too_large("edges", kGraphEdgesMax);
  WaypointGraph graph;
  for (std::size_t i = 0; i < source.nodes.size(); ++i)
    if (auto s = graph.add_node(source.nodes[i]); !s.ok())
      return with_field_prefix(s, item("nodes", i) + ".");
  if (auto s = graph.add_edges(source.edges); !s.ok()) return s;
  return graph;
}

// Adds the edges in the order of their ends, so that each list only grows at its end. In any other
// order the time would grow with the square of a node's edges.
absl::Status WaypointGraph::add_edges(const std::vector<GraphEdge>& edges) {
  struct Way {
    NodeId from;
    NodeId to;
    std::uint8_t key;
    std::uint32_t edge;
    auto operator<=>(const Way&) const = default;
  };
  std::vector<Way> ways;
  absl::Status fault;
  std::size_t end = 0;  // index of the first edge at fault
  for (; end < edges.size() && fault.ok(); ++end) {
    const GraphEdge& e = edges[end];
    fault = check_edge(e);
    if (fault.ok() && ways.size() + 2 > kGraphEdgesMax) fault = too_large("edges", kGraphEdgesMax);
    if (!fault.ok()) break;
    const auto number = static_cast<std::uint32_t>(end);
    ways.push_back({find(e.from), find(e.to), e.key, number});
    if (e.both) ways.push_back({find(e.to), find(e.from), e.key, number});
  }
  if (error_reason(fault) == "NODE_UNKNOWN")
    fault = invalid_field("EDGE_NODE", error_field(fault), "names no node");
  std::ranges::sort(ways);
  for (std::size_t i = 0; i + 1 < ways.size(); ++i) {
    const Way& way = ways[i + 1];
    if (ways[i].from != way.from || ways[i].to != way.to || ways[i].key != way.key ||
        way.edge >= end)
      continue;
    fault = invalid_field("EDGE_DOUBLED", "to",
                          "there is an edge between these nodes in this direction with this key "
                          "already; give one of them another key");
    end = way.edge;
  }
  if (!fault.ok()) return with_field_prefix(fault, item("edges", end) + ".");
  GraphChanges changes;
  for (const Way& way : ways) {
    put(way.from, way.to, edges[way.edge], &changes);
    changes.edges.clear();
  }
  return absl::OkStatus();
}

absl::Status WaypointGraph::add_node(const GraphNode& node) {
  if (auto s = check_node(node); !s.ok()) return s;
  Place place{.node = node,
              .at = {to_steps(node.x), to_steps(node.y), to_steps(node.z)},
              .live = true,
              .out = {},
              .in = {}};
  NodeId n{node_count()};
  if (empty_.empty()) {
    nodes_.push_back(std::move(place));
  } else {
    n = empty_.back();
    empty_.pop_back();
    nodes_[index(n)] = std::move(place);
  }
  by_id_[node.id] = n;
  node_of_[node.id] = n;
  return absl::OkStatus();
}

// Returns all edges into and out of n; the caller fills in `after`.
std::vector<TouchedEdge> WaypointGraph::states_around(NodeId n) const {
  std::vector<TouchedEdge> states;
  const auto add = [&](NodeId from, const Edge& e) {
    states.push_back({from, e.to, state(from, e.to, e.key), {}, e.key});
  };
  for (const Edge& e : edges_from(n)) add(n, e);
  for (const NodeId m : nodes_before(n))
    for (const Edge& e : edges_between(m, n)) add(m, e);
  return states;
}

absl::Status WaypointGraph::remove_node(std::uint64_t id, GraphChanges* changes) {
  const NodeId n = find(id);
  if (n == kNoNode) return unknown_node("id", id);
  for (const TouchedEdge& e : states_around(n)) erase(e.from, e.to, e.key, changes);
  nodes_[index(n)].live = false;
  by_id_.erase(id);
  node_of_.erase(id);
  empty_.push_back(n);
  return absl::OkStatus();
}

absl::Status WaypointGraph::switch_node(std::uint64_t id, bool enabled, GraphChanges* changes) {
  const NodeId n = find(id);
  if (n == kNoNode) return unknown_node("id", id);
  std::vector<TouchedEdge> states = states_around(n);
  nodes_[index(n)].node.enabled = enabled;
  for (TouchedEdge& e : states) {
    e.after = state(e.from, e.to, e.key);
    if (e.before != e.after) changes->edges.push_back(e);
  }
  return absl::OkStatus();
}

absl::Status WaypointGraph::set_edge(const GraphEdge& edge, GraphChanges* changes) {
  if (auto s = check_edge(edge); !s.ok()) return s;
  put(find(edge.from), find(edge.to), edge, changes);
  if (edge.both) put(find(edge.to), find(edge.from), edge, changes);
  return absl::OkStatus();
}

absl::Status WaypointGraph::find_edge(std::uint64_t from, std::uint64_t to, std::uint8_t key,
                                      NodeId* a, Edge** edge) {
  *a = find(from);
  const NodeId b = find(to);
  *edge = *a == kNoNode || b == kNoNode ? nullptr : edge_at(*a, b, key);
  if (*edge != nullptr) return absl::OkStatus();
  return make_error(absl::StatusCode::kNotFound, "EDGE_UNKNOWN", "to",
                    "no edge of key " + std::to_string(key) + " leads from " +
                        std::to_string(from) + " to " + std::to_string(to));
}

absl::Status WaypointGraph::remove_edge(std::uint64_t from, std::uint64_t to, GraphChanges* changes,
                                        std::uint8_t key) {
  NodeId a{};
  Edge* e = nullptr;
  if (auto s = find_edge(from, to, key, &a, &e); !s.ok()) return s;
  erase(a, e->to, key, changes);
  return absl::OkStatus();
}

absl::Status WaypointGraph::switch_edge(std::uint64_t from, std::uint64_t to, bool enabled,
                                        GraphChanges* changes, std::uint8_t key) {
  NodeId a{};
  Edge* e = nullptr;
  if (auto s = find_edge(from, to, key, &a, &e); !s.ok()) return s;
  const EdgeState before = state(a, e->to, key);
  e->enabled = enabled;
  const EdgeState after = state(a, e->to, key);
  if (before != after) changes->edges.push_back({a, e->to, before, after, key});
  return absl::OkStatus();
}

absl::Status WaypointGraph::set_cost(std::uint64_t from, std::uint64_t to, double cost,
                                     GraphChanges* changes, std::uint8_t key) {
  NodeId a{};
  Edge* e = nullptr;
  if (auto s = find_edge(from, to, key, &a, &e); !s.ok()) return s;
  const GraphEdge changed{.from = from,
                          .to = to,
                          .cost = cost,
                          .area = e->area,
                          .flags = e->flags,
                          .both = false,
                          .enabled = e->enabled,
                          .key = key,
                          .width = e->width / 1000.0};
  return set_edge(changed, changes);
}

std::vector<NodeId> weak_components(const WaypointGraph& graph) {
  std::vector<NodeId> least(graph.node_count(), kNoNode);
  std::vector<NodeId> stack;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    if (!graph.is_live(NodeId{i}) || least[i] != kNoNode) continue;
    const auto reach = [&](NodeId n) {
      if (least[index(n)] != kNoNode) return;
      least[index(n)] = NodeId{i};
      stack.push_back(n);
    };
    reach(NodeId{i});
    while (!stack.empty()) {
      const NodeId n = stack.back();
      stack.pop_back();
      for (const WaypointGraph::Edge& e : graph.edges_from(n)) reach(e.to);
      for (const NodeId m : graph.nodes_before(n)) reach(m);
    }
  }
  return least;
}

}  // namespace repath
