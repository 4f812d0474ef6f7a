// The questions that queries ask of a ground beyond those of agents: floods, flights from threats,
// other ways to search, random places.
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
#include "search/classic/pair_table.h"

namespace repath {

// ---- ways to search ----
// Method of a search. kBest: exact if possible.
enum class RouteMethod : std::uint8_t {
  kBest,
  kAStar,
  kDijkstra,
  kFloydWarshall,
  kBfs,
  kFringe,
  kIdaStar,
  kSmaStar,
  kLpaStar,
  kDStar,
  kDStarLite
};

// The estimate of the rest of a way that guides a search, from the differences of the coordinates
// of two places. Graphs: dx, dy and dz in space, times the least ratio of cost to length of the
// graph. Meshes: dx and dz. kAuto: the ground's own bound.
enum class RouteGuide : std::uint8_t { kAuto, kZero, kManhattan, kChebyshev, kOctile, kEuclid };

// Returns whether the guide never exceeds the straight distance, so that it is admissible and
// consistent on every ground.
constexpr bool never_overestimates(RouteGuide guide) {
  return guide != RouteGuide::kManhattan && guide != RouteGuide::kOctile;
}

inline constexpr Cost kRouteTurnPenaltyMax = static_cast<Cost>(1000 * kRouteCostUnit);

// How a search is made.
struct SearchWish {
  RouteMethod method = RouteMethod::kBest;
  std::size_t touched_max = 0;  // greatest number of places to remember for RouteSearch::touched()
  RouteGuide guide = RouteGuide::kAuto;  // of kAStar, kFringe, kIdaStar, kSmaStar and kLpaStar
  double weight = 1;                     // of the guide, [1, AStarWeight::kWeightMax]; only kAStar
  std::size_t bytes_max = std::size_t{16} << 20;  // memory of kIdaStar and kSmaStar
  Cost turn_penalty = 0;  // for each change of direction, [0, kRouteTurnPenaltyMax]
};

// ---- the ground of a mesh for display ----
struct GroundCell {
  std::vector<Spot> corners;  // counterclockwise
  std::uint8_t area = 0;
  std::uint16_t flags = 0;
  double factor = 1;  // multiplies the factor of the area
};
struct GroundLink {
  std::uint64_t id = 0;
  Spot from;
  Spot to;
  double factor = 1;
  bool both_ways = true;
  bool enabled = true;
};

class GroundView {
 public:
  virtual ~GroundView() = default;

  // Appends at most `most` cells, from index `first` on, ascending. Returns the index to go on
  // from; empty after the last cell.
  virtual std::optional<std::uint32_t> append_cells(std::uint32_t first, std::size_t most,
                                                    std::vector<GroundCell>* cells) const = 0;
  virtual std::vector<GroundLink> links() const = 0;
};

// A piece of the ground that can be reached: a cell of a mesh, a node of a graph.
struct ReachedPiece {
  std::uint32_t cell = 0;
  Spot at;                   // meshes: where the way enters it; graphs: the node
  Cost cost = 0;             // of the way to there
  std::uint32_t before = 0;  // index in the list of the piece before; its own at the start.
  // Meshes only: the point from which the way comes straight to `at`, or the link by which it
  // comes.
  double bend_x = 0;
  double bend_z = 0;
  std::optional<std::uint64_t> link{};
  // Graphs only: key of the edge between the piece and `before`, in the direction of the way.
  std::uint8_t key = 0;
};

// A search for all pieces within a cost. Borrows the ground as RouteSearch does.
class RouteFlood {
 public:
  virtual ~RouteFlood() = default;
  // Works like RouteSearch::advance; kNoPath: all pieces are found.
  [[nodiscard]] virtual Progress advance(std::uint32_t* expansions) = 0;
  // Returns true if costs are optimal and no piece within the cost is missing. Otherwise costs are
  // those of ways that exist, not always the cheapest. REQUIRES for this and all functions that
  // follow: advance() returned kNoPath.
  virtual bool is_exact() const = 0;
  // Appends the pieces by ascending cost, each after the one before it.
  virtual void append_pieces(std::vector<ReachedPiece>* out) const = 0;
  virtual std::uint64_t expanded() const = 0;
  // As RouteSearch::take_edge_units().
  virtual std::uint64_t take_edge_units() { return 0; }
};

// A search for the place that is cheapest to reach among those far enough from some threats.
// Borrows the ground as RouteSearch does.
class RouteAway {
 public:
  virtual ~RouteAway() = default;
  // Works like RouteSearch::advance; kNoPath: no reachable place is far enough.
  [[nodiscard]] virtual Progress advance(std::uint32_t* expansions) = 0;
  // Returns the place found. REQUIRES for this and lower_bound(): kPathFound.
  virtual RoutePlace place() const = 0;
  // Returns a cost below which no way leads to a place that is far enough, except for rounding.
  virtual Cost lower_bound() const = 0;
  virtual std::uint64_t expanded() const = 0;
  // As RouteSearch::take_edge_units().
  virtual std::uint64_t take_edge_units() { return 0; }
};

class QueryGround : public RouteGround {
 public:
  // Returns the cells and links of a mesh. Null on graphs.
  virtual const GroundView* view() const { return nullptr; }

  // Returns the client's id of the node; 0 on meshes.
  virtual std::uint64_t node_id(const RoutePlace&) const { return 0; }

  // Walks along positions as a client sends them back, without nodes and keys of edges. On graphs
  // each position means the nodes at exactly its place, open or not, or else the nearest open node.
  // If several nodes are at one place, those that make the walk cheapest count. The walk begins at
  // the first open one of them by id, and ends at the first one that it can end at. REQUIRES: as
  // walk().
  virtual RouteWalk walk_positions(std::span<const RoutePoint> route) const { return walk(route); }

  std::unique_ptr<RouteSearch> search(const RoutePlace& from,
                                      std::span<const RoutePlace> goals) const final {
    return search_by({}, from, goals);
  }
  // Returns whether this ground can search by the method; kBest is always possible. On meshes
  // kAStar, kDijkstra and kBfs go from cell to cell, which is quicker and finds longer routes
  // (navmesh/search/corridor.h).
  virtual bool offers(RouteMethod method) const { return method == RouteMethod::kBest; }
  // Returns the table of a search by kFloydWarshall; an empty one where it is not offered.
  virtual PairTableNeed pair_table_need() const { return {}; }
  // Makes a search. The route of kBfs has the fewest edges, or borders of cells, whatever it costs.
  // With a turn_penalty the route has the least sum of edges and turns, and cost() is that of the
  // edges. REQUIRES: offers(wish.method); a guide that may overestimate only with kAStar, on graphs
  // with a weight above 1; a turn_penalty only on graphs, with kAStar and a weight of 1.
  virtual std::unique_ptr<RouteSearch> search_by(const SearchWish& wish, const RoutePlace& from,
                                                 std::span<const RoutePlace> goals) const = 0;

  // Makes a flood to all pieces that begin at a cost of at most `most`. A cell of a mesh begins at
  // its point that is cheapest to reach.
  virtual std::unique_ptr<RouteFlood> flood(const RoutePlace& from, Cost most) const = 0;
  // Makes a flood to the pieces from which one of the goals can be reached at a cost of at most
  // `most`. Ways are given from the goal. The cost of a piece is that of the way from `at`, where
  // the way leaves the piece, to the goal that is cheapest to reach. `before` is the piece after
  // it, and the bend is where to go from `at`. One-way links and edges are taken in the direction
  // towards the goal. On graphs, ties go to the next node with the lowest id. REQUIRES: 1 to
  // kRouteGoalsMax goals.
  virtual std::unique_ptr<RouteFlood> flood_to(std::span<const RoutePlace> goals,
                                               Cost most) const = 0;

  // Makes a search for the place that is cheapest to reach among those at least `distance` from
  // each of the threats (distance_from). On graphs, ties go to the node with the lowest id.
  // REQUIRES: 1 or more threats, finite; distance in [0, 1e6].
  virtual std::unique_ptr<RouteAway> away(const RoutePlace& from, std::span<const Spot> threats,
                                          double distance) const = 0;
  // Returns the reachable place that is farthest from the nearest threat. On graphs, ties go to the
  // node that is cheapest to reach, then to the lowest id. O(ground).
  virtual RoutePlace farthest_reachable(const RoutePlace& from,
                                        std::span<const Spot> threats) const = 0;
  // Returns the distance from a threat to a place in world units, ignoring walls. On meshes it is
  // measured on the plane, as all lengths; on graphs in space.
  virtual double distance_from(const Spot& threat, const Spot& at) const = 0;

  // Returns a place at most `radius` from `near` (infinite: anywhere), chosen evenly by area or
  // among nodes. The same numbers give the same place. Empty: there is no such place, or 1,000
  // tries met none.
  virtual std::optional<RoutePlace> random_place(const Spot& near, double radius,
                                                 Random* random) const = 0;
};

}  // namespace repath
