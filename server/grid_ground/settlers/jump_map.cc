// What the settlers after it need: the jump map of the agent's view.
//
// An agent whose question jump point search can answer waits until the map is made. A large map
// takes the work of many searches, so making it gets half of each frame at most. Switched off with
// the settler `jumps`.
#include <algorithm>

#include "grid_ground/settlers/settlers.h"

namespace repath {
namespace {

constexpr WorkUnits kUnitsPerJumpStep = 32;  // units of making a jump map

}  // namespace

Tried make_jump_map(Planning& p, Turn* turn) {
  if (!p.may_want_jumps(turn->view) || p.s.world.jumps(turn->view) != nullptr) return Tried::kNext;
  const auto most = std::max<std::size_t>(1, p.jumps_left / kUnitsPerJumpStep);
  std::size_t left = most;
  const World::Jumps jumps = p.s.world.keep_jumps(turn->view, &left);
  const WorkUnits used = (most - left) * kUnitsPerJumpStep;
  p.budget.spend(used);
  p.jumps_left -= std::min(p.jumps_left, used);
  if (jumps != World::Jumps::kBeingMade) return Tried::kNext;
  p.unmade.push_back(turn->view);
  return Tried::kLater;
}

}  // namespace repath
