// Settler `enclosed`: a look around the agent and around its goals.
//
// Why it is exact: in_pocket (grid/components/surroundings.h) fills all ground that hangs together
// with a place, within a window of 33 x 64 cells. It gives up at the window's edge, or where the
// ground winds too much. If that ground ends within the window and does not hold the other place,
// no path leads from one to the other at the world's revision.
#include "grid_ground/settlers/settlers.h"

namespace repath {
namespace {

constexpr WorkUnits kUnitsPerLook = 4;  // around a place

bool is_enclosed(Planning& p, const Turn& turn) {
  Agent& agent = p.s.agents[turn.slot];
  agent.was_enclosed = false;
  if (agent.not_enclosed_at == p.s.world.revision()) return false;
  p.budget.spend(kUnitsPerLook);
  agent.was_enclosed =
      p.s.reach.is_enclosed(turn.view, agent.origin, p.s.goals_of(turn.slot).goals);
  return agent.was_enclosed;
}

}  // namespace

Tried try_enclosed(Planning& p, Turn* turn) {
  if (!turn->may_be_cut_off || !is_enclosed(p, *turn)) return Tried::kNext;
  p.note_cut_off(turn->view);
  return p.settle_cut_off(turn->slot, &turn->job);
}

}  // namespace repath
