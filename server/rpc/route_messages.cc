#include "rpc/route_messages.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "rpc/batch_messages.h"

namespace repath {
namespace {

constexpr std::uint64_t kFlagsMax = 65'535;

absl::Status unsuited(const Field& field, std::string_view what) {
  return refuse(field, "KIND_UNSUITED", what);
}

absl::StatusOr<std::uint8_t> to_area(std::uint32_t area, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(std::uint64_t{area}, 0, kGraphAreas - 1, field));
  return static_cast<std::uint8_t>(area);
}

// Returns the flags; 0 stands for `otherwise`.
absl::StatusOr<std::uint16_t> to_flags(std::uint32_t flags, std::uint16_t otherwise,
                                       const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(std::uint64_t{flags}, 0, kFlagsMax, field));
  return flags == 0 ? otherwise : static_cast<std::uint16_t>(flags);
}

Point to_plane(const v1::Vec3& message) { return {message.x(), message.z()}; }

absl::StatusOr<RouteShape> to_route_polygon(const v1::PolygonShape& message, const Field& field) {
  auto shape = to_polygon(message, field);
  if (!shape.ok()) return shape.status();
  return RouteShape{*std::move(shape)};
}

absl::StatusOr<RouteEffect> to_route_effect(const v1::Obstacle& message, const Field& field) {
  switch (message.effect_case()) {
    case v1::Obstacle::kBlocked:
      if (message.blocked()) return RouteEffect{};
      return refuse(field / "blocked", "EFFECT_MISSING",
                    "must be true if given; an open door is `disabled`");
    case v1::Obstacle::kCostFactor:
      REPATH_RETURN_IF_ERROR(check_range(message.cost_factor(), 1, 1000, field / "cost_factor"));
      return RouteEffect{false, message.cost_factor(), {}};
    case v1::Obstacle::kArea: {
      const auto area = to_area(message.area(), field / "area");
      if (!area.ok()) return area.status();
      return RouteEffect{false, 1, *area};
    }
    case v1::Obstacle::EFFECT_NOT_SET:
      break;
  }
  return refuse(field / "effect", "EFFECT_MISSING", "must be one of blocked, cost_factor and area");
}

absl::StatusOr<RouteObstacle> to_route_obstacle(const v1::Obstacle& message, const Field& field) {
  auto shape = to_route_shape(message, field);
  if (!shape.ok()) return shape.status();
  const auto effect = to_route_effect(message, field);
  if (!effect.ok()) return effect.status();
  RouteObstacle obstacle;
  obstacle.effect = *effect;
  obstacle.id = ObstacleId{message.id()};
  obstacle.shape = *std::move(shape);
  if (message.has_bottom()) {
    REPATH_RETURN_IF_ERROR(check_range(message.bottom(), -1e6, 1e6, field / "bottom"));
    obstacle.bottom = message.bottom();
  }
  if (message.has_top()) {
    REPATH_RETURN_IF_ERROR(check_range(message.top(), -1e6, 1e6, field / "top"));
    obstacle.top = message.top();
  }
  if (obstacle.bottom > obstacle.top)
    return refuse(field / "top", "OUT_OF_RANGE", "must not be below `bottom`");
  obstacle.teams = message.team_mask() == 0 ? kAllTeams : message.team_mask();
  obstacle.enabled = !message.disabled();
  return obstacle;
}

void fill_plane(const Point& point, v1::Vec3* out) {
  out->set_x(point.x);
  out->set_z(point.z);
}

void fill_route_obstacle(const RouteObstacle& obstacle, v1::Obstacle* out) {
  out->set_id(value(obstacle.id));
  if (const auto* box = std::get_if<Box>(&obstacle.shape)) {
    fill_plane(box->center, out->mutable_box()->mutable_center());
    out->mutable_box()->set_half_x(box->half_x);
    out->mutable_box()->set_half_z(box->half_z);
    out->mutable_box()->set_yaw(box->yaw);
  } else if (const auto* circle = std::get_if<Circle>(&obstacle.shape)) {
    fill_plane(circle->center, out->mutable_cylinder()->mutable_center());
    out->mutable_cylinder()->set_radius(circle->radius);
  } else {
    for (const Point& corner : std::get<Polygon>(obstacle.shape).points) {
      out->mutable_polygon()->add_xz(corner.x);
      out->mutable_polygon()->add_xz(corner.z);
    }
  }
  if (obstacle.effect.blocks) {
    out->set_blocked(true);
  } else if (obstacle.effect.area) {
    out->set_area(*obstacle.effect.area);
  } else {
    out->set_cost_factor(obstacle.effect.factor);
  }
  out->set_team_mask(obstacle.teams == kAllTeams ? 0 : obstacle.teams);
  out->set_disabled(!obstacle.enabled);
  if (std::isfinite(obstacle.bottom)) out->set_bottom(obstacle.bottom);
  if (std::isfinite(obstacle.top)) out->set_top(obstacle.top);
}

absl::StatusOr<GraphEdit> to_node(const v1::GraphNode& message, const Field& field) {
  const auto area = to_area(message.area(), field / "area");
  if (!area.ok()) return area.status();
  const auto flags = to_flags(message.flags(), 1, field / "flags");
  if (!flags.ok()) return flags.status();
  const v1::Vec3& at = message.position();
  return GraphEdit{
      GraphNode{message.id(), at.x(), at.y(), at.z(), *area, *flags, !message.disabled()}};
}

absl::StatusOr<GraphEdit> to_edge(const v1::GraphEdge& message, const Field& field) {
  const auto area = to_area(message.area(), field / "area");
  if (!area.ok()) return area.status();
  const auto flags = to_flags(message.flags(), 1, field / "flags");
  if (!flags.ok()) return flags.status();
  GraphEdge edge{message.from(), message.to(),       {}, *area, *flags,
                 message.both(), !message.disabled()};
  if (message.has_cost()) {
    REPATH_RETURN_IF_ERROR(check_range(message.cost(), 0, kGraphCostMax, field / "cost"));
    edge.cost = message.cost();
  }
  return GraphEdit{edge};
}

absl::StatusOr<GraphEdit> to_graph_edit(const v1::GraphEdit& message, const Field& field) {
  switch (message.edit_case()) {
    case v1::GraphEdit::kAddNode:
      return to_node(message.add_node(), field / "add_node");
    case v1::GraphEdit::kRemoveNode:
      return GraphEdit{RemoveGraphNode{message.remove_node()}};
    case v1::GraphEdit::kSwitchNode:
      return GraphEdit{
          SwitchGraphNode{message.switch_node().id(), message.switch_node().enabled()}};
    case v1::GraphEdit::kSetEdge:
      return to_edge(message.set_edge(), field / "set_edge");
    case v1::GraphEdit::kRemoveEdge:
      return GraphEdit{RemoveGraphEdge{message.remove_edge().from(), message.remove_edge().to()}};
    case v1::GraphEdit::kSwitchEdge: {
      const auto& edge = message.switch_edge();
      return GraphEdit{SwitchGraphEdge{edge.from(), edge.to(), edge.enabled()}};
    }
    case v1::GraphEdit::kSetCost: {
      const auto& price = message.set_cost();
      REPATH_RETURN_IF_ERROR(
          check_range(price.cost(), 0, kGraphCostMax, field / "set_cost" / "cost"));
      return GraphEdit{PriceGraphEdge{price.from(), price.to(), price.cost()}};
    }
    case v1::GraphEdit::EDIT_NOT_SET:
      break;
  }
  return refuse(field / "edit", "EDIT_MISSING",
                "must be one of add_node, remove_node, switch_node, set_edge, remove_edge, "
                "switch_edge and set_cost");
}

struct GraphEditFiller {
  v1::GraphEdit* out;

  void operator()(const GraphNode& node) const {
    v1::GraphNode* message = out->mutable_add_node();
    message->set_id(node.id);
    message->mutable_position()->set_x(node.x);
    message->mutable_position()->set_y(node.y);
    message->mutable_position()->set_z(node.z);
    message->set_area(node.area);
    message->set_flags(node.flags);
    message->set_disabled(!node.enabled);
  }
  void operator()(const RemoveGraphNode& edit) const { out->set_remove_node(edit.id); }
  void operator()(const SwitchGraphNode& edit) const {
    out->mutable_switch_node()->set_id(edit.id);
    out->mutable_switch_node()->set_enabled(edit.enabled);
  }
  void operator()(const GraphEdge& edge) const {
    v1::GraphEdge* message = out->mutable_set_edge();
    message->set_from(edge.from);
    message->set_to(edge.to);
    if (edge.cost) message->set_cost(*edge.cost);
    message->set_area(edge.area);
    message->set_flags(edge.flags);
    message->set_both(edge.both);
    message->set_disabled(!edge.enabled);
  }
  void operator()(const RemoveGraphEdge& edit) const {
    out->mutable_remove_edge()->set_from(edit.from);
    out->mutable_remove_edge()->set_to(edit.to);
  }
  void operator()(const SwitchGraphEdge& edit) const {
    out->mutable_switch_edge()->set_from(edit.from);
    out->mutable_switch_edge()->set_to(edit.to);
    out->mutable_switch_edge()->set_enabled(edit.enabled);
  }
  void operator()(const PriceGraphEdge& edit) const {
    out->mutable_set_cost()->set_from(edit.from);
    out->mutable_set_cost()->set_to(edit.to);
    out->mutable_set_cost()->set_cost(edit.cost);
  }
};

absl::Status check_for_routes(const v1::ChangeBatch& message, const Field& field) {
  for (const auto& [size, list] : {std::pair{message.terrain_edits_size(), "terrain_edits"},
                                   {message.decay_influence_size(), "decay_influence"},
                                   {message.influence_edits_size(), "influence_edits"},
                                   {message.fog_edits_size(), "fog_edits"},
                                   {message.stand_size(), "stand"},
                                   {message.walk_on_size(), "walk_on"}}) {
    if (size != 0) return unsuited(field / list, "is for grids: this world has no cells");
  }
  return absl::OkStatus();
}

absl::Status check_profile_for_routes(const v1::Profile& message, const Field& field) {
  if (message.topology() != v1::TOPOLOGY_UNSPECIFIED)
    return unsuited(field / "topology", "is for grids; leave it out");
  if (message.corner_rule() != v1::CORNER_RULE_UNSPECIFIED)
    return unsuited(field / "corner_rule", "is for grids; leave it out");
  if (message.terrain_rules_size() != 0)
    return unsuited(field / "terrain_rules", "is for grids: give area_costs");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RouteShape> to_route_shape(const v1::Obstacle& message, const Field& field) {
  switch (message.shape_case()) {
    case v1::Obstacle::kCells:
      return unsuited(field / "cells", "this world has no cells: give a box, cylinder or polygon");
    case v1::Obstacle::kBox: {
      const v1::BoxShape& box = message.box();
      return RouteShape{Box{to_plane(box.center()), box.half_x(), box.half_z(), box.yaw()}};
    }
    case v1::Obstacle::kCylinder:
      return RouteShape{Circle{to_plane(message.cylinder().center()), message.cylinder().radius()}};
    case v1::Obstacle::kPolygon:
      return to_route_polygon(message.polygon(), field / "polygon");
    case v1::Obstacle::SHAPE_NOT_SET:
      break;
  }
  return refuse(field / "shape", "SHAPE_MISSING", "must be one of box, cylinder and polygon");
}

absl::StatusOr<RouteProfile> to_route_profile(const v1::Profile& message, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_name(message.name(), field / "name"));
  REPATH_RETURN_IF_ERROR(check_profile_for_routes(message, field));
  REPATH_RETURN_IF_ERROR(check_range(message.radius(), 0, kRouteRadiusMax, field / "radius"));
  RouteProfile profile;
  profile.name = message.name();
  profile.radius = message.radius();
  const auto include = to_flags(message.include_flags(), 0xffff, field / "include_flags");
  if (!include.ok()) return include.status();
  profile.include = *include;
  const auto exclude = to_flags(message.exclude_flags(), 0, field / "exclude_flags");
  if (!exclude.ok()) return exclude.status();
  profile.exclude = *exclude;
  REPATH_RETURN_IF_ERROR(check_count(message.area_costs_size(), 0, static_cast<int>(kGraphAreas),
                                     field / "area_costs"));
  std::uint64_t seen = 0;
  for (int i = 0; i < message.area_costs_size(); ++i) {
    const v1::Profile::AreaCost& cost = message.area_costs(i);
    const Field at = (field / "area_costs")[place(i)];
    const auto area = to_area(cost.area(), at / "area");
    if (!area.ok()) return area.status();
    REPATH_RETURN_IF_ERROR(check_range(cost.factor(), 1, 1000, at / "factor"));
    if ((seen >> *area & 1u) != 0)
      return refuse(at / "area", "DUPLICATE_ID", "is in the list twice; give each area once");
    seen |= std::uint64_t{1} << *area;
    profile.areas.push_back({*area, cost.factor()});
  }
  return profile;
}

absl::Status check_profiles_for_graph(std::span<const RouteProfile> profiles, const Field& field) {
  for (std::size_t i = 0; i < profiles.size(); ++i)
    if (profiles[i].radius != 0)
      return unsuited(field[i] / "radius", "must be 0: a graph has no width");
  return absl::OkStatus();
}

void fill_route_profile(const RouteProfile& profile, v1::Profile* out) {
  out->set_name(profile.name);
  out->set_radius(profile.radius);
  out->set_include_flags(profile.include == kFlagsMax ? 0 : profile.include);
  out->set_exclude_flags(profile.exclude);
  for (const RouteProfile::AreaFactor& area : profile.areas) {
    auto* cost = out->add_area_costs();
    cost->set_area(area.area);
    cost->set_factor(area.factor);
  }
}

absl::StatusOr<RouteBatch> to_route_batch(const v1::ChangeBatch& message, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_batch_size(message, field));
  REPATH_RETURN_IF_ERROR(check_for_routes(message, field));
  RouteBatch batch;
  for (int i = 0; i < message.upsert_obstacles_size(); ++i) {
    auto obstacle =
        to_route_obstacle(message.upsert_obstacles(i), (field / "upsert_obstacles")[place(i)]);
    if (!obstacle.ok()) return obstacle.status();
    batch.upsert_obstacles.push_back(*std::move(obstacle));
  }
  for (const std::uint64_t id : message.remove_obstacles())
    batch.remove_obstacles.push_back(ObstacleId{id});
  for (const auto& door : message.switch_obstacles())
    batch.switch_obstacles.push_back({ObstacleId{door.id()}, door.enabled()});
  for (int i = 0; i < message.add_profiles_size(); ++i) {
    auto profile = to_route_profile(message.add_profiles(i), (field / "add_profiles")[place(i)]);
    if (!profile.ok()) return profile.status();
    batch.add_profiles.push_back(*std::move(profile));
  }
  for (const auto& link : message.switch_links())
    batch.switch_links.push_back({link.id(), link.enabled()});
  for (int i = 0; i < message.graph_edits_size(); ++i) {
    auto edit = to_graph_edit(message.graph_edits(i), (field / "graph_edits")[place(i)]);
    if (!edit.ok()) return edit.status();
    batch.graph_edits.push_back(*std::move(edit));
  }
  return batch;
}

void fill_route_batch(const RouteBatch& batch, v1::ChangeBatch* out) {
  for (const RouteObstacle& obstacle : batch.upsert_obstacles)
    fill_route_obstacle(obstacle, out->add_upsert_obstacles());
  for (const ObstacleId id : batch.remove_obstacles) out->add_remove_obstacles(value(id));
  for (const RouteObstacleSwitch& door : batch.switch_obstacles) {
    auto* message = out->add_switch_obstacles();
    message->set_id(value(door.id));
    message->set_enabled(door.enabled);
  }
  for (const RouteProfile& profile : batch.add_profiles)
    fill_route_profile(profile, out->add_add_profiles());
  for (const LinkSwitch& link : batch.switch_links) {
    auto* message = out->add_switch_links();
    message->set_id(link.id);
    message->set_enabled(link.enabled);
  }
  for (const GraphEdit& edit : batch.graph_edits)
    std::visit(GraphEditFiller{out->add_graph_edits()}, edit);
}

void add_spot(const Spot& at, google::protobuf::RepeatedField<double>* out) {
  out->Add(at.x);
  out->Add(at.y);
  out->Add(at.z);
}

void fill_spot(const Spot& at, v1::Vec3* out) {
  out->set_x(at.x);
  out->set_y(at.y);
  out->set_z(at.z);
}

std::uint64_t digest_of(std::span<const RoutePoint> points) {
  Hasher digest;
  for (const RoutePoint& point : points) {
    for (const double v : {point.at.x, point.at.y, point.at.z})
      digest.add(std::bit_cast<std::uint64_t>(v + 0.0));  // turns -0.0 into 0.0
    digest.add(point.link.value_or(0));
  }
  return digest.value();
}

std::uint32_t waypoint_flags(const RoutePoint& point, bool is_start, bool is_end) {
  std::uint32_t flags = v1::WAYPOINT_FLAG_NONE;
  if (is_start) flags |= v1::WAYPOINT_FLAG_START;
  if (is_end) flags |= v1::WAYPOINT_FLAG_END;
  if (point.link) flags |= v1::WAYPOINT_FLAG_LINK;
  return flags;
}

void fill_route(std::span<const RoutePoint> points, std::size_t most, v1::Path* out) {
  if (points.empty()) return;
  out->set_digest(digest_of(points));
  const bool has_nodes = std::ranges::any_of(points, [](const auto& p) { return p.node != 0; });
  const bool has_links =
      std::ranges::any_of(points, [](const auto& p) { return p.link.has_value(); });
  const std::size_t count = std::min(points.size(), most);
  if (count < points.size()) out->set_waypoints_left_out(points.size() - count);
  for (std::size_t i = 0; i < count; ++i) {
    const RoutePoint& point = points[i];
    out->add_positions(point.at.x);
    out->add_positions(point.at.y);
    out->add_positions(point.at.z);
    out->add_flags(waypoint_flags(point, i == 0, i + 1 == points.size()));
    out->add_areas(point.area);
    if (has_nodes) out->add_nodes(point.node);
    if (has_links) out->add_links(point.link.value_or(0));
  }
}

}  // namespace repath
