// The ground that one (profile, team) can walk on in a world of routes, at one revision. It answers
// the questions that agents ask, whatever the kind of the world. Queries ask more, see
// routes/query_ground.h.
//
// Thread rule: const functions may run on any number of threads while the ground does not change;
// RouteWorld states how long that is. Each question or slice takes one virtual call; there are none
// inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/cost.h"
#include "base/work_meter.h"
#include "navmesh/mesh/leg_factor.h"
#include "navmesh/search/landmarks.h"
#include "search/graph.h"
#include "search/kept_search.h"

namespace repath {

// Facts that a search to one goal leaves to later searches from the same place, or from farther
// along the way, after ground was removed. Such searches expand little more than the way itself.
// Hindsight stays true while ground is only removed, and while ground that closed after the search
// opens again. If other ground opens, its holder decides what still holds: see
// route_ground/hindsight_book.h.
class Hindsight {
 public:
  virtual ~Hindsight() = default;
  // Returns the greatest cost up to which it knows all ways to the goal.
  virtual Cost certain() const = 0;
  // Returns whether it knows all ways to the goal from everywhere, so that every agent with that
  // goal can use it. certain() is then kUnreachable.
  virtual bool is_of_all_places() const = 0;
  virtual std::size_t bytes() const = 0;
};

// The hindsight that an agent holds for its next search, and the hindsight it wants from that
// search.
struct HeldHindsight {
  std::shared_ptr<const Hindsight> of;  // null: nothing
  Cost certain = 0;                     // certain cost of `of`, from where the search begins
  // Requests hindsight from a search that cannot use `of`; this takes a little longer.
  bool wants_more = false;
  // Requests hindsight of all places instead, which takes RouteGround::survey_units() more.
  bool wants_all = false;
};

// ---- the places that a search looked at, for inspection ----
// Kernel of a search. Any-angle and corridor searches are those of meshes; kCorridor is A*.
enum class RouteKernel : std::uint8_t {
  kAnyAngle,
  kCorridor,
  kAStar,
  kDijkstra,
  kFloydWarshall,
  kBfs,
  kFringe,
  kIdaStar,
  kSmaStar,
  kLpaStar,
  kDStar,
  kDStarLite,
  kCorridorDijkstra,
  kCorridorBfs
};

// A node of a search; lengths in world units.
struct TouchedPlace {
  Spot at;               // graphs: the node; meshes: where the way passes an edge or leaves a link
  double g = 0;          // of the way to there
  double h = 0;          // lower bound of the rest
  bool is_open = false;  // true: the place waits; false: it was expanded
  std::uint64_t node = 0;  // graphs: the client's id
  // 1 + the index in RouteTrace::touched of the place it was reached from; 0: unknown, or the
  // start.
  std::uint32_t parent = 0;
  // Meshes:
  Spot from;  // where the way to `at` comes from, straight
  Spot left;  // of an edge the ends of what is seen or passed, of a link both its ends
  Spot right;
};

// One run of a kernel; a search may take several, one after the other.
struct TracedRun {
  RouteKernel kernel{};
  std::optional<Spot> goal;  // empty: all goals at once
  std::size_t first = 0;     // its places in RouteTrace::touched, up to the next run's
  std::uint64_t expanded = 0;
};

struct RouteTrace {
  std::vector<TracedRun> runs;
  std::vector<TouchedPlace> touched;
  // Indices in `touched`, in the order of their expansion; a place may stand here several times.
  std::vector<std::uint32_t> expansions;
  bool is_truncated = false;  // some places or expansions are left out
};

// The work and memory of a search so far, where its kernel counts them.
struct SearchEffort {
  std::uint64_t generated = 0;  // edges examined
  std::uint64_t bytes = 0;      // memory of the search
  std::uint64_t turns = 0;      // changes of direction on the route, if they have a price
  // The search gave up at its limit of memory. It then returns kOutOfBudget for ever.
  bool is_out_of_memory = false;
};

// A search in progress. Borrows the ground that made it, which must not change while the search
// lives.
class RouteSearch {
 public:
  virtual ~RouteSearch() = default;
  // Expands at most `*expansions` nodes and takes off the expansions it used. May stop before the
  // end with expansions left, if other work took as long as they would have.
  [[nodiscard]] virtual Progress advance(std::uint32_t* expansions) = 0;
  // Appends the route. The first point is the start, the last a goal. REQUIRES for this and all
  // functions that follow: kPathFound.
  virtual void append_route(std::vector<RoutePoint>* out) const = 0;
  virtual Cost cost() const = 0;
  // Returns a lower bound of the cost of every way. If it equals cost(), the route is optimal.
  virtual Cost lower_bound() const = 0;
  virtual std::uint64_t expanded() const = 0;
  // Returns the work units that edges of graphs took beside the expansions since the last call
  // (routes/edge_work.h). May be called whatever advance() returned, as all that follow.
  virtual std::uint64_t take_edge_units() { return 0; }
  // May be called whatever advance() returned.
  virtual SearchEffort effort() const { return {}; }
  // Returns the hindsight for the next search, if it was asked for and there is any.
  virtual std::shared_ptr<const Hindsight> hindsight() const { return nullptr; }
  // Returns the places looked at so far, at most as many as the search was made to remember
  // (QueryGround::search_by). May be called whatever advance() returned. O(places touched).
  virtual RouteTrace touched() const { return {}; }
};

class RouteGround;

// A search for one set of goals that outlives its answer, takes in changes and answers again. It
// reads one ground of its view at a time: the live one, or an immutable copy.
//
// Not thread-safe; different searches may run in parallel. Borrows the ground that it reads.
class KeptRouteSearch {
 public:
  virtual ~KeptRouteSearch() = default;
  // Reads this ground from now on. REQUIRES: it is of the same view, and no revision from that of
  // the ground before on has another shape (RouteWorld::shape_since).
  virtual void read(const RouteGround& ground) = 0;
  // Takes in what changed: RouteDelta::heads if the search begins at the start, tails otherwise.
  // REQUIRES: an incremental kind; it reads the ground as it is after the change.
  virtual void on_edges_changed(std::span<const NodeId> nodes) = 0;
  // Goes on until it knows the cost from there. Expands at most `*expansions` nodes and takes off
  // what it used. May stop early, as RouteSearch::advance(). REQUIRES: each change was taken in;
  // `from` is where an LPA* began.
  [[nodiscard]] virtual Progress advance(const RoutePlace& from, std::uint32_t* expansions) = 0;
  // As RouteSearch::take_edge_units(), with the edges looked at for changes.
  virtual std::uint64_t take_edge_units() { return 0; }
  // REQUIRES for all three: advance() from there returned kPathFound, and nothing changed since.
  virtual Cost cost(const RoutePlace& from) const = 0;
  virtual void append_route(const RoutePlace& from, std::vector<RoutePoint>* out) const = 0;
  // Returns a lower bound of every way from there, as RouteSearch::lower_bound().
  virtual Cost lower_bound(const RoutePlace& from) const { return cost(from); }
  virtual std::size_t bytes() const = 0;
};

// A question of a ReachTable: whether a way leads from a place to one of the goals of that index.
struct ReachQuestion {
  RoutePlace from;
  std::uint32_t goals = 0;
};

// Answers many such questions, with one-way links and edges. Borrows the ground that made it, which
// must not change while this object lives. Not thread-safe.
class ReachTable {
 public:
  virtual ~ReachTable() = default;
  // Fills `leads` with an answer for each question: exactly whether a search would find a way.
  // Returns false, with `leads` of no use, once the meter is over. O(questions + places of goals)
  // unless one-way ways count, see routes/parts_reach.h.
  [[nodiscard]] virtual bool answer(std::span<const ReachQuestion> questions,
                                    std::span<const std::span<const RoutePlace>> goals,
                                    WorkMeter* meter, std::vector<bool>* leads) = 0;
};

// A walk along a route, from its first point.
struct RouteWalk {
  Cost cost = 0;           // of the whole route; kUnreachable: the route is broken
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

  // Returns whether every point of a leg is a place; otherwise only its two ends are.
  virtual bool is_continuous() const = 0;

  // The three functions that find places add what they looked at to `*looks`, if it is given:
  // vertices of meshes, nodes, and buckets of either, each about a unit of WorkMeter.

  // Returns the place at `at`. On meshes it is the ground on the floor that `at` means (floor_at);
  // on graphs the nearest open node, however far. Empty: no agent can stand there.
  virtual std::optional<RoutePlace> locate(const Spot& at,
                                           std::uint64_t* looks = nullptr) const = 0;
  // Returns the nearest place, at most `radius` away (on meshes: on the plane).
  virtual std::optional<RoutePlace> nearest(const Spot& at, double radius,
                                            std::uint64_t* looks = nullptr) const = 0;

  // Returns the place where an agent at `at` stands. It is the place at `at`, at most
  // `height_reach` above or below, or else the nearest one within `radius` on the plane and on the
  // same floor. Heights may be ignored if no floors lie above each other. On graphs the same as
  // locate().
  virtual std::optional<RoutePlace> stand(const Spot& at, double radius, double /*height_reach*/,
                                          std::uint64_t* looks = nullptr) const {
    std::optional<RoutePlace> place = locate(at, looks);
    if (!place && is_continuous()) place = nearest(at, radius, looks);
    return place;
  }

  // Returns the height of the floor that `at` means: of all floors straight above or below, within
  // kFloorReach, the nearest one, whether something covers it there or not. Empty: there is none,
  // or places have no floors.
  virtual std::optional<double> floor_at(const Spot& /*at*/) const { return std::nullopt; }

  // A place where pieces of ground touch is on each of them. Walks, searches and questions about
  // reach begin and end there on any piece, and none leads through.

  // Returns the area type of the ground at the place; 0 where places have none.
  virtual std::uint8_t area_at(const RoutePlace&) const { return 0; }

  // Walks along the points at today's costs. Links are taken where a point names them, and edges of
  // graphs by their keys. REQUIRES: not empty.
  virtual RouteWalk walk(std::span<const RoutePoint> route) const = 0;
  // Appends the cost of each leg of the route, as walk() counts it. Returns false, and appends
  // nothing, if a leg is broken, or if this ground walks legs one by one only. REQUIRES: as walk().
  virtual bool append_legs(std::span<const RoutePoint> /*route*/,
                           std::vector<Cost>* /*legs*/) const {
    return false;
  }
  // Returns the cost of a part of the leg from one point to the next at today's costs, as walk()
  // counts the leg. Returns kUnreachable if the leg is broken, or if only whole legs are known
  // here. A link counts whole.
  virtual Cost cost_of_part(const RoutePoint& /*from*/, const Spot& /*to*/,
                            const LegPart& /*part*/) const {
    return kUnreachable;
  }

  // Returns false only if it is proved that no way leads from one to the other, even if one-way
  // links and edges could be taken both ways.
  virtual bool may_reach(const RoutePlace& from, const RoutePlace& to) const = 0;
  // Returns an object that answers the same exactly, for many questions; null once the meter is
  // over. O(1) to make if all ground is open and there are no links. Else O(ground), of which the
  // meter counts StrongParts::kUnitsOfWay for each node or cell and each way from one to another.
  virtual std::unique_ptr<ReachTable> reach_table(WorkMeter* meter) const = 0;
  // Returns the most memory that making and using such an object takes. O(1).
  virtual std::uint64_t reach_bytes() const { return 0; }
  // Returns whether a ReachTable of this ground also answers for the other one, a ground of another
  // view of the same world. O(1).
  virtual bool reaches_as(const RouteGround& other) const { return this == &other; }
  // Returns the reachable place nearest to one of the goals, measured in space; ties go to the
  // least x, then z. Only the positions of the goals count. O(ground).
  virtual RoutePlace nearest_reachable(const RoutePlace& from,
                                       std::span<const RoutePlace> goals) const = 0;

  // Returns a lower bound of the cost from any point of one box to any point of the other. O(1).
  virtual Cost least_cost(const RouteBox& from, const RouteBox& to) const = 0;

  // Appends further facts about the places of a box, for least_cost_between. Returns false, and
  // appends nothing, if no facts are known.
  virtual bool append_spans(const RouteBox& /*box*/, std::vector<LandmarkSpan>* /*spans*/) const {
    return false;
  }
  // Returns a lower bound of the cost from any place of one box to any place of the other.
  // REQUIRES: append_spans returned true for both. O(spans times spans).
  virtual Cost least_cost_between(std::span<const LandmarkSpan> /*from*/,
                                  std::span<const LandmarkSpan> /*to*/) const {
    return 0;
  }

  // Makes a search to the goal that is cheapest to reach. REQUIRES: 1 to kRouteGoalsMax goals, all
  // places of this ground.
  virtual std::unique_ptr<RouteSearch> search(const RoutePlace& from,
                                              std::span<const RoutePlace> goals) const = 0;
  // Makes the same search for an agent that may ask again. The search uses the hindsight that an
  // earlier one on this ground left, if it is of that goal, or leaves hindsight itself.
  virtual std::unique_ptr<RouteSearch> search_with(const HeldHindsight& /*known*/,
                                                   const RoutePlace& from,
                                                   std::span<const RoutePlace> goals) const {
    return search(from, goals);
  }
  // Returns whether a search to so many goals is worth keeping: whether it could be repaired when
  // the ground changes.
  virtual bool keeps_searches(std::size_t /*goals*/) const { return false; }
  // Makes a search that its owner keeps: LPA*, D* Lite, or a field that starts share. Null: this
  // ground has none of this kind. On meshes only to one goal. REQUIRES: as search().
  virtual std::unique_ptr<KeptRouteSearch> kept_search(
      SearchKind /*kind*/, const RoutePlace& /*from*/,
      std::span<const RoutePlace> /*goals*/) const {
    return nullptr;
  }
  // Returns roughly the expansions of a survey of all places for one goal; 0: surveys are not
  // possible here.
  virtual std::uint64_t survey_units() const { return 0; }

  // Casts a ray over the ground. Where floors part on the line it takes the one that ends nearest
  // in height to `to`. Meshes only; empty on graphs.
  virtual std::optional<RouteRay> cast_ray(const RoutePlace& from, const Spot& to) const = 0;
  // Returns the height of the ground at `on`, a point of the straight way that leads from `from` to
  // the floor of `to`. Empty: no such way is open, or the ground has no heights.
  virtual std::optional<double> height_along(const RoutePlace& /*from*/, const Spot& /*to*/,
                                             const Spot& /*on*/) const {
    return std::nullopt;
  }
};

inline constexpr std::size_t kRouteGoalsMax = 1024;
// Greatest distance, in world units, from a client's height to the ground it means, and between
// points of one route.
inline constexpr double kFloorReach = 2;
// Greatest distance in height between two places straight above each other that count as one. It
// covers what rounding moves on steep ground. Ground farther off is another floor. World units.
inline constexpr double kSameFloor = 0.05;
// A leg that ends this near to a point's height has ended on the point's floor. World units.
inline constexpr double kSameHeight = 1e-3;

}  // namespace repath
