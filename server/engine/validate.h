// Checks of what clients say of their agents, before anything changes. Fields are named as in
// repath.v1.UpsertAgentsRequest and ReportPositionsRequest.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "agents/agent.h"

namespace repath {

// What a world says of those who walk in it.
class AgentRules {
 public:
  virtual ~AgentRules() = default;
  virtual bool has_profile(std::string_view name) const = 0;
  // False: places are points, and what only grids have a use for is refused.
  virtual bool has_cells() const = 0;
  // OK, or INVALID_ARGUMENT with reason OUT_OF_MAP. REQUIRES: finite.
  virtual absl::Status check_on_map(MapPoint point, const std::string& field) const = 0;
};

// NOT_FINITE, and as AgentRules::check_on_map.
absl::Status check_point(MapPoint point, const AgentRules& rules, const std::string& field);

// INVALID_ARGUMENT with reason NOT_FINITE, OUT_OF_RANGE, OUT_OF_MAP, GOALS_MISSING, KIND_UNSUITED
// or DUPLICATE_ID, or NOT_FOUND with PROFILE_UNKNOWN; the first fault in the list's order. O(n log
// n).
absl::Status check_agents(std::span<const AgentSpec> agents, const AgentRules& rules);

// INVALID_ARGUMENT with reason NOT_FINITE or OUT_OF_MAP. Whether the agents exist is the caller's
// to ask.
absl::Status check_positions(std::span<const PositionReport> positions, const AgentRules& rules);

}  // namespace repath
