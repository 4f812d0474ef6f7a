// What a waypoint graph is made of, as importers and builders hand it over. Plain values;
// WaypointGraph::build says what is valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/cost.h"
#include "geometry/lattice.h"

namespace repath {

// Nodes x dearest edge stays below what a Cost holds (search/graph.h, 5).
inline constexpr std::size_t kGraphNodesMax = 262'144;
inline constexpr std::size_t kGraphEdgesMax = std::size_t{1} << 22;  // directed
inline constexpr double kGraphCostMax = 1e6;
inline constexpr unsigned kGraphAreas = 64;

// A cost of 1 is kStraightStep units (base/cost.h): a world unit of way, where costs are lengths.
// To the nearest unit, at least one. REQUIRES: 0 <= cost <= kGraphCostMax.
constexpr Cost to_graph_cost(double cost) {
  const auto units = static_cast<Cost>(cost * static_cast<double>(kStraightStep) + 0.5);
  return units == 0 ? 1 : units;
}

struct GraphNode {
  std::uint64_t id = 0;  // the client's
  double x = 0;          // world units, each within kLatticeExtent
  double y = 0;
  double z = 0;
  std::uint8_t area = 0;  // [0, kGraphAreas)
  std::uint16_t flags = 1;
  bool enabled = true;
  bool operator==(const GraphNode&) const = default;
};

struct GraphEdge {
  std::uint64_t from = 0;  // ids of nodes
  std::uint64_t to = 0;
  std::optional<double> cost{};  // [0, kGraphCostMax]; none: the straight distance
  std::uint8_t area = 0;
  std::uint16_t flags = 1;
  bool both = false;  // a second edge leads back, alike
  bool enabled = true;
  bool operator==(const GraphEdge&) const = default;
};

struct GraphSource {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

}  // namespace repath
