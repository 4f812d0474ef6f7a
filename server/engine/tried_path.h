// For dry runs (TestChanges) in worlds of every kind: the agents that the answer names, the queries
// for their new paths, and the limit of the work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/error.h"
#include "base/work_meter.h"
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

// Fills in the lists of agents, each cut short to max_agents, and returns the agents whose new
// paths the command wants, see TestAnswer::new_paths. `affected` and `cut_off` ascend and have all
// such agents.
inline std::vector<AgentId> fill_agents(std::vector<AgentId> affected, std::vector<AgentId> cut_off,
                                        const TestChanges& command, TestAnswer* answer) {
  std::vector<AgentId> led;
  for (const AgentId agent : affected) {
    if (led.size() == command.max_paths) break;
    if (!std::ranges::binary_search(cut_off, agent)) led.push_back(agent);
  }
  answer->truncated = affected.size() > command.max_agents;
  for (std::vector<AgentId>* ids : {&affected, &cut_off})
    ids->resize(std::min<std::size_t>(ids->size(), command.max_agents));
  answer->affected_agents = std::move(affected);
  answer->cut_off_agents = std::move(cut_off);
  return led;
}

// Returns the meter of one dry run, see EngineOptions::test_units_max.
inline WorkMeter test_meter(std::uint64_t units_max, const StopToken* stop) {
  return WorkMeter({.units = units_max, .units_per_byte = 0}, 0, stop);
}

// Returns why a dry run ended early. `has_agents`: there are agents in the world. REQUIRES: the
// meter is over.
inline absl::Status test_ended(const WorkMeter& meter, const TestChanges& command,
                               bool has_agents) {
  if (meter.is_stopped())
    return make_error(absl::StatusCode::kCancelled, "CANCELLED", "", "the call was stopped");
  const bool has_pairs = !command.pairs.empty();
  std::string what = has_pairs ? "which pairs stay connected" : "which agents would be cut off";
  std::string advice = has_pairs ? "ask about pairs of fewer profiles"
                                 : "try again when fewer agents wait for a verdict";
  if (has_pairs && has_agents) {
    what += " and which agents would be cut off";
    advice += ", or try again when fewer agents wait for a verdict";
  }
  return make_error(absl::StatusCode::kResourceExhausted, "TEST_TOO_LARGE", "",
                    "to find out " + what + " needs more than " + std::to_string(meter.limit()) +
                        " units of work; " + advice);
}

}  // namespace repath
