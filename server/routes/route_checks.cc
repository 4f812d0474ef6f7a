#include "routes/route_checks.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "geometry/shapes.h"
#include "geometry/trig.h"

namespace repath {
namespace {

absl::Status check_finite(double v, const std::string& field) {
  if (std::isfinite(v)) return absl::OkStatus();
  return invalid_field("NOT_FINITE", field, "must be a finite number");
}

absl::Status check_coordinate(double v, const std::string& field) {
  if (auto s = check_finite(v, field); !s.ok()) return s;
  if (std::abs(v) <= kRouteShapeExtent) return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", field, "must be within 33480 units of 0");
}

absl::Status check_extent(double v, const std::string& field) {
  if (auto s = check_finite(v, field); !s.ok()) return s;
  if (v > 0 && v <= kRouteShapeExtent) return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", field, "must be in (0, 33480] units");
}

absl::Status check_center(Point p, const std::string& field) {
  if (auto s = check_coordinate(p.x, field + ".x"); !s.ok()) return s;
  return check_coordinate(p.z, field + ".z");
}

absl::Status reaches_too_far(const std::string& field) {
  return invalid_field("OUT_OF_RANGE", field, "must lie within 33480 units of 0 altogether");
}

struct CheckRouteShape {
  const std::string& field;  // of the obstacle

  absl::Status operator()(const Box& box) const {
    const std::string here = field + ".box";
    if (auto s = check_center(box.center, here + ".center"); !s.ok()) return s;
    if (auto s = check_extent(box.half_x, here + ".half_x"); !s.ok()) return s;
    if (auto s = check_extent(box.half_z, here + ".half_z"); !s.ok()) return s;
    if (auto s = check_finite(box.yaw, here + ".yaw"); !s.ok()) return s;
    if (std::abs(box.yaw) > kAngleMax)
      return invalid_field("OUT_OF_RANGE", here + ".yaw", "must be in [-1e4, 1e4] radians");
    for (const Point p : box_corners(box))
      if (!(std::abs(p.x) <= kRouteShapeExtent && std::abs(p.z) <= kRouteShapeExtent))
        return reaches_too_far(here);
    return absl::OkStatus();
  }
  absl::Status operator()(const Circle& circle) const {
    const std::string here = field + ".cylinder";
    if (auto s = check_center(circle.center, here + ".center"); !s.ok()) return s;
    if (auto s = check_extent(circle.radius, here + ".radius"); !s.ok()) return s;
    // The regular polygon around it reaches 2 % farther.
    if (std::max(std::abs(circle.center.x), std::abs(circle.center.z)) + 1.02 * circle.radius >
        kRouteShapeExtent)
      return reaches_too_far(here);
    return absl::OkStatus();
  }
  absl::Status operator()(const Polygon& polygon) const {
    const std::string here = field + ".polygon";
    if (polygon.points.size() <= kPolygonPointsMax)
      for (std::size_t i = 0; i < polygon.points.size(); ++i) {
        const Point p = polygon.points[i];
        if (auto s = check_coordinate(p.x, item(here + ".xz", 2 * i)); !s.ok()) return s;
        if (auto s = check_coordinate(p.z, item(here + ".xz", 2 * i + 1)); !s.ok()) return s;
      }
    return with_field_prefix(check_polygon(polygon), here + ".");
  }
};

bool is_route_name(std::string_view name) {
  return !name.empty() && name.size() <= kRouteNameLengthMax &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '.' || c == '-';
         });
}

// One mention of an id in a batch.
struct IdMention {
  std::uint64_t id;
  std::string_view list;
  std::size_t place;
  std::string_view suffix;
  std::string field() const { return item(list, place) + std::string(suffix); }
};

absl::Status check_differ(std::vector<IdMention> mentions, const std::string& what) {
  std::ranges::stable_sort(mentions, {}, &IdMention::id);
  for (std::size_t i = 1; i < mentions.size(); ++i)
    if (mentions[i].id == mentions[i - 1].id)
      return invalid_field("DUPLICATE_ID", mentions[i].field(),
                           what + " " + std::to_string(mentions[i].id) + " is named by " +
                               mentions[i - 1].field() + " too; a batch names each at most once");
  return absl::OkStatus();
}

absl::Status too_many_profiles(const std::string& field) {
  return make_error(absl::StatusCode::kResourceExhausted, "PROFILES_TOO_MANY", field,
                    "a world has at most " + std::to_string(kRouteProfilesMax) + " profiles");
}

}  // namespace

absl::Status check_size(const RouteBatch& batch) {
  if (batch.entries() == 0) return invalid_field("EMPTY_BATCH", "", "the batch is empty");
  if (batch.entries() <= kRouteBatchEntriesMax) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", "",
                    "a batch has at most " + std::to_string(kRouteBatchEntriesMax) +
                        " entries, this one has " + std::to_string(batch.entries()));
}

absl::Status check_profile(const RouteProfile& profile) {
  if (!is_route_name(profile.name))
    return invalid_field("NAME_INVALID", "name", "must be 1 to 64 characters of [A-Za-z0-9_.-]");
  if (auto s = check_finite(profile.radius, "radius"); !s.ok()) return s;
  if (profile.radius < 0 || profile.radius > kRouteRadiusMax)
    return invalid_field("OUT_OF_RANGE", "radius", "must be in [0, 64] units");
  std::bitset<kGraphAreas> seen;
  for (std::size_t i = 0; i < profile.areas.size(); ++i) {
    const RouteProfile::AreaFactor& rule = profile.areas[i];
    const std::string field = item("areas", i);
    if (rule.area >= kGraphAreas)
      return invalid_field("OUT_OF_RANGE", field + ".area", "must be below 64");
    if (seen[rule.area])
      return invalid_field("DUPLICATE_ID", field + ".area", "each area at most once");
    seen[rule.area] = true;
    if (auto s = check_finite(rule.factor, field + ".factor"); !s.ok()) return s;
    if (rule.factor < 1 || rule.factor > 1000)
      return invalid_field("OUT_OF_RANGE", field + ".factor", "must be in [1, 1000]");
  }
  return absl::OkStatus();
}

absl::Status check_profiles(std::vector<RouteProfile>* profiles) {
  for (std::size_t i = 0; i < profiles->size(); ++i) {
    if (i == kRouteProfilesMax) return too_many_profiles(item("profiles", i));
    const std::string field = item("profiles", i) + ".";
    if (auto s = check_profile((*profiles)[i]); !s.ok()) return with_field_prefix(s, field);
    for (std::size_t j = 0; j < i; ++j)
      if ((*profiles)[j].name == (*profiles)[i].name)
        return invalid_field("DUPLICATE_ID", field + "name",
                             item("profiles", j) + " has the same name");
  }
  if (std::ranges::find(*profiles, "default", &RouteProfile::name) != profiles->end())
    return absl::OkStatus();
  if (profiles->size() == kRouteProfilesMax) return too_many_profiles("profiles");
  profiles->insert(profiles->begin(), RouteProfile{});
  return absl::OkStatus();
}

absl::Status check_new_profiles(const std::vector<RouteProfile>& known,
                                const std::vector<RouteProfile>& added) {
  std::size_t count = known.size();
  for (std::size_t i = 0; i < added.size(); ++i) {
    const std::string field = item("add_profiles", i);
    if (auto s = check_profile(added[i]); !s.ok()) return with_field_prefix(s, field + ".");
    for (std::size_t j = 0; j < i; ++j)
      if (added[j].name == added[i].name)
        return invalid_field("DUPLICATE_ID", field + ".name",
                             item("add_profiles", j) + " has the same name");
    const auto same = std::ranges::find(known, added[i].name, &RouteProfile::name);
    if (same != known.end() && *same != added[i])
      return make_error(absl::StatusCode::kAlreadyExists, "PROFILE_EXISTS", field + ".name",
                        "a profile \"" + added[i].name +
                            "\" with other values exists; profiles cannot be changed, so give this "
                            "one another name");
    count += same == known.end() ? 1 : 0;
    if (count > kRouteProfilesMax) return too_many_profiles(field);
  }
  return absl::OkStatus();
}

namespace {

absl::Status check_effect(const RouteEffect& effect, const std::string& field) {
  if (effect.blocks) return absl::OkStatus();
  if (auto s = check_finite(effect.factor, field + ".cost_factor"); !s.ok()) return s;
  if (effect.factor < 1 || effect.factor > 1000)
    return invalid_field("OUT_OF_RANGE", field + ".cost_factor", "must be in [1, 1000]");
  if (effect.area && *effect.area >= kGraphAreas)
    return invalid_field("OUT_OF_RANGE", field + ".area", "must be below 64");
  return absl::OkStatus();
}

}  // namespace

absl::Status check_obstacle(const RouteObstacle& obstacle, const std::string& field) {
  if (auto s = std::visit(CheckRouteShape{field}, obstacle.shape); !s.ok()) return s;
  for (const auto& [v, name] : {std::pair{obstacle.bottom, ".bottom"}, {obstacle.top, ".top"}})
    if (std::isnan(v)) return invalid_field("NOT_FINITE", field + name, "must be a number");
  if (obstacle.bottom > obstacle.top)
    return invalid_field("OUT_OF_RANGE", field + ".top", "must not be below the bottom");
  if (obstacle.teams == 0)
    return invalid_field("OUT_OF_RANGE", field + ".team_mask", "must concern at least one team");
  return check_effect(obstacle.effect, field);
}

absl::Status check_ids_differ(const RouteBatch& batch) {
  std::vector<IdMention> obstacles;
  for (std::size_t i = 0; i < batch.remove_obstacles.size(); ++i)
    obstacles.push_back({value(batch.remove_obstacles[i]), "remove_obstacles", i, ""});
  for (std::size_t i = 0; i < batch.switch_obstacles.size(); ++i)
    obstacles.push_back({value(batch.switch_obstacles[i].id), "switch_obstacles", i, ".id"});
  for (std::size_t i = 0; i < batch.upsert_obstacles.size(); ++i)
    obstacles.push_back({value(batch.upsert_obstacles[i].id), "upsert_obstacles", i, ".id"});
  if (auto s = check_differ(std::move(obstacles), "obstacle"); !s.ok()) return s;
  std::vector<IdMention> links;
  for (std::size_t i = 0; i < batch.switch_links.size(); ++i)
    links.push_back({batch.switch_links[i].id, "switch_links", i, ".id"});
  return check_differ(std::move(links), "link");
}

absl::Status unsuited(const std::string& field, const std::string& what) {
  return invalid_field("KIND_UNSUITED", field, what);
}

}  // namespace repath
