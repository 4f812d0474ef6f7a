// The readers of waypoint graphs and of points of visibility; the result is also built and
// searched.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/graph_import.h"
#include "graph/graph_view.h"
#include "graph/visibility_import.h"
#include "graph/waypoint_graph.h"
#include "search/classic/a_star.h"
#include "support/fuzz.h"
#include "support/hostile.h"

namespace repath {
namespace {

absl::Status build(const absl::StatusOr<GraphSource>& source) {
  if (!source.ok()) return source.status();
  const auto graph = WaypointGraph::build(*source);
  if (!graph.ok()) return graph.status();
  if (graph->node_count() == 0) return absl::OkStatus();
  const GraphView view(&*graph);
  AStar search(view, NodeId{0}, GoalSet{NodeId{graph->node_count() - 1}});
  std::uint32_t left = 2000;
  if (search.advance(&left) == Progress::kPathFound) {
    std::vector<NodeId> path;
    search.append_path(&path);
    EXPECT_EQ(path.back(), NodeId{graph->node_count() - 1});
  }
  return absl::OkStatus();
}

TEST(Fuzz, GraphJson) {
  test::feed(
      {R"({"nodes": [{"id": 1, "position": [0, 0, 0]}, {"id": 2, "position": [3, 1.5, -4], "area": 2}, {"id": 30, "position": [9, 0, 1]}],)"
       R"( "edges": [{"from": 1, "to": 2, "cost": 7.5, "both": true}, {"from": 2, "to": 30, "both": false, "area": 1, "enabled": true}]})"},
      [](const std::string& text) { return build(import_graph_json(text)); },
      [](Random* random) {
        return random->below(6) == 0 ? test::hostile_json(random) : test::hostile_graph(random);
      });
}

TEST(Fuzz, VisibilityJson) {
  test::feed(
      {R"({"radius": 0.5, "y": 2, "outer": [[0,0],[30,0],[30,20],[0,20]],)"
       R"( "holes": [[[4,4],[9,4],[9,12],[6,12],[6,8],[4,8]], [[14,5],[18,9],[12,11]]],)"
       R"( "points": [{"id": 7, "position": [2, 2]}, {"position": [25, 15], "area": 3, "flags": 5}]})"},
      [](const std::string& text) { return build(import_visibility_json(text)); },
      [](Random* random) {
        return random->below(6) == 0 ? test::hostile_json(random)
                                     : test::hostile_obstacles(random, false);
      });
}

}  // namespace
}  // namespace repath
