// For dry runs (TestChanges) in worlds of every kind: which agents' new paths the answer shows, and
// the query that finds such a path.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/engine_world.h"

namespace repath {

// Returns an agent's question, asked from its place.
inline PathQuery query_of(const AgentSpec& agent, const MapPoint& from) {
  PathQuery query;
  query.from = from;
  query.goals = agent.goals;
  query.goal_radius = agent.goal_radius;
  query.allow_partial = agent.allow_partial;
  query.snap_start = agent.snap_start;
  return query;
}

// Returns the agents whose new paths the command wants, see TestAnswer::new_paths. REQUIRES: the
// answer has the agents affected and cut off.
inline std::vector<AgentId> agents_to_lead(const TestAnswer& answer, const TestChanges& command) {
  std::vector<AgentId> led;
  for (const AgentId agent : answer.affected_agents) {
    if (led.size() == command.max_paths) break;
    if (!std::ranges::binary_search(answer.cut_off_agents, agent)) led.push_back(agent);
  }
  return led;
}

}  // namespace repath
