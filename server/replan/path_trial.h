// A path found on an older revision, put before every delta since then: how far does its proof
// reach?
//
// Pure; O(path log path + edges of the deltas).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "grid/cells/goals.h"
#include "replan/agent_table.h"
#include "replan/delta_log.h"

namespace repath {

// What is known of a path at the revision it was found on.
struct PathClaim {
  std::span<const NodeId> nodes;  // from the agent's origin on; may be empty for an agent without
  Place origin;
  Standing standing = Standing::kPath;  // kPath, kPartial, or kCutOff (no nodes)
  Cost held = 0;
  Cost lower = 0;
  Cost allowance = 0;
  std::optional<double> ratio = {};  // of a path not told yet: its allowance is at most this share
                                     // of what it costs, whatever that comes to
  Cost end_distance = 0;             // kPartial
  std::optional<MapPoint> stands = {};  // where the agent is, if the origin stands in for it
};

struct PathTrial {
  Revision proved{};  // the last revision the claim holds for
  Cost held = 0;      // cost and lower bound at that revision
  Cost lower = 0;
  Cost allowance = 0;
  Revision optimal_at{};  // the last of these revisions for which it is optimal, not only within
                          // its allowance, and its cost there; REQUIRES: it was so when found
  Cost optimal_cost = 0;
  Cost held_now = 0;                        // cost at the latest revision, unless closed
  bool closed = false;                      // some step closed since
  const LoggedDelta* spoiled_by = nullptr;  // the first delta the claim does not survive
  std::optional<ObstacleId> cause;          // of that, if known
  std::uint64_t tests = 0;                  // filter tests and edges looked at
};

// REQUIRES: the log covers (since, now] of the view.
PathTrial try_path(const DeltaLog& log, ViewId view, const GridLayer& layer, const Goals& goals,
                   const PathClaim& claim, Revision since, Revision now);

}  // namespace repath
