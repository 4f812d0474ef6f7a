#include "rpc/batch_messages.h"

#include <string>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "world/checks.h"
#include "world/limits.h"

namespace repath {
namespace {

constexpr double kHeightMost = 1e6;  // of obstacles, world units

CellRect to_rect(const v1::CellRect& message) {
  return {message.x0(), message.y0(), message.x1(), message.y1()};
}

// A height in the plane of a grid says nothing, but must be a number.
absl::StatusOr<Point> on_plane(const v1::Vec3& message, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(message.y(), -kCoordinateMax, kCoordinateMax, field / "y"));
  return Point{message.x(), message.z()};
}

absl::StatusOr<Shape> to_box(const v1::BoxShape& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const Point center, on_plane(message.center(), field / "center"));
  return Shape{Box{center, message.half_x(), message.half_z(), message.yaw()}};
}

absl::StatusOr<Shape> to_circle(const v1::CylinderShape& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const Point center, on_plane(message.center(), field / "center"));
  return Shape{Circle{center, message.radius()}};
}

absl::StatusOr<Shape> to_polygon(const v1::PolygonShape& message, const Field& field) {
  if (message.xz_size() % 2 != 0)
    return refuse(field / "xz", "LIST_SIZE", "must have x and z of each corner");
  constexpr auto kMost = static_cast<int>(2 * kPolygonPointsMax);
  constexpr auto kLeast = static_cast<int>(2 * kPolygonPointsMin);
  REPATH_RETURN_IF_ERROR(check_count(message.xz_size(), kLeast, kMost, field / "xz"));
  Polygon polygon;
  polygon.points.reserve(place(message.xz_size() / 2));
  for (int i = 0; i < message.xz_size(); i += 2)
    polygon.points.push_back({message.xz(i), message.xz(i + 1)});
  return Shape{std::move(polygon)};
}

absl::StatusOr<Shape> to_capsule(const v1::CapsuleShape& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const Point from, on_plane(message.from(), field / "from"));
  REPATH_ASSIGN_OR_RETURN(const Point to, on_plane(message.to(), field / "to"));
  return Shape{Capsule{from, to, message.radius()}};
}

absl::StatusOr<Effect> to_effect(const v1::Obstacle& message, const Field& field) {
  switch (message.effect_case()) {
    case v1::Obstacle::kBlocked:
      if (message.blocked()) return Effect{};
      return refuse(field / "blocked", "EFFECT_MISSING",
                    "must be true if given; an open door is `disabled`");
    case v1::Obstacle::kCostFactor:
      return Effect{false, message.cost_factor(), {}};
    case v1::Obstacle::kArea: {
      REPATH_ASSIGN_OR_RETURN(const std::uint8_t area, to_area(message.area(), field / "area"));
      return Effect{false, 1, area};
    }
    case v1::Obstacle::EFFECT_NOT_SET:
      break;
  }
  return refuse(field / "effect", "EFFECT_MISSING", "must be one of blocked, cost_factor and area");
}

absl::StatusOr<ObstacleSpec> to_obstacle(const v1::Obstacle& message, const Field& field) {
  ObstacleSpec spec{ObstacleId{message.id()}};
  REPATH_ASSIGN_OR_RETURN(spec.shape, to_shape(message, field));
  REPATH_ASSIGN_OR_RETURN(spec.effect, to_effect(message, field));
  if (message.team_mask() != 0) spec.teams = message.team_mask();
  spec.enabled = !message.disabled();
  if (message.has_bottom()) spec.bottom = message.bottom();
  if (message.has_top()) spec.top = message.top();
  for (const auto& [is_given, height, name] :
       {std::tuple{message.has_bottom(), message.bottom(), "bottom"},
        {message.has_top(), message.top(), "top"}})
    if (is_given)
      REPATH_RETURN_IF_ERROR(check_range(height, -kHeightMost, kHeightMost, field / name));
  return spec;
}

absl::StatusOr<std::uint8_t> to_layer(std::uint32_t layer, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(layer, 0, kInfluenceLayers - 1, field));
  return static_cast<std::uint8_t>(layer);
}

absl::StatusOr<InfluenceDecay> to_decay(const v1::InfluenceDecay& message, const Field& field) {
  InfluenceDecay decay;
  REPATH_ASSIGN_OR_RETURN(decay.team, to_team(message.team(), field / "team"));
  REPATH_ASSIGN_OR_RETURN(decay.layer, to_layer(message.layer(), field / "layer"));
  REPATH_RETURN_IF_ERROR(check_range(message.keep_permille(), 0, 999, field / "keep_permille"));
  decay.keep_permille = static_cast<std::int32_t>(message.keep_permille());
  if (message.has_cells()) decay.cells = to_rect(message.cells());
  return decay;
}

absl::StatusOr<LevelChange> to_change(const v1::InfluenceEdit& message, const Field& field) {
  switch (message.change_case()) {
    case v1::InfluenceEdit::kAdd:
      REPATH_RETURN_IF_ERROR(check_range(message.add(), -kLevelMax, kLevelMax, field / "add"));
      return LevelChange{LevelChange::Kind::kAdd, message.add()};
    case v1::InfluenceEdit::kSet:
      REPATH_RETURN_IF_ERROR(check_range(message.set(), 0, kLevelMax, field / "set"));
      return LevelChange{LevelChange::Kind::kSet, static_cast<std::int32_t>(message.set())};
    case v1::InfluenceEdit::CHANGE_NOT_SET:
      break;
  }
  return refuse(field / "change", "CHANGE_MISSING", "must be one of add and set");
}

// Reads the shape of an edit of one team's layer, or of a body.
template <class Message>
absl::StatusOr<Shape> to_patch(const Message& message, const Field& field) {
  if (message.has_cells()) return Shape{to_rect(message.cells())};
  if (!message.has_cylinder())
    return refuse(field / "shape", "SHAPE_MISSING", "must be one of cells and cylinder");
  return to_circle(message.cylinder(), field / "cylinder");
}

absl::StatusOr<InfluenceEdit> to_influence(const v1::InfluenceEdit& message, const Field& field) {
  InfluenceEdit edit;
  REPATH_ASSIGN_OR_RETURN(edit.shape, to_patch(message, field));
  REPATH_ASSIGN_OR_RETURN(edit.team, to_team(message.team(), field / "team"));
  REPATH_ASSIGN_OR_RETURN(edit.layer, to_layer(message.layer(), field / "layer"));
  REPATH_ASSIGN_OR_RETURN(edit.change, to_change(message, field));
  return edit;
}

absl::StatusOr<FogEdit> to_fog(const v1::FogEdit& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(Shape shape, to_patch(message, field));
  REPATH_ASSIGN_OR_RETURN(const TeamId team, to_team(message.team(), field / "team"));
  return FogEdit{std::move(shape), team, message.hidden()};
}

absl::StatusOr<Body> to_body(const v1::Body& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(Shape shape, to_patch(message, field));
  return Body{AgentId{message.agent_id()}, std::move(shape)};
}

absl::StatusOr<GraphEdit> to_node(const v1::GraphNode& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const std::uint8_t area, to_area(message.area(), field / "area"));
  REPATH_ASSIGN_OR_RETURN(const std::uint16_t flags, to_flags(message.flags(), 1, field / "flags"));
  const v1::Vec3& at = message.position();
  return GraphEdit{
      GraphNode{message.id(), at.x(), at.y(), at.z(), area, flags, !message.disabled()}};
}

absl::StatusOr<std::uint8_t> to_key(std::uint32_t key, const Field& field) {
  if (key > 255) return refuse(field, "OUT_OF_RANGE", "must be in [0, 255]");
  return static_cast<std::uint8_t>(key);
}

absl::StatusOr<GraphEdit> to_edge(const v1::GraphEdge& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const std::uint8_t area, to_area(message.area(), field / "area"));
  REPATH_ASSIGN_OR_RETURN(const std::uint16_t flags, to_flags(message.flags(), 1, field / "flags"));
  REPATH_ASSIGN_OR_RETURN(const std::uint8_t key, to_key(message.key(), field / "key"));
  REPATH_RETURN_IF_ERROR(check_range(message.width(), 0, kGraphWidthMax, field / "width"));
  GraphEdge edge{.from = message.from(),
                 .to = message.to(),
                 .cost = {},
                 .area = area,
                 .flags = flags,
                 .both = message.both(),
                 .enabled = !message.disabled(),
                 .key = key,
                 .width = message.width()};
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
    case v1::GraphEdit::kRemoveEdge: {
      const auto& edge = message.remove_edge();
      REPATH_ASSIGN_OR_RETURN(const std::uint8_t key,
                              to_key(edge.key(), field / "remove_edge" / "key"));
      return GraphEdit{RemoveGraphEdge{edge.from(), edge.to(), key}};
    }
    case v1::GraphEdit::kSwitchEdge: {
      const auto& edge = message.switch_edge();
      REPATH_ASSIGN_OR_RETURN(const std::uint8_t key,
                              to_key(edge.key(), field / "switch_edge" / "key"));
      return GraphEdit{SwitchGraphEdge{edge.from(), edge.to(), edge.enabled(), key}};
    }
    case v1::GraphEdit::kSetCost: {
      const auto& price = message.set_cost();
      REPATH_RETURN_IF_ERROR(
          check_range(price.cost(), 0, kGraphCostMax, field / "set_cost" / "cost"));
      REPATH_ASSIGN_OR_RETURN(const std::uint8_t key,
                              to_key(price.key(), field / "set_cost" / "key"));
      return GraphEdit{PriceGraphEdge{price.from(), price.to(), price.cost(), key}};
    }
    case v1::GraphEdit::EDIT_NOT_SET:
      break;
  }
  return refuse(field / "edit", "EDIT_MISSING",
                "must be one of add_node, remove_node, switch_node, set_edge, remove_edge, "
                "switch_edge and set_cost");
}

BatchSizes sizes_of(const v1::ChangeBatch& message) {
  return {place(message.upsert_obstacles_size()),
          place(message.remove_obstacles_size()),
          place(message.switch_obstacles_size()),
          place(message.terrain_edits_size()),
          place(message.add_profiles_size()),
          place(message.decay_influence_size()),
          place(message.influence_edits_size()),
          place(message.fog_edits_size()),
          place(message.stand_size()),
          place(message.walk_on_size()),
          place(message.switch_links_size()),
          place(message.graph_edits_size())};
}

absl::Status check_given(bool given, const Field& field) {
  return given ? absl::OkStatus() : refuse(field, "PLACE_MISSING", "must be given");
}

// Checks the places of the shapes that obstacles and patches have in common.
template <class Message>
absl::Status check_centre(const Message& message, const Field& field) {
  if (!message.has_cylinder()) return absl::OkStatus();
  return check_given(message.cylinder().has_center(), field / "cylinder.center");
}

}  // namespace

absl::StatusOr<std::uint8_t> to_area(std::uint32_t area, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(area, 0, kGraphAreas - 1, field));
  return static_cast<std::uint8_t>(area);
}

absl::StatusOr<std::uint16_t> to_flags(std::uint32_t flags, std::uint16_t otherwise,
                                       const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(flags, 0, kAllFlags, field));
  return flags == 0 ? otherwise : static_cast<std::uint16_t>(flags);
}

absl::StatusOr<Shape> to_shape(const v1::Obstacle& message, const Field& field) {
  switch (message.shape_case()) {
    case v1::Obstacle::kCells:
      return Shape{to_rect(message.cells())};
    case v1::Obstacle::kBox:
      return to_box(message.box(), field / "box");
    case v1::Obstacle::kCylinder:
      return to_circle(message.cylinder(), field / "cylinder");
    case v1::Obstacle::kPolygon:
      return to_polygon(message.polygon(), field / "polygon");
    case v1::Obstacle::kCapsule:
      return to_capsule(message.capsule(), field / "capsule");
    case v1::Obstacle::SHAPE_NOT_SET:
      break;
  }
  return refuse(field / "shape", "SHAPE_MISSING",
                "must be one of cells (grids only), box, cylinder, polygon and capsule");
}

absl::Status check_places(const v1::Obstacle& message, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_centre(message, field));
  if (message.has_box())
    REPATH_RETURN_IF_ERROR(check_given(message.box().has_center(), field / "box.center"));
  if (!message.has_capsule()) return absl::OkStatus();
  REPATH_RETURN_IF_ERROR(check_given(message.capsule().has_from(), field / "capsule.from"));
  return check_given(message.capsule().has_to(), field / "capsule.to");
}

absl::Status check_places(const v1::ChangeBatch& message, const Field& field) {
  const auto check = [&](const auto& list, std::string_view name, auto&& element) {
    for (int i = 0; i < list.size(); ++i)
      REPATH_RETURN_IF_ERROR(element(list[i], (field / name)[place(i)]));
    return absl::OkStatus();
  };
  const auto patch = [](const auto& one, const Field& at) { return check_centre(one, at); };
  const auto node = [](const v1::GraphEdit& edit, const Field& at) {
    return check_given(!edit.has_add_node() || edit.add_node().has_position(),
                       at / "add_node.position");
  };
  REPATH_RETURN_IF_ERROR(
      check(message.upsert_obstacles(), "upsert_obstacles",
            [](const v1::Obstacle& one, const Field& at) { return check_places(one, at); }));
  REPATH_RETURN_IF_ERROR(check(message.influence_edits(), "influence_edits", patch));
  REPATH_RETURN_IF_ERROR(check(message.fog_edits(), "fog_edits", patch));
  REPATH_RETURN_IF_ERROR(check(message.stand(), "stand", patch));
  return check(message.graph_edits(), "graph_edits", node);
}

absl::StatusOr<GraphNode> to_graph_node(const v1::GraphNode& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const GraphEdit edit, to_node(message, field));
  auto node = std::get<GraphNode>(edit);
  node.flags = static_cast<std::uint16_t>(message.flags());
  return node;
}

absl::StatusOr<GraphEdge> to_graph_edge(const v1::GraphEdge& message, const Field& field) {
  REPATH_ASSIGN_OR_RETURN(const GraphEdit edit, to_edge(message, field));
  auto edge = std::get<GraphEdge>(edit);
  edge.flags = static_cast<std::uint16_t>(message.flags());
  return edge;
}

absl::StatusOr<ChangeBatch> to_batch(const v1::ChangeBatch& message, const WorldTerms& world,
                                     const Field& field) {
  REPATH_RETURN_IF_ERROR(check_lists(sizes_of(message), world.kind, field.text()));
  if (message.ByteSizeLong() > kBatchBytesMax)
    return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", field.text(),
                      std::to_string(message.ByteSizeLong()) + " bytes; at most " +
                          std::to_string(kBatchBytesMax) + "; split the batch");
  const auto to_terrain_edit = [&](const v1::TerrainEdit& edit,
                                   const Field& at) -> absl::StatusOr<TerrainEdit> {
    REPATH_ASSIGN_OR_RETURN(const TerrainId id, terrain_by_name(edit.terrain_class(), world.terrain,
                                                                at / "terrain_class"));
    return TerrainEdit{to_rect(edit.cells()), id};
  };
  const auto to_world_profile = [&](const v1::Profile& profile, const Field& at) {
    return to_profile(profile, world, at);
  };
  ChangeBatch batch;
  for (const std::uint64_t id : message.remove_obstacles())
    batch.remove_obstacles.push_back(ObstacleId{id});
  for (const auto& door : message.switch_obstacles())
    batch.switch_obstacles.push_back({ObstacleId{door.id()}, door.enabled()});
  for (const std::uint64_t id : message.walk_on()) batch.walk_on.push_back(AgentId{id});
  for (const auto& link : message.switch_links())
    batch.switch_links.push_back({link.id(), link.enabled()});
  const auto read = [&](const auto& list, std::string_view name, auto element, auto* out) {
    auto elements = read_list(list, field / name, element);
    if (!elements.ok()) return elements.status();
    *out = *std::move(elements);
    return absl::OkStatus();
  };
  REPATH_RETURN_IF_ERROR(
      read(message.upsert_obstacles(), "upsert_obstacles", to_obstacle, &batch.upsert_obstacles));
  REPATH_RETURN_IF_ERROR(
      read(message.terrain_edits(), "terrain_edits", to_terrain_edit, &batch.terrain_edits));
  REPATH_RETURN_IF_ERROR(
      read(message.add_profiles(), "add_profiles", to_world_profile, &batch.add_profiles));
  REPATH_RETURN_IF_ERROR(
      read(message.decay_influence(), "decay_influence", to_decay, &batch.decay_influence));
  REPATH_RETURN_IF_ERROR(
      read(message.influence_edits(), "influence_edits", to_influence, &batch.influence_edits));
  REPATH_RETURN_IF_ERROR(read(message.fog_edits(), "fog_edits", to_fog, &batch.fog_edits));
  REPATH_RETURN_IF_ERROR(read(message.stand(), "stand", to_body, &batch.stand));
  REPATH_RETURN_IF_ERROR(
      read(message.graph_edits(), "graph_edits", to_graph_edit, &batch.graph_edits));
  return batch;
}

std::string batch_bytes(const v1::ChangeBatch& message) {
  v1::ChangeBatch known = message;
  known.DiscardUnknownFields();
  return known.SerializeAsString();
}

absl::Status read_batch(const std::string& bytes, v1::ChangeBatch* out) {
  if (out->ParseFromString(bytes)) return absl::OkStatus();
  return make_error(absl::StatusCode::kDataLoss, "BATCH_DAMAGED", "",
                    "the bytes in the log are no batch");
}

}  // namespace repath
