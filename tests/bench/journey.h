// The world of one walking agent and random changes to it, from a seed: doors that shut and open in
// front of it, beside its path, at its goal and far away.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/random.h"
#include "world/world.h"

namespace repath::bench {

enum class ChangeKind : std::uint8_t {
  kBlockNearAgent,
  kBlockMidPath,
  kBlockNearGoal,
  kOpenNearPath,
  kBlockAnywhere,
  kOpenAnywhere,
  kGoalCutOff,
  kGoalFreed
};
inline constexpr std::array<std::string_view, 8> kChangeNames{
    "block_near_agent", "block_mid_path", "block_near_goal", "open_near_path",
    "block_anywhere",   "open_anywhere",  "goal_cut_off",    "goal_freed"};

class Journey {
 public:
  // Borrows world and random.
  Journey(World& world, ViewId view, NodeId goal, Random& random);

  // Makes the batch of one change, for an agent that holds `path` (every cell; empty without a
  // path) and stands on its first cell, or on `from`. The agent's own cell stays free. Returns
  // false if there is no place for the change.
  bool make(ChangeKind kind, NodeId from, std::span<const NodeId> path, ChangeBatch* batch);

 private:
  struct Cell {
    std::int32_t x;
    std::int32_t y;
  };
  Cell cell(NodeId node) const;
  Cell any_cell();
  bool wall_across(std::span<const NodeId> path, std::size_t at, NodeId from, ChangeBatch* batch);
  bool open_at(Cell middle, std::int32_t within, ChangeBatch* batch);
  void ring(bool shut, NodeId from, ChangeBatch* batch);
  void edit(Cell c, bool shut, ChangeBatch* batch) const;

  const GridLayer& layer_;
  NodeId goal_;
  Random& random_;
  std::vector<NodeId> ring_;  // cells blocked by the last kGoalCutOff
};

}  // namespace repath::bench
