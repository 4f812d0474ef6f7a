#include "load/trouble.h"

#include <algorithm>
#include <utility>

namespace repath::load {
namespace {

constexpr int kTries = 12;
constexpr int kNearest = 2;    // least distance ahead of an agent, steps
constexpr int kFarthest = 48;  // greatest distance, steps
constexpr int kDoorsWithin = 128;
constexpr int kKeepClear = 4;  // cells around a goal or an entrance

}  // namespace

GridTrouble::GridTrouble(GridGround& ground, Settings settings, std::uint64_t seed)
    : ground_(ground), settings_(std::move(settings)), dice_(seed) {
  for (std::size_t door = 0; door < settings_.doors.size(); ++door) {
    const verify::Rect& cells = settings_.doors[door];
    for (int y = cells.y0; y < cells.y1; ++y)
      for (int x = cells.x0; x < cells.x1; ++x) door_at_[y * ground_.width() + x] = door;
  }
}

bool GridTrouble::may_build(const verify::Rect& cells) const {
  const bool is_kept =
      std::any_of(settings_.keep_clear.begin(), settings_.keep_clear.end(), [&](const Spot& spot) {
        return spot.x >= cells.x0 - kKeepClear && spot.x < cells.x1 + kKeepClear &&
               spot.y >= cells.y0 - kKeepClear && spot.y < cells.y1 + kKeepClear;
      });
  return !is_kept && ground_.is_vacant(cells);
}

std::optional<verify::Rect> GridTrouble::door_ahead(const std::vector<Spot>& way) const {
  for (const Spot& spot : way) {
    const auto door = door_at_.find(spot.y * ground_.width() + spot.x);
    if (door == door_at_.end()) continue;
    const verify::Rect& cells = settings_.doors[door->second];
    if (may_build(cells)) return cells;
  }
  return std::nullopt;
}

// Returns a door on the way ahead, or a building that cuts no agent off; on narrow ground one cell.
std::optional<verify::Rect> GridTrouble::place_near(const GridSquad& squad) {
  verify::Rect narrow;
  for (int i = 0; i < kTries; ++i) {
    const auto slot = squad.some_walker(dice_);
    if (!slot) return std::nullopt;
    if (!settings_.doors.empty()) {
      if (const auto door = door_ahead(squad.way_ahead(*slot, kNearest, kDoorsWithin))) return door;
      continue;
    }
    const auto way = squad.way_ahead(*slot, dice_.between(kNearest, kFarthest), 1);
    if (way.empty()) continue;
    const int x = way[0].x - dice_.below(settings_.size);
    const int y = way[0].y - dice_.below(settings_.size);
    const verify::Rect cells{x, y, x + settings_.size, y + settings_.size};
    if (ground_.is_clear_around(cells) && may_build(cells)) return cells;
    narrow = {way[0].x, way[0].y, way[0].x + 1, way[0].y + 1};
  }
  if (narrow.x1 > narrow.x0 && may_build(narrow)) return narrow;
  return std::nullopt;
}

verify::Obstacle GridTrouble::build(const verify::Rect& cells) {
  ground_.shut(cells);
  live_.push_back({next_id_++, cells, false});
  verify::Obstacle obstacle;
  obstacle.id = live_.back().id;
  obstacle.shape = cells;
  return obstacle;
}

std::optional<verify::Batch> GridTrouble::take_down() {
  const auto oldest =
      std::find_if(live_.begin(), live_.end(), [](const Live& live) { return live.is_confirmed; });
  if (oldest == live_.end()) return std::nullopt;
  verify::Batch batch;
  batch.removals.push_back(oldest->id);
  going_[oldest->id] = oldest->cells;
  live_.erase(oldest);
  return batch;
}

std::optional<verify::Obstacle> GridTrouble::first() {
  for (int i = 0; i < kTries; ++i) {
    verify::Rect cells;
    if (!settings_.doors.empty()) {
      cells = dice_.pick(settings_.doors);
    } else {
      const Spot spot = ground_.some_place(dice_);
      cells = {spot.x, spot.y, spot.x + settings_.size, spot.y + settings_.size};
      if (!ground_.is_clear_around(cells)) continue;
    }
    if (may_build(cells)) return build(cells);
  }
  return std::nullopt;
}

std::optional<verify::Batch> GridTrouble::next(
    const std::vector<std::unique_ptr<GridSquad>>& squads) {
  const auto most = static_cast<std::size_t>(settings_.live_most);
  if (live_.size() >= most || (live_.size() * 2 >= most && dice_.chance(0.5))) {
    if (auto batch = take_down()) return batch;
  }
  if (live_.size() >= most || squads.empty()) return std::nullopt;
  const auto squad = static_cast<std::size_t>(dice_.below(static_cast<int>(squads.size())));
  const auto cells = place_near(*squads[squad]);
  if (!cells) return take_down();
  verify::Batch batch;
  batch.upserts.push_back(build(*cells));
  return batch;
}

void GridTrouble::confirm(const verify::Batch& batch) {
  for (const verify::Obstacle& obstacle : batch.upserts) {
    for (Live& live : live_) live.is_confirmed = live.is_confirmed || live.id == obstacle.id;
  }
  for (const std::uint64_t id : batch.removals) {
    const auto gone = going_.find(id);
    if (gone == going_.end()) continue;
    ground_.reopen(gone->second);
    going_.erase(gone);
  }
}

}  // namespace repath::load
