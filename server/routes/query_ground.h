// What queries ask of a ground beyond what agents ask: floods, flights from threats, other ways to
// search, random places.
//
// Thread rule: as routes/route_ground.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/cost.h"
#include "base/random.h"
#include "routes/route_ground.h"

namespace repath {

class GroundView;

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

class QueryGround : public RouteGround {
 public:
  // The cells and links of a mesh, to be looked at (routes/ground_view.h). Null on graphs.
  virtual const GroundView* view() const { return nullptr; }

  // The client's id of the node; 0 on meshes.
  virtual std::uint64_t node_id(const RoutePlace&) const { return 0; }

  // The same along positions as a client sends them back, which say nothing of nodes: on graphs
  // each stands for the node at its very place, open or not, or else for the nearest open one. Of
  // several nodes at one place those count that make the walk cheapest; it begins at the first open
  // one of them by id, and ends at the first one that it can end at. REQUIRES: as walk().
  virtual RouteWalk walk_positions(std::span<const RoutePoint> route) const { return walk(route); }

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

  // A place at most `radius` from `near` (infinite: anywhere), evenly by area or among nodes; the
  // same numbers give the same place. Empty: there is none, or it was not met in 1,000 tries.
  virtual std::optional<RoutePlace> random_place(const Spot& near, double radius,
                                                 Random* random) const = 0;
};

}  // namespace repath
