// A route found on an older revision, put before every change since then: does its proof reach to
// today?
//
// The live ground is asked, so the answer is about today alone: either the claim holds at the
// world's revision, or it is proved for the revision it was found on and no later one.
// Pure. O(changes since + legs).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reroute/state.h"

namespace repath {

// What is known of a route at the revision it was found on.
struct RouteClaim {
  std::span<const RoutePoint> points;  // from the agent's origin on; empty for one that is cut off
  Spot origin;
  RouteStanding standing = RouteStanding::kRoute;  // kRoute, kPartial or kCutOff
  Cost held = 0;
  Cost lower = 0;
  Cost allowance = 0;
  std::span<const Spot> goals;  // their places then
};

struct RouteTrial {
  Cost held = 0;        // cost today, unless closed
  Cost lower = 0;       // no way costs less today
  bool closed = false;  // broken since
  // Something since then may have made the claim false: what did so first.
  struct Spoiler {
    Revision revision{};
    std::uint64_t frame = 0;
    Micros us = 0;
    std::optional<ObstacleId> cause = {};
  };
  std::optional<Spoiler> spoiled_by = {};
  // What fell stands again as it was, and was not counted: `lower` is proved for today, no longer
  // for `since` and all that fell after it.
  bool stands_again = false;
  std::uint64_t tests = 0;
};

// REQUIRES: the log covers (since, now] of the agent's view.
RouteTrial try_route(const RouteState& state, RouteSlot slot, const RouteClaim& claim,
                     Revision since);

}  // namespace repath
