#include "rpc/batch_messages.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "world/limits.h"

namespace repath {
namespace {

CellRect to_rect(const v1::CellRect& message) {
  return {message.x0(), message.y0(), message.x1(), message.y1()};
}

void fill_rect(const CellRect& rect, v1::CellRect* out) {
  out->set_x0(rect.x0);
  out->set_y0(rect.y0);
  out->set_x1(rect.x1);
  out->set_y1(rect.y1);
}

Point to_point(const v1::Vec3& message) { return {message.x(), message.z()}; }

void fill_point(const Point& point, v1::Vec3* out) {
  out->set_x(point.x);
  out->set_z(point.z);
}

absl::StatusOr<Shape> to_circle(const v1::CylinderShape& message, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(message.center().y(), -1e9, 1e9, field / "center" / "y"));
  return Shape{Circle{to_point(message.center()), message.radius()}};
}

absl::StatusOr<Shape> to_shape(const v1::Obstacle& message, const Field& field) {
  switch (message.shape_case()) {
    case v1::Obstacle::kCells:
      return Shape{to_rect(message.cells())};
    case v1::Obstacle::kBox: {
      const v1::BoxShape& box = message.box();
      REPATH_RETURN_IF_ERROR(
          check_range(box.center().y(), -1e9, 1e9, field / "box" / "center" / "y"));
      return Shape{Box{to_point(box.center()), box.half_x(), box.half_z(), box.yaw()}};
    }
    case v1::Obstacle::kCylinder:
      return to_circle(message.cylinder(), field / "cylinder");
    case v1::Obstacle::kPolygon: {
      auto polygon = to_polygon(message.polygon(), field / "polygon");
      if (!polygon.ok()) return polygon.status();
      return Shape{*std::move(polygon)};
    }
    case v1::Obstacle::SHAPE_NOT_SET:
      break;
  }
  return refuse(field / "shape", "SHAPE_MISSING",
                "must be one of cells, box, cylinder and polygon");
}

absl::StatusOr<Effect> to_effect(const v1::Obstacle& message, const Field& field) {
  switch (message.effect_case()) {
    case v1::Obstacle::kBlocked:
      if (message.blocked()) return Effect{true, 1};
      return refuse(field / "blocked", "EFFECT_MISSING",
                    "must be true if given; an open door is `disabled`");
    case v1::Obstacle::kCostFactor:
      REPATH_RETURN_IF_ERROR(
          check_range(message.cost_factor(), kFactorMin, kFactorMax, field / "cost_factor"));
      return Effect{false, message.cost_factor()};
    case v1::Obstacle::kArea:
      return refuse(field / "area", "KIND_UNSUITED", "is for meshes: this world is a grid");
    case v1::Obstacle::EFFECT_NOT_SET:
      break;
  }
  return refuse(field / "effect", "EFFECT_MISSING", "must be one of blocked and cost_factor");
}

absl::StatusOr<ObstacleSpec> to_obstacle(const v1::Obstacle& message, const Field& field) {
  for (const auto& [is_given, name] :
       {std::pair{message.has_bottom(), "bottom"}, {message.has_top(), "top"}}) {
    if (is_given)
      return refuse(field / name, "KIND_UNSUITED", "is for meshes: this world is a grid");
  }
  auto shape = to_shape(message, field);
  if (!shape.ok()) return shape.status();
  const auto effect = to_effect(message, field);
  if (!effect.ok()) return effect.status();
  const TeamMask teams = message.team_mask() == 0 ? kAllTeams : message.team_mask();
  return ObstacleSpec{ObstacleId{message.id()}, *std::move(shape), *effect, teams,
                      !message.disabled()};
}

void fill_shape(const Shape& shape, v1::Obstacle* out) {
  if (const auto* rect = std::get_if<CellRect>(&shape)) {
    fill_rect(*rect, out->mutable_cells());
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    fill_point(box->center, out->mutable_box()->mutable_center());
    out->mutable_box()->set_half_x(box->half_x);
    out->mutable_box()->set_half_z(box->half_z);
    out->mutable_box()->set_yaw(box->yaw);
  } else if (const auto* circle = std::get_if<Circle>(&shape)) {
    fill_point(circle->center, out->mutable_cylinder()->mutable_center());
    out->mutable_cylinder()->set_radius(circle->radius);
  } else {
    for (const Point& corner : std::get<Polygon>(shape).points) {
      out->mutable_polygon()->add_xz(corner.x);
      out->mutable_polygon()->add_xz(corner.z);
    }
  }
}

void fill_obstacle(const ObstacleSpec& spec, v1::Obstacle* out) {
  out->set_id(value(spec.id));
  fill_shape(spec.shape, out);
  if (spec.effect.blocked) {
    out->set_blocked(true);
  } else {
    out->set_cost_factor(spec.effect.factor);
  }
  out->set_team_mask(spec.teams == kAllTeams ? 0 : spec.teams);
  out->set_disabled(!spec.enabled);
}

struct LayerOfTeam {
  TeamId team;
  std::uint8_t layer;
};

absl::StatusOr<LayerOfTeam> to_layer(std::uint32_t team, std::uint32_t layer, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(std::uint64_t{team}, 0, kTeams - 1, field / "team"));
  REPATH_RETURN_IF_ERROR(
      check_range(std::uint64_t{layer}, 0, kInfluenceLayers - 1, field / "layer"));
  return LayerOfTeam{static_cast<TeamId>(team), static_cast<std::uint8_t>(layer)};
}

absl::StatusOr<InfluenceDecay> to_decay(const v1::InfluenceDecay& message, const Field& field) {
  const auto layer = to_layer(message.team(), message.layer(), field);
  if (!layer.ok()) return layer.status();
  REPATH_RETURN_IF_ERROR(
      check_range(std::uint64_t{message.keep_permille()}, 0, 999, field / "keep_permille"));
  InfluenceDecay decay{
      layer->team, layer->layer, static_cast<std::int32_t>(message.keep_permille()), {}};
  if (message.has_cells()) decay.cells = to_rect(message.cells());
  return decay;
}

absl::StatusOr<LevelChange> to_change(const v1::InfluenceEdit& message, const Field& field) {
  switch (message.change_case()) {
    case v1::InfluenceEdit::kAdd:
      REPATH_RETURN_IF_ERROR(
          check_range(std::int64_t{message.add()}, -kLevelMax, kLevelMax, field / "add"));
      return LevelChange{LevelChange::Kind::kAdd, message.add()};
    case v1::InfluenceEdit::kSet:
      REPATH_RETURN_IF_ERROR(
          check_range(std::uint64_t{message.set()}, 0, kLevelMax, field / "set"));
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

template <class Message>
void fill_patch(const Shape& shape, Message* out) {
  if (const auto* rect = std::get_if<CellRect>(&shape)) {
    fill_rect(*rect, out->mutable_cells());
  } else if (const auto* circle = std::get_if<Circle>(&shape)) {
    fill_point(circle->center, out->mutable_cylinder()->mutable_center());
    out->mutable_cylinder()->set_radius(circle->radius);
  }
}

absl::StatusOr<InfluenceEdit> to_influence(const v1::InfluenceEdit& message, const Field& field) {
  auto shape = to_patch(message, field);
  if (!shape.ok()) return shape.status();
  const auto layer = to_layer(message.team(), message.layer(), field);
  if (!layer.ok()) return layer.status();
  const auto change = to_change(message, field);
  if (!change.ok()) return change.status();
  return InfluenceEdit{*std::move(shape), layer->team, layer->layer, *change};
}

void fill_influence(const InfluenceEdit& edit, v1::InfluenceEdit* out) {
  fill_patch(edit.shape, out);
  out->set_team(static_cast<std::uint32_t>(edit.team));
  out->set_layer(edit.layer);
  if (edit.change.kind == LevelChange::Kind::kAdd) {
    out->set_add(edit.change.amount);
  } else {
    out->set_set(static_cast<std::uint32_t>(edit.change.amount));
  }
}

void fill_decay(const InfluenceDecay& decay, v1::InfluenceDecay* out) {
  out->set_team(static_cast<std::uint32_t>(decay.team));
  out->set_layer(decay.layer);
  out->set_keep_permille(static_cast<std::uint32_t>(decay.keep_permille));
  if (decay.cells) fill_rect(*decay.cells, out->mutable_cells());
}

absl::StatusOr<FogEdit> to_fog(const v1::FogEdit& message, const Field& field) {
  auto shape = to_patch(message, field);
  if (!shape.ok()) return shape.status();
  REPATH_RETURN_IF_ERROR(check_range(std::uint64_t{message.team()}, 0, kTeams - 1, field / "team"));
  return FogEdit{*std::move(shape), static_cast<TeamId>(message.team()), message.hidden()};
}

void fill_fog(const FogEdit& edit, v1::FogEdit* out) {
  fill_patch(edit.shape, out);
  out->set_team(static_cast<std::uint32_t>(edit.team));
  out->set_hidden(edit.hidden);
}

absl::StatusOr<Body> to_body(const v1::Body& message, const Field& field) {
  auto shape = to_patch(message, field);
  if (!shape.ok()) return shape.status();
  return Body{AgentId{message.agent_id()}, *std::move(shape)};
}

int entries(const v1::ChangeBatch& message) {
  return message.upsert_obstacles_size() + message.remove_obstacles_size() +
         message.switch_obstacles_size() + message.terrain_edits_size() +
         message.add_profiles_size() + message.decay_influence_size() +
         message.influence_edits_size() + message.fog_edits_size() + message.stand_size() +
         message.walk_on_size() + message.switch_links_size() + message.graph_edits_size();
}

}  // namespace

absl::StatusOr<Polygon> to_polygon(const v1::PolygonShape& message, const Field& field) {
  if (message.xz_size() % 2 != 0)
    return refuse(field / "xz", "LIST_SIZE", "must have x and z of each corner");
  constexpr auto kMost = static_cast<int>(2 * kPolygonPointsMax);
  constexpr auto kLeast = static_cast<int>(2 * kPolygonPointsMin);
  REPATH_RETURN_IF_ERROR(check_count(message.xz_size(), kLeast, kMost, field / "xz"));
  Polygon polygon;
  polygon.points.reserve(place(message.xz_size() / 2));
  for (int i = 0; i < message.xz_size(); i += 2)
    polygon.points.push_back({message.xz(i), message.xz(i + 1)});
  return polygon;
}

namespace {

absl::Status read_planes(const v1::ChangeBatch& message, const Field& field, ChangeBatch* batch) {
  for (int i = 0; i < message.decay_influence_size(); ++i) {
    const auto decay = to_decay(message.decay_influence(i), (field / "decay_influence")[place(i)]);
    if (!decay.ok()) return decay.status();
    batch->decay_influence.push_back(*decay);
  }
  for (int i = 0; i < message.influence_edits_size(); ++i) {
    auto edit = to_influence(message.influence_edits(i), (field / "influence_edits")[place(i)]);
    if (!edit.ok()) return edit.status();
    batch->influence_edits.push_back(*std::move(edit));
  }
  for (int i = 0; i < message.fog_edits_size(); ++i) {
    auto edit = to_fog(message.fog_edits(i), (field / "fog_edits")[place(i)]);
    if (!edit.ok()) return edit.status();
    batch->fog_edits.push_back(*std::move(edit));
  }
  for (int i = 0; i < message.stand_size(); ++i) {
    auto body = to_body(message.stand(i), (field / "stand")[place(i)]);
    if (!body.ok()) return body.status();
    batch->stand.push_back(*std::move(body));
  }
  for (const std::uint64_t id : message.walk_on()) batch->walk_on.push_back(AgentId{id});
  return absl::OkStatus();
}

}  // namespace

absl::Status check_batch_size(const v1::ChangeBatch& message, const Field& field) {
  if (entries(message) == 0) return refuse(field, "EMPTY_BATCH", "must have at least one entry");
  if (static_cast<std::size_t>(entries(message)) > kBatchEntriesMax) {
    return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", field.text(),
                      std::to_string(entries(message)) + " entries; at most " +
                          std::to_string(kBatchEntriesMax) + "; split the batch");
  }
  if (message.ByteSizeLong() > kBatchBytesMax) {
    return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", field.text(),
                      std::to_string(message.ByteSizeLong()) + " bytes; at most " +
                          std::to_string(kBatchBytesMax) + "; split the batch");
  }
  return absl::OkStatus();
}

absl::StatusOr<ChangeBatch> to_batch(const v1::ChangeBatch& message, const TerrainTable& terrain,
                                     Topology unspecified, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_batch_size(message, field));
  for (const auto& [size, list] : {std::pair{message.switch_links_size(), "switch_links"},
                                   {message.graph_edits_size(), "graph_edits"}}) {
    if (size != 0)
      return refuse(field / list, "KIND_UNSUITED",
                    "is for meshes and graphs; this world is a grid");
  }
  ChangeBatch batch;
  for (int i = 0; i < message.upsert_obstacles_size(); ++i) {
    auto obstacle =
        to_obstacle(message.upsert_obstacles(i), (field / "upsert_obstacles")[place(i)]);
    if (!obstacle.ok()) return obstacle.status();
    batch.upsert_obstacles.push_back(*std::move(obstacle));
  }
  for (const std::uint64_t id : message.remove_obstacles())
    batch.remove_obstacles.push_back(ObstacleId{id});
  for (const auto& door : message.switch_obstacles()) {
    batch.switch_obstacles.push_back({ObstacleId{door.id()}, door.enabled()});
  }
  for (int i = 0; i < message.terrain_edits_size(); ++i) {
    const v1::TerrainEdit& edit = message.terrain_edits(i);
    const Field at = (field / "terrain_edits")[place(i)];
    const auto terrain_id = terrain_by_name(edit.terrain_class(), terrain, at / "terrain_class");
    if (!terrain_id.ok()) return terrain_id.status();
    batch.terrain_edits.push_back({to_rect(edit.cells()), *terrain_id});
  }
  for (int i = 0; i < message.add_profiles_size(); ++i) {
    auto profile = to_profile(message.add_profiles(i), terrain, unspecified,
                              (field / "add_profiles")[place(i)]);
    if (!profile.ok()) return profile.status();
    batch.add_profiles.push_back(*std::move(profile));
  }
  REPATH_RETURN_IF_ERROR(read_planes(message, field, &batch));
  return batch;
}

void fill_batch(const ChangeBatch& batch, const TerrainTable& terrain, v1::ChangeBatch* out) {
  for (const ObstacleSpec& spec : batch.upsert_obstacles)
    fill_obstacle(spec, out->add_upsert_obstacles());
  for (const ObstacleId id : batch.remove_obstacles) out->add_remove_obstacles(value(id));
  for (const ObstacleSwitch& door : batch.switch_obstacles) {
    auto* message = out->add_switch_obstacles();
    message->set_id(value(door.id));
    message->set_enabled(door.enabled);
  }
  for (const TerrainEdit& edit : batch.terrain_edits) {
    auto* message = out->add_terrain_edits();
    fill_rect(edit.cells, message->mutable_cells());
    message->set_terrain_class(terrain[index(edit.terrain)].name);
  }
  for (const Profile& profile : batch.add_profiles)
    fill_profile(profile, terrain, out->add_add_profiles());
  for (const InfluenceDecay& decay : batch.decay_influence)
    fill_decay(decay, out->add_decay_influence());
  for (const InfluenceEdit& edit : batch.influence_edits)
    fill_influence(edit, out->add_influence_edits());
  for (const FogEdit& edit : batch.fog_edits) fill_fog(edit, out->add_fog_edits());
  for (const Body& body : batch.stand) {
    auto* message = out->add_stand();
    message->set_agent_id(value(body.agent));
    fill_patch(body.shape, message);
  }
  for (const AgentId id : batch.walk_on) out->add_walk_on(value(id));
}

}  // namespace repath
