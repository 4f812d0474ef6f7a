// Random requests, most of them sensible in their world, with every option of its kind.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "repath/v1/agent.pb.h"
#include "repath/v1/debug.pb.h"
#include "repath/v1/path.pb.h"
#include "repath/v1/world.pb.h"
#include "rpc/random/worlds.h"

namespace repath::test {

class Requests {
 public:
  static constexpr std::uint32_t kAgents = 40;     // ids 1 to kAgents
  static constexpr std::uint32_t kObstacles = 24;  // ids 1 to kObstacles
  static constexpr std::uint32_t kTeams = 4;

  // Borrows both.
  Requests(Random& random, const KnownWorld& world) : random_(random), world_(world) {}

  bool one_in(std::uint32_t n) { return random_.below(n) == 0; }
  double between(double low, double high) { return low + (high - low) * random_.unit(); }

  void place(v1::Location* location) {
    const double x = between(world_.low_x, world_.high_x);
    const double z = between(world_.low_z, world_.high_z);
    if (is_grid(world_.kind) && one_in(2)) {
      location->mutable_cell()->set_x(static_cast<int>(x));
      location->mutable_cell()->set_y(static_cast<int>(z));
      return;
    }
    v1::Vec3* position = location->mutable_position();
    position->set_x(x);
    position->set_y(one_in(2) ? 0 : world_.floor);
    position->set_z(z);
  }

  std::string profile() {
    if (one_in(50)) return "no_such_profile";
    return world_.profiles[random_.below(static_cast<std::uint32_t>(world_.profiles.size()))];
  }

  v1::Agent agent() {
    v1::Agent agent;
    agent.set_id(1 + random_.below(kAgents));
    agent.set_profile(one_in(2) ? "" : profile());
    agent.set_team(random_.below(kTeams));
    place(agent.mutable_position());
    for (std::uint32_t i = 0, n = one_in(3) ? 1 + random_.below(3) : 1; i < n; ++i)
      place(agent.add_goals());
    if (one_in(3)) agent.set_goal_radius(between(0, 4));
    if (one_in(3)) agent.set_priority(random_.below(8));
    if (one_in(3)) agent.set_max_staleness_ms(random_.below(2000));
    if (one_in(4)) agent.set_min_improvement_ratio(between(0, 0.5));
    agent.set_allow_partial(one_in(3));
    agent.set_snap_start(one_in(3));
    agent.set_confirm(one_in(4));
    agent.set_goal_generation(random_.below(5));
    const bool may_turn = world_.kind != WorldKind::kGraph && world_.kind != WorldKind::kHex;
    if (agent.profile() == "other" && may_turn) agent.set_curves(one_in(2));
    if (is_grid(world_.kind)) {
      agent.set_stands(one_in(6));
      if (one_in(6) && !agent.curves()) {
        agent.mutable_crowd()->set_penalty(between(0.1, 4));
        agent.mutable_crowd()->set_radius(between(1, 8));
        agent.mutable_crowd()->set_max_detour(between(0.05, 1));
      }
    }
    return agent;
  }
  template <class Agents>
  void agents(std::uint32_t most, Agents* out) {
    std::vector<std::uint64_t> ids;
    for (std::uint32_t i = 0, n = 1 + random_.below(most); i < n; ++i) {
      v1::Agent next = agent();
      if (std::ranges::find(ids, next.id()) != ids.end()) continue;
      ids.push_back(next.id());
      *out->Add() = next;
    }
  }
  template <class Positions>
  void positions(std::uint32_t most, Positions* out) {
    const std::uint32_t first = random_.below(kAgents);
    for (std::uint32_t i = 0, n = 1 + random_.below(most); i < n; ++i) {
      v1::AgentPosition* position = out->Add();
      position->set_id(1 + (first + i) % kAgents);
      place(position->mutable_position());
      if (one_in(2)) position->set_path_version(random_.below(6));
    }
  }
  template <class Ids>
  void ids(std::uint32_t most, Ids* out) {
    const std::uint32_t first = random_.below(kAgents);
    for (std::uint32_t i = 0, n = 1 + random_.below(most); i < n; ++i)
      out->Add(1 + (first + i) % kAgents);
  }

  // ---- changes ----
  v1::ChangeBatch batch() {
    v1::ChangeBatch batch;
    for (std::uint32_t i = 0, n = 1 + random_.below(3); i < n; ++i) {
      if (world_.kind == WorldKind::kGraph) {
        graph_edit(batch.add_graph_edits());
      } else {
        obstacle_entry(&batch);
      }
      if (is_grid(world_.kind) && one_in(3)) grid_entry(&batch);
      if (world_.kind == WorldKind::kPlan && one_in(4)) {
        v1::LinkSwitch* link = batch.add_switch_links();
        link->set_id(1 + i % 2);
        link->set_enabled(one_in(2));
      }
    }
    if (one_in(60)) {
      v1::Profile* profile = batch.add_add_profiles();
      profile->set_name("p" + std::to_string(random_.below(4)));
      profile->set_radius(0.5 * random_.below(3));
      if (world_.kind == WorldKind::kHex) profile->set_topology(v1::TOPOLOGY_HEX);
    }
    return batch;
  }

  // ---- queries ----
  void walker(v1::Walker* walker) {
    if (one_in(2)) walker->set_profile(profile());
    walker->set_team(random_.below(kTeams));
  }
  void options(v1::QueryOptions* options) {
    if (one_in(3))
      options->set_algorithm(
          static_cast<v1::Algorithm>(random_.below(12)));  // all except Floyd-Warshall
    if (one_in(8)) options->set_weight(between(1, 3));
    // Some algorithms take very long, so every request has a limit.
    options->set_max_expansions(20'000);
    if (one_in(8)) options->set_heuristic(static_cast<v1::Heuristic>(random_.below(6)));
    if (one_in(8)) options->set_turn_penalty(between(0, 3));
    if (one_in(8)) options->set_smoothing(static_cast<v1::Smoothing>(random_.below(4)));
    if (one_in(8)) options->set_every_cell(true);
    if (one_in(12)) options->set_memory_limit_bytes(60'000 + random_.below(100'000));
    if (options->algorithm() == v1::ALGORITHM_HPA || one_in(20)) {
      if (one_in(2)) options->set_cluster_side(random_.below(70));
      if (one_in(2)) options->set_cluster_levels(random_.below(5));
    }
    if (one_in(8)) options->set_max_waypoints(random_.below(20));
  }
  v1::FindPathRequest find_path() {
    v1::FindPathRequest request;
    request.set_world(world_.name);
    place(request.mutable_from());
    for (std::uint32_t i = 0, n = one_in(4) ? 1 + random_.below(4) : 1; i < n; ++i)
      place(request.add_goals());
    if (one_in(3)) request.set_goal_radius(between(0, 4));
    walker(request.mutable_walker());
    if (one_in(2)) options(request.mutable_options());
    request.set_allow_partial(one_in(3));
    request.set_snap_start(one_in(3));
    return request;
  }

 private:
  void rectangle(v1::CellRect* cells) {
    const int x = static_cast<int>(between(-2, world_.high_x));
    const int y = static_cast<int>(between(-2, world_.high_z));
    cells->set_x0(x);
    cells->set_y0(y);
    cells->set_x1(x + 1 + static_cast<int>(random_.below(one_in(6) ? 30 : 4)));
    cells->set_y1(y + 1 + static_cast<int>(random_.below(one_in(6) ? 30 : 4)));
  }
  void point(v1::Vec3* center) {
    center->set_x(between(world_.low_x, world_.high_x));
    center->set_z(between(world_.low_z, world_.high_z));
  }
  // Corners at rising angles around a point, so the polygon is simple and often not convex.
  void polygon(v1::PolygonShape* shape) {
    const double x = between(world_.low_x, world_.high_x);
    const double z = between(world_.low_z, world_.high_z);
    const std::uint32_t corners = 3 + random_.below(6);
    for (std::uint32_t i = 0; i < corners; ++i) {
      const double angle = 6.28318 * (i + 0.8 * random_.unit()) / corners;
      const double reach = between(0.3, 3);
      shape->add_xz(x + reach * std::cos(angle));
      shape->add_xz(z + reach * std::sin(angle));
    }
  }
  // Often short, sometimes across the world, sometimes without a length.
  void capsule(v1::CapsuleShape* shape) {
    point(shape->mutable_from());
    *shape->mutable_to() = shape->from();
    if (one_in(4)) {
      point(shape->mutable_to());
    } else if (!one_in(8)) {
      shape->mutable_to()->set_x(shape->from().x() + between(-4, 4));
      shape->mutable_to()->set_z(shape->from().z() + between(-4, 4));
    }
    shape->set_radius(between(0.1, 1.5));
  }
  void shape(v1::Obstacle* obstacle) {
    switch (random_.below(is_grid(world_.kind) ? 5 : 4)) {
      case 0:
        point(obstacle->mutable_box()->mutable_center());
        obstacle->mutable_box()->set_half_x(between(0.1, 3));
        obstacle->mutable_box()->set_half_z(between(0.1, 3));
        obstacle->mutable_box()->set_yaw(between(-4, 4));
        break;
      case 1:
        point(obstacle->mutable_cylinder()->mutable_center());
        obstacle->mutable_cylinder()->set_radius(between(0.1, 3));
        break;
      case 2:
        polygon(obstacle->mutable_polygon());
        break;
      case 3:
        capsule(obstacle->mutable_capsule());
        break;
      default:
        rectangle(obstacle->mutable_cells());
    }
  }
  void obstacle_entry(v1::ChangeBatch* batch) {
    const std::uint64_t id = 1 + random_.below(kObstacles);
    const std::uint32_t dice = random_.below(10);
    if (dice < 3) return batch->add_remove_obstacles(id);
    if (dice < 5) {
      v1::ObstacleSwitch* door = batch->add_switch_obstacles();
      door->set_id(id);
      door->set_enabled(one_in(2));
      return;
    }
    v1::Obstacle* obstacle = batch->add_upsert_obstacles();
    obstacle->set_id(id);
    shape(obstacle);
    if (!one_in(3)) {
      obstacle->set_blocked(true);
    } else if (is_grid(world_.kind) || one_in(2)) {
      obstacle->set_cost_factor(between(1, 6));
    } else {
      obstacle->set_area(random_.below(5));
    }
    if (one_in(4)) obstacle->set_team_mask(1 + random_.below(15));
    obstacle->set_disabled(one_in(6));
    if (!is_grid(world_.kind) && one_in(3)) {
      obstacle->set_bottom(-1);
      obstacle->set_top(between(1, 6));
    }
  }
  void grid_entry(v1::ChangeBatch* batch) {
    switch (random_.below(6)) {
      case 0: {
        v1::TerrainEdit* edit = batch->add_terrain_edits();
        rectangle(edit->mutable_cells());
        edit->set_terrain_class(one_in(3) ? "ground" : one_in(2) ? "wall" : "factor_2");
        break;
      }
      case 1: {
        v1::InfluenceDecay* decay = batch->add_decay_influence();
        decay->set_team(random_.below(kTeams));
        decay->set_keep_permille(random_.below(1000));
        break;
      }
      case 2: {
        v1::InfluenceEdit* edit = batch->add_influence_edits();
        rectangle(edit->mutable_cells());
        edit->set_team(random_.below(kTeams));
        edit->set_add(static_cast<int>(random_.below(400)) - 150);
        break;
      }
      case 3: {
        v1::FogEdit* edit = batch->add_fog_edits();
        rectangle(edit->mutable_cells());
        edit->set_team(random_.below(kTeams));
        edit->set_hidden(one_in(2));
        break;
      }
      case 4: {
        v1::Body* body = batch->add_stand();
        body->set_agent_id(1 + random_.below(kAgents));
        point(body->mutable_cylinder()->mutable_center());
        body->mutable_cylinder()->set_radius(between(0.2, 1.5));
        break;
      }
      default:
        batch->add_walk_on(1 + random_.below(kAgents));
    }
  }
  std::uint64_t node() { return 1 + random_.below(world_.nodes + 4); }
  void graph_edit(v1::GraphEdit* edit) {
    switch (random_.below(8)) {
      case 0: {
        v1::GraphNode* added = edit->mutable_add_node();
        added->set_id(node());
        point(added->mutable_position());
        break;
      }
      case 1:
        if (one_in(4)) {
          edit->set_remove_node(world_.nodes + 1 + random_.below(4));
          break;
        }
        [[fallthrough]];
      case 2:
      case 3:
        edit->mutable_switch_node()->set_id(node());
        edit->mutable_switch_node()->set_enabled(!one_in(3));
        break;
      case 4: {
        v1::GraphEdge* edge = edit->mutable_set_edge();
        edge->set_from(node());
        edge->set_to(node());
        if (one_in(2)) edge->set_cost(between(0, 80));
        edge->set_both(one_in(2));
        if (one_in(2)) edge->set_key(random_.below(3));
        if (one_in(3)) edge->set_width(between(0, 3));
        break;
      }
      case 5:
        edit->mutable_remove_edge()->set_from(node());
        edit->mutable_remove_edge()->set_to(node());
        if (one_in(2)) edit->mutable_remove_edge()->set_key(random_.below(3));
        break;
      case 6:
        edit->mutable_switch_edge()->set_from(node());
        edit->mutable_switch_edge()->set_to(node());
        edit->mutable_switch_edge()->set_enabled(one_in(2));
        if (one_in(2)) edit->mutable_switch_edge()->set_key(random_.below(3));
        break;
      default:
        edit->mutable_set_cost()->set_from(node());
        edit->mutable_set_cost()->set_to(node());
        edit->mutable_set_cost()->set_cost(between(0, 80));
    }
  }

  Random& random_;
  const KnownWorld& world_;
};

}  // namespace repath::test
