#include "graph/visibility_import.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "graph/graph_view.h"
#include "graph/visibility.h"
#include "graph/waypoint_graph.h"
#include "search/classic/a_star.h"

namespace repath {
namespace {

// Returns the cost of the cheapest path between two nodes by id, in world units; below 0 if there
// is none.
double cost_between(const GraphSource& source, std::uint64_t from, std::uint64_t to) {
  const auto graph = WaypointGraph::build(source);
  EXPECT_TRUE(graph.ok()) << graph.status();
  const GraphView view(&*graph);
  AStar<GraphView> search(view, graph->find(from), GoalSet{graph->find(to)});
  std::uint32_t left = 100'000;
  if (search.advance(&left) != Progress::kPathFound) return -1;
  return static_cast<double>(search.path_cost()) / static_cast<double>(kStraightStep);
}

GraphSource import(const std::string& text) {
  auto source = import_visibility_json(text);
  EXPECT_TRUE(source.ok()) << text << source.status();
  return source.ok() ? *std::move(source) : GraphSource{};
}

TEST(VisibilityImport, APathBendsAtTheCornersOfAnObstacle) {
  const GraphSource graph = import(
      R"({"radius": 0, "y": 3, "holes": [[[2,0],[4,0],[4,5],[2,5]]],
          "points": [{"id": 70, "position": [0,1]}, {"id": 9, "position": [6,1], "area": 2}]})");
  ASSERT_EQ(graph.nodes.size(), 6u);
  EXPECT_EQ(graph.nodes[0], (GraphNode{.id = 70, .x = 0, .y = 3, .z = 1}));
  EXPECT_EQ(graph.nodes[1], (GraphNode{.id = 9, .x = 6, .y = 3, .z = 1, .area = 2}));
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(graph.nodes[i].id, 69 + i);
  EXPECT_NEAR(cost_between(graph, 70, 9), 2 + 2 * std::hypot(2, 1), 1e-5);
}

TEST(VisibilityImport, TheRadiusKeepsThePathAwayFromWallsAndOutline) {
  const std::string plan = R"("outer": [[0,0],[20,0],[20,10],[0,10]],
                              "holes": [[[8,0.5],[10,0.5],[10,6],[8,6]]],
                              "points": [{"position": [4,2.7]}, {"position": [16,2.7]}]})";
  // Below the wall a gap of half a unit is left: enough for a point, not for a walker.
  const double below = cost_between(import(R"({"radius": 0, )" + plan), 1, 2);
  const double above = cost_between(import(R"({"radius": 1, )" + plan), 1, 2);
  const double around = std::hypot(4, 3.3) + 2 + std::hypot(6, 3.3);
  EXPECT_NEAR(below, std::hypot(4, 2.2) + 2 + std::hypot(6, 2.2), 1e-5);
  EXPECT_GT(above, around + 1);
  EXPECT_LT(above, around + 2);
  EXPECT_EQ(cost_between(import(R"({"radius": 2.5, )" + plan), 1, 2), -1);
}

TEST(VisibilityImport, HolesMayOverlapAndNobodyGetsIntoThem) {
  // Four walls that overlap at their ends, around point 1.
  const GraphSource graph = import(
      R"({"radius": 0, "points": [{"position": [5,5]}, {"position": [20,5]}], "holes": [
          [[0,0],[10,0],[10,1],[0,1]], [[0,9],[10,9],[10,10],[0,10]],
          [[0,0],[1,0],[1,10],[0,10]], [[9,0],[10,0],[10,10],[9,10]]]})");
  EXPECT_EQ(cost_between(graph, 1, 2), -1);
  // No corner within the walls is left.
  for (std::size_t i = 2; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    EXPECT_TRUE(node.x == 0 || node.x == 10 || node.z == 0 || node.z == 10) << node.x << node.z;
  }
}

// An L is cut into two parts, and both have a corner on the seam.
TEST(VisibilityImport, AnObstacleThatIsNotConvexHasNoSeam) {
  const GraphSource graph = import(
      R"({"radius": 0, "holes": [[[0,0],[10,0],[10,2],[2,2],[2,10],[0,10]]],
          "points": [{"position": [-1,1]}, {"position": [11,1]}, {"position": [3,3]}]})");
  EXPECT_NEAR(cost_between(graph, 1, 2), std::hypot(1, 1) + 10 + std::hypot(1, 1), 1e-5);
  EXPECT_NEAR(cost_between(graph, 1, 3), std::hypot(1, 9) + 2 + std::hypot(1, 7), 1e-5);
}

TEST(VisibilityImport, WithoutObstaclesPointsSeeEachOther) {
  const GraphSource graph =
      import(R"({"radius": 1, "points": [{"position": [0,0]}, {"position": [3,4]}]})");
  EXPECT_EQ(graph.nodes.size(), 2u);
  EXPECT_NEAR(cost_between(graph, 1, 2), 5, 1e-5);
}

struct Fault {
  const char* text;
  const char* reason;
  const char* field;
};

TEST(VisibilityImport, WhatIsWrongIsNamed) {
  const Fault faults[] = {
      {"{", "JSON_SYNTAX", ""},
      {"[]", "JSON_FIELD", ""},
      {R"({"holes": []})", "JSON_FIELD", "radius"},
      {R"({"radius": -0.1})", "JSON_FIELD", "radius"},
      {R"({"radius": 64.5})", "JSON_FIELD", "radius"},
      {R"({"radius": 0, "hole": []})", "JSON_FIELD", "hole"},
      {R"({"radius": 0, "y": 1e9})", "JSON_FIELD", "y"},
      {R"({"radius": 0, "outer": [[0,0],[1,0]]})", "JSON_FIELD", "outer"},
      {R"({"radius": 0, "holes": [[[0,0],[1,0],[0,"a"]]]})", "JSON_FIELD", "holes[0][2][1]"},
      {R"({"radius": 0, "outer": [[0,0],[4,4],[4,0],[0,4]]})", "PLAN_NOT_SIMPLE", "outer[0]"},
      {R"({"radius": 0, "holes": [[[0,0],[4,0],[2,0],[0,4]]]})", "PLAN_NOT_SIMPLE", "holes[0][1]"},
      {R"({"radius": 0, "holes": [[[0,0],[4,0],[4.00001,0],[0,4]]]})", "PLAN_NOT_SIMPLE",
       "holes[0][2]"},
      {R"({"radius": 0, "outer": [[0,0],[33554.4,0],[0,9]]})", "OUTSIDE_LATTICE", "outer"},
      {R"({"radius": 9, "holes": [[[0,0],[33550,0],[0,9]]]})", "OUTSIDE_LATTICE", "holes[0]"},
      {R"({"radius": 0, "points": [7]})", "JSON_FIELD", "points[0]"},
      {R"({"radius": 0, "points": [{"id": 1}]})", "JSON_FIELD", "points[0].position"},
      {R"({"radius": 0, "points": [{"position": [1,2,3]}]})", "JSON_FIELD", "points[0].position"},
      {R"({"radius": 0, "points": [{"id": 9223372036854775809, "position": [1,2]}]})", "JSON_FIELD",
       "points[0].id"},
      {R"({"radius": 0, "points": [{"position": [1,2], "flags": 65536}]})", "JSON_FIELD",
       "points[0].flags"},
      {R"({"radius": 0, "holes": [[[0,0],[4,0],[0,4]]], "points": [{"position": [1,1]}]})",
       "POINT_BLOCKED", "points[0].position"},
      {R"({"radius": 1, "holes": [[[0,0],[4,0],[0,4]]], "points": [{"position": [-0.5,1]}]})",
       "POINT_BLOCKED", "points[0].position"},
      {R"({"radius": 0, "outer": [[0,0],[4,0],[0,4]], "points": [{"position": [9,9]}]})",
       "POINT_BLOCKED", "points[0].position"},
  };
  for (const Fault& fault : faults) {
    const auto graph = import_visibility_json(fault.text);
    ASSERT_FALSE(graph.ok()) << fault.text;
    EXPECT_EQ(error_reason(graph.status()), fault.reason) << fault.text << graph.status();
    EXPECT_EQ(error_field(graph.status()), fault.field) << fault.text << graph.status();
  }
}

// Points on an outline, and on an obstacle's edge, are on the ground.
TEST(VisibilityImport, TheEdgeOfTheGroundBelongsToIt) {
  const GraphSource graph = import(
      R"({"radius": 0, "outer": [[0,0],[9,0],[9,9],[0,9]], "holes": [[[3,3],[6,3],[6,6],[3,6]]],
          "points": [{"position": [0,0]}, {"position": [9,4]}, {"position": [4,3]}]})");
  EXPECT_NEAR(cost_between(graph, 1, 3), 5, 1e-5);
}

TEST(VisibilityImport, LimitsHaveNames) {
  std::string ring;
  for (std::size_t i = 0; i <= kVisibilityCornersMax; ++i)
    ring += (i == 0 ? "[" : ",[") + std::to_string(i) + "," + std::to_string(i * i % 7) + "]";
  const auto corners = import_visibility_json(R"({"radius": 0, "outer": [)" + ring + "]}");
  EXPECT_EQ(error_reason(corners.status()), "JSON_FIELD") << corners.status();
  EXPECT_EQ(error_field(corners.status()), "outer");

  std::string holes;
  for (int i = 0; i < 2731; ++i) {
    const std::string x = std::to_string(3 * i);
    const std::string end = std::to_string(3 * i + 1);
    holes += (i == 0 ? "[[" : ",[[") + x + ",0],[" + end + ",0],[" + x + ",1]]";
  }
  const auto many = import_visibility_json(R"({"radius": 0, "holes": [)" + holes + "]}");
  EXPECT_EQ(error_reason(many.status()), "GRAPH_TOO_LARGE") << many.status();
  EXPECT_EQ(error_field(many.status()), "holes[2730]");

  WorkMeter work({.units = 600, .units_per_byte = 0});
  const auto dear = import_visibility_json(
      R"({"radius": 0, "holes": [[[0,0],[4,0],[4,4],[0,4]], [[5,0],[9,0],[9,4],[5,4]]]})", &work);
  EXPECT_EQ(error_reason(dear.status()), "IMPORT_TOO_LARGE") << dear.status();
}

}  // namespace
}  // namespace repath
