// Compares what D* and D* Lite have proved with Dijkstra without memory.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model.h"

namespace repath::test {

// Edits a world at random and tells the search.
template <class World, class Search>
void edit(World& world, Random& random, std::uint32_t edits, Search& search) {
  for (; edits > 0; --edits)
    world.edit(
        random, [&](NodeId n) { search.on_edges_changed(n); }, [](NodeId) {});
}

// Checks that every proved node has its true cost and an optimal path. Returns the number of proved
// nodes.
template <class Graph, class Search>
int check_all_proofs(const Graph& graph, const Search& search) {
  const std::vector<Cost> truth = distances_to(graph, search.goals().nodes());
  int proved = 0;
  std::vector<NodeId> path;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    const NodeId n{i};
    path.clear();
    const bool has_path = search.append_path(n, &path);
    if (has_path) {
      EXPECT_EQ(cost_along(graph, path), search.cost(n)) << "node " << i;
      EXPECT_TRUE(search.goals().contains(path.back())) << "node " << i;
    }
    if (!search.proves(n)) continue;
    ++proved;
    EXPECT_EQ(search.cost(n), truth[i]) << "node " << i;
    EXPECT_EQ(has_path, truth[i] != kUnreachable) << "node " << i;
    if (has_path) {
      EXPECT_EQ(path, least_id_path(graph, n, truth)) << "node " << i;
    }
  }
  return proved;
}

}  // namespace repath::test
