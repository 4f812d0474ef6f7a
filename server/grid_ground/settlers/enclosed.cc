#include "grid_ground/settlers/enclosed.h"

namespace repath {
namespace {

constexpr WorkUnits kUnitsPerLook = 4;  // around a place

}  // namespace

Tried EnclosedSettler::attempt(Turn* turn) {
  if (!turn->may_be_cut_off || !is_enclosed(*turn)) return Tried::kNext;
  p_.note_cut_off(turn->view);
  return p_.settle_cut_off(turn->slot, &turn->job);
}

bool EnclosedSettler::is_enclosed(const Turn& turn) {
  Agent& agent = p_.s.agents[turn.slot];
  agent.was_enclosed = false;
  if (agent.not_enclosed_at == p_.s.world.revision()) return false;
  p_.budget.spend(kUnitsPerLook);
  agent.was_enclosed =
      p_.s.reach.is_enclosed(turn.view, agent.origin, p_.s.goals_of(turn.slot).goals);
  return agent.was_enclosed;
}

}  // namespace repath
