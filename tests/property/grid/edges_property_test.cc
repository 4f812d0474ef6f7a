// The graph and the edge diff against a plain reading of the rules, over all pairs of neighbours of
// random layers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "grid/cells/edges.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

using Rows = std::vector<std::string>;
using EdgeMap = std::map<std::pair<std::uint32_t, std::uint32_t>, Cost>;

Rows random_rows(Random* random, int width, int height) {
  Rows rows(static_cast<std::size_t>(height), std::string(static_cast<std::size_t>(width), '.'));
  const std::uint32_t walls = random->below(60);
  const bool weighted = random->below(2) == 0;
  for (std::string& row : rows)
    for (char& c : row) {
      if (random->below(100) < walls)
        c = '#';
      else if (weighted && random->below(5) == 0)
        c = static_cast<char>('1' + random->below(9));
    }
  return rows;
}

GridLayer layer_of(const Rows& rows) { return test::draw_layer({rows.begin(), rows.end()}); }

// Returns all edges, straight from the rules.
EdgeMap all_edges(const Rows& rows, Topology topology, CornerRule rule) {
  const int height = static_cast<int>(rows.size());
  const int width = static_cast<int>(rows[0].size());
  const auto at = [&](int x, int y) {
    return rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
  };
  const auto weight = [&](int x, int y) {
    return at(x, y) == '.' ? 1u : static_cast<unsigned>(at(x, y) - '0');
  };
  EdgeMap edges;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
        for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
          const int steps = std::abs(u - x) + std::abs(v - y);
          if (steps == 0 || at(x, y) == '#' || at(u, v) == '#') continue;
          const bool hex = topology == Topology::kHex;
          // Compares centres in the plane: odd rows are half a cell further to the right.
          if (hex && std::abs((u + v % 2 * 0.5) - (x + y % 2 * 0.5)) > 1) continue;
          if (steps == 2 && !hex) {
            const int free_flanks = (at(u, y) != '#') + (at(x, v) != '#');
            if (topology == Topology::k4 || free_flanks < (rule == CornerRule::kNone ? 2 : 1))
              continue;
          }
          const Cost length = steps == 2 && !hex ? kDiagonalStep : kStraightStep;
          edges[{static_cast<std::uint32_t>(y * width + x),
                 static_cast<std::uint32_t>(v * width + u)}] =
              length * (weight(x, y) + weight(u, v)) / 2;
        }
  return edges;
}

struct Kind {
  Topology topology;
  CornerRule rule;
};
constexpr Kind kKinds[] = {{Topology::k4, CornerRule::kNone},
                           {Topology::k8, CornerRule::kNone},
                           {Topology::k8, CornerRule::kOne},
                           {Topology::kHex, CornerRule::kNone}};

TEST(GridGraphModel, HasExactlyTheEdgesOfTheRules) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int world = 0; world < 60; ++world) {
    const Rows rows = random_rows(&random, 1 + static_cast<int>(random.below(140)),
                                  1 + static_cast<int>(random.below(80)));
    const GridLayer layer = layer_of(rows);
    const Kind kind = kKinds[random.below(3)];
    const GridGraph graph(&layer, kind.topology, kind.rule);
    const EdgeMap expected = all_edges(rows, kind.topology, kind.rule);
    EdgeMap found;
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
      std::uint32_t last = 0;
      graph.for_each_successor(NodeId{n}, [&](NodeId to, Cost cost) {
        EXPECT_TRUE(index(to) > last || index(to) == 0) << "ascending";
        last = index(to);
        found[{n, index(to)}] = cost;
        EXPECT_EQ(graph.cost_between(NodeId{n}, to), cost);
        EXPECT_LE(graph.heuristic(NodeId{n}, to), cost);
      });
    }
    ASSERT_EQ(found, expected) << "world " << world;
  }
}

TEST(EdgeDiffModel, FindsExactlyTheEdgesThatDiffer) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int world = 0; world < 120; ++world) {
    const int width = 1 + static_cast<int>(random.below(100));
    const int height = 1 + static_cast<int>(random.below(80));
    const Rows was = random_rows(&random, width, height);
    const Rows other = random_rows(&random, width, height);
    Rows is = was;
    std::vector<ChangedRun> changed;
    const std::uint32_t rate = 1 + random.below(100);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        if (random.below(100) >= rate) continue;
        const auto row = static_cast<std::size_t>(y);
        const auto column = static_cast<std::size_t>(x);
        is[row][column] = other[row][column];
        changed.push_back({{y, x, x + 1}, random.below(3)});
      }
    const Kind kind = kKinds[random.below(3)];
    const GridLayer before = layer_of(was);
    const GridLayer after = layer_of(is);
    EdgeDelta delta;
    ASSERT_TRUE(diff_edges(GridGraph(&before, kind.topology, kind.rule),
                           GridGraph(&after, kind.topology, kind.rule), changed, 1'000'000,
                           &delta));

    const EdgeMap old_edges = all_edges(was, kind.topology, kind.rule);
    const EdgeMap new_edges = all_edges(is, kind.topology, kind.rule);
    const auto cost_in = [](const EdgeMap& edges,
                            const std::pair<std::uint32_t, std::uint32_t>& e) {
      const auto found = edges.find(e);
      return found == edges.end() ? kUnreachable : found->second;
    };
    EdgeMap both = old_edges;
    both.insert(new_edges.begin(), new_edges.end());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> risen;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> fallen;
    for (const auto& [edge, cost] : both) {
      if (cost_in(new_edges, edge) > cost_in(old_edges, edge)) risen.push_back(edge);
      if (cost_in(new_edges, edge) < cost_in(old_edges, edge)) fallen.push_back(edge);
    }
    const auto check = [&](const std::vector<EdgeChange>& found,
                           const std::vector<std::pair<std::uint32_t, std::uint32_t>>& expected) {
      ASSERT_EQ(found.size(), expected.size()) << "world " << world;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::pair<std::uint32_t, std::uint32_t> edge{index(found[i].from),
                                                           index(found[i].to)};
        ASSERT_EQ(edge, expected[i]);
        ASSERT_EQ(found[i].before, cost_in(old_edges, edge));
        ASSERT_EQ(found[i].after, cost_in(new_edges, edge));
        ASSERT_NE(found[i].cause, kNoCause);
      }
    };
    check(delta.risen, risen);
    check(delta.fallen, fallen);
    const auto is_switched = [&](const auto& entry) {
      return (cost_in(old_edges, entry.first) == kUnreachable) !=
             (cost_in(new_edges, entry.first) == kUnreachable);
    };
    const auto switched = static_cast<std::uint64_t>(std::ranges::count_if(both, is_switched));
    const GridGraph old_graph(&before, kind.topology, kind.rule);
    const GridGraph new_graph(&after, kind.topology, kind.rule);
    ASSERT_EQ(count_switched_edges(old_graph, new_graph, changed, ~std::uint64_t{0}), switched);
    if (switched > 0) {
      ASSERT_GT(count_switched_edges(old_graph, new_graph, changed, switched - 1), switched - 1);
    }
    std::vector<NodeId> ends;
    for (const auto& edges : {risen, fallen})
      for (const auto& [from, to] : edges) ends.push_back(NodeId{from});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    ASSERT_EQ(delta.changed_nodes, ends);
  }
}

}  // namespace
}  // namespace repath
