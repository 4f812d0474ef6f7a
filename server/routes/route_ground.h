// What one (profile, team) can walk on in a world of routes, at one revision: the questions that
// agents ask, whatever the kind of the world. Queries ask more, see routes/query_ground.h.
//
// Thread rule: const functions may run on any number of threads while the ground does not change;
// RouteWorld says how long that is. Virtual calls: one for each question or slice, none inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/cost.h"
#include "navmesh/search/landmarks.h"
#include "routes/hindsight.h"
#include "routes/route_trace.h"
#include "search/graph.h"

namespace repath {

// A search in progress. Borrows the ground that made it, which must not change meanwhile.
class RouteSearch {
 public:
  virtual ~RouteSearch() = default;
  // Expands at most `*expansions` nodes and takes off what it used.
  [[nodiscard]] virtual Progress advance(std::uint32_t* expansions) = 0;
  // REQUIRES for all that follow: kPathFound. The first point is the start, the last a goal.
  virtual void append_route(std::vector<RoutePoint>* out) const = 0;
  virtual Cost cost() const = 0;
  // No way there costs less. Equal to cost(): it is optimal.
  virtual Cost lower_bound() const = 0;
  virtual std::uint64_t expanded() const = 0;
  // What it leaves to the next search, if it was asked to and there is anything.
  virtual std::shared_ptr<const Hindsight> hindsight() const { return nullptr; }
  // What it looked at so far, at most as much as it was told to remember (QueryGround::search_by).
  // Whatever advance() said. O(what it touched).
  virtual RouteTrace touched() const { return {}; }
};

// Which places lead to which at all, one-way links and edges included. Borrows the ground that made
// it, which must not change meanwhile. Not thread-safe.
class RouteReach {
 public:
  virtual ~RouteReach() = default;
  // Exact: a search from the one to the other would find a way. O(1) but where one-way ways count.
  virtual bool leads(const RoutePlace& from, const RoutePlace& to) = 0;
};

// A walk along a route, from its first point.
struct RouteWalk {
  Cost cost = 0;           // of all of it; kUnreachable: it is broken
  std::size_t broken = 0;  // then: the point at the end of the first broken leg; 0: the first point
                           // is no place to stand
};

struct RouteRay {
  bool is_free = false;
  double share = 0;  // of the way that is free, [0, 1]
  Spot end;          // the last place reached
};

class RouteGround {
 public:
  virtual ~RouteGround() = default;

  // Whether every point of a leg is a place; else only its two ends are.
  virtual bool is_continuous() const = 0;

  // The place at `at`: on meshes ground straight above or below it, within kFloorReach; on graphs
  // the nearest open node, however far. Empty: nobody can stand there.
  virtual std::optional<RoutePlace> locate(const Spot& at) const = 0;
  // The nearest place, at most `radius` away (on meshes: on the plane).
  virtual std::optional<RoutePlace> nearest(const Spot& at, double radius) const = 0;

  // Where somebody stands at `at`: the place there, at most `height_reach` above or below it, or
  // else the nearest one that is within `radius` on the plane and no farther off in height. Without
  // floors above each other heights need not count. On graphs as locate().
  virtual std::optional<RoutePlace> stand(const Spot& at, double radius,
                                          double /*height_reach*/) const {
    std::optional<RoutePlace> place = locate(at);
    if (!place && is_continuous()) place = nearest(at, radius);
    return place;
  }

  // Along the points at today's costs. Links are taken where a point says so. REQUIRES: not empty.
  virtual RouteWalk walk(std::span<const RoutePoint> route) const = 0;

  // False: proved that no way leads from one to the other, whatever one-way links and edges say.
  virtual bool may_reach(const RoutePlace& from, const RoutePlace& to) const = 0;
  // For those who ask that exactly, of many. O(ground) to make, O(1) where all ground is open and
  // no links are.
  virtual std::unique_ptr<RouteReach> reach() const = 0;
  // Of all places that can be reached from there the one nearest to one of the goals (in space;
  // equals: the least x, then z). Of the goals only where they are counts. O(ground).
  virtual RoutePlace nearest_reachable(const RoutePlace& from,
                                       std::span<const RoutePlace> goals) const = 0;

  // No way from a point of one box to a point of the other costs less. O(1).
  virtual Cost least_cost(const RouteBox& from, const RouteBox& to) const = 0;

  // What is known of the places of a box beyond where they are: appends it, for least_cost_between.
  // False, and nothing: there is nothing.
  virtual bool append_spans(const RouteBox& /*box*/, std::vector<LandmarkSpan>* /*spans*/) const {
    return false;
  }
  // No way from a place of the one box to a place of the other costs less. REQUIRES: append_spans
  // said true of both. O(spans times spans).
  virtual Cost least_cost_between(std::span<const LandmarkSpan> /*from*/,
                                  std::span<const LandmarkSpan> /*to*/) const {
    return 0;
  }

  // To the goal that is cheapest to reach. REQUIRES: 1 to kRouteGoalsMax goals, all places of this
  // ground.
  virtual std::unique_ptr<RouteSearch> search(const RoutePlace& from,
                                              std::span<const RoutePlace> goals) const = 0;
  // The same for one who may ask again: the search uses what an earlier one on this ground left, if
  // it is of that goal, or leaves something itself.
  virtual std::unique_ptr<RouteSearch> search_with(const HeldHindsight& /*known*/,
                                                   const RoutePlace& from,
                                                   std::span<const RoutePlace> goals) const {
    return search(from, goals);
  }
  // About what it expands to tell of all places, for one goal; 0: it cannot be done here.
  virtual std::uint64_t survey_units() const { return 0; }

  // Meshes only; empty on graphs.
  virtual std::optional<RouteRay> cast_ray(const RoutePlace& from, const Spot& to) const = 0;
};

inline constexpr std::size_t kRouteGoalsMax = 64;
// World units. From a client's height to the ground it means, and between points of one route.
inline constexpr double kFloorReach = 2;
// From the height of a place that was found on the ground to the ground that is there now, which
// may be cut into other cells: what is farther off is another floor.
inline constexpr double kSameFloor = 1;

}  // namespace repath
