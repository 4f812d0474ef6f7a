#include "grid_ground/settlers/jump_map.h"

#include <algorithm>

namespace repath {
namespace {

constexpr WorkUnits kUnitsPerJumpStep = 32;  // units of making a jump map

}  // namespace

Tried JumpMapSettler::attempt(Turn* turn) {
  return !p_.may_want_jumps(turn->view) || is_made(turn->view) ? Tried::kNext : Tried::kLater;
}

bool JumpMapSettler::is_made(ViewId view) {
  if (p_.s.world.jumps(view) != nullptr) return true;
  const auto most = std::max<std::size_t>(1, p_.jumps_left / kUnitsPerJumpStep);
  std::size_t left = most;
  const World::Jumps jumps = p_.s.world.keep_jumps(view, &left);
  const WorkUnits used = (most - left) * kUnitsPerJumpStep;
  p_.budget.spend(used);
  p_.jumps_left -= std::min(p_.jumps_left, used);
  if (jumps == World::Jumps::kBeingMade) p_.unmade.push_back(view);
  return jumps != World::Jumps::kBeingMade;
}

}  // namespace repath
