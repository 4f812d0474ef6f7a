// Edited graphs against a table of edges, and points of visibility against all pairs of corners.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "geometry/grow.h"
#include "graph/graph_view.h"
#include "graph/visibility.h"
#include "search/classic/a_star.h"
#include "support/seed.h"

namespace repath {
namespace {

struct ModelEdge {
  Cost cost = 0;
  bool enabled = true;
};

// Nodes 0 .. n - 1 by id and edges in a table. Finds every path by relaxing all edges until nothing
// changes.
struct Model {
  std::map<std::pair<std::uint64_t, std::uint64_t>, ModelEdge> edges;
  std::map<std::uint64_t, bool> nodes;  // enabled

  Cost open_cost(std::uint64_t from, std::uint64_t to) const {
    const auto e = edges.find({from, to});
    if (e == edges.end() || !e->second.enabled) return kUnreachable;
    return nodes.at(from) && nodes.at(to) ? e->second.cost : kUnreachable;
  }
  std::map<std::pair<std::uint64_t, std::uint64_t>, Cost> open() const {
    std::map<std::pair<std::uint64_t, std::uint64_t>, Cost> all;
    for (const auto& [ends, e] : edges)
      if (open_cost(ends.first, ends.second) != kUnreachable) all[ends] = e.cost;
    return all;
  }
  std::map<std::uint64_t, Cost> costs_from(std::uint64_t start) const {
    std::map<std::uint64_t, Cost> least{{start, 0}};
    const auto all = open();
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [ends, cost] : all) {
        const auto from = least.find(ends.first);
        if (from == least.end()) continue;
        const auto [to, is_new] = least.try_emplace(ends.second, kUnreachable);
        if (from->second + cost < to->second) {
          to->second = from->second + cost;
          changed = true;
        }
      }
    }
    return least;
  }
};

class EditedGraph {
 public:
  explicit EditedGraph(std::uint64_t seed) : random_(seed) {
    GraphSource source;
    for (std::uint64_t id = 0; id < 12; ++id) source.nodes.push_back(random_node(id));
    graph_ = *WaypointGraph::build(source);
    for (const GraphNode& n : source.nodes) model_.nodes[n.id] = true;
  }

  // Makes one random edit on both sides: of nodes, or of everything else.
  void edit(bool of_nodes, GraphChanges* changes) {
    const std::uint64_t a = random_.below(14);
    const std::uint64_t b = random_.below(14);
    const double cost = 0.5 + 20 * random_.unit();
    const bool on = random_.below(2) == 0;
    const bool known = model_.edges.count({a, b}) != 0;
    switch (of_nodes ? random_.below(3) : 3 + random_.below(7)) {
      case 0:
        EXPECT_EQ(graph_.remove_node(a, changes).ok(), model_.nodes.erase(a) == 1);
        std::erase_if(model_.edges,
                      [a](const auto& e) { return e.first.first == a || e.first.second == a; });
        break;
      case 1:
      case 2:
        EXPECT_EQ(graph_.add_node(random_node(a)).ok(), model_.nodes.try_emplace(a, true).second);
        break;
      case 3:
        EXPECT_EQ(graph_.switch_node(a, on, changes).ok(), model_.nodes.count(a) == 1);
        if (model_.nodes.count(a) == 1) model_.nodes[a] = on;
        break;
      case 4:
        EXPECT_EQ(graph_.switch_edge(a, b, on, changes).ok(), known);
        if (known) model_.edges[{a, b}].enabled = on;
        break;
      case 5:
        EXPECT_EQ(graph_.set_cost(a, b, cost, changes).ok(), known);
        if (known) model_.edges[{a, b}].cost = to_graph_cost(cost);
        break;
      case 6:
        EXPECT_EQ(graph_.remove_edge(a, b, changes).ok(), model_.edges.erase({a, b}) == 1);
        break;
      default:
        set_edge(a, b, cost, on, changes);
    }
  }

  const WaypointGraph& graph() const { return graph_; }
  const Model& model() const { return model_; }

 private:
  void set_edge(std::uint64_t a, std::uint64_t b, double cost, bool both, GraphChanges* changes) {
    const bool fits = a != b && model_.nodes.count(a) == 1 && model_.nodes.count(b) == 1;
    EXPECT_EQ(graph_.set_edge({.from = a, .to = b, .cost = cost, .both = both}, changes).ok(),
              fits);
    if (!fits) return;
    model_.edges[{a, b}] = {to_graph_cost(cost), true};
    if (both) model_.edges[{b, a}] = {to_graph_cost(cost), true};
  }
  GraphNode random_node(std::uint64_t id) {
    return {.id = id,
            .x = random_.unit() * 10,
            .y = random_.unit(),
            .z = static_cast<double>(random_.below(10))};
  }

  Random random_;
  WaypointGraph graph_;
  Model model_;
};

using Costs = std::map<std::pair<std::uint64_t, std::uint64_t>, Cost>;

// Expects exactly the edges that differ, by their indexes.
void expect_delta(const WaypointGraph& graph, const Costs& before, const Costs& after,
                  const GraphDelta& delta) {
  Costs ends = before;
  ends.insert(after.begin(), after.end());
  std::map<std::pair<NodeId, NodeId>, GraphEdgeChange> risen;
  std::map<std::pair<NodeId, NodeId>, GraphEdgeChange> fallen;
  const auto cost = [](const Costs& costs, const auto& edge) {
    const auto found = costs.find(edge);
    return found == costs.end() ? kUnreachable : found->second;
  };
  for (const auto& [edge, any] : ends) {
    const NodeId a = graph.find(edge.first);
    const NodeId b = graph.find(edge.second);
    const GraphEdgeChange change{a, b, cost(before, edge), cost(after, edge)};
    if (change.after > change.before) risen[{a, b}] = change;
    if (change.after < change.before) fallen[{a, b}] = change;
  }
  const auto in_order = [](const auto& changes) {
    std::vector<GraphEdgeChange> list;
    for (const auto& [edge, change] : changes) list.push_back(change);
    return list;
  };
  ASSERT_EQ(delta.risen, in_order(risen));
  ASSERT_EQ(delta.fallen, in_order(fallen));
}

TEST(GraphModel, EditsPathsAndDeltasAgree) {
  SCOPED_TRACE(test::seed_trace());
  std::size_t found = 0;
  for (std::uint64_t run = 0; run < 60; ++run) {
    EditedGraph edited(test::seed() + run);
    const WaypointGraph& graph = edited.graph();
    for (int step = 0; step < 60; ++step) {
      const auto before = edited.model().open();
      const bool of_nodes = step % 3 == 2;
      GraphChanges changes;
      for (int i = 0; i < 4; ++i) edited.edit(of_nodes, &changes);
      const Model& model = edited.model();
      std::map<std::pair<std::uint64_t, std::uint64_t>, Cost> now;
      for (const auto& [from, a_on] : model.nodes)
        for (const auto& [to, b_on] : model.nodes) {
          const EdgeState state = graph.state(graph.find(from), graph.find(to));
          ASSERT_EQ(state.cost, from == to ? kUnreachable : model.open_cost(from, to));
          if (state.cost != kUnreachable) now[{from, to}] = state.cost;
        }
      ASSERT_EQ(now, model.open());
      const GraphDelta delta = graph_delta(changes, {});
      const GraphView view(&graph);
      if (!of_nodes) expect_delta(graph, before, now, delta);
      const std::uint64_t start = model.nodes.empty() ? 0 : model.nodes.begin()->first;
      if (model.nodes.empty()) continue;
      const auto costs = model.costs_from(start);
      const std::vector<NodeId> labels = weak_components(graph);
      for (const auto& [goal, on] : model.nodes) {
        const NodeId s = graph.find(start);
        const NodeId g = graph.find(goal);
        AStar<GraphView> search(view, s, GoalSet{g});
        std::uint32_t budget = 10'000;
        const Progress progress = search.advance(&budget);
        const auto expected = costs.find(goal);
        const bool reachable = expected != costs.end();
        ASSERT_EQ(progress, reachable ? Progress::kPathFound : Progress::kNoPath);
        if (!reachable) continue;
        ASSERT_EQ(search.path_cost(), expected->second);
        ASSERT_EQ(labels[index(s)], labels[index(g)]);
        ++found;
      }
      // The heuristic is consistent, exactly.
      for (const auto& [ends, cost] : now)
        for (const auto& [c, on] : model.nodes) {
          const NodeId a = graph.find(ends.first);
          const NodeId b = graph.find(ends.second);
          ASSERT_LE(view.heuristic(a, b), cost);
          ASSERT_LE(view.heuristic(a, graph.find(c)),
                    view.heuristic(a, b) + view.heuristic(b, graph.find(c)));
        }
    }
  }
  EXPECT_GT(found, 5'000u);
}

// Returns the length of the line from p to q inside the ring, by cutting it at every edge's line.
double length_inside(const LatticeRing& ring, LatticePoint p, LatticePoint q) {
  double from = 0;
  double to = 1;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LatticePoint a = ring[i];
    const LatticePoint b = ring[(i + 1) % ring.size()];
    const auto at_p = static_cast<double>(turn(a, b, p));
    const auto at_q = static_cast<double>(turn(a, b, q));
    if (at_p <= 0 && at_q <= 0) return 0;
    if (at_p < 0) from = std::max(from, at_p / (at_p - at_q));
    if (at_q < 0) to = std::min(to, at_p / (at_p - at_q));
  }
  return std::max(0.0, to - from) * std::sqrt(static_cast<double>(distance_squared(p, q)));
}

TEST(VisibilityModel, PathsAreAsShortAsOverAllPairsOfCorners) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t paths = 0;
  std::size_t all_pairs = 0;
  std::size_t kept = 0;
  for (int scene = 0; scene < 200; ++scene) {
    std::vector<LatticeRing> rings;
    for (std::uint32_t k = 1 + random.below(8); k-- > 0;) {
      const Point center{random.below(10'000) * 0.001, random.below(10'000) * 0.001};
      const auto grown = random.below(2) == 0
                             ? grow(Circle{center, 0.3 + random.unit()}, 0.2)
                             : grow(Box{center, 0.3 + random.unit(), 0.3 + random.unit(),
                                        random.below(2) == 0 ? 0 : random.unit()},
                                    0.2);
      rings.push_back(grown->front());
    }
    const VisibilityMap map(rings);
    std::vector<LatticePoint> ends;
    while (ends.size() < 2) {
      const LatticePoint p{static_cast<std::int32_t>(random.below(160'000)),
                           static_cast<std::int32_t>(random.below(160'000))};
      if (!map.is_blocked(p)) ends.push_back(p);
    }
    const auto source = visibility_graph(map, ends, 0);
    ASSERT_TRUE(source.ok());
    const auto graph = WaypointGraph::build(*source);
    ASSERT_TRUE(graph.ok()) << graph.status();
    const GraphView view(&*graph);
    AStar<GraphView> checked(view, NodeId{0}, GoalSet{NodeId{1}});
    std::uint32_t budget = 100'000;
    const Progress progress = checked.advance(&budget);

    // All pairs of all corners of all rings, with plain relaxation.
    std::vector<LatticePoint> nodes = ends;
    for (const LatticeRing& ring : rings) nodes.insert(nodes.end(), ring.begin(), ring.end());
    const std::size_t n = nodes.size();
    std::vector<std::vector<double>> length(n, std::vector<double>(n, INFINITY));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k) {
        double inside = 0;
        for (const LatticeRing& ring : rings)
          inside = std::max(inside, length_inside(ring, nodes[i], nodes[k]));
        if (inside > 1e-6) continue;
        length[i][k] = length[k][i] =
            std::sqrt(static_cast<double>(distance_squared(nodes[i], nodes[k])));
        ++all_pairs;
      }
    std::vector<double> least(n, INFINITY);
    std::vector<bool> done(n, false);
    least[0] = 0;
    for (std::size_t round = 0; round < n; ++round) {
      std::size_t next = n;
      for (std::size_t i = 0; i < n; ++i)
        if (!done[i] && (next == n || least[i] < least[next])) next = i;
      done[next] = true;
      for (std::size_t i = 0; i < n; ++i)
        least[i] = std::min(least[i], least[next] + length[next][i]);
    }
    kept += source->edges.size();
    ASSERT_EQ(progress == Progress::kPathFound, std::isfinite(least[1])) << "scene " << scene;
    if (progress != Progress::kPathFound) continue;
    ++paths;
    // Rounding: half a unit for each edge.
    ASSERT_NEAR(static_cast<double>(checked.path_cost()) / static_cast<double>(kStraightStep),
                least[1] / kLatticePerUnit, 1e-5)
        << "scene " << scene;
  }
  EXPECT_GT(paths, 150u);
  EXPECT_LT(kept * 2, all_pairs);  // the redundant edges are gone
}

TEST(Visibility, NobodyWalksAlongTheSeamOfTwoObstacles) {
  const LatticeRing left{{0, 0}, {16000, 0}, {16000, 32000}, {0, 32000}};
  const LatticeRing right{{16000, 0}, {32000, 0}, {32000, 32000}, {16000, 32000}};
  const LatticePoint below{16000, -16000};
  const LatticePoint above{16000, 48000};
  EXPECT_TRUE(VisibilityMap({left}).sees(below, above));
  EXPECT_FALSE(VisibilityMap({left, right}).sees(below, above));
}

}  // namespace
}  // namespace repath
