// Checks of what clients say of their agents, before anything changes. Fields are named as in
// repath.v1.UpsertAgentsRequest and ReportPositionsRequest.
#pragma once

#include <span>

#include "absl/status/status.h"
#include "replan/agent.h"
#include "world/world.h"

namespace repath {

// INVALID_ARGUMENT with reason NOT_FINITE, OUT_OF_RANGE, OUT_OF_MAP, GOALS_MISSING or DUPLICATE_ID,
// or NOT_FOUND with PROFILE_UNKNOWN; the first fault in the list's order. O(n log n).
absl::Status check_agents(std::span<const AgentSpec> agents, const World& world);

// INVALID_ARGUMENT with reason NOT_FINITE or OUT_OF_MAP. Whether the agents exist is the caller's
// to ask.
absl::Status check_positions(std::span<const PositionReport> positions, const World& world);

}  // namespace repath
