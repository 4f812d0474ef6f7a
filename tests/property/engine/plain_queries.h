// Random small worlds, and plain models of the answers to queries on them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "engine/queries.h"
#include "support/ascii_grid.h"

namespace repath::test {

inline Snapshot random_world(Random& random, bool weighted) {
  const std::uint32_t width = 3 + random.below(18);
  const std::uint32_t height = 3 + random.below(18);
  const std::uint32_t blocked_percent = random.below(50);
  std::vector<std::string> rows(height, std::string(width, '.'));
  for (std::string& row : rows)
    for (char& c : row) {
      if (random.below(100) < blocked_percent) {
        c = '#';
      } else if (weighted && random.below(3) == 0) {
        c = static_cast<char>('1' + random.below(9));
      }
    }
  const std::vector<std::string_view> views(rows.begin(), rows.end());
  Snapshot world;
  world.layer = draw_layer(views);
  world.topology =
      std::array{Topology::k4, Topology::kHex, Topology::k8, Topology::k8}[random.below(4)];
  world.corner_rule = random.below(2) == 0 ? CornerRule::kNone : CornerRule::kOne;
  if (world.topology == Topology::k8 && random.below(4) != 0)
    world.jumps.emplace(world.layer, world.corner_rule);
  if (world.topology != Topology::kHex)
    world.clusters.emplace(world.layer, world.topology, world.corner_rule,
                           HpaShape{.side = 4, .factor = 2, .levels = 2});
  return world;
}

inline NodeId cell_at(const GridLayer& layer, MapPoint p) {
  return layer.node_at(static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y));
}

inline MapPoint random_point(Random& random, const GridLayer& layer) {
  return {random.unit() * layer.width(), random.unit() * layer.height()};
}

// Returns the costs from one node to all nodes. Relaxes every edge until nothing changes; there is
// no queue whose order could be wrong.
inline std::vector<Cost> plain_costs(const GridGraph& graph, NodeId from) {
  std::vector<Cost> cost(graph.node_count(), kUnreachable);
  if (!graph.layer().is_free(from)) return cost;
  cost[index(from)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
      if (cost[n] == kUnreachable) continue;
      graph.for_each_successor(NodeId{n}, [&](NodeId to, Cost step) {
        if (cost[n] + step >= cost[index(to)]) return;
        cost[index(to)] = cost[n] + step;
        changed = true;
      });
    }
  }
  return cost;
}

// Returns the cost of walking these nodes one by one; kUnreachable if a step does not exist.
inline Cost walked(const GridGraph& graph, const std::vector<NodeId>& nodes) {
  Cost sum = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(nodes[i - 1], nodes[i]));
  return sum;
}

// Returns the cells that end a path: free, and either the goal's own cell or with their centre
// within the radius of a goal.
inline std::vector<NodeId> plain_goal_set(const GridLayer& layer,
                                          const std::vector<MapPoint>& goals, double radius) {
  std::vector<NodeId> nodes;
  for (std::int32_t y = 0; y < layer.height(); ++y)
    for (std::int32_t x = 0; x < layer.width(); ++x)
      for (const MapPoint& goal : goals) {
        const bool near = std::hypot(x + 0.5 - goal.x, y + 0.5 - goal.y) <= radius + 1e-9;
        const bool own = cell_at(layer, goal) == layer.node_at(x, y);
        if (layer.is_free(x, y) && (near || own)) nodes.push_back(layer.node_at(x, y));
      }
  return nodes;
}

inline constexpr QueryAlgorithm kExact[] = {
    QueryAlgorithm::kAuto,   QueryAlgorithm::kDijkstra,     QueryAlgorithm::kAStar,
    QueryAlgorithm::kLpa,    QueryAlgorithm::kDStarLite,    QueryAlgorithm::kJps,
    QueryAlgorithm::kFringe, QueryAlgorithm::kIdaStar,      QueryAlgorithm::kSmaStar,
    QueryAlgorithm::kDStar,  QueryAlgorithm::kFloydWarshall};

}  // namespace repath::test
