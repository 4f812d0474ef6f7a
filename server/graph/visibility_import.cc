#include "graph/visibility_import.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_input.h"
#include "graph/graph_import.h"
#include "graph/obstacle_plan.h"
#include "graph/visibility.h"

namespace repath {
namespace {

// Reads a point; its height is the plan's.
absl::Status read_point(const JsonObject& value, std::uint64_t fallback_id, double y,
                        GraphNode* node) {
  double xz[2];
  if (auto s = value.only({"id", "position", "area", "flags", "enabled"}); !s.ok()) return s;
  if (auto s = value.whole("id", kPointIdMax, fallback_id, &node->id); !s.ok()) return s;
  if (auto s = value.numbers("position", 2, kLatticeExtent, xz); !s.ok()) return s;
  const Point at = to_point(to_lattice({xz[0], xz[1]}));
  node->x = at.x;
  node->y = y;
  node->z = at.z;
  return read_kind_of_ground(value, node);
}

absl::Status read_points(const Json& list, double y, const ObstaclePlan& plan,
                         const VisibilityMap& map, WorkMeter* work, GraphSource* out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string field = item("points", i);
    if (!list[i].is_object()) return json_field_error(field, "must be an object");
    GraphNode node;
    if (auto s = read_point(JsonObject(list[i], field), i + 1, y, &node); !s.ok()) return s;
    if (!work->spend(map.units() + plan.outer.size())) return work->error(field);
    if (!plan.is_open(map, to_lattice({node.x, node.z})))
      return invalid_field("POINT_BLOCKED", field + ".position",
                           "lies in an obstacle, grown by the radius, or outside of the outline");
    out->nodes.push_back(node);
  }
  return absl::OkStatus();
}

// Puts the points in the place of the first nodes, and numbers the corners after them.
void rename_nodes(const std::vector<GraphNode>& points, GraphSource* graph) {
  std::uint64_t last = 0;
  for (const GraphNode& point : points) last = std::max(last, point.id);
  const std::size_t first = points.size();
  const auto renamed = [&](std::uint64_t id) {
    return id <= first ? points[id - 1].id : last + id - first;
  };
  for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
    if (i < first) {
      graph->nodes[i] = points[i];
    } else {
      graph->nodes[i].id = renamed(graph->nodes[i].id);
    }
  }
  for (GraphEdge& edge : graph->edges) {
    edge.from = renamed(edge.from);
    edge.to = renamed(edge.to);
  }
}

}  // namespace

absl::StatusOr<GraphSource> import_visibility_json(std::string_view text, WorkMeter* work) {
  WorkMeter own({}, text.size());
  if (work == nullptr) work = &own;
  const auto document = parse_json(text, kVisibilityBytesMax, work);
  if (!document.ok()) return document.status();
  if (!document->is_object()) return json_field_error("", "points of visibility are an object");
  const JsonObject object(*document, "");
  double y = 0;
  const Json* list = nullptr;
  if (auto s = object.only({"outer", "holes", "radius", "y", "points"}); !s.ok()) return s;
  if (auto s = object.number("y", -kLatticeExtent, kLatticeExtent, 0.0, &y); !s.ok()) return s;
  if (auto s = object.list("points", true, kVisibilityCornersMax, &list); !s.ok()) return s;
  auto plan = read_obstacle_plan(object, true, work);
  if (!plan.ok()) return plan.status();
  std::uint64_t corners = 0;
  for (const LatticeRing& ring : plan->obstacles) corners += ring.size();
  // Each corner is looked for in every obstacle's box.
  if (!work->spend(corners * plan->obstacles.size() / 4)) return work->error("holes");
  const VisibilityMap map(plan->obstacles, plan->bounds());
  GraphSource points;
  if (list != nullptr)
    if (auto s = read_points(*list, y, *plan, map, work, &points); !s.ok()) return s;
  std::vector<LatticePoint> places;
  for (const GraphNode& node : points.nodes) places.push_back(to_lattice({node.x, node.z}));
  auto graph = visibility_graph(map, places, y, work);
  if (graph.ok()) rename_nodes(points.nodes, &*graph);
  return graph;
}

}  // namespace repath
