#include "world/resolve.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "grid/cells/raster.h"
#include "world/checks.h"
#include "world/world.h"

namespace repath {
namespace {

absl::Status too_large(const char* list, std::size_t i, const std::string& what) {
  return make_error(absl::StatusCode::kResourceExhausted, "BATCH_TOO_LARGE", item(list, i),
                    "up to here the batch " + what + "; split it");
}

// Counts the cells of a batch, and the rows of its outlines. Cells removed and cells added each
// have the limit of cells, so that one batch can replace or remove anything that one batch has put.
class CellBudget {
 public:
  // Counts the outline's rows; called before the shape's cells are worked out.
  absl::Status take_outline(std::uint64_t rows, const char* list, std::size_t i) {
    rows_ += rows;
    if (rows_ <= kBatchRowsMax) return absl::OkStatus();
    return too_large(
        list, i,
        "has shapes whose edges meet more than " + std::to_string(kBatchRowsMax) + " rows");
  }
  absl::Status take(const Obstacle* before, const Obstacle* after, const char* list,
                    std::size_t i) {
    if (before != nullptr) before_ += cell_count(before->cells);
    if (after != nullptr) after_ += cell_count(after->cells);
    return check(list, i);
  }
  absl::Status take(const CellSpans& cells, const char* list, std::size_t i) {
    after_ += cell_count(cells);
    return check(list, i);
  }
  absl::Status take(const CellRect& rect, const char* list, std::size_t i) {
    after_ += static_cast<std::uint64_t>(rect.x1 - rect.x0) *
              static_cast<std::uint64_t>(rect.y1 - rect.y0);
    return check(list, i);
  }

 private:
  absl::Status check(const char* list, std::size_t i) const {
    if (before_ <= kBatchCellsMax && after_ <= kBatchCellsMax) return absl::OkStatus();
    const char* verb = after_ <= kBatchCellsMax ? "takes away" : "covers";
    return too_large(list, i,
                     std::string(verb) + " more than " + std::to_string(kBatchCellsMax) + " cells");
  }

  std::uint64_t rows_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t after_ = 0;
};

class Resolver {
 public:
  Resolver(const ChangeBatch& batch, const World& world)
      : batch_(batch),
        world_(world),
        frame_{world.width(), world.height(), world.cell_size()},
        held_bytes_(world.bytes_but_jumps()) {}

  absl::StatusOr<ResolvedBatch> run() {
    resolved_.obstacles.reserve(batch_.entries());
    if (auto s = removals_and_switches(); !s.ok()) return s;
    if (auto s = upserts(); !s.ok()) return s;
    if (auto s = bodies(); !s.ok()) return s;
    if (auto s = terrain(); !s.ok()) return s;
    if (auto s = decays(); !s.ok()) return s;
    if (auto s = influence(); !s.ok()) return s;
    if (auto s = fog(); !s.ok()) return s;
    for (const Profile& profile : batch_.add_profiles)
      if (world_.profile(profile.name) == nullptr) resolved_.new_profiles.push_back(profile);
    return std::move(resolved_);
  }

 private:
  absl::Status removals_and_switches() {
    const ObstacleIndex& known = world_.obstacle_index();
    for (std::size_t i = 0; i < batch_.remove_obstacles.size(); ++i) {
      const Obstacle* before = known.find(batch_.remove_obstacles[i]);
      if (auto s = change_known(before, false, {}, "remove_obstacles", i); !s.ok()) return s;
    }
    for (std::size_t i = 0; i < batch_.switch_obstacles.size(); ++i) {
      const auto [id, enabled] = batch_.switch_obstacles[i];
      if (auto s = change_known(known.find(id), false, enabled, "switch_obstacles", i); !s.ok())
        return s;
    }
    return absl::OkStatus();
  }

  absl::Status upserts() {
    std::size_t count = world_.obstacle_count() - batch_.remove_obstacles.size();
    for (std::size_t i = 0; i < batch_.upsert_obstacles.size(); ++i) {
      const ObstacleSpec& spec = batch_.upsert_obstacles[i];
      const Obstacle* before = world_.obstacle_index().find(spec.id);
      count += before == nullptr ? 1 : 0;
      if (auto s = check_number(count, world_.limits().obstacles_max, "OBSTACLES_TOO_MANY",
                                "obstacles", item("upsert_obstacles", i));
          !s.ok())
        return s;
      if (auto s = add(spec, before, false, "upsert_obstacles", i); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status bodies() {
    const ObstacleIndex& known = world_.bodies();
    for (std::size_t i = 0; i < batch_.walk_on.size(); ++i) {
      const Obstacle* before = known.find(body_id(batch_.walk_on[i]));
      if (auto s = change_known(before, true, {}, "walk_on", i); !s.ok()) return s;
    }
    std::size_t count = known.size() - batch_.walk_on.size();
    for (std::size_t i = 0; i < batch_.stand.size(); ++i) {
      const ObstacleSpec spec{.id = body_id(batch_.stand[i].agent), .shape = batch_.stand[i].shape};
      const Obstacle* before = known.find(spec.id);
      count += before == nullptr ? 1 : 0;
      if (auto s = check_number(count, world_.limits().obstacles_max, "BODIES_TOO_MANY", "bodies",
                                item("stand", i));
          !s.ok())
        return s;
      if (auto s = add(spec, before, true, "stand", i); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  // Switches an obstacle that the world has, or without `switched` removes it.
  absl::Status change_known(const Obstacle* before, bool is_body, std::optional<bool> switched,
                            const char* list, std::size_t i) {
    resolved_.obstacles.push_back({.id = before->spec.id,
                                   .is_body = is_body,
                                   .before = before,
                                   .upserted = {},
                                   .switched = switched});
    return budget_.take(before, nullptr, list, i);
  }

  absl::Status add(const ObstacleSpec& spec, const Obstacle* before, bool is_body, const char* list,
                   std::size_t i) {
    if (auto s = budget_.take_outline(outline_rows(spec.shape, frame_), list, i); !s.ok()) return s;
    Obstacle after{spec, covered_cells(spec.shape, frame_)};
    after.cells.shrink_to_fit();
    if (auto s = budget_.take(before, &after, list, i); !s.ok()) return s;
    resolved_.added_bytes += after.bytes();
    resolved_.obstacles.push_back({.id = spec.id,
                                   .is_body = is_body,
                                   .before = before,
                                   .upserted = std::move(after),
                                   .switched = {}});
    return check_memory(list, i);
  }

  absl::Status terrain() {
    resolved_.terrain_edits = batch_.terrain_edits;
    for (std::size_t i = 0; i < resolved_.terrain_edits.size(); ++i) {
      CellRect& rect = resolved_.terrain_edits[i].cells;
      rect = on_map(rect);
      if (auto s = budget_.take(rect, "terrain_edits", i); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status decays() {
    for (std::size_t i = 0; i < batch_.decay_influence.size(); ++i) {
      const InfluenceDecay& decay = batch_.decay_influence[i];
      const PlaneKey key{decay.team, decay.layer};
      const Plane* plane = world_.plane(key);
      if (plane == nullptr) continue;
      const CellRect all{0, 0, world_.width(), world_.height()};
      const LevelChange keep{LevelChange::Kind::kKeep, decay.keep_permille};
      const CellSpans used = plane->used(on_map(decay.cells.value_or(all)));
      if (auto s = take({key, used, keep}, "decay_influence", i); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status influence() {
    for (std::size_t i = 0; i < batch_.influence_edits.size(); ++i) {
      const InfluenceEdit& edit = batch_.influence_edits[i];
      const PlaneKey key{edit.team, edit.layer};
      if (auto s = patch(edit.shape, key, edit.change, "influence_edits", i); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status fog() {
    for (std::size_t i = 0; i < batch_.fog_edits.size(); ++i) {
      const FogEdit& edit = batch_.fog_edits[i];
      const LevelChange set{LevelChange::Kind::kSet, edit.hidden ? 1 : 0};
      const PlaneKey key{edit.team, PlaneKey::kUnseen};
      if (auto s = patch(edit.shape, key, set, "fog_edits", i); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status patch(const Shape& shape, PlaneKey key, LevelChange change, const char* list,
                     std::size_t i) {
    if (auto s = budget_.take_outline(outline_rows(shape, frame_), list, i); !s.ok()) return s;
    return take({key, covered_cells(shape, frame_), change}, list, i);
  }

  absl::Status take(ResolvedPlaneEdit edit, const char* list, std::size_t i) {
    if (edit.cells.empty()) return absl::OkStatus();
    if (auto s = budget_.take(edit.cells, list, i); !s.ok()) return s;
    const Plane* plane = world_.plane(edit.key);
    if (plane == nullptr) {
      if (!blank_) blank_.emplace(world_.width(), world_.height());
      plane = &*blank_;
      if (new_planes_.insert(edit.key).second) resolved_.added_bytes += plane->bytes();
    }
    for (const std::uint32_t tile : plane->to_split(edit.cells))
      if (split_tiles_.emplace(edit.key, tile).second) resolved_.added_bytes += Plane::kSplitBytes;
    resolved_.plane_edits.push_back(std::move(edit));
    return check_memory(list, i);
  }

  absl::Status check_memory(const char* list, std::size_t i) const {
    const std::uint64_t limit = world_.limits().memory_bytes;
    if (resolved_.added_bytes == 0 || held_bytes_ + resolved_.added_bytes <= limit)
      return absl::OkStatus();
    return no_memory(limit, item(list, i));
  }

  CellRect on_map(const CellRect& rect) const {
    return {std::max(rect.x0, 0), std::max(rect.y0, 0), std::min(rect.x1, world_.width()),
            std::min(rect.y1, world_.height())};
  }

  const ChangeBatch& batch_;
  const World& world_;
  const RasterFrame frame_;
  const std::uint64_t held_bytes_;
  ResolvedBatch resolved_;
  std::optional<Plane> blank_;  // stands for planes that do not exist yet
  std::set<PlaneKey> new_planes_;
  std::set<std::pair<PlaneKey, std::uint32_t>> split_tiles_;
  CellBudget budget_;
};

}  // namespace

absl::StatusOr<ResolvedBatch> resolve_batch(const ChangeBatch& batch, const World& world) {
  return Resolver(batch, world).run();
}

}  // namespace repath
