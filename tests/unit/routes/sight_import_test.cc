#include "routes/sight_import.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "graph/waypoint_graph.h"

namespace repath {
namespace {

using Links = std::set<std::pair<std::uint64_t, std::uint64_t>>;

Links links_of(const std::string& text) {
  const auto graph = import_sight_json(text);
  EXPECT_TRUE(graph.ok()) << text << graph.status();
  Links links;
  if (!graph.ok()) return links;
  EXPECT_TRUE(WaypointGraph::build(*graph).ok());
  for (const GraphEdge& edge : graph->edges) {
    EXPECT_TRUE(edge.both);
    EXPECT_FALSE(edge.cost.has_value());  // the straight distance
    EXPECT_TRUE(links.insert({edge.from, edge.to}).second);
  }
  return links;
}

const char* const kFourNodes = R"("nodes": [
    {"id": 1, "position": [0.5, 0, 0.5]}, {"id": 2, "position": [2.5, 0, 0.5]},
    {"id": 3, "position": [0.5, 0, 2.5]}, {"id": 4, "position": [2.5, 0, 2.5]}])";

TEST(SightImport, AWallHidesNodesFromOneAnother) {
  const std::string over = std::string("{") + kFourNodes + R"(, "link_distance": 9, "map": )";
  EXPECT_EQ(links_of(over + R"("...\n...\n...\n"})").size(), 6u);
  EXPECT_EQ(links_of(over + R"("...\n.#.\n...\n"})"), (Links{{1, 2}, {1, 3}, {2, 4}, {3, 4}}));
  EXPECT_EQ(links_of(over + R"("type octile\nheight 3\nwidth 3\nmap\n.@.\n.@.\n.@.\n"})"),
            (Links{{1, 3}, {2, 4}}));
  // Swamp hides nothing.
  EXPECT_EQ(links_of(over + R"("...\n.S.\n...\n"})").size(), 6u);
}

TEST(SightImport, TheCornerRuleDecidesWhetherACornerIsPassed) {
  const std::string over = R"({"link_distance": 9, "nodes": [{"id": 1, "position": [0.5, 0, 0.5]},
      {"id": 2, "position": [1.5, 0, 1.5]}], "map": )";
  EXPECT_EQ(links_of(over + R"(".#\n..\n"})"), Links{});
  EXPECT_EQ(links_of(over + R"(".#\n..\n", "corner_rule": "none"})"), Links{});
  EXPECT_EQ(links_of(over + R"(".#\n..\n", "corner_rule": "one"})"), (Links{{1, 2}}));
  EXPECT_EQ(links_of(over + R"(".#\n#.\n", "corner_rule": "one"})"), Links{});
}

TEST(SightImport, OnlyNodesWithinTheDistanceAreLinked) {
  const std::string all = std::string("{") + kFourNodes + R"(, "map": "...\n...\n...\n")";
  EXPECT_EQ(links_of(all + R"(, "link_distance": 2})"), (Links{{1, 2}, {1, 3}, {2, 4}, {3, 4}}));
  EXPECT_EQ(links_of(all + R"(, "link_distance": 1.999})"), Links{});
  // Heights count.
  const std::string stairs = R"({"map": "...\n", "nodes": [{"id": 1, "position": [0.5, 0, 0.5]},
      {"id": 2, "position": [2.5, 3, 0.5]}], "link_distance": )";
  EXPECT_EQ(links_of(stairs + "3.6}"), Links{});
  EXPECT_EQ(links_of(stairs + "3.7}"), (Links{{1, 2}}));
}

TEST(SightImport, TheSizeOfCellsCounts) {
  const std::string nodes = R"({"link_distance": 99, "nodes": [{"id": 1, "position": [1, 0, 1]},
      {"id": 2, "position": [5, 0, 1]}], "map": ".#.\n...\n...\n", "cell_size": )";
  EXPECT_EQ(links_of(nodes + "2}"), Links{});
  EXPECT_EQ(links_of(nodes + "6}"), (Links{{1, 2}}));  // both in the first cell
}

TEST(SightImport, APlanHidesNodesExactly) {
  const auto over = [](const std::string& plan) {
    return R"({"link_distance": 99, "nodes": [{"id": 1, "position": [0, 0, 5]},
        {"id": 2, "position": [10, 0, 5]}], "plan": )" +
           plan + "}";
  };
  EXPECT_EQ(links_of(over("{}")), (Links{{1, 2}}));
  EXPECT_EQ(links_of(over(R"({"holes": [[[4,4],[6,4],[6,6],[4,6]]]})")), Links{});
  // Along an edge, and past a corner.
  EXPECT_EQ(links_of(over(R"({"holes": [[[4,5],[6,5],[6,6],[4,6]]]})")), (Links{{1, 2}}));
  EXPECT_EQ(links_of(over(R"({"holes": [[[5,5],[6,6],[4,6]]]})")), (Links{{1, 2}}));
  EXPECT_EQ(links_of(over(R"({"holes": [[[5,5],[6,6],[4,6]]], "radius": 0.1})")), Links{});
  // An outline that bends between them.
  EXPECT_EQ(links_of(over(R"({"outer": [[0,0],[10,0],[10,9],[6,9],[5,4],[4,9],[0,9]]})")), Links{});
}

struct Fault {
  const char* text;
  const char* reason;
  const char* field;
};

TEST(SightImport, WhatIsWrongIsNamed) {
  const Fault faults[] = {
      {"{", "JSON_SYNTAX", ""},
      {"[]", "JSON_FIELD", ""},
      {R"({"link_distance": 1, "map": "."})", "JSON_FIELD", "nodes"},
      {R"({"nodes": [], "map": "."})", "JSON_FIELD", "link_distance"},
      {R"({"nodes": [], "link_distance": 0, "map": "."})", "JSON_FIELD", "link_distance"},
      {R"({"nodes": [], "link_distance": 10001, "map": "."})", "JSON_FIELD", "link_distance"},
      {R"({"nodes": [], "link_distance": 1})", "JSON_FIELD", "map"},
      {R"({"nodes": [], "link_distance": 1, "map": ".", "plan": {}})", "JSON_FIELD", "plan"},
      {R"({"nodes": [], "link_distance": 1, "map": 7})", "JSON_FIELD", "map"},
      {R"({"nodes": [], "link_distance": 1, "map": "..\n.\n"})", "MAP_SYNTAX", "map"},
      {R"({"nodes": [], "link_distance": 1, "map": "?"})", "MAP_SYMBOL", "map"},
      {R"({"nodes": [], "link_distance": 1, "map": ".", "edges": []})", "JSON_FIELD", "edges"},
      {R"({"nodes": [], "link_distance": 1, "map": ".", "cell_size": 0})", "JSON_FIELD",
       "cell_size"},
      {R"({"nodes": [], "link_distance": 1, "map": ".", "corner_rule": "both"})", "JSON_FIELD",
       "corner_rule"},
      {R"({"nodes": [], "link_distance": 1, "plan": {}, "corner_rule": "one"})", "JSON_FIELD",
       "corner_rule"},
      {R"({"nodes": [], "link_distance": 1, "plan": {}, "cell_size": 1})", "JSON_FIELD",
       "cell_size"},
      {R"({"nodes": [], "link_distance": 1, "plan": []})", "JSON_FIELD", "plan"},
      {R"({"nodes": [], "link_distance": 1, "plan": {"y": 1}})", "JSON_FIELD", "plan.y"},
      {R"({"nodes": [], "link_distance": 1, "plan": {"outer": [[0,0],[4,4],[4,0],[0,4]]}})",
       "PLAN_NOT_SIMPLE", "plan.outer[0]"},
      {R"({"nodes": [7], "link_distance": 1, "map": "."})", "JSON_FIELD", "nodes[0]"},
      {R"({"nodes": [{"id": 1}], "link_distance": 1, "map": "."})", "JSON_FIELD",
       "nodes[0].position"},
      {R"({"nodes": [{"id": 1, "position": [0.5,0,0.5]}], "link_distance": 1, "map": "#"})",
       "NODE_BLOCKED", "nodes[0].position"},
      {R"({"nodes": [{"id": 1, "position": [1,0,0.5]}], "link_distance": 1, "map": "."})",
       "NODE_BLOCKED", "nodes[0].position"},
      {R"({"nodes": [{"id": 1, "position": [-0.1,0,0.5]}], "link_distance": 1, "map": "."})",
       "NODE_BLOCKED", "nodes[0].position"},
      {R"({"nodes": [{"id": 1, "position": [9,0,0]}], "link_distance": 1,
           "plan": {"outer": [[0,0],[4,0],[4,4]]}})",
       "NODE_BLOCKED", "nodes[0].position"},
  };
  for (const Fault& fault : faults) {
    const auto graph = import_sight_json(fault.text);
    ASSERT_FALSE(graph.ok()) << fault.text;
    EXPECT_EQ(error_reason(graph.status()), fault.reason) << fault.text << graph.status();
    EXPECT_EQ(error_field(graph.status()), fault.field) << fault.text << graph.status();
  }
}

TEST(SightImport, LimitsHaveNames) {
  // 2,100 nodes in one cell: 2.2 million pairs.
  std::string nodes;
  for (int i = 0; i < 2100; ++i)
    nodes +=
        (i == 0 ? R"({"id":)" : R"(,{"id":)") + std::to_string(i) + R"(,"position":[0.5,0,0.5]})";
  const auto links =
      import_sight_json(R"({"link_distance": 1, "map": ".", "nodes": [)" + nodes + "]}");
  EXPECT_EQ(error_reason(links.status()), "GRAPH_TOO_LARGE") << links.status();
  EXPECT_EQ(error_field(links.status()), "link_distance");

  WorkMeter work({.units = 100'000, .units_per_byte = 100});
  const auto dear =
      import_sight_json(R"({"link_distance": 1, "map": ".", "nodes": [)" + nodes + "]}", &work);
  EXPECT_EQ(error_reason(dear.status()), "IMPORT_TOO_LARGE") << dear.status();
}

}  // namespace
}  // namespace repath
