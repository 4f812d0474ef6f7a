#include "bench/journey.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace repath::bench {
namespace {

constexpr TerrainId kGround{0};
constexpr TerrainId kWall{1};
constexpr std::uint32_t kWallMax = 8;  // length of a door, in cells
constexpr std::uint32_t kNearMin = 2;  // least steps from the agent, or from the goal
constexpr std::uint32_t kNearMax = 12;
constexpr std::int32_t kBesidePath = 8;  // cells
constexpr int kTries = 64;

}  // namespace

Journey::Journey(World& world, ViewId view, NodeId goal, Random& random)
    : layer_(world.layer(view)), goal_(goal), random_(random) {}

bool Journey::make(ChangeKind kind, NodeId from, std::span<const NodeId> path, ChangeBatch* batch) {
  *batch = {};
  const std::size_t steps = path.empty() ? 0 : path.size() - 1;
  const std::size_t near = kNearMin + random_.below(kNearMax - kNearMin);
  switch (kind) {
    case ChangeKind::kBlockNearAgent:
      return steps > near && wall_across(path, near, from, batch);
    case ChangeKind::kBlockMidPath:
      return steps > 2 * kNearMin && wall_across(path, steps / 2, from, batch);
    case ChangeKind::kBlockNearGoal:
      return steps > near && wall_across(path, steps - near, from, batch);
    case ChangeKind::kOpenNearPath:
      return steps > 0 && open_at(cell(path[random_.below(static_cast<std::uint32_t>(steps))]),
                                  kBesidePath, batch);
    case ChangeKind::kBlockAnywhere:
      for (int i = 0; i < kTries; ++i) {
        const Cell c = any_cell();
        const NodeId node = layer_.node_at(c.x, c.y);
        if (!layer_.is_free(c.x, c.y) || node == from || node == goal_) continue;
        edit(c, true, batch);
        return true;
      }
      return false;
    case ChangeKind::kOpenAnywhere:
      return open_at(any_cell(), kBesidePath, batch);
    case ChangeKind::kGoalCutOff:
      ring(true, from, batch);
      return !batch->terrain_edits.empty();
    case ChangeKind::kGoalFreed:
      ring(false, from, batch);
      return !batch->terrain_edits.empty();
  }
  return false;
}

Journey::Cell Journey::cell(NodeId node) const { return {layer_.x_of(node), layer_.y_of(node)}; }

Journey::Cell Journey::any_cell() {
  return {static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(layer_.width()))),
          static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(layer_.height())))};
}

// Places a door of 1 to kWallMax cells across the step at path[at]. Agent and goal stay free.
bool Journey::wall_across(std::span<const NodeId> path, std::size_t at, NodeId from,
                          ChangeBatch* batch) {
  const Cell before = cell(path[at - 1]);
  const Cell middle = cell(path[at]);
  const bool along_x = std::abs(middle.x - before.x) >= std::abs(middle.y - before.y);
  const auto length = static_cast<std::int32_t>(1 + random_.below(kWallMax));
  for (std::int32_t i = 0; i < length; ++i) {
    const std::int32_t aside = i - length / 2;
    const Cell c = along_x ? Cell{middle.x, middle.y + aside} : Cell{middle.x + aside, middle.y};
    if (!layer_.is_free(c.x, c.y)) continue;
    const NodeId node = layer_.node_at(c.x, c.y);
    if (node != from && node != goal_) edit(c, true, batch);
  }
  return !batch->terrain_edits.empty();
}

// Opens the first blocked cell met at random within this many cells.
bool Journey::open_at(Cell middle, std::int32_t within, ChangeBatch* batch) {
  const auto span = static_cast<std::uint32_t>(2 * within + 1);
  for (int i = 0; i < kTries; ++i) {
    const Cell c{middle.x + static_cast<std::int32_t>(random_.below(span)) - within,
                 middle.y + static_cast<std::int32_t>(random_.below(span)) - within};
    if (!layer_.contains(c.x, c.y) || layer_.is_free(c.x, c.y)) continue;
    edit(c, false, batch);
    return true;
  }
  return false;
}

// Blocks or frees the eight cells around the goal.
void Journey::ring(bool shut, NodeId from, ChangeBatch* batch) {
  if (!shut) {
    for (const NodeId node : ring_) edit(cell(node), false, batch);
    ring_.clear();
    return;
  }
  const Cell goal = cell(goal_);
  for (std::int32_t y = goal.y - 1; y <= goal.y + 1; ++y)
    for (std::int32_t x = goal.x - 1; x <= goal.x + 1; ++x) {
      if (!layer_.is_free(x, y)) continue;
      const NodeId node = layer_.node_at(x, y);
      if (node == from || node == goal_) continue;
      edit({x, y}, true, batch);
      ring_.push_back(node);
    }
}

void Journey::edit(Cell c, bool shut, ChangeBatch* batch) const {
  batch->terrain_edits.push_back({{c.x, c.y, c.x + 1, c.y + 1}, shut ? kWall : kGround});
}

}  // namespace repath::bench
