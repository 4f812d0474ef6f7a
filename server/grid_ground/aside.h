// A way that keeps clear of others near its agent, for a little more cost.
//
// What others nearby are about to use is counted cell by cell, and stays as it was counted: who
// moves or is planned later makes nobody search again. From the optimal path on, a search over a
// box around the agent minimises cost and penalties up to where the path leaves the box; from there
// on the path is the optimal one. If what it finds costs too much, it looks again with a quarter of
// the penalties, and with a sixteenth. So the answer is a path within its limit that is less in the
// way of others, not the best one of all; how good it is follows from its cost and the optimum's.
// Pure functions, deterministic; bounded by kAsideExpansionsMax, kAsideOthersMax and the entries of
// the path index around the agent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid_ground/state.h"

namespace repath {

inline constexpr std::uint32_t kAsideExpansionsMax = 2048;  // of all its searches together
inline constexpr std::size_t kAsideOthersMax = 1024;        // agents of whom account is taken

struct AsidePath {
  std::vector<NodeId> nodes;
  Cost cost = 0;
  std::uint32_t joins = 0;  // from nodes[joins] on it ends as the optimal path does
  Cost rest = 0;            // what that costs
};

// Instead of `optimal`, from the agent's origin to a goal at cost `cost`, today: a path that costs
// no more than `most` and has fewer others in its way. None: nobody is in the way, or no such path
// was found. Adds its work to `units`. REQUIRES: the agent asks for it (AgentSpec::crowd).
std::optional<AsidePath> step_aside(const ReplanState& state, Slot slot,
                                    std::span<const NodeId> optimal, Cost cost, Cost most,
                                    WorkUnits* units);

}  // namespace repath
