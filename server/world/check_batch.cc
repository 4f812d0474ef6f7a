#include <cstddef>
#include <string>

#include "base/error.h"
#include "world/checks.h"
#include "world/resolve.h"
#include "world/world.h"

namespace repath {
namespace {

absl::Status check_team(TeamId team, const std::string& field) {
  if (static_cast<int>(team) < kTeams) return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", field + ".team", "must be in [0, 32)");
}

absl::Status check_layer(TeamId team, std::uint8_t layer, const std::string& field) {
  if (auto s = check_team(team, field); !s.ok()) return s;
  if (layer < kInfluenceLayers) return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", field + ".layer", "must be in [0, 16)");
}

absl::Status check_change(LevelChange change, const std::string& field) {
  const bool sets = change.kind == LevelChange::Kind::kSet;
  if (change.kind == LevelChange::Kind::kKeep)
    return invalid_field("CHANGE_MISSING", field + ".change", "must be one of add and set");
  if (change.amount >= (sets ? 0 : -kLevelMax) && change.amount <= kLevelMax)
    return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", field + (sets ? ".set" : ".add"),
                       sets ? "must be in [0, 63936]" : "must be in [-63936, 63936]");
}

absl::Status check_terrain_edits(const ChangeBatch& batch, const World& world,
                                 const ShapeBounds& bounds) {
  for (std::size_t i = 0; i < batch.terrain_edits.size(); ++i) {
    const TerrainEdit& edit = batch.terrain_edits[i];
    const std::string field = item("terrain_edits", i);
    if (auto s = check_rect(edit.cells, bounds, field + ".cells"); !s.ok()) return s;
    if (index(edit.terrain) >= world.terrain_classes().size())
      return invalid_field("TERRAIN_UNKNOWN", field + ".terrain_class",
                           "the world has no such terrain class");
  }
  return absl::OkStatus();
}

absl::Status check_influence(const ChangeBatch& batch, const ShapeBounds& bounds) {
  for (std::size_t i = 0; i < batch.decay_influence.size(); ++i) {
    const InfluenceDecay& decay = batch.decay_influence[i];
    const std::string field = item("decay_influence", i);
    if (auto s = check_layer(decay.team, decay.layer, field); !s.ok()) return s;
    if (decay.keep_permille < 0 || decay.keep_permille >= 1000)
      return invalid_field("OUT_OF_RANGE", field + ".keep_permille", "must be in [0, 1000)");
    if (!decay.cells) continue;
    if (auto s = check_rect(*decay.cells, bounds, field + ".cells"); !s.ok()) return s;
  }
  for (std::size_t i = 0; i < batch.influence_edits.size(); ++i) {
    const InfluenceEdit& edit = batch.influence_edits[i];
    const std::string field = item("influence_edits", i);
    if (auto s = check_shape(edit.shape, bounds, field); !s.ok()) return s;
    if (auto s = check_layer(edit.team, edit.layer, field); !s.ok()) return s;
    if (auto s = check_change(edit.change, field); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status check_fog(const ChangeBatch& batch, const ShapeBounds& bounds) {
  for (std::size_t i = 0; i < batch.fog_edits.size(); ++i) {
    const FogEdit& edit = batch.fog_edits[i];
    const std::string field = item("fog_edits", i);
    if (auto s = check_shape(edit.shape, bounds, field); !s.ok()) return s;
    if (auto s = check_team(edit.team, field); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status check_bodies(const ChangeBatch& batch, const World& world, const ShapeBounds& bounds) {
  for (std::size_t i = 0; i < batch.stand.size(); ++i)
    if (auto s = check_shape(batch.stand[i].shape, bounds, item("stand", i)); !s.ok()) return s;
  for (std::size_t i = 0; i < batch.walk_on.size(); ++i)
    if (world.body(batch.walk_on[i]) == nullptr)
      return unknown_id("BODY_UNKNOWN", "body of agent", value(batch.walk_on[i]),
                        item("walk_on", i));
  return absl::OkStatus();
}

}  // namespace

absl::Status check_batch(const ChangeBatch& batch, const World& world) {
  const ShapeBounds bounds = grid_bounds(world.width(), world.height(), world.cell_size());
  if (auto s = check_lists(batch.sizes(), WorldKind::kGrid); !s.ok()) return s;
  if (auto s = check_obstacles(batch, bounds); !s.ok()) return s;
  // Comes before the check for unknown ids: an id that occurs twice is reported as a duplicate.
  if (auto s = check_ids_differ(batch); !s.ok()) return s;
  const auto has = [&](ObstacleId id) { return world.obstacle(id) != nullptr; };
  if (auto s = check_known(batch, has); !s.ok()) return s;
  if (auto s = check_terrain_edits(batch, world, bounds); !s.ok()) return s;
  if (auto s = check_influence(batch, bounds); !s.ok()) return s;
  if (auto s = check_fog(batch, bounds); !s.ok()) return s;
  if (auto s = check_bodies(batch, world, bounds); !s.ok()) return s;
  return check_new_profiles(world.profiles(), batch.add_profiles, world.profile_rules());
}

}  // namespace repath
