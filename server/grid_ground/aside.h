// A way that keeps clear of others near its agent, for a little more cost.
//
// The next steps of other agents nearby are counted cell by cell. The count stays as it was made:
// an agent that moves or is planned later causes no search of another agent. From the optimal path
// on, a search over a box around the agent minimises cost and penalties up to the place where the
// path leaves the box. Behind that place the path is the optimal one. If the result costs too much,
// the search runs again with a quarter of the penalties, and with a sixteenth. So the answer is a
// path within its limit that is less in the way of others. It is not the best such path; its
// quality follows from its cost and the optimum's. Pure functions, deterministic; bounded by
// kAsideExpansionsMax, kAsideOthersMax and the entries of the path index around the agent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid_ground/state.h"

namespace repath {

// Limit of expansions for all searches of a call together.
inline constexpr std::uint32_t kAsideExpansionsMax = 2048;
inline constexpr std::size_t kAsideOthersMax = 1024;  // other agents that are counted

struct AsidePath {
  std::vector<NodeId> nodes;
  Cost cost = 0;
  std::uint32_t joins = 0;  // from nodes[joins] on it ends as the optimal path does
  Cost rest = 0;            // cost of that
};

// Returns a path that costs at most `most` today and has fewer other agents in its way than
// `optimal`, the path from the agent's origin to a goal at cost `cost`. Empty if the way is clear
// of other agents, or if the search fails. Adds its work to `units`. REQUIRES: the agent asks for
// it (AgentSpec::crowd).
std::optional<AsidePath> step_aside(const ReplanState& state, Slot slot,
                                    std::span<const NodeId> optimal, Cost cost, Cost most,
                                    WorkUnits* units);

}  // namespace repath
