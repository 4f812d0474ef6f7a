// First legs: they are sent, but settle no agent.
#include <algorithm>
#include <utility>

#include "grid_ground/settling.h"

namespace repath {

bool Settling::lead(Slot slot, std::vector<NodeId> nodes, const GridGraph& graph, Revision since,
                    Cost least, WorkUnits* units) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  *units += kUnitsPerAnswer + nodes.size() / kPathNodesPerUnit;
  const bool is_of_today = since > agent.proved && since >= agent.asked_at;
  if (!is_of_today || !s_.log.covers(row.view, since) || agent.origin != agent.node ||
      !keep_rest(0, agent.origin, &nodes) || nodes.size() < 2)
    return false;
  const Cost cost = cost_of(graph, nodes);
  const Cost lower = std::max({kStraightStep, s_.goals_of(slot).goals.bound(row.origin), least});
  // Only a closed step can stop this path from being sent. It claims no more than its bound, which
  // holds today.
  const PathClaim claim{nodes, row.origin, Standing::kPath, cost, lower, kUnreachable};
  const ClaimTrial trial = put_to_trial(slot, claim, since, units);
  if (trial.spoiled_by) return false;
  if (trial.held == lower)
    return finish_proved(slot, std::move(nodes), lower, units) == Outcome::kServed;
  v_.hold_path(slot, std::move(nodes), Standing::kPath);
  agent.path.hysteresis = share_of(agent.spec.min_improvement_ratio, trial.held);
  row.held = trial.held;
  row.lower = lower;
  row.allowance = 0;
  tell_leg(slot);
  return false;
}

// Sends the leg. The exact path that the agent still waits for is sent as IMPROVED, if it is
// cheaper.
void Settling::tell_leg(Slot slot) {
  Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  const Revision now = s_.world.revision();
  const bool is_new = agent.answer == EventType::kNewPath;
  AgentPath path{.state = PathState::kComplete,
                 .optimality = Optimality::kBounded,
                 .weight = static_cast<double>(row.held) / static_cast<double>(row.lower),
                 .cost = row.held,
                 .revision = now,
                 .version = agent.path.version,
                 .nodes = agent.path.points};
  v_.tell(slot, {.type = is_new ? EventType::kNewPath : EventType::kReplanned,
                 .reason = is_new ? agent.reason : EventReason::kNone,
                 .revision = now,
                 .path = std::move(path),
                 .cost = row.held});
  agent.path.led_at = now;
  agent.answer = EventType::kImproved;
  agent.reason = EventReason::kNone;
  agent.must_answer = false;
  ++s_.stats.first_legs;
}

// Holds a whole one, which nothing was proved of.
bool Settling::holds_leg(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  return agent.path.led_at != Revision{} && !agent.broken_at;
}

// Settles an agent by its leg, because a search proved that no path is cheaper. From now on the leg
// counts as a path found.
void Settling::take_leg_for_found(Slot slot, const ClaimTrial& trial) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  row.lower = trial.lower;
  // close_in_silence() would take an event sent at this revision for a confirmation.
  const bool is_news = agent.spec.confirm && agent.told == s_.world.revision();
  close_in_silence(slot, trial);
  if (!row.settled) return;
  if (is_news) v_.assure(slot, trial.proved);
  agent.path.led_at = {};
  row.allowance = agent.path.hysteresis;
}

// Sets the type of the event that replaces the leg. It is IMPROVED only if the path is cheaper than
// the leg was at the revision for which the path is sent.
void Settling::expect_in_place_of_leg(Slot slot, const ClaimTrial& trial) {
  Agent& agent = s_.agents[slot];
  const bool improves =
      trial.told_at() >= agent.path.led_at && trial.told_cost() < s_.agents.row(slot).held;
  if (agent.answer == EventType::kImproved && !improves) agent.answer = EventType::kReplanned;
}

}  // namespace repath
