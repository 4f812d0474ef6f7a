#include "graph/waypoint_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "graph/graph_import.h"
#include "graph/graph_view.h"

namespace repath {
namespace {

constexpr double kUnit = static_cast<double>(kStraightStep);

GraphSource square() {
  GraphSource source;
  source.nodes = {{.id = 10}, {.id = 20, .x = 3}, {.id = 30, .x = 3, .z = 4}, {.id = 40, .z = 4}};
  source.edges = {{.from = 10, .to = 20, .both = true},
                  {.from = 20, .to = 30, .cost = 4.5},
                  {.from = 30, .to = 40, .both = true}};
  return source;
}

WaypointGraph built(const GraphSource& source) {
  auto graph = WaypointGraph::build(source);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

NodeId at(const WaypointGraph& graph, std::uint64_t id) { return graph.find(id); }

TEST(WaypointGraph, CostsAreDistancesWhereNoneIsGiven) {
  const WaypointGraph graph = built(square());
  EXPECT_EQ(graph.node_count(), 4u);
  EXPECT_EQ(graph.state(at(graph, 10), at(graph, 20)).cost, 3 * kStraightStep);
  EXPECT_EQ(graph.state(at(graph, 20), at(graph, 10)).cost, 3 * kStraightStep);
  EXPECT_EQ(graph.state(at(graph, 20), at(graph, 30)).cost, to_graph_cost(4.5));
  EXPECT_EQ(graph.state(at(graph, 30), at(graph, 20)), EdgeState{});
  EXPECT_EQ(graph.find(11), kNoNode);
}

TEST(WaypointGraph, TheHeuristicIsTheDistanceTimesTheLeastRatio) {
  GraphSource source = square();
  const double diagonal = 5;
  const WaypointGraph graph = built(source);
  EXPECT_NEAR(static_cast<double>(GraphView(&graph).heuristic(at(graph, 10), at(graph, 30))),
              diagonal * kUnit, 100);
  source.edges[0].cost = 1.5;
  const WaypointGraph cheap = built(source);
  EXPECT_NEAR(static_cast<double>(GraphView(&cheap).heuristic(at(cheap, 10), at(cheap, 30))),
              diagonal / 2 * kUnit, 100);
}

TEST(WaypointGraph, EditsTellWhichEdgesRoseAndFell) {
  WaypointGraph graph = built(square());
  const NodeId a = at(graph, 10);
  const NodeId b = at(graph, 20);
  const NodeId c = at(graph, 30);
  GraphChanges changes;
  ASSERT_TRUE(graph.switch_edge(10, 20, false, &changes).ok());
  ASSERT_TRUE(graph.set_cost(20, 30, 4.25, &changes).ok());
  GraphDelta delta = graph_delta(changes, {});
  EXPECT_EQ(delta.risen, (std::vector<GraphEdgeChange>{{a, b, 3 * kStraightStep, kUnreachable}}));
  EXPECT_EQ(delta.fallen,
            (std::vector<GraphEdgeChange>{{b, c, to_graph_cost(4.5), to_graph_cost(4.25)}}));
  EXPECT_FALSE(changes.ratio_fell);
  // Switching off and on again is no change.
  ASSERT_TRUE(graph.switch_edge(10, 20, true, &changes).ok());
  ASSERT_TRUE(graph.set_cost(20, 30, 4.5, &changes).ok());
  delta = graph_delta(changes, {});
  EXPECT_TRUE(delta.risen.empty() && delta.fallen.empty());
  // Below every ratio so far.
  ASSERT_TRUE(graph.set_cost(20, 30, 1, &changes).ok());
  EXPECT_TRUE(changes.ratio_fell);
}

TEST(WaypointGraph, ANodeThatIsSwitchedOffClosesItsEdges) {
  WaypointGraph graph = built(square());
  GraphChanges changes;
  ASSERT_TRUE(graph.switch_node(20, false, &changes).ok());
  EXPECT_EQ(graph_delta(changes, {}).risen.size(), 3u);
  ASSERT_TRUE(graph.switch_edge(10, 20, false, &changes).ok());  // it is closed already
  EXPECT_EQ(graph_delta(changes, {}).risen.size(), 3u);
  ASSERT_TRUE(graph.switch_node(20, true, &changes).ok());
  EXPECT_EQ(graph_delta(changes, {}).risen.size(), 1u);
}

TEST(WaypointGraph, APlaceIsTakenAgain) {
  WaypointGraph graph = built(square());
  const NodeId place = at(graph, 20);
  GraphChanges changes;
  ASSERT_TRUE(graph.remove_node(20, &changes).ok());
  EXPECT_EQ(changes.edges.size(), 3u);
  EXPECT_FALSE(graph.is_live(place));
  ASSERT_TRUE(graph.add_node({.id = 50}).ok());
  EXPECT_EQ(at(graph, 50), place);
  EXPECT_TRUE(graph.edges_from(place).empty());
  EXPECT_EQ(graph.node_count(), 4u);
}

TEST(WaypointGraph, FindsNodesByTheIdsThatItListsInOrder) {
  WaypointGraph graph = built(square());
  GraphChanges changes;
  for (std::uint64_t id = 100; id < 400; ++id)
    ASSERT_TRUE(graph.add_node({.id = id * 0x9e3779b97f4a7c15u}).ok());
  for (std::uint64_t id = 100; id < 400; id += 3)
    ASSERT_TRUE(graph.remove_node(id * 0x9e3779b97f4a7c15u, &changes).ok());
  ASSERT_TRUE(graph.add_node({.id = ~std::uint64_t{0}}).ok());
  ASSERT_EQ(graph.by_id().size(), 205u);
  for (const auto& [id, node] : graph.by_id()) {
    EXPECT_EQ(graph.find(id), node);
    EXPECT_EQ(graph.node(node).id, id);
  }
  EXPECT_EQ(graph.find(100 * 0x9e3779b97f4a7c15u), kNoNode);
  EXPECT_EQ(WaypointGraph(graph).find(10), at(graph, 10));
}

TEST(WaypointGraph, ComponentsIgnoreDirectionsAndSwitches) {
  WaypointGraph graph = built(square());
  GraphChanges changes;
  ASSERT_TRUE(graph.add_node({.id = 50}).ok());
  ASSERT_TRUE(graph.switch_edge(20, 30, false, &changes).ok());
  std::vector<NodeId> labels = weak_components(graph);
  EXPECT_EQ(labels[index(at(graph, 40))], at(graph, 10));
  EXPECT_EQ(labels[index(at(graph, 50))], at(graph, 50));
  ASSERT_TRUE(graph.remove_edge(20, 30, &changes).ok());
  labels = weak_components(graph);
  EXPECT_EQ(labels[index(at(graph, 40))], at(graph, 30));
}

TEST(WaypointGraph, FiltersLeaveOutAndMakeDearer) {
  GraphSource source = square();
  source.edges[1].area = 3;
  source.edges[2].flags = 4;
  const WaypointGraph graph = built(source);
  GraphFilter filter;
  filter.exclude = 4;
  filter.factors[3] = 1500;
  const auto cost = [&](std::uint64_t from, std::uint64_t to) {
    return filter.cost(graph.state(at(graph, from), at(graph, to)));
  };
  EXPECT_EQ(cost(10, 20), 3 * kStraightStep);
  EXPECT_EQ(cost(20, 30), to_graph_cost(4.5) * 3 / 2);
  EXPECT_EQ(cost(30, 40), kUnreachable);
}

TEST(WaypointGraph, WhatIsWrongIsNamed) {
  const auto field = [](void (*spoil)(GraphSource*)) {
    GraphSource source = square();
    spoil(&source);
    const auto graph = WaypointGraph::build(source);
    return graph.ok() ? "" : error_reason(graph.status()) + " " + error_field(graph.status());
  };
  EXPECT_EQ(field([](GraphSource* s) { s->nodes[2].id = 20; }), "NODE_ID nodes[2].id");
  EXPECT_EQ(field([](GraphSource* s) { s->nodes[1].y = NAN; }), "NODE_POSITION nodes[1].position");
  EXPECT_EQ(field([](GraphSource* s) { s->nodes[1].area = 64; }), "NODE_AREA nodes[1].area");
  EXPECT_EQ(field([](GraphSource* s) { s->edges[1].to = 5; }), "EDGE_NODE edges[1].to");
  EXPECT_EQ(field([](GraphSource* s) { s->edges[1].to = 20; }), "EDGE_NODE edges[1].to");
  EXPECT_EQ(field([](GraphSource* s) { s->edges[2].cost = -1; }), "EDGE_COST edges[2].cost");
  EXPECT_EQ(field([](GraphSource* s) { s->edges[2].cost = NAN; }), "EDGE_COST edges[2].cost");
  EXPECT_EQ(field([](GraphSource* s) { s->edges[2] = s->edges[1]; }), "EDGE_DOUBLED edges[2].to");
  WaypointGraph graph = built(square());
  GraphChanges changes;
  EXPECT_EQ(error_reason(graph.remove_node(7, &changes)), "NODE_UNKNOWN");
  EXPECT_EQ(error_reason(graph.remove_edge(30, 20, &changes)), "EDGE_UNKNOWN");
  EXPECT_EQ(error_reason(graph.set_cost(10, 20, 2e6, &changes)), "EDGE_COST");
  EXPECT_TRUE(changes.edges.empty());
}

TEST(WaypointGraph, ParallelEdgesDifferInTheirKeys) {
  GraphSource source = square();
  source.edges.push_back({.from = 10, .to = 20, .cost = 2, .flags = 2, .key = 7});
  WaypointGraph graph = built(source);
  const NodeId a = at(graph, 10);
  const NodeId b = at(graph, 20);
  EXPECT_EQ(graph.edges_between(a, b).size(), 2u);
  EXPECT_EQ(graph.nodes_before(b).size(), built(square()).nodes_before(at(graph, 20)).size());
  EXPECT_EQ(graph.state(a, b, 7).cost, to_graph_cost(2));
  EXPECT_EQ(cheapest_edge(graph, {}, a, b).edge->key, 7);
  EXPECT_EQ(cheapest_edge(graph, {.exclude = 2}, a, b).edge->key, 0);
  GraphChanges changes;
  EXPECT_EQ(error_reason(graph.switch_edge(10, 20, false, &changes, 8)), "EDGE_UNKNOWN");
  ASSERT_TRUE(graph.switch_edge(10, 20, false, &changes, 7).ok());
  ASSERT_EQ(changes.edges.size(), 1u);
  EXPECT_EQ(changes.edges[0].key, 7);
  EXPECT_EQ(cheapest_edge(graph, {}, a, b).edge->key, 0);
  ASSERT_TRUE(graph.remove_edge(10, 20, &changes).ok());
  EXPECT_EQ(cheapest_edge(graph, {}, a, b).edge, nullptr);
  ASSERT_TRUE(graph.set_cost(10, 20, 5, &changes, 7).ok());
  ASSERT_TRUE(graph.switch_edge(10, 20, true, &changes, 7).ok());
  EXPECT_EQ(cheapest_edge(graph, {}, a, b).cost, to_graph_cost(5));
  const std::size_t edges = graph.edge_count();
  ASSERT_TRUE(graph.remove_edge(10, 20, &changes, 7).ok());
  EXPECT_EQ(graph.edge_count(), edges - 1);
  EXPECT_TRUE(graph.edges_between(a, b).empty());
}

TEST(WaypointGraph, AnEdgeFitsAgentsOfHalfItsWidth) {
  GraphSource source = square();
  source.edges[0].width = 1.2;
  const WaypointGraph graph = built(source);
  const EdgeState state = graph.state(at(graph, 10), at(graph, 20));
  EXPECT_EQ(state.width, 1200u);
  EXPECT_NE(GraphFilter{}.cost(state), kUnreachable);
  EXPECT_NE(GraphFilter{.width = to_edge_width(2 * 0.6)}.cost(state), kUnreachable);
  EXPECT_EQ(GraphFilter{.width = to_edge_width(2 * 0.601)}.cost(state), kUnreachable);
  EXPECT_NE(GraphFilter{.width = 5000}.cost(EdgeState{.cost = 1, .flags = 1}), kUnreachable);
  source.edges[0].width = -1;
  EXPECT_EQ(error_reason(WaypointGraph::build(source).status()), "EDGE_WIDTH");
}

TEST(GraphImport, DefaultsAreThoseOfTheFormat) {
  const auto json = import_graph_json(
      R"({"nodes": [{"id": 1, "position": [0, 1.5, 2]}, {"id": 2, "position": [3, 0, -1e-1], "area": 7}],
          "edges": [{"from": 1, "to": 2, "cost": 3.5, "both": false}]})");
  ASSERT_TRUE(json.ok()) << json.status();
  const std::vector<GraphNode> nodes{{.id = 1, .y = 1.5, .z = 2},
                                     {.id = 2, .x = 3, .z = -0.1, .area = 7}};
  EXPECT_EQ(json->nodes, nodes);
  EXPECT_EQ(json->edges, (std::vector<GraphEdge>{{.from = 1, .to = 2, .cost = 3.5}}));
  const auto both = import_graph_json(
      R"({"nodes": [{"id": 1, "position": [0, 0, 0]}, {"id": 2, "position": [1, 0, 0]}],
          "edges": [{"from": 1, "to": 2}]})");
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_TRUE(both->edges[0].both);
  EXPECT_FALSE(both->edges[0].cost.has_value());
  const auto wide = import_graph_json(
      R"({"nodes": [{"id": 1, "position": [0, 0, 0]}, {"id": 2, "position": [1, 0, 0]}],
          "edges": [{"from": 1, "to": 2, "key": 255, "width": 1.5}]})");
  ASSERT_TRUE(wide.ok()) << wide.status();
  EXPECT_EQ(wide->edges[0].key, 255);
  EXPECT_EQ(wide->edges[0].width, 1.5);
}

TEST(GraphImport, FaultsNameTheField) {
  const auto json = [](const char* text) {
    const auto graph = import_graph_json(text);
    return graph.ok() ? "" : error_reason(graph.status()) + " " + error_field(graph.status());
  };
  EXPECT_EQ(json("{]"), "JSON_SYNTAX ");
  EXPECT_EQ(json("[]"), "JSON_FIELD ");
  EXPECT_EQ(json(R"({"edges": []})"), "JSON_FIELD nodes");
  EXPECT_EQ(json(R"({"nodes": [{"id": -1}]})"), "JSON_FIELD nodes[0].id");
  EXPECT_EQ(json(R"({"nodes": [{"id": 1, "position": [1, 2]}]})"), "JSON_FIELD nodes[0].position");
  EXPECT_EQ(json(R"({"nodes": [{"id": 1, "position": [1, 2, 1e9]}]})"),
            "JSON_FIELD nodes[0].position[2]");
  EXPECT_EQ(json(R"({"nodes": [], "edges": [{"from": 1, "to": 2, "cots": 3}]})"),
            "JSON_FIELD edges[0].cots");
  EXPECT_EQ(json(R"({"nodes": [], "edges": [{"from": 1, "to": 2, "key": 256}]})"),
            "JSON_FIELD edges[0].key");
  EXPECT_EQ(json(R"({"nodes": [], "edges": [{"from": 1, "to": 2, "width": -1}]})"),
            "JSON_FIELD edges[0].width");
}

TEST(GraphImport, BrokenTextIsRefusedOrRead) {
  const std::string good =
      R"({"nodes": [{"id": 1, "position": [0, 1.5, 2]}, {"id": 2, "position": [3, 0, 1]}],)"
      R"("edges": [{"from": 1, "to": 2, "cost": 3.5}]})";
  for (std::size_t i = 0; i < good.size(); ++i) {
    EXPECT_FALSE(import_graph_json(good.substr(0, i)).ok());
    for (const char c : {'0', '9', '-', ']', '{', '"', 'e', '\0', '\xff', '\n'}) {
      std::string text = good;
      text[i] = c;
      if (const auto source = import_graph_json(text); source.ok()) {
        (void)WaypointGraph::build(*source);
      }
    }
  }
}

// If they were inserted one by one, edges would be moved 7e9 times.
TEST(WaypointGraph, AStarMayHaveItsEdgesBackwards) {
  constexpr std::uint64_t kNodes = 120'000;
  GraphSource source;
  for (std::uint64_t i = 0; i < kNodes; ++i)
    source.nodes.push_back(
        {.id = i, .x = static_cast<double>(i % 300), .z = static_cast<double>(i / 300)});
  for (std::uint64_t i = kNodes - 1; i > 0; --i)
    source.edges.push_back({.from = 0, .to = i, .both = true});
  const WaypointGraph graph = built(source);
  EXPECT_EQ(graph.edge_count(), 2 * (kNodes - 1));
  EXPECT_EQ(graph.edges_from(at(graph, 0)).size(), kNodes - 1);
  EXPECT_TRUE(std::ranges::is_sorted(graph.edges_from(at(graph, 0)), {}, &WaypointGraph::Edge::to));
  EXPECT_EQ(graph.nodes_before(at(graph, 7)).size(), 1u);
}

TEST(WaypointGraph, TheFirstEdgeAtFaultIsNamed) {
  GraphSource source = square();
  source.edges.push_back({.from = 20, .to = 10});
  source.edges.push_back({.from = 10, .to = 20});
  source.edges.push_back({.from = 10, .to = 77});
  const absl::Status status = WaypointGraph::build(source).status();
  EXPECT_EQ(error_reason(status), "EDGE_DOUBLED");
  EXPECT_EQ(error_field(status), "edges[3].to");
}

// Each item is read and dropped before the next.
TEST(GraphImport, AnItemThatWouldFillTheMemoryIsRefusedFromTheText) {
  const auto graph_with = [](std::size_t nodes, std::size_t brackets) {
    std::string text = R"({"nodes": [)";
    for (std::size_t i = 0; i < nodes; ++i)
      text += R"({"id": )" + std::to_string(i) + R"(, "position": [0, 0, 0]},)";
    text += R"({"id": 1000000, "position": [)";
    for (std::size_t i = 0; i < brackets; ++i) text += "[],";
    return text + "0]}]}";
  };
  WorkMeter small({.memory_bytes = 100'000});
  EXPECT_EQ(error_field(import_graph_json(graph_with(10'000, 100), &small).status()),
            "nodes[10000].position");
  WorkMeter again({.memory_bytes = 100'000});
  const absl::Status status = import_graph_json(graph_with(10, 10'000), &again).status();
  EXPECT_EQ(error_reason(status), "IMPORT_TOO_LARGE") << status;
}

TEST(GraphImport, TheLastListOfANameCounts) {
  const auto graph = import_graph_json(
      R"({"nodes": [{"id": 1, "position": [0, 0, 0]}], "nodes": [{"id": 2, "position": [0, 0, 0]}]})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  ASSERT_EQ(graph->nodes.size(), 1u);
  EXPECT_EQ(graph->nodes[0].id, 2u);
}

}  // namespace
}  // namespace repath
