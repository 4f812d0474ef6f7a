// The search behind PARTIAL against the plainest code with the same results, for agents that have
// moved when it ends.
#include "grid_ground/flood.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "grid/cells/snap.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

// Free cells except walls, and a goal that is walled in.
GridLayer cut_off_world(Random* random, NodeId* goal) {
  const std::uint32_t width = 5 + random->below(30);
  const std::uint32_t height = 5 + random->below(30);
  const std::uint32_t walls = random->below(50);
  std::vector<std::string> rows(height, std::string(width, '.'));
  for (std::string& row : rows)
    for (char& cell : row)
      if (random->below(100) < walls) cell = '#';
  const std::uint32_t x = 1 + random->below(width - 2);
  const std::uint32_t y = 1 + random->below(height - 2);
  for (std::uint32_t dy = 0; dy < 3; ++dy) rows[y - 1 + dy].replace(x - 1, 3, "###");
  rows[y][x] = '.';
  *goal = NodeId{y * width + x};
  return test::draw_layer({rows.begin(), rows.end()});
}

std::vector<NodeId> free_cells(const GridLayer& layer) {
  std::vector<NodeId> cells;
  for (std::uint32_t i = 0; i < layer.node_count(); ++i)
    if (layer.is_free(NodeId{i})) cells.push_back(NodeId{i});
  return cells;
}

using Rank = std::tuple<Cost, Cost, NodeId>;

// Returns the least of the cells that `from` can reach, by (distance to the goals, cost, id).
Rank least_reachable(const GridGraph& graph, const Goals& goals, NodeId from) {
  const Source source{from, 0};
  Dijkstra<GridGraph> all(graph, std::span(&source, 1));
  std::uint32_t expansions = ~0u;
  EXPECT_EQ(all.advance(&expansions), Progress::kNoPath);
  Rank least{kUnreachable, kUnreachable, kNoNode};
  for (const NodeId n : all.settled())
    least = std::min(least, {goals.distance(place_of(graph.layer(), n)), all.cost(n), n});
  return least;
}

// Returns the rank of the path as an answer for `from`.
Rank rank_of(const GridGraph& graph, const Goals& goals, NodeId from,
             const std::vector<NodeId>& path) {
  EXPECT_EQ(path.front(), from);
  Cost cost = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    cost = saturating_add(cost, graph.cost_between(path[i], path[i + 1]));
  return {goals.distance(place_of(graph.layer(), path.back())), cost, path.back()};
}

// Runs to the end at the agent's cell, which moves to any other cell between slices.
NodeId run_while_it_moves(Flood* flood, Random* random, const std::vector<NodeId>& cells) {
  for (;;) {
    const NodeId target = cells[random->below(static_cast<std::uint32_t>(cells.size()))];
    std::uint32_t expansions = 1 + random->below(40);
    if (flood->advance(target, &expansions) == Progress::kNoPath) return target;
  }
}

TEST(Flood, AnswersAnAgentThatIsElsewhereByTheTimeItEnds) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int answered = 0;
  int asked = 0;
  for (int world = 0; world < 150; ++world) {
    NodeId goal{};
    const GridLayer layer = cut_off_world(&random, &goal);
    const Topology topology =
        std::array{Topology::k4, Topology::k8, Topology::kHex}[random.below(3)];
    const GridGraph graph(&layer, topology, CornerRule::kNone);
    const MapPoint point = centre_of(place_of(layer, goal));
    const Goals goals(layer, topology, std::span(&point, 1), 0);
    std::vector<NodeId> cells = free_cells(layer);
    std::erase(cells, goal);
    if (cells.empty()) continue;
    const NodeId start = cells[random.below(static_cast<std::uint32_t>(cells.size()))];
    Flood flood(graph, goals, start);
    for (int move = 0; move < 10; ++move) {
      const NodeId target = run_while_it_moves(&flood, &random, cells);
      const Rank expected = least_reachable(graph, goals, target);
      std::vector<NodeId> path;
      ++asked;
      if (flood.append_partial_path(target, &path)) {
        ++answered;
        ASSERT_EQ(rank_of(graph, goals, target, path), expected) << "world " << world;
      } else {
        // Only if the start cannot reach it.
        const NodeId end = std::get<NodeId>(least_reachable(graph, goals, start));
        ASSERT_NE(std::get<NodeId>(expected), end);
      }
    }
  }
  EXPECT_GT(answered, asked / 2);
}

}  // namespace
}  // namespace repath
