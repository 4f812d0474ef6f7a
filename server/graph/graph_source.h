// The nodes and edges of a waypoint graph, as importers and builders hand them over. Plain values;
// WaypointGraph::build defines which are valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/cost.h"
#include "geometry/lattice.h"

namespace repath {

// Maximum number of nodes. This number times the dearest edge stays below the largest Cost
// (search/graph.h, 5).
inline constexpr std::size_t kGraphNodesMax = 262'144;
inline constexpr std::size_t kGraphEdgesMax = std::size_t{1} << 22;  // directed
inline constexpr double kGraphCostMax = 1e6;
inline constexpr unsigned kGraphAreas = 64;
inline constexpr double kGraphWidthMax = 10'000;

// Returns a cost in units of kStraightStep (base/cost.h), rounded to the nearest unit and at least
// one. Where costs are lengths, a cost of 1 is one world unit. REQUIRES: 0 <= cost <=
// kGraphCostMax.
constexpr Cost to_graph_cost(double cost) {
  const auto units = static_cast<Cost>(cost * static_cast<double>(kStraightStep) + 0.5);
  return units == 0 ? 1 : units;
}

// Returns a width in whole thousandths of a world unit, as widths are compared. REQUIRES:
// 0 <= width <= 2 x kGraphWidthMax.
constexpr std::uint32_t to_edge_width(double width) {
  return static_cast<std::uint32_t>(width * 1000 + 0.5);
}
constexpr double from_edge_width(std::uint32_t thousandths) { return thousandths / 1000.0; }

struct GraphNode {
  std::uint64_t id = 0;  // chosen by the client
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
  std::optional<double> cost{};  // [0, kGraphCostMax]; empty: the straight distance
  std::uint8_t area = 0;
  std::uint16_t flags = 1;
  bool both = false;  // an equal second edge leads back
  bool enabled = true;
  std::uint8_t key = 0;  // tells edges with the same two ends and direction apart
  double width = 0;      // world units, [0, kGraphWidthMax]; 0: every agent fits
  bool operator==(const GraphEdge&) const = default;
};

struct GraphSource {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

}  // namespace repath
