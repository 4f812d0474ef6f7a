// The reader of waypoints that are linked by sight; the result is also built.
#include <gtest/gtest.h>

#include <string>

#include "graph/waypoint_graph.h"
#include "routes/sight_import.h"
#include "support/fuzz.h"
#include "support/hostile.h"

namespace repath {
namespace {

absl::Status build(const absl::StatusOr<GraphSource>& source) {
  return source.ok() ? WaypointGraph::build(*source).status() : source.status();
}

TEST(Fuzz, SightJson) {
  test::feed(
      {R"({"link_distance": 6, "cell_size": 2, "corner_rule": "one",)"
       R"( "map": "type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n....\n",)"
       R"( "nodes": [{"id": 1, "position": [1, 0, 1]}, {"id": 2, "position": [5, 0, 5], "area": 2}]})",
       R"({"link_distance": 20, "plan": {"outer": [[0,0],[30,0],[30,20],[0,20]], "radius": 0.5,)"
       R"( "holes": [[[4,4],[9,4],[9,12],[4,8]]]},)"
       R"( "nodes": [{"id": 1, "position": [2, 0, 2]}, {"id": 2, "position": [15, 3, 15]}]})"},
      [](const std::string& text) { return build(import_sight_json(text)); },
      [](Random* random) {
        return random->below(6) == 0 ? test::hostile_json(random)
                                     : test::hostile_obstacles(random, true);
      });
}

}  // namespace
}  // namespace repath
