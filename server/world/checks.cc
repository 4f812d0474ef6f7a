#include "world/checks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "world/limits.h"
#include "world/piecewise_copy.h"

namespace repath {
namespace {

bool suits(const BatchList& list, WorldKind kind) {
  if (kind == WorldKind::kGrid) return list.for_grids;
  return kind == WorldKind::kNavmesh ? list.for_navmeshes : list.for_graphs;
}

absl::Status check_effect(const Effect& effect, WorldKind kind, const std::string& field) {
  if (effect.blocked) return absl::OkStatus();
  if (effect.area && kind == WorldKind::kGrid) return unsuited(field + ".area", kind);
  if (effect.area && *effect.area >= kGraphAreas)
    return invalid_field("OUT_OF_RANGE", field + ".area", "must be below 64");
  if (!std::isfinite(effect.factor))
    return invalid_field("NOT_FINITE", field + ".cost_factor", "must be a finite number");
  if (effect.factor >= kFactorMin && effect.factor <= kFactorMax) return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", field + ".cost_factor", "must be in [1, 1000]");
}

absl::Status check_heights(const ObstacleSpec& spec, WorldKind kind, const std::string& field) {
  const ObstacleSpec plain;
  for (const auto& [height, at_rest, name] : {std::tuple{spec.bottom, plain.bottom, ".bottom"},
                                              std::tuple{spec.top, plain.top, ".top"}}) {
    if (kind == WorldKind::kGrid && height != at_rest) return unsuited(field + name, kind);
    if (std::isnan(height)) return invalid_field("NOT_FINITE", field + name, "must be a number");
  }
  if (spec.bottom <= spec.top) return absl::OkStatus();
  return invalid_field("OUT_OF_RANGE", field + ".top", "must not be below the bottom");
}

// One mention of an id in a batch.
struct Mention {
  std::uint64_t id;
  std::string_view list;
  std::size_t place;
  std::string_view suffix;
  std::string field() const { return item(list, place) + std::string(suffix); }
};

absl::Status check_differ(std::vector<Mention> mentions, const char* what) {
  std::ranges::stable_sort(mentions, {}, &Mention::id);
  for (std::size_t i = 1; i < mentions.size(); ++i)
    if (mentions[i].id == mentions[i - 1].id)
      return invalid_field(
          "DUPLICATE_ID", mentions[i].field(),
          absl::StrCat(what, " ", mentions[i].id, " is named by ", mentions[i - 1].field(),
                       " too; a batch names each at most once"));
  return absl::OkStatus();
}

}  // namespace

ShapeBounds grid_bounds(std::int32_t width, std::int32_t height, double cell_size) {
  return {WorldKind::kGrid, kCoordinateMax, kShapeExtentCellsMax * cell_size, width, height};
}

ShapeBounds navmesh_bounds() { return {WorldKind::kNavmesh, kNavCoordinateMax, kNavCoordinateMax}; }

absl::Status check_lists(const BatchSizes& sizes, WorldKind kind, std::string_view prefix) {
  const std::size_t entries = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  if (entries == 0) return invalid_field("EMPTY_BATCH", prefix, "must have at least one entry");
  if (entries > kBatchEntriesMax)
    return make_error(
        absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", prefix,
        absl::StrCat(entries, " entries; at most ", kBatchEntriesMax, "; split the batch"));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0 || suits(kBatchLists[i], kind)) continue;
    const std::string of = prefix.empty() ? "" : std::string(prefix) + ".";
    return unsuited(of + std::string(kBatchLists[i].name), kind);
  }
  return absl::OkStatus();
}

absl::Status check_rect(const CellRect& rect, const ShapeBounds& bounds, const std::string& field) {
  if (bounds.kind != WorldKind::kGrid) return unsuited(field, bounds.kind);
  if (rect.x0 >= rect.x1 || rect.y0 >= rect.y1)
    return invalid_field("RECT_EMPTY", field, "must have x0 < x1 and y0 < y1 (half-open)");
  if (rect.x1 > 0 && rect.y1 > 0 && rect.x0 < bounds.width && rect.y0 < bounds.height)
    return absl::OkStatus();
  return invalid_field(
      "OUTSIDE_MAP", field,
      absl::StrCat("must meet the map of ", bounds.width, " x ", bounds.height, " cells"));
}

absl::Status check_shape(const Shape& shape, const ShapeBounds& bounds, const std::string& field) {
  if (const auto* rect = std::get_if<CellRect>(&shape))
    return check_rect(*rect, bounds, field + ".cells");
  const bool bounds_all = bounds.kind != WorldKind::kGrid;
  return check_measures(shape, {bounds.coordinate_max, bounds.extent_max, bounds_all}, field);
}

absl::Status check_obstacles(const ChangeBatch& batch, const ShapeBounds& bounds) {
  for (std::size_t i = 0; i < batch.upsert_obstacles.size(); ++i) {
    const ObstacleSpec& spec = batch.upsert_obstacles[i];
    const std::string field = item("upsert_obstacles", i);
    if (auto s = check_shape(spec.shape, bounds, field); !s.ok()) return s;
    if (auto s = check_heights(spec, bounds.kind, field); !s.ok()) return s;
    if (spec.teams == 0)
      return invalid_field("OUT_OF_RANGE", field + ".team_mask", "must concern at least one team");
    if (auto s = check_effect(spec.effect, bounds.kind, field); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status check_ids_differ(const ChangeBatch& batch) {
  std::vector<Mention> named;
  for (std::size_t i = 0; i < batch.upsert_obstacles.size(); ++i)
    named.push_back({value(batch.upsert_obstacles[i].id), "upsert_obstacles", i, ".id"});
  for (std::size_t i = 0; i < batch.remove_obstacles.size(); ++i)
    named.push_back({value(batch.remove_obstacles[i]), "remove_obstacles", i, ""});
  for (std::size_t i = 0; i < batch.switch_obstacles.size(); ++i)
    named.push_back({value(batch.switch_obstacles[i].id), "switch_obstacles", i, ".id"});
  if (auto s = check_differ(std::move(named), "obstacle"); !s.ok()) return s;
  named.clear();
  for (std::size_t i = 0; i < batch.stand.size(); ++i)
    named.push_back({value(batch.stand[i].agent), "stand", i, ".agent_id"});
  for (std::size_t i = 0; i < batch.walk_on.size(); ++i)
    named.push_back({value(batch.walk_on[i]), "walk_on", i, ""});
  if (auto s = check_differ(std::move(named), "the body of agent"); !s.ok()) return s;
  named.clear();
  for (std::size_t i = 0; i < batch.switch_links.size(); ++i)
    named.push_back({batch.switch_links[i].id, "switch_links", i, ".id"});
  return check_differ(std::move(named), "link");
}

absl::Status unknown_id(std::string_view reason, const std::string& what, std::uint64_t id,
                        const std::string& field) {
  return make_error(absl::StatusCode::kNotFound, reason, field,
                    absl::StrCat("the world has no ", what, " ", id));
}

absl::Status check_number(std::size_t count, std::size_t most, std::string_view reason,
                          const char* what, const std::string& field) {
  if (count <= most) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, reason, field,
                    absl::StrCat("a world has at most ", most, " ", what, "; remove some first"));
}

absl::Status no_memory(std::uint64_t limit, std::string_view field) {
  return make_error(
      absl::StatusCode::kResourceExhausted, "WORLD_MEMORY", field,
      absl::StrCat("the world's map, obstacles and views would take more than ", limit,
                   " bytes, the half of its memory_limit_mb that is for them; make them smaller, "
                   "or create the world with a greater memory_limit_mb"));
}

absl::Status too_many_copies() {
  return make_error(absl::StatusCode::kResourceExhausted, "EXPORTS_MAX", "",
                    absl::StrCat("at most ", kCopiesMax,
                                 " exports of one world are copied at a time; try again"));
}

}  // namespace repath
