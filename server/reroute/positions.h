// Where agents say they are: along the route they hold, along an older one, or astray.
//
// Walking along the held route keeps every proof (the rest of a shortest way is a shortest way).
// Following an older route, as long as the newer one is neither acknowledged nor named in a report,
// is no straying; it proves nothing about the new position either. Nobody walks backwards: a report
// behind the place the agent had come to is astray, once it is out of reach.
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <cstdint>
#include <optional>

#include "reroute/on_route.h"
#include "reroute/state.h"
#include "reroute/verdicts.h"

namespace repath {

class RoutePositions {
 public:
  RoutePositions(RouteState& state, RouteVerdicts& verdicts) : s_(state), v_(verdicts) {}

  // REQUIRES: finite numbers. O(legs ahead); O(length) for straying.
  void report(RouteSlot slot, const MapPoint& point, PathVersion follows);
  // Of the paths sent, `version` and older ones have arrived: routes older than it are forgotten.
  void acknowledge(RouteSlot slot, PathVersion version);
  // Puts a new or changed agent where its spec says; proves nothing.
  void place(RouteSlot slot);

 private:
  void walk(RouteSlot slot, const OnRoute& to);
  void leave(RouteSlot slot, const Spot& spot, const std::optional<Spot>& origin,
             bool follows_past);
  void move_without_route(RouteSlot slot, const Spot& spot, const std::optional<Spot>& origin);

  RouteState& s_;
  RouteVerdicts& v_;
};

}  // namespace repath
