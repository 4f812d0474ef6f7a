#include "repath/internal/convert.h"
#include "repath/internal/utf8.h"

namespace repath::client {
namespace {

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;  // clang 14 needs it.

void to_proto(const Vec3& from, v1::Vec3* to) {
  to->set_x(from.x);
  to->set_y(from.y);
  to->set_z(from.z);
}

void to_proto(const Cylinder& from, v1::CylinderShape* to) {
  to_proto(from.center, to->mutable_center());
  to->set_radius(from.radius);
}

void to_proto(const Obstacle& from, v1::Obstacle* to) {
  to->set_id(from.id);
  std::visit(Overloaded{[&](const CellRect& cells) { to_proto(cells, to->mutable_cells()); },
                        [&](const Box& box) {
                          to_proto(box.center, to->mutable_box()->mutable_center());
                          to->mutable_box()->set_half_x(box.half_x);
                          to->mutable_box()->set_half_z(box.half_z);
                          to->mutable_box()->set_yaw(box.yaw);
                        },
                        [&](const Cylinder& disc) { to_proto(disc, to->mutable_cylinder()); },
                        [&](const Polygon& polygon) {
                          for (const Vec3& corner : polygon.corners) {
                            to->mutable_polygon()->add_xz(corner.x);
                            to->mutable_polygon()->add_xz(corner.z);
                          }
                        },
                        [&](const Capsule& wall) {
                          to_proto(wall.from, to->mutable_capsule()->mutable_from());
                          to_proto(wall.to, to->mutable_capsule()->mutable_to());
                          to->mutable_capsule()->set_radius(wall.radius);
                        }},
             from.shape);
  if (from.cost_factor.has_value()) {
    to->set_cost_factor(*from.cost_factor);
  } else if (from.area.has_value()) {
    to->set_area(*from.area);
  } else {
    to->set_blocked(true);
  }
  to->set_team_mask(from.team_mask);
  to->set_disabled(!from.enabled);
  if (from.bottom.has_value()) to->set_bottom(*from.bottom);
  if (from.top.has_value()) to->set_top(*from.top);
}

template <typename Message>
void fill_patch(const std::variant<CellRect, Cylinder>& shape, Message* to) {
  std::visit(Overloaded{[&](const CellRect& cells) { to_proto(cells, to->mutable_cells()); },
                        [&](const Cylinder& disc) { to_proto(disc, to->mutable_cylinder()); }},
             shape);
}

void to_proto(const FogEdit& from, v1::FogEdit* to) {
  fill_patch(from.shape, to);
  to->set_team(from.team);
  to->set_hidden(from.hidden);
}

void to_proto(const InfluenceEdit& from, v1::InfluenceEdit* to) {
  fill_patch(from.shape, to);
  to->set_team(from.team);
  to->set_layer(from.layer);
  if (from.set) {
    to->set_set(static_cast<std::uint32_t>(from.amount));
  } else {
    to->set_add(from.amount);
  }
}

void to_proto(const InfluenceDecay& from, v1::InfluenceDecay* to) {
  to->set_team(from.team);
  to->set_layer(from.layer);
  to->set_keep_permille(from.keep_permille);
  if (from.cells.has_value()) to_proto(*from.cells, to->mutable_cells());
}

void to_proto(const WorldOptions& from, v1::WorldOptions* to) {
  to->set_frame_rate_hz(from.frame_rate_hz);
  to->set_lockstep(from.lockstep);
  to->set_frame_budget_work_units(from.frame_budget_work_units);
  to->set_frame_budget_us(from.frame_budget_us);
  to->set_strategy(static_cast<v1::Strategy>(from.strategy));
  to->set_history_revisions(from.history_revisions);
  to->set_memory_limit_mb(from.memory_limit_mb);
  to->set_first_leg_cells(from.first_leg_cells);
}

}  // namespace

void to_proto(const CellRect& from, v1::CellRect* to) {
  to->set_x0(from.x0);
  to->set_y0(from.y0);
  to->set_x1(from.x1);
  to->set_y1(from.y1);
}

void to_proto(const Location& from, v1::Location* to) {
  if (const auto* cell = std::get_if<Cell>(&from)) {
    to->mutable_cell()->set_x(cell->x);
    to->mutable_cell()->set_y(cell->y);
  } else {
    to_proto(std::get<Vec3>(from), to->mutable_position());
  }
}

void to_proto(const Agent& from, v1::Agent* to) {
  to->set_id(from.id);
  // A message with other bytes would end the whole session. As UTF-8 it is refused, because no
  // profile has such a name.
  to->set_profile(as_utf8(from.profile));
  to->set_team(from.team);
  to_proto(from.position, to->mutable_position());
  for (const Location& goal : from.goals) to_proto(goal, to->add_goals());
  to->set_goal_radius(from.goal_radius);
  to->set_priority(from.priority);
  to->set_max_staleness_ms(from.max_staleness_ms);
  to->set_min_improvement_ratio(from.min_improvement_ratio);
  to->set_allow_partial(from.allow_partial);
  to->set_snap_start(from.snap_start);
  to->set_confirm(from.confirm);
  to->set_stands(from.stands);
  to->set_curves(from.curves);
  to->set_goal_generation(from.goal_generation);
  if (from.crowd) {
    to->mutable_crowd()->set_penalty(from.crowd->penalty);
    to->mutable_crowd()->set_radius(from.crowd->radius);
    to->mutable_crowd()->set_max_detour(from.crowd->max_detour);
  }
}

void to_proto(const AgentPosition& from, v1::AgentPosition* to) {
  to->set_id(from.id);
  to_proto(from.position, to->mutable_position());
  to->set_path_version(from.path_version);
}

void to_proto(const Profile& from, v1::Profile* to) {
  to->set_name(from.name);
  to->set_topology(static_cast<v1::Topology>(from.topology));
  to->set_corner_rule(static_cast<v1::CornerRule>(from.corner_rule));
  to->set_radius(from.radius);
  to->set_turning_radius(from.turning_radius);
  for (const TerrainRule& rule : from.terrain_rules) {
    auto* made = to->add_terrain_rules();
    made->set_terrain_class(rule.terrain_class);
    made->set_factor(rule.factor);
    made->set_forbidden(rule.forbidden);
  }
}

void to_proto(const NewWorld& from, v1::CreateWorldRequest* to) {
  to->set_name(from.name);
  to->set_width(from.width);
  to->set_height(from.height);
  to->set_cell_size(from.cell_size);
  for (const Profile& profile : from.profiles) to_proto(profile, to->add_profiles());
  for (const TerrainClass& terrain : from.terrain_classes) {
    auto* made = to->add_terrain_classes();
    made->set_name(terrain.name);
    made->set_symbol(std::string(1, terrain.symbol));
    made->set_factor(terrain.factor);
    made->set_forbidden(terrain.forbidden);
  }
  to_proto(from.options, to->mutable_options());
}

void to_proto(const ImportOptions& from, v1::ImportWorldRequest::Header* to) {
  to->set_format(static_cast<v1::MapFormat>(from.format));
  to->set_plan_method(static_cast<v1::PlanMethod>(from.plan_method));
  to->set_plan_tau_radians(from.plan_tau_radians);
  to->set_base_radius(from.base_radius);
}

void to_proto(const ChangeBatch& from, v1::ChangeBatch* to) {
  for (const Obstacle& obstacle : from.upsert) to_proto(obstacle, to->add_upsert_obstacles());
  for (const std::uint64_t id : from.remove) to->add_remove_obstacles(id);
  for (const ObstacleSwitch& change : from.switches) {
    auto* made = to->add_switch_obstacles();
    made->set_id(change.id);
    made->set_enabled(change.enabled);
  }
  for (const TerrainEdit& edit : from.terrain) {
    auto* made = to->add_terrain_edits();
    to_proto(edit.cells, made->mutable_cells());
    made->set_terrain_class(edit.terrain_class);
  }
  for (const Profile& profile : from.profiles) to_proto(profile, to->add_add_profiles());
  for (const InfluenceDecay& decay : from.decays) to_proto(decay, to->add_decay_influence());
  for (const InfluenceEdit& edit : from.influence) to_proto(edit, to->add_influence_edits());
  for (const FogEdit& edit : from.fog) to_proto(edit, to->add_fog_edits());
  for (const Body& body : from.stand) {
    auto* made = to->add_stand();
    made->set_agent_id(body.agent_id);
    fill_patch(body.shape, made);
  }
  for (const std::uint64_t id : from.walk_on) to->add_walk_on(id);
}

void to_proto(const Pair& from, v1::TestChangesRequest::Pair* to) {
  to_proto(from.from, to->mutable_from());
  to_proto(from.to, to->mutable_to());
  to->set_profile(from.profile);
  to->set_team(from.team);
}

void to_proto(const Walker& from, v1::Walker* to) {
  to->set_profile(from.profile);
  to->set_team(from.team);
}

}  // namespace repath::client
