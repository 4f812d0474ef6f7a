// ReadChanges returns the batches that were sent: random batches for worlds of every kind.
#include <google/protobuf/util/message_differencer.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/random.h"
#include "rpc/route_fixture.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::Context;

class ChangesReadBack : public test::RouteServer {
 protected:
  void SetUp() override {
    RouteServer::SetUp();
    import_square("grid", true);
  }

  double somewhere(std::uint32_t side) { return 0.25 * random_.below(4 * side); }
  bool is_tails() { return random_.below(2) == 0; }
  void set_center(v1::Vec3* center) {
    center->set_x(0.25 + somewhere(9));
    center->set_z(0.25 + somewhere(4));
  }
  void set_rect(v1::CellRect* rect) {
    rect->set_x0(static_cast<std::int32_t>(random_.below(8)));
    rect->set_y0(static_cast<std::int32_t>(random_.below(4)));
    rect->set_x1(rect->x0() + 1 + static_cast<std::int32_t>(random_.below(3)));
    rect->set_y1(rect->y0() + 1);
  }
  template <class Patch>
  void set_patch(Patch* patch) {
    if (is_tails()) return set_rect(patch->mutable_cells());
    set_center(patch->mutable_cylinder()->mutable_center());
    patch->mutable_cylinder()->set_radius(0.5 + somewhere(1));
  }
  void set_shape(v1::Obstacle* obstacle, bool is_grid) {
    switch (random_.below(is_grid ? 5 : 4)) {
      case 0:
        set_center(obstacle->mutable_box()->mutable_center());
        obstacle->mutable_box()->set_half_x(0.5 + somewhere(2));
        obstacle->mutable_box()->set_half_z(0.5);
        obstacle->mutable_box()->set_yaw(random_.unit());
        break;
      case 1:
        set_center(obstacle->mutable_cylinder()->mutable_center());
        obstacle->mutable_cylinder()->set_radius(0.5);
        break;
      case 2: {
        const double x = somewhere(8);
        for (const double v : {x, 1.0, x + 1, 1.0, x + 1, 2.0})
          obstacle->mutable_polygon()->add_xz(v);
        break;
      }
      case 3:
        set_center(obstacle->mutable_capsule()->mutable_from());
        set_center(obstacle->mutable_capsule()->mutable_to());
        obstacle->mutable_capsule()->set_radius(0.25 + somewhere(1));
        break;
      default:
        set_rect(obstacle->mutable_cells());
    }
  }
  void add_obstacles(bool is_grid, v1::ChangeBatch* batch) {
    for (std::uint64_t id = 1; id <= 6; ++id) {
      const std::uint32_t kind = random_.below(6);
      if (kind == 0 && known_[id]) {
        batch->add_remove_obstacles(id);
        known_[id] = false;
      } else if (kind == 1 && known_[id]) {
        auto* door = batch->add_switch_obstacles();
        door->set_id(id);
        door->set_enabled(is_tails());
      } else if (kind == 2) {
        known_[id] = true;
        v1::Obstacle* obstacle = batch->add_upsert_obstacles();
        obstacle->set_id(id);
        set_shape(obstacle, is_grid);
        const std::uint32_t effect = random_.below(is_grid ? 2 : 3);
        if (effect == 0) obstacle->set_blocked(true);
        if (effect == 1) obstacle->set_cost_factor(1 + 0.125 * random_.below(30));
        if (effect == 2) obstacle->set_area(random_.below(64));
        constexpr std::uint32_t kMasks[] = {0, 1, 5, 0x80000000u};
        obstacle->set_team_mask(kMasks[random_.below(4)]);
        obstacle->set_disabled(is_tails());
        if (!is_grid && is_tails()) obstacle->set_bottom(0.5 - somewhere(3));
        if (!is_grid && is_tails()) obstacle->set_top(0.5 + somewhere(3));
      }
    }
  }
  void add_grid_edits(v1::ChangeBatch* batch) {
    if (is_tails()) {
      set_rect(batch->add_terrain_edits()->mutable_cells());
      batch->mutable_terrain_edits(0)->set_terrain_class("swamp");
    }
    if (is_tails()) {
      v1::InfluenceEdit* edit = batch->add_influence_edits();
      set_patch(edit);
      edit->set_team(random_.below(32));
      edit->set_layer(random_.below(16));
      if (is_tails()) {
        edit->set_add(static_cast<std::int32_t>(random_.below(100)) - 50);
      } else {
        edit->set_set(random_.below(100));
      }
    }
    if (is_tails()) {
      v1::InfluenceDecay* decay = batch->add_decay_influence();
      decay->set_team(random_.below(32));
      decay->set_layer(random_.below(16));
      decay->set_keep_permille(random_.below(1000));
      if (is_tails()) set_rect(decay->mutable_cells());
    }
    if (is_tails()) {
      v1::FogEdit* edit = batch->add_fog_edits();
      set_patch(edit);
      edit->set_team(random_.below(32));
      edit->set_hidden(is_tails());
    }
    if (stands_) {
      batch->add_walk_on(77);
      stands_ = false;
    } else if (is_tails()) {
      batch->add_stand()->set_agent_id(77);
      set_patch(batch->mutable_stand(0));
      stands_ = true;
    }
  }
  void add_graph_edits(v1::ChangeBatch* batch) {
    const std::uint64_t id = ++last_node_;
    v1::GraphNode* node = batch->add_graph_edits()->mutable_add_node();
    node->set_id(id);
    node->mutable_position()->set_x(somewhere(20));
    node->mutable_position()->set_y(somewhere(2));
    node->mutable_position()->set_z(somewhere(20));
    node->set_area(random_.below(64));
    node->set_flags(1 + random_.below(65'535));
    node->set_disabled(is_tails());
    v1::GraphEdge* edge = batch->add_graph_edits()->mutable_set_edge();
    edge->set_from(id);
    edge->set_to(1);
    if (is_tails()) edge->set_cost(1 + somewhere(4));
    edge->set_area(random_.below(64));
    edge->set_flags(1 + random_.below(65'535));
    edge->set_both(is_tails());
    edge->set_disabled(is_tails());
    const std::uint32_t key = random_.below(256);
    edge->set_key(key);
    edge->set_width(somewhere(9));
    v1::GraphEdit::Price* price = batch->add_graph_edits()->mutable_set_cost();
    price->set_from(id);
    price->set_to(1);
    price->set_cost(somewhere(4));
    price->set_key(key);
    v1::GraphEdit::SwitchEdge* door = batch->add_graph_edits()->mutable_switch_edge();
    door->set_from(id);
    door->set_to(1);
    door->set_enabled(is_tails());
    door->set_key(key);
    v1::GraphEdit::Switch* crossing = batch->add_graph_edits()->mutable_switch_node();
    crossing->set_id(id);
    crossing->set_enabled(is_tails());
    if (is_tails()) {
      v1::GraphEdit::Edge* gone = batch->add_graph_edits()->mutable_remove_edge();
      gone->set_from(id);
      gone->set_to(1);
      gone->set_key(key);
    }
    if (is_tails()) batch->add_graph_edits()->set_remove_node(id);
  }
  void add_profile(const std::string& world, v1::ChangeBatch* batch) {
    v1::Profile* profile = batch->add_add_profiles();
    profile->set_name("p" + std::to_string(++last_profile_));
    profile->set_radius(0.25 * random_.below(4));
    if (world == "grid") {
      profile->set_topology(is_tails() ? v1::TOPOLOGY_4 : v1::TOPOLOGY_8);
      profile->set_corner_rule(is_tails() ? v1::CORNER_RULE_NONE : v1::CORNER_RULE_ONE);
      auto* rule = profile->add_terrain_rules();
      rule->set_terrain_class("swamp");
      if (is_tails()) {
        rule->set_forbidden(true);
      } else {
        rule->set_factor(1 + random_.below(9));
      }
      return;
    }
    profile->set_include_flags(random_.below(65'535));
    profile->set_exclude_flags(random_.below(65'536));
    auto* cost = profile->add_area_costs();
    cost->set_area(random_.below(64));
    cost->set_factor(1 + 0.1 * random_.below(50));
  }
  v1::ChangeBatch batch_for(const std::string& world) {
    v1::ChangeBatch batch;
    if (world != "streets") add_obstacles(world == "grid", &batch);
    if (world == "grid") add_grid_edits(&batch);
    if (world == "streets") add_graph_edits(&batch);
    if (world == "house" && is_tails()) {
      batch.add_switch_links()->set_id(5);
      batch.mutable_switch_links(0)->set_enabled(is_tails());
    }
    if (last_profile_ < 40 && random_.below(3) == 0) add_profile(world, &batch);
    return batch;
  }

  Random random_{test::seed()};
  std::map<std::uint64_t, bool> known_;
  std::uint64_t last_node_ = 100;
  int last_profile_ = 0;
  bool stands_ = false;
};

TEST_F(ChangesReadBack, ABatchReadsBackAsItWasSent) {
  SCOPED_TRACE(test::seed_trace());
  for (const std::string world : {"grid", "house", "streets"}) {
    known_.clear();
    last_profile_ = 0;
    for (int i = 0; i < 60; ++i) {
      v1::ApplyChangesRequest request;
      request.set_world(world);
      *request.mutable_batch() = batch_for(world);
      request.set_game_tick(random_.below(1000));
      if (request.batch().ByteSizeLong() == 0) continue;
      const v1::ApplyChangesResponse applied = apply(request);
      ASSERT_FALSE(HasFailure()) << world << ": " << request.batch().ShortDebugString();
      v1::ReadChangesRequest read;
      read.set_world(world);
      read.set_start_revision(applied.revision());
      Context context;
      v1::ReadChangesResponse changes;
      ASSERT_TRUE(worlds_->ReadChanges(&context, read, &changes).ok());
      ASSERT_EQ(changes.changes_size(), 1);
      EXPECT_EQ(changes.changes(0).game_tick(), request.game_tick());
      std::string differs;
      google::protobuf::util::MessageDifferencer differencer;
      differencer.ReportDifferencesToString(&differs);
      ASSERT_TRUE(differencer.Compare(request.batch(), changes.changes(0).batch()))
          << world << ": " << differs;
    }
  }
}

}  // namespace
}  // namespace repath
