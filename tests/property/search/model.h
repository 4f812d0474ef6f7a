// Models for the kernels: searches without memory and plain enough to be believed. They read
// successors only, so they also expose a graph whose predecessors disagree.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "search/graph.h"

namespace repath::test {

// edges[m] = (n, cost) for every edge from n to m: the graph turned round.
using ReverseEdges = std::vector<std::vector<std::pair<NodeId, Cost>>>;

ReverseEdges reversed(const SearchGraph auto& graph) {
  ReverseEdges edges(graph.node_count());
  for (std::uint32_t n = 0; n < graph.node_count(); ++n)
    graph.for_each_successor(NodeId{n},
                             [&](NodeId m, Cost c) { edges[index(m)].emplace_back(NodeId{n}, c); });
  return edges;
}

// Returns the distance of every node from the roots, over for_each_edge(n, visit(NodeId, Cost)).
std::vector<Cost> plain_dijkstra(std::uint32_t node_count, std::span<const NodeId> roots,
                                 const auto& for_each_edge) {
  std::vector<Cost> distance(node_count, kUnreachable);
  using Entry = std::pair<Cost, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> todo;
  for (const NodeId root : roots) todo.emplace(distance[index(root)] = 0, index(root));
  while (!todo.empty()) {
    const auto [d, n] = todo.top();
    todo.pop();
    if (d != distance[n]) continue;
    for_each_edge(NodeId{n}, [&](NodeId m, Cost c) {
      if (d + c < distance[index(m)]) todo.emplace(distance[index(m)] = d + c, index(m));
    });
  }
  return distance;
}

std::vector<Cost> distances_from(const SearchGraph auto& graph, NodeId start) {
  return plain_dijkstra(graph.node_count(), {&start, 1},
                        [&](NodeId n, auto&& visit) { graph.for_each_successor(n, visit); });
}

std::vector<Cost> distances_to(const SearchGraph auto& graph, std::span<const NodeId> goals) {
  const ReverseEdges edges = reversed(graph);
  return plain_dijkstra(graph.node_count(), goals, [&](NodeId n, auto&& visit) {
    for (const auto& [m, c] : edges[index(n)]) visit(m, c);
  });
}

// Returns the cost of walking along `path`; kUnreachable if some step is not an edge.
Cost cost_along(const SearchGraph auto& graph, std::span<const NodeId> path) {
  Cost sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    Cost step = kUnreachable;
    graph.for_each_successor(path[i - 1], [&](NodeId m, Cost c) {
      if (m == path[i]) step = std::min(step, c);
    });
    sum = saturating_add(sum, step);
  }
  return sum;
}

// Returns the optimal path that takes the least id at every choice. `to_goal` is the result of
// distances_to().
std::vector<NodeId> least_id_path(const SearchGraph auto& graph, NodeId from,
                                  const std::vector<Cost>& to_goal) {
  std::vector<NodeId> path{from};
  while (to_goal[index(path.back())] != 0) {
    NodeId next = kNoNode;
    graph.for_each_successor(path.back(), [&](NodeId m, Cost c) {
      if (saturating_add(c, to_goal[index(m)]) == to_goal[index(path.back())])
        next = std::min(next, m);
    });
    path.push_back(next);
  }
  return path;
}

// Returns such a path that goes straight on, by the same difference of ids, where that is optimal
// too.
std::vector<NodeId> straight_on_path(const SearchGraph auto& graph, NodeId from,
                                     const std::vector<Cost>& to_goal) {
  std::vector<NodeId> path{from};
  std::uint32_t stride = 0;
  while (to_goal[index(path.back())] != 0) {
    const NodeId n = path.back();
    NodeId least = kNoNode;
    NodeId ahead = kNoNode;
    graph.for_each_successor(n, [&](NodeId m, Cost c) {
      if (saturating_add(c, to_goal[index(m)]) != to_goal[index(n)]) return;
      least = std::min(least, m);
      if (stride != 0 && index(m) == index(n) + stride) ahead = m;
    });
    path.push_back(ahead != kNoNode ? ahead : least);
    stride = index(path.back()) - index(n);
  }
  return path;
}

}  // namespace repath::test
