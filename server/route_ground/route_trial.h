// A route found on an older revision, put before every change since then: does its proof reach to
// today?
//
// The live ground is asked, so the answer is about today alone. Either the claim holds at the
// world's revision (from == proved == that revision), or it is proved for the revision it was found
// on and no later one. Pure. O(changes since + legs).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "route_ground/state.h"
#include "verdicts/trial.h"

namespace repath {

// The facts known of a route at the revision it was found on.
struct RouteClaim {
  std::span<const RoutePoint> points;  // from the agent's origin on; empty for one that is cut off
  Spot origin;
  Standing standing = Standing::kPath;  // kPath, kPartial or kCutOff
  Cost held = 0;
  Cost lower = 0;
  Cost allowance = 0;
  std::span<const Spot> goals;  // their places then
  bool is_tight = false;        // a turn of it had no room: whatever falls may make room
};

// REQUIRES: the log covers (since, now] of the agent's view.
ClaimTrial try_route(const RouteState& state, Slot slot, const RouteClaim& claim, Revision since);

}  // namespace repath
