#include "routes/sight_import.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_input.h"
#include "graph/graph_import.h"
#include "graph/obstacle_plan.h"
#include "graph/visibility.h"
#include "grid/cells/map_import.h"
#include "grid/cells/ray.h"
#include "grid/cells/terrain.h"

namespace repath {
namespace {

constexpr std::size_t kLinksMax = kGraphEdgesMax / 2;  // each is two edges
constexpr double kCellMin = 0.001;                     // world units
constexpr double kCellMax = 1000;
constexpr double kCellSteps = 1024;  // of a cell, to which nodes are rounded

// The ground between waypoints. Called once for a node and for each near pair.
class SightGround {
 public:
  virtual ~SightGround() = default;
  // Return whether the node stands on the ground, and whether two that do see one another. Both add
  // the work units that this took.
  virtual bool holds(const GraphNode& node, std::uint64_t* units) = 0;
  virtual bool sees(const GraphNode& a, const GraphNode& b, std::uint64_t* units) = 0;
};

class MapSight final : public SightGround {
 public:
  MapSight(GridMap map, double cell_size, CornerRule rule)
      : map_(std::move(map)), cell_size_(cell_size), rule_(rule) {}

  bool holds(const GraphNode& node, std::uint64_t* units) override {
    const MapPoint p = point_of_node(node);
    *units += 4;
    return p.x >= 0 && p.y >= 0 && p.x < map_.width && p.y < map_.height && is_free(place_of(p));
  }
  bool sees(const GraphNode& a, const GraphNode& b, std::uint64_t* units) override {
    Ray ray(point_of_node(a), point_of_node(b));
    *units += 4;
    for (; !ray.at_end(); *units += 4) {
      const Ray::Crossing crossing = ray.next();
      if (blocker([this](Place p) { return is_free(p); }, rule_, ray, crossing)) return false;
      ray.cross(crossing);
    }
    return true;
  }

 private:
  MapPoint point_of_node(const GraphNode& node) const {
    const auto rounded = [this](double v) {
      return std::floor(v / cell_size_ * kCellSteps + 0.5) / kCellSteps;
    };
    return {rounded(node.x), rounded(node.z)};
  }
  bool is_free(Place p) const {
    const std::size_t cell = static_cast<std::size_t>(p.y) * static_cast<std::size_t>(map_.width) +
                             static_cast<std::size_t>(p.x);
    return !map_.classes[static_cast<std::size_t>(map_.cells[cell])].forbidden;
  }

  GridMap map_;
  double cell_size_;
  CornerRule rule_;
};

class PlanSight final : public SightGround {
 public:
  explicit PlanSight(ObstaclePlan plan) : plan_(std::move(plan)), map_(plan_.obstacles) {}

  bool holds(const GraphNode& node, std::uint64_t* units) override {
    *units += 1 + map_.units() + plan_.outer.size();
    return plan_.is_open(map_, to_lattice({node.x, node.z}));
  }
  bool sees(const GraphNode& a, const GraphNode& b, std::uint64_t* units) override {
    const bool is_free = map_.sees(to_lattice({a.x, a.z}), to_lattice({b.x, b.z}), &look_);
    *units += std::exchange(look_.units, 0);
    return is_free;
  }

 private:
  ObstaclePlan plan_;
  VisibilityMap map_;
  VisibilityMap::Look look_;
};

// Links the nodes of one ground.
class SightLinker {
 public:
  SightLinker(SightGround& ground, double distance, GraphSource* graph, WorkMeter* work)
      : ground_(ground),
        distance_(distance),
        reach_(distance * (1 + kReachMargin)),
        graph_(*graph),
        work_(*work) {}

  absl::Status run() {
    const std::vector<GraphNode>& nodes = graph_.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool is_held = ground_.holds(nodes[i], &units_);
      if (!work_.spend(std::exchange(units_, 0))) return work_.error(item("nodes", i));
      if (!is_held)
        return invalid_field("NODE_BLOCKED", item("nodes", i) + ".position",
                             "stands on no free ground of the map or the plan");
    }
    sort();
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (auto s = link(i); !s.ok()) return s;
    return absl::OkStatus();
  }

 private:
  // Strips and windows are wider than the distance, so that rounding loses no pair.
  static constexpr double kReachMargin = 1e-6;

  // A node in its strip: strips are as wide as the reach and run along x.
  struct Entry {
    std::int64_t strip;
    double x;
    std::uint32_t node;
    auto operator<=>(const Entry&) const = default;
  };

  void sort() {
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      const GraphNode& node = graph_.nodes[i];
      order_.push_back({static_cast<std::int64_t>(std::floor(node.z / reach_)), node.x, i});
    }
    std::ranges::sort(order_);
  }

  // Links an entry with those behind it in its strip, and with those of the next strip.
  absl::Status link(std::size_t at) {
    const Entry& one = order_[at];
    const auto end = [&](std::size_t k, std::int64_t strip) {
      return k == order_.size() || order_[k].strip != strip || order_[k].x > one.x + reach_;
    };
    for (std::size_t k = at + 1; !end(k, one.strip); ++k)
      if (auto s = link_pair(one.node, order_[k].node); !s.ok()) return s;
    const Entry first{one.strip + 1, one.x - reach_, 0};
    const auto next = std::ranges::lower_bound(order_, first);
    for (auto k = static_cast<std::size_t>(next - order_.begin()); !end(k, one.strip + 1); ++k)
      if (auto s = link_pair(one.node, order_[k].node); !s.ok()) return s;
    return absl::OkStatus();
  }

  absl::Status link_pair(std::uint32_t one, std::uint32_t other) {
    const auto [from, to] = std::minmax(one, other);
    const GraphNode& a = graph_.nodes[from];
    const GraphNode& b = graph_.nodes[to];
    if (!work_.spend(1 + std::exchange(units_, 0))) return work_.error(item("nodes", from));
    const double dx = a.x - b.x;
    const double dy = a.y - b.y;
    const double dz = a.z - b.z;
    if (dx * dx + dy * dy + dz * dz > distance_ * distance_) return absl::OkStatus();
    if (!ground_.sees(a, b, &units_)) return absl::OkStatus();
    if (graph_.edges.size() == kLinksMax)
      return make_error(absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", "link_distance",
                        "more than " + std::to_string(kLinksMax) + " pairs see one another");
    graph_.edges.push_back({.from = a.id, .to = b.id, .cost = {}, .both = true});
    return absl::OkStatus();
  }

  SightGround& ground_;
  const double distance_;
  const double reach_;
  GraphSource& graph_;
  WorkMeter& work_;
  std::uint64_t units_ = 0;  // still to be counted
  std::vector<Entry> order_;
};

absl::Status read_corner_rule(const Json& document, CornerRule* rule) {
  const auto given = document.find("corner_rule");
  *rule = CornerRule::kNone;
  if (given == document.end() || *given == "none") return absl::OkStatus();
  if (*given != "one") return json_field_error("corner_rule", "must be \"none\" or \"one\"");
  *rule = CornerRule::kOne;
  return absl::OkStatus();
}

using Ground = absl::StatusOr<std::unique_ptr<SightGround>>;

Ground read_map(const Json& document) {
  const JsonObject object(document, "");
  const Json& text = document["map"];
  if (!text.is_string()) return json_field_error("map", "must be the text of a map");
  double cell_size = 1;
  CornerRule rule{};
  if (auto s = object.number("cell_size", kCellMin, kCellMax, 1.0, &cell_size); !s.ok()) return s;
  if (auto s = read_corner_rule(document, &rule); !s.ok()) return s;
  auto map =
      import_map(text.get_ref<const std::string&>(), MapFormat::kAuto, default_terrain(), {});
  if (!map.ok())
    return make_error(map.status().code(), error_reason(map.status()), "map",
                      std::string(map.status().message()));
  return std::make_unique<MapSight>(*std::move(map), cell_size, rule);
}

Ground read_plan(const Json& document, WorkMeter* work) {
  for (const char* name : {"cell_size", "corner_rule"})
    if (document.contains(name)) return json_field_error(name, "is for a map, not for a plan");
  const Json& value = document["plan"];
  if (!value.is_object()) return json_field_error("plan", "must be an object");
  const JsonObject object(value, "plan");
  if (auto s = object.only({"outer", "holes", "radius"}); !s.ok()) return s;
  auto plan = read_obstacle_plan(object, false, work);
  if (!plan.ok()) return plan.status();
  return std::make_unique<PlanSight>(*std::move(plan));
}

// Collects the nodes of the document.
struct SightNodes final : JsonItems {
  void begin(std::string_view list) override {
    if (list != "nodes") return;
    nodes.clear();
    count = 0;
    status = absl::OkStatus();
  }
  void take(std::string_view list, std::size_t place, const Json& value) override {
    if (list != "nodes") return;
    count = place + 1;
    if (!status.ok() || place >= kGraphNodesMax) return;
    const std::string field = item("nodes", place);
    GraphNode node;
    status = value.is_object() ? read_graph_node(JsonObject(value, field), &node)
                               : json_field_error(field, "must be an object");
    nodes.push_back(node);
  }
  absl::Status check() const {
    if (count > kGraphNodesMax)
      return json_field_error("nodes", "has " + std::to_string(count) + " items; the limit is " +
                                           std::to_string(kGraphNodesMax));
    return status;
  }
  std::vector<GraphNode> nodes;
  std::size_t count = 0;
  absl::Status status;  // of the first node at fault
};

}  // namespace

absl::StatusOr<GraphSource> import_sight_json(std::string_view text, WorkMeter* work) {
  WorkMeter own({}, text.size());
  if (work == nullptr) work = &own;
  SightNodes list;
  const auto document = parse_json_items(text, kSightBytesMax, work, &list);
  if (!document.ok()) return document.status();
  if (!document->is_object()) return json_field_error("", "waypoints are an object");
  const JsonObject object(*document, "");
  const Json* nodes = nullptr;
  double distance = 0;
  if (auto s = object.only({"nodes", "link_distance", "map", "cell_size", "corner_rule", "plan"});
      !s.ok())
    return s;
  if (auto s = object.list("nodes", false, 0, &nodes); !s.ok()) return s;
  if (auto s = list.check(); !s.ok()) return s;
  if (auto s = object.number("link_distance", kLinkDistanceMin, kLinkDistanceMax, std::nullopt,
                             &distance);
      !s.ok())
    return s;
  if (object.has("map") == object.has("plan"))
    return json_field_error(object.has("map") ? "plan" : "map",
                            "waypoints are linked over one ground: give map or plan");
  const Ground ground = object.has("map") ? read_map(*document) : read_plan(*document, work);
  if (!ground.ok()) return ground.status();
  GraphSource graph{std::move(list.nodes), {}};
  if (auto s = SightLinker(**ground, distance, &graph, work).run(); !s.ok()) return s;
  return graph;
}

}  // namespace repath
