#include "verify/protocol.h"

namespace repath::verify {
namespace {

void fill(const Rect& rect, v1::CellRect& message) {
  message.set_x0(rect.x0);
  message.set_y0(rect.y0);
  message.set_x1(rect.x1);
  message.set_y1(rect.y1);
}

void fill(Point point, double cell_size, v1::Vec3& message) {
  message.set_x(point.x * cell_size);
  message.set_z(point.y * cell_size);
}

void fill(const Circle& circle, double cell_size, v1::CylinderShape& message) {
  fill(circle.center, cell_size, *message.mutable_center());
  message.set_radius(circle.radius * cell_size);
}

// Puts a shape of the model into an obstacle's message.
struct ShapeFiller {
  double cell_size;
  v1::Obstacle& message;

  void operator()(const Rect& rect) const { fill(rect, *message.mutable_cells()); }
  void operator()(const Box& box) const {
    v1::BoxShape& shape = *message.mutable_box();
    fill(box.center, cell_size, *shape.mutable_center());
    shape.set_half_x(box.half_x * cell_size);
    shape.set_half_z(box.half_y * cell_size);
    shape.set_yaw(box.yaw);
  }
  void operator()(const Circle& circle) const {
    fill(circle, cell_size, *message.mutable_cylinder());
  }
  void operator()(const Polygon& polygon) const {
    for (const Point corner : polygon.corners) {
      message.mutable_polygon()->add_xz(corner.x * cell_size);
      message.mutable_polygon()->add_xz(corner.y * cell_size);
    }
  }
  void operator()(const Capsule& capsule) const {
    v1::CapsuleShape& shape = *message.mutable_capsule();
    fill(capsule.from, cell_size, *shape.mutable_from());
    fill(capsule.to, cell_size, *shape.mutable_to());
    shape.set_radius(capsule.radius * cell_size);
  }
};

// Fills in a rectangle or a circle, the shapes of all edits for one team.
template <class Message>
void fill_patch(const Shape& shape, double cell_size, Message& message) {
  if (const Rect* rect = std::get_if<Rect>(&shape)) {
    fill(*rect, *message.mutable_cells());
  } else {
    fill(std::get<Circle>(shape), cell_size, *message.mutable_cylinder());
  }
}

void fill(const InfluenceEdit& edit, double cell_size, v1::InfluenceEdit& message) {
  fill_patch(edit.shape, cell_size, message);
  message.set_team(edit.team);
  message.set_layer(edit.layer);
  if (edit.adds) {
    message.set_add(edit.level);
  } else {
    message.set_set(static_cast<std::uint32_t>(edit.level));
  }
}

void fill(const FogEdit& edit, double cell_size, v1::FogEdit& message) {
  fill_patch(edit.shape, cell_size, message);
  message.set_team(edit.team);
  message.set_hidden(edit.hidden);
}

void fill(const Decay& step, v1::InfluenceDecay& message) {
  message.set_team(step.team);
  message.set_layer(step.layer);
  message.set_keep_permille(static_cast<std::uint32_t>(step.keep_permille));
  if (step.cells) fill(*step.cells, *message.mutable_cells());
}

void fill(const Obstacle& obstacle, double cell_size, v1::Obstacle& message) {
  message.set_id(obstacle.id);
  fill(obstacle.shape, cell_size, message);
  if (obstacle.blocked) {
    message.set_blocked(true);
  } else {
    message.set_cost_factor(obstacle.factor);
  }
  message.set_team_mask(obstacle.team_mask);
  message.set_disabled(!obstacle.enabled);
}

}  // namespace

std::vector<TerrainClass> classes_of(const v1::World& world) {
  std::vector<TerrainClass> classes;
  for (const v1::TerrainClass& c : world.terrain_classes()) {
    classes.push_back(
        {c.name(), c.symbol().empty() ? '\0' : c.symbol()[0], c.factor(), c.forbidden()});
  }
  return classes;
}

void fill(const Shape& shape, double cell_size, v1::Obstacle& message) {
  std::visit(ShapeFiller{cell_size, message}, shape);
}

v1::Obstacle thick_line(Point from, Point to, double reach) {
  v1::Obstacle obstacle;
  obstacle.set_id(1);
  obstacle.set_blocked(true);
  fill(Capsule{from, to, reach}, 1, obstacle);
  return obstacle;
}

void fill(const Profile& profile, double cell_size, v1::Profile& message) {
  message.set_name(profile.name);
  message.set_topology(profile.topology == Topology::k4   ? v1::TOPOLOGY_4
                       : profile.topology == Topology::k8 ? v1::TOPOLOGY_8
                                                          : v1::TOPOLOGY_HEX);
  message.set_corner_rule(profile.corner == CornerRule::kNone ? v1::CORNER_RULE_NONE
                                                              : v1::CORNER_RULE_ONE);
  message.set_radius(profile.radius * cell_size);
  message.set_turning_radius(profile.turning_radius * cell_size);
  for (const TerrainRule& rule : profile.rules) {
    v1::Profile::TerrainRule& to = *message.add_terrain_rules();
    to.set_terrain_class(rule.terrain_class);
    to.set_factor(rule.factor);
    to.set_forbidden(rule.forbidden);
  }
}

void fill(const Batch& batch, const std::vector<TerrainClass>& classes, double cell_size,
          v1::ChangeBatch& message) {
  for (const TerrainEdit& edit : batch.terrain) {
    v1::TerrainEdit& to = *message.add_terrain_edits();
    fill(edit.cells, *to.mutable_cells());
    to.set_terrain_class(classes[static_cast<std::size_t>(edit.terrain_class)].name);
  }
  for (const std::uint64_t id : batch.removals) message.add_remove_obstacles(id);
  for (const auto& [id, enabled] : batch.switches) {
    v1::ObstacleSwitch& to = *message.add_switch_obstacles();
    to.set_id(id);
    to.set_enabled(enabled);
  }
  for (const Obstacle& obstacle : batch.upserts) {
    fill(obstacle, cell_size, *message.add_upsert_obstacles());
  }
  for (const Decay& step : batch.decays) fill(step, *message.add_decay_influence());
  for (const InfluenceEdit& edit : batch.influence)
    fill(edit, cell_size, *message.add_influence_edits());
  for (const FogEdit& edit : batch.fog) fill(edit, cell_size, *message.add_fog_edits());
  for (const Body& body : batch.stand) {
    v1::Body& to = *message.add_stand();
    to.set_agent_id(body.agent);
    fill_patch(body.shape, cell_size, to);
  }
  for (const std::uint64_t id : batch.walk_on) message.add_walk_on(id);
}

std::string without(const std::string& name, const std::string& prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace repath::verify
