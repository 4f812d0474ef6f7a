// What one (profile, team) can walk on in a world of routes, at one revision: questions that
// agents and queries ask, whatever the kind of the world.
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
#include "base/random.h"
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
  // What it looked at so far, at most as much as it was told to remember (RouteGround::search_by).
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

// A piece of the ground that can be reached: a cell of a mesh, a node of a graph.
struct ReachedPiece {
  std::uint32_t cell = 0;
  Spot at;                   // meshes: where the way enters it; graphs: the node
  Cost cost = 0;             // of the way to there
  std::uint32_t before = 0;  // place in the list of the piece that the way comes from; where it
                             // begins, its own
  // Meshes: from there the way comes to `at`, straight; or by this link.
  double bend_x = 0;
  double bend_z = 0;
  std::optional<std::uint64_t> link{};
};

// A search for all pieces within a cost. Borrows the ground as RouteSearch does.
class RouteFlood {
 public:
  virtual ~RouteFlood() = default;
  // As RouteSearch::advance; kNoPath: all is found.
  [[nodiscard]] virtual Progress advance(std::uint32_t* expansions) = 0;
  // Whether costs are the least there are, and no piece within the cost is missing; else they are
  // those of ways that there are. REQUIRES for this and what follows: advance() said kNoPath.
  virtual bool is_exact() const = 0;
  // Appends the pieces by ascending cost, each after the one before it.
  virtual void append_pieces(std::vector<ReachedPiece>* out) const = 0;
  virtual std::uint64_t expanded() const = 0;
};

// A search for the place that is cheapest to reach among those far enough from some others. Borrows
// the ground as RouteSearch does.
class RouteAway {
 public:
  virtual ~RouteAway() = default;
  // As RouteSearch::advance; kNoPath: no place that can be reached is far enough.
  [[nodiscard]] virtual Progress advance(std::uint32_t* expansions) = 0;
  // REQUIRES: kPathFound, as for lower_bound().
  virtual RoutePlace place() const = 0;
  // No way to a place that is far enough costs less, but for rounding.
  virtual Cost lower_bound() const = 0;
  virtual std::uint64_t expanded() const = 0;
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

// A cell of a mesh, for those who look at it.
struct GroundCell {
  std::vector<Spot> corners;  // counterclockwise
  std::uint8_t area = 0;
  std::uint16_t flags = 0;
  double factor = 1;  // on top of what the area costs
};
struct GroundLink {
  std::uint64_t id = 0;
  Spot from;
  Spot to;
  double factor = 1;
  bool both_ways = true;
  bool enabled = true;
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

  // The client's id of the node; 0 on meshes.
  virtual std::uint64_t node_id(const RoutePlace&) const { return 0; }

  // Along the points at today's costs. Links are taken where a point says so. REQUIRES: not empty.
  virtual RouteWalk walk(std::span<const RoutePoint> route) const = 0;

  // The same along positions as a client sends them back, which say nothing of nodes: on graphs
  // each stands for the node at its very place, open or not, or else for the nearest open one. Of
  // several nodes at one place those count that make the walk cheapest; it begins at the first open
  // one of them by id, and ends at the first one that it can end at. REQUIRES: as walk().
  virtual RouteWalk walk_positions(std::span<const RoutePoint> route) const { return walk(route); }

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
  // Whether that can be done here: kBest can everywhere. On meshes kAStar goes from portal to
  // portal, which is quicker and finds longer routes.
  virtual bool offers(RouteMethod method) const { return method == RouteMethod::kBest; }
  // The same in another way, remembering at most `touched_max` places for RouteSearch::touched().
  // REQUIRES: offers(method).
  virtual std::unique_ptr<RouteSearch> search_by(RouteMethod /*method*/, const RoutePlace& from,
                                                 std::span<const RoutePlace> goals,
                                                 std::size_t /*touched_max*/) const {
    return search(from, goals);
  }

  // To all pieces that begin no farther than `most`. A cell of a mesh begins at the point of it
  // that is cheapest to reach.
  virtual std::unique_ptr<RouteFlood> flood(const RoutePlace& from, Cost most) const = 0;
  // The pieces from which one of the goals can be reached for no more than that, and their ways,
  // told from the goal: a piece's cost is that of the way from `at`, where it is left, to the goal
  // that is cheapest to reach, `before` is the piece after it, and the bend is where to go from
  // `at`. One-way links and edges are taken in their direction by those who go to the goal. Of
  // equals, on graphs, the next node is that of the lowest id. REQUIRES: 1 to kRouteGoalsMax goals.
  virtual std::unique_ptr<RouteFlood> flood_to(std::span<const RoutePlace> goals,
                                               Cost most) const = 0;

  // To the place that is cheapest to reach among those at least `distance` from each of the threats
  // (distance_from); on graphs of equals that of the lowest id. REQUIRES: 1 or more threats,
  // finite; distance in [0, 1e6].
  virtual std::unique_ptr<RouteAway> away(const RoutePlace& from, std::span<const Spot> threats,
                                          double distance) const = 0;
  // Of all places that can be reached the one farthest from the nearest threat; of equals, on
  // graphs, the cheapest to reach, then that of the lowest id. O(ground).
  virtual RoutePlace farthest_reachable(const RoutePlace& from,
                                        std::span<const Spot> threats) const = 0;
  // From a threat to a place, walls ignored, world units: on meshes on the plane, as all lengths;
  // on graphs in space.
  virtual double distance_from(const Spot& threat, const Spot& at) const = 0;

  // Meshes only; empty on graphs.
  virtual std::optional<RouteRay> cast_ray(const RoutePlace& from, const Spot& to) const = 0;
  // Meshes only, and nothing on graphs: appends at most `most` cells, from the place `first` on.
  // Returns the place to go on from; empty: these were the last.
  virtual std::optional<std::uint32_t> append_cells(std::uint32_t /*first*/, std::size_t /*most*/,
                                                    std::vector<GroundCell>* /*cells*/) const {
    return std::nullopt;
  }
  virtual std::vector<GroundLink> links() const { return {}; }
  // A place at most `radius` from `near` (infinite: anywhere), evenly by area or among nodes; the
  // same numbers give the same place. Empty: there is none, or it was not met in 1,000 tries.
  virtual std::optional<RoutePlace> random_place(const Spot& near, double radius,
                                                 Random* random) const = 0;
};

inline constexpr std::size_t kRouteGoalsMax = 64;
// World units. From a client's height to the ground it means, and between points of one route.
inline constexpr double kFloorReach = 2;
// From the height of a place that was found on the ground to the ground that is there now, which
// may be cut into other cells: what is farther off is another floor.
inline constexpr double kSameFloor = 1;

}  // namespace repath
