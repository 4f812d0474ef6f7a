// Random worlds and random edits of them, each with a SearchGraph and the nodes that an edit
// concerns.
#pragma once

#include <vector>

#include "base/random.h"
#include "search/goal_set.h"
#include "support/ascii_graph.h"
#include "support/directed_graph.h"

namespace repath::test {

// An 8-connected grid with sides of 4..23 cells. About a quarter is blocked; half of the worlds
// have unequal terrain.
struct GridWorld {
  using Graph = AsciiGraph;

  explicit GridWorld(Random& random)
      : graph(4 + static_cast<int>(random.below(20)), 4 + static_cast<int>(random.below(20))),
        factors_max(random.below(2) == 0 ? 1 : 5) {
    for (int y = 0; y < graph.height(); ++y)
      for (int x = 0; x < graph.width(); ++x) graph.set_factor(x, y, random_factor(random));
  }

  // Changes one cell. Edges have two equal directions here, so the nodes with changed out-edges are
  // also those with changed in-edges; both callbacks get them.
  void edit(Random& random, auto&& on_out_edges, auto&& on_in_edges) {
    const int x = static_cast<int>(random.below(static_cast<std::uint32_t>(graph.width())));
    const int y = static_cast<int>(random.below(static_cast<std::uint32_t>(graph.height())));
    graph.set_factor(x, y, random_factor(random));
    graph.for_each_affected(x, y, on_out_edges);
    graph.for_each_affected(x, y, on_in_edges);
  }

  Graph graph;
  std::uint32_t factors_max;

 private:
  Cost random_factor(Random& random) const {
    return random.below(4) == 0 ? 0 : 1 + random.below(factors_max);
  }
};

// 2..41 nodes in a plane, some at the same point, with about three one-way edges for each node.
// Costs are small, so that ties are common.
struct DirectedWorld {
  using Graph = DirectedGraph;

  explicit DirectedWorld(Random& random) : graph(random_points(random)) {
    for (std::uint32_t i = 0; i < 3 * graph.node_count(); ++i)
      edit(
          random, [](NodeId) {}, [](NodeId) {});
  }

  // Opens, closes or reprices one edge.
  void edit(Random& random, auto&& on_out_edges, auto&& on_in_edges) {
    const NodeId from{random.below(graph.node_count())};
    const NodeId to{random.below(graph.node_count())};
    const bool closes = graph.cost(from, to) != kUnreachable && random.below(2) == 0;
    graph.set_cost(from, to,
                   closes ? kUnreachable : graph.heuristic(from, to) + 1 + random.below(6));
    on_out_edges(from);
    on_in_edges(to);
  }

  Graph graph;

 private:
  static std::vector<Graph::Point> random_points(Random& random) {
    std::vector<Graph::Point> points(2 + random.below(40));
    for (Graph::Point& p : points)
      p = {static_cast<int>(random.below(10)), static_cast<int>(random.below(10))};
    return points;
  }
};

NodeId random_node(Random& random, const SearchGraph auto& graph) {
  return NodeId{random.below(graph.node_count())};
}

// Mostly one goal, otherwise up to 12, which is more than NearestGoalBound asks singly.
GoalSet random_goals(Random& random, const SearchGraph auto& graph) {
  std::vector<NodeId> goals(random.below(2) == 0 ? 1 : 1 + random.below(12));
  for (NodeId& goal : goals) goal = random_node(random, graph);
  return GoalSet(goals);
}

}  // namespace repath::test
