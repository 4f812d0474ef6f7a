#include "world/check_batch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace repath {
namespace {

absl::Status check_coordinate(double v, const std::string& field) {
  if (!std::isfinite(v)) return invalid_field("NOT_FINITE", field, "must be a finite number");
  if (std::abs(v) > kCoordinateMax)
    return invalid_field("OUT_OF_RANGE", field, "must be in [-1e9, 1e9]");
  return absl::OkStatus();
}

absl::Status check_point(Point p, const std::string& field) {
  if (auto s = check_coordinate(p.x, field + ".x"); !s.ok()) return s;
  return check_coordinate(p.z, field + ".z");
}

absl::Status check_extent(double v, double cell_size, const std::string& field) {
  if (!std::isfinite(v)) return invalid_field("NOT_FINITE", field, "must be a finite number");
  if (v <= 0 || v > kShapeExtentCellsMax * cell_size)
    return invalid_field("OUT_OF_RANGE", field, "must be in (0, 32768] cell sizes");
  return absl::OkStatus();
}

absl::Status check_rect(const CellRect& rect, const World& world, const std::string& field) {
  if (rect.x0 >= rect.x1 || rect.y0 >= rect.y1) {
    return invalid_field("RECT_EMPTY", field, "must have x0 < x1 and y0 < y1 (half-open)");
  }
  if (rect.x1 <= 0 || rect.y1 <= 0 || rect.x0 >= world.width() || rect.y0 >= world.height()) {
    return invalid_field("OUTSIDE_MAP", field,
                         "must meet the map of " + std::to_string(world.width()) + " x " +
                             std::to_string(world.height()) + " cells");
  }
  return absl::OkStatus();
}

struct CheckShape {
  const World& world;
  const std::string& field;  // of the obstacle

  absl::Status operator()(const CellRect& rect) const {
    return check_rect(rect, world, field + ".cells");
  }
  absl::Status operator()(const Box& box) const {
    const std::string here = field + ".box";
    if (auto s = check_point(box.center, here + ".center"); !s.ok()) return s;
    if (auto s = check_extent(box.half_x, world.cell_size(), here + ".half_x"); !s.ok()) return s;
    if (auto s = check_extent(box.half_z, world.cell_size(), here + ".half_z"); !s.ok()) return s;
    if (!std::isfinite(box.yaw))
      return invalid_field("NOT_FINITE", here + ".yaw", "must be a finite number");
    if (std::abs(box.yaw) > kAngleMax)
      return invalid_field("OUT_OF_RANGE", here + ".yaw", "must be in [-1e4, 1e4] radians");
    return absl::OkStatus();
  }
  absl::Status operator()(const Circle& circle) const {
    const std::string here = field + ".cylinder";
    if (auto s = check_point(circle.center, here + ".center"); !s.ok()) return s;
    return check_extent(circle.radius, world.cell_size(), here + ".radius");
  }
  absl::Status operator()(const Polygon& polygon) const {
    const std::string here = field + ".polygon";
    if (polygon.points.size() <= kPolygonPointsMax) {
      for (std::size_t i = 0; i < polygon.points.size(); ++i) {
        const std::string coordinate = here + ".xz";
        const Point p = polygon.points[i];
        if (auto s = check_coordinate(p.x, item(coordinate.c_str(), 2 * i)); !s.ok()) return s;
        if (auto s = check_coordinate(p.z, item(coordinate.c_str(), 2 * i + 1)); !s.ok()) return s;
      }
    }
    return with_field_prefix(check_polygon(polygon), here + ".");
  }
};

absl::Status check_obstacle(const ObstacleSpec& spec, const World& world,
                            const std::string& field) {
  if (auto s = std::visit(CheckShape{world, field}, spec.shape); !s.ok()) return s;
  const double factor = spec.effect.factor;
  if (!spec.effect.blocked && !(factor >= kFactorMin && factor <= kFactorMax)) {
    return invalid_field(std::isfinite(factor) ? "OUT_OF_RANGE" : "NOT_FINITE",
                         field + ".cost_factor", "must be in [1, 1000]");
  }
  if (spec.teams == 0) {
    return invalid_field("OUT_OF_RANGE", field + ".team_mask", "must concern at least one team");
  }
  return absl::OkStatus();
}

// One mention of an obstacle id in the batch.
struct Mention {
  ObstacleId id;
  const char* list;
  std::size_t place;
  const char* suffix;
  std::string field() const { return item(list, place) + suffix; }
};

absl::Status check_ids_differ(const ChangeBatch& batch) {
  std::vector<Mention> mentions;
  mentions.reserve(batch.entries());
  for (std::size_t i = 0; i < batch.upsert_obstacles.size(); ++i)
    mentions.push_back({batch.upsert_obstacles[i].id, "upsert_obstacles", i, ".id"});
  for (std::size_t i = 0; i < batch.remove_obstacles.size(); ++i)
    mentions.push_back({batch.remove_obstacles[i], "remove_obstacles", i, ""});
  for (std::size_t i = 0; i < batch.switch_obstacles.size(); ++i)
    mentions.push_back({batch.switch_obstacles[i].id, "switch_obstacles", i, ".id"});
  std::stable_sort(mentions.begin(), mentions.end(),
                   [](const Mention& a, const Mention& b) { return a.id < b.id; });
  for (std::size_t i = 1; i < mentions.size(); ++i) {
    if (mentions[i].id == mentions[i - 1].id) {
      return invalid_field("DUPLICATE_ID", mentions[i].field(),
                           "obstacle " + std::to_string(value(mentions[i].id)) + " is named by " +
                               mentions[i - 1].field() +
                               " too; a batch names each obstacle at most once");
    }
  }
  return absl::OkStatus();
}

absl::Status check_known(ObstacleId id, const World& world, const std::string& field) {
  if (world.obstacle(id) != nullptr) return absl::OkStatus();
  return make_error(absl::StatusCode::kNotFound, "OBSTACLE_UNKNOWN", field,
                    "the world has no obstacle " + std::to_string(value(id)));
}

absl::Status check_new_profiles(const ChangeBatch& batch, const World& world) {
  std::size_t added = 0;
  for (std::size_t i = 0; i < batch.add_profiles.size(); ++i) {
    const Profile& profile = batch.add_profiles[i];
    const std::string field = item("add_profiles", i);
    if (auto s = check_profile(profile, world.terrain_classes(), world.cell_size()); !s.ok())
      return with_field_prefix(s, field + ".");
    for (std::size_t j = 0; j < i; ++j) {
      if (batch.add_profiles[j].name == profile.name) {
        return invalid_field("DUPLICATE_ID", field + ".name",
                             item("add_profiles", j) + " has the same name");
      }
    }
    const Profile* known = world.profile(profile.name);
    if (known != nullptr && *known != profile) {
      return make_error(absl::StatusCode::kAlreadyExists, "PROFILE_EXISTS", field + ".name",
                        "a profile \"" + profile.name +
                            "\" with other values exists; profiles cannot be changed, so give this "
                            "one another name");
    }
    added += known == nullptr ? 1 : 0;
    if (world.profiles().size() + added > kProfilesMax) {
      return make_error(absl::StatusCode::kResourceExhausted, "PROFILES_TOO_MANY", field,
                        "a world has at most 64 profiles");
    }
  }
  return absl::OkStatus();
}

absl::Status check_terrain_edits(const ChangeBatch& batch, const World& world) {
  for (std::size_t i = 0; i < batch.terrain_edits.size(); ++i) {
    const TerrainEdit& edit = batch.terrain_edits[i];
    const std::string field = item("terrain_edits", i);
    if (auto s = check_rect(edit.cells, world, field + ".cells"); !s.ok()) return s;
    if (index(edit.terrain) >= world.terrain_classes().size()) {
      return invalid_field("TERRAIN_UNKNOWN", field + ".terrain_class",
                           "the world has no such terrain class");
    }
  }
  return absl::OkStatus();
}

absl::Status check_layer(TeamId team, std::uint8_t layer, const std::string& field) {
  if (static_cast<int>(team) >= kTeams)
    return invalid_field("OUT_OF_RANGE", field + ".team", "must be in [0, 32)");
  if (layer >= kInfluenceLayers)
    return invalid_field("OUT_OF_RANGE", field + ".layer", "must be in [0, 16)");
  return absl::OkStatus();
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

absl::Status check_influence(const ChangeBatch& batch, const World& world) {
  for (std::size_t i = 0; i < batch.decay_influence.size(); ++i) {
    const InfluenceDecay& decay = batch.decay_influence[i];
    const std::string field = item("decay_influence", i);
    if (auto s = check_layer(decay.team, decay.layer, field); !s.ok()) return s;
    if (decay.keep_permille < 0 || decay.keep_permille >= 1000)
      return invalid_field("OUT_OF_RANGE", field + ".keep_permille", "must be in [0, 1000)");
    if (!decay.cells) continue;
    if (auto s = check_rect(*decay.cells, world, field + ".cells"); !s.ok()) return s;
  }
  for (std::size_t i = 0; i < batch.influence_edits.size(); ++i) {
    const InfluenceEdit& edit = batch.influence_edits[i];
    const std::string field = item("influence_edits", i);
    if (auto s = std::visit(CheckShape{world, field}, edit.shape); !s.ok()) return s;
    if (auto s = check_layer(edit.team, edit.layer, field); !s.ok()) return s;
    if (auto s = check_change(edit.change, field); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status check_fog(const ChangeBatch& batch, const World& world) {
  for (std::size_t i = 0; i < batch.fog_edits.size(); ++i) {
    const FogEdit& edit = batch.fog_edits[i];
    const std::string field = item("fog_edits", i);
    if (auto s = std::visit(CheckShape{world, field}, edit.shape); !s.ok()) return s;
    if (static_cast<int>(edit.team) >= kTeams)
      return invalid_field("OUT_OF_RANGE", field + ".team", "must be in [0, 32)");
  }
  return absl::OkStatus();
}

absl::Status check_bodies_differ(const ChangeBatch& batch) {
  std::vector<std::pair<AgentId, std::string>> named;
  for (std::size_t i = 0; i < batch.stand.size(); ++i)
    named.emplace_back(batch.stand[i].agent, item("stand", i) + ".agent_id");
  for (std::size_t i = 0; i < batch.walk_on.size(); ++i)
    named.emplace_back(batch.walk_on[i], item("walk_on", i));
  std::stable_sort(named.begin(), named.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < named.size(); ++i) {
    if (named[i].first != named[i - 1].first) continue;
    return invalid_field(
        "DUPLICATE_ID", named[i].second,
        "is named by " + named[i - 1].second + " too; a batch names each body once");
  }
  return absl::OkStatus();
}

absl::Status check_bodies(const ChangeBatch& batch, const World& world) {
  for (std::size_t i = 0; i < batch.stand.size(); ++i) {
    const std::string field = item("stand", i);
    if (auto s = std::visit(CheckShape{world, field}, batch.stand[i].shape); !s.ok()) return s;
  }
  if (auto s = check_bodies_differ(batch); !s.ok()) return s;
  for (std::size_t i = 0; i < batch.walk_on.size(); ++i) {
    if (world.body(batch.walk_on[i]) != nullptr) continue;
    return make_error(absl::StatusCode::kNotFound, "BODY_UNKNOWN", item("walk_on", i),
                      "agent " + std::to_string(value(batch.walk_on[i])) + " has no body here");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status check_batch(const ChangeBatch& batch, const World& world) {
  if (batch.entries() == 0) return invalid_field("EMPTY_BATCH", "", "the batch is empty");
  if (batch.entries() > kBatchEntriesMax) {
    return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", "",
                      "a batch has at most " + std::to_string(kBatchEntriesMax) +
                          " entries, this one has " + std::to_string(batch.entries()));
  }
  for (std::size_t i = 0; i < batch.upsert_obstacles.size(); ++i) {
    if (auto s = check_obstacle(batch.upsert_obstacles[i], world, item("upsert_obstacles", i));
        !s.ok()) {
      return s;
    }
  }
  // Before what is unknown: of an id that stands there twice, that is what is wrong.
  if (auto s = check_ids_differ(batch); !s.ok()) return s;
  for (std::size_t i = 0; i < batch.remove_obstacles.size(); ++i) {
    if (auto s = check_known(batch.remove_obstacles[i], world, item("remove_obstacles", i));
        !s.ok()) {
      return s;
    }
  }
  for (std::size_t i = 0; i < batch.switch_obstacles.size(); ++i) {
    const std::string field = item("switch_obstacles", i) + ".id";
    if (auto s = check_known(batch.switch_obstacles[i].id, world, field); !s.ok()) return s;
  }
  if (auto s = check_terrain_edits(batch, world); !s.ok()) return s;
  if (auto s = check_influence(batch, world); !s.ok()) return s;
  if (auto s = check_fog(batch, world); !s.ok()) return s;
  if (auto s = check_bodies(batch, world); !s.ok()) return s;
  return check_new_profiles(batch, world);
}

}  // namespace repath
