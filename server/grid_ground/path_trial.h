// A path found on an older revision, put before every delta since then: how far does its proof
// reach?
//
// Pure. O(edges of the deltas), and O(path) for each delta near the path.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "grid/cells/goals.h"
#include "grid_ground/agent_table.h"
#include "grid_ground/delta_log.h"
#include "verdicts/trial.h"

namespace repath {

// The facts known of a path at the revision it was found on.
struct PathClaim {
  std::span<const NodeId> nodes;  // from the agent's origin on; may be empty for an agent without
  Place origin;
  Standing standing = Standing::kPath;  // kPath, kPartial, or kCutOff (no nodes)
  Cost held = 0;
  Cost lower = 0;
  Cost allowance = 0;
  std::optional<double> ratio = {};     // for a path not sent yet: its allowance is at most
                                        // this share of its cost, after the trial
  Cost end_distance = 0;                // kPartial
  std::optional<MapPoint> stands = {};  // where the agent is, if the origin stands in for it
};

// REQUIRES: the log covers (since, now] of the view.
ClaimTrial try_path(const DeltaLog& log, ViewId view, const GridLayer& layer, const Goals& goals,
                    const PathClaim& claim, Revision since, Revision now);

}  // namespace repath
