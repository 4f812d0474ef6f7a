// Checks of clients' requests about their agents, before anything changes. Fields are named as in
// repath.v1.UpsertAgentsRequest and ReportPositionsRequest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "agents/agent.h"
#include "world/profile.h"

namespace repath {

// Rules of a world for its agents.
class AgentRules {
 public:
  virtual ~AgentRules() = default;
  virtual const std::vector<Profile>& profiles() const = 0;
  // Returns the kind of the world. Options that other kinds alone have are refused.
  virtual WorldKind kind() const = 0;
  // Returns whether the world has cells. If not, places are points.
  bool has_cells() const { return kind() == WorldKind::kGrid; }
  // Returns OK, or INVALID_ARGUMENT with reason OUT_OF_MAP. REQUIRES: finite.
  virtual absl::Status check_on_map(MapPoint point, const std::string& field) const = 0;
};

// Checks one point. Errors: NOT_FINITE, and those of AgentRules::check_on_map.
absl::Status check_point(MapPoint point, const AgentRules& rules, const std::string& field);

// Checks all agents. Errors: INVALID_ARGUMENT with reason NOT_FINITE, OUT_OF_RANGE, OUT_OF_MAP,
// GOALS_MISSING, KIND_UNSUITED, SMOOTHING_UNSUITED or DUPLICATE_ID, or NOT_FOUND with
// PROFILE_UNKNOWN. The first fault in the list's order is returned. O(n log n).
absl::Status check_agents(std::span<const AgentSpec> agents, const AgentRules& rules);

// Checks all positions. Errors: INVALID_ARGUMENT with reason NOT_FINITE or OUT_OF_MAP. The caller
// checks whether the agents exist.
absl::Status check_positions(std::span<const PositionReport> positions, const AgentRules& rules);

}  // namespace repath
