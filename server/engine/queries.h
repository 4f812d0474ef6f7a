// Stateless questions about one snapshot. Pure functions of their arguments: safe on any thread, no
// engine needed. A question that worlds of all kinds can answer has one name, for a grid's Snapshot
// and for the QueryGround of a mesh or a graph. On a QueryGround lengths are in world units instead
// of cells; see AnySnapshot::ask.
//
// Every search runs in slices and asks `stop` between them, so that a deadline or a cancelled call
// ends it. The answer is then kOutOfBudget, never "no path".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/route.h"
#include "base/cost.h"
#include "base/ids.h"
#include "base/stop_token.h"
#include "engine/snapshot.h"
#include "grid/cells/place.h"
#include "grid/hpa/hpa_map.h"
#include "grid/jps/idle_jumps.h"
#include "routes/query_ground.h"
#include "search/classic/pair_table.h"
#include "search/graph.h"
#include "search/steps_taken.h"

namespace repath {

// kAuto: jump point search if the snapshot allows it and the weight is 1, else A*.
enum class QueryAlgorithm : std::uint8_t {
  kAuto,
  kBfs,
  kDijkstra,
  kAStar,
  kLpa,
  kDStarLite,
  kJps,
  kFringe,
  kIdaStar,
  kSmaStar,
  kDStar,
  kHpa,
  kFloydWarshall
};
// The heuristic that guides A*, Fringe, IDA*, SMA* and LPA*. kAuto: the cost of steps in the
// profile's topology, the best of them.
enum class Heuristic : std::uint8_t { kAuto, kZero, kManhattan, kChebyshev, kOctile, kEuclid };
// The treatment of a path that was found. kStraight: replaces cells in sight of each other by
// straight ways over free ground of one cost factor. kCurves: rounds the corners too.
enum class Smoothing : std::uint8_t { kNone, kStraight, kCurves };
// g++ 12 holds a scoped enumerator against the constant kUnreachable of the same name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class QueryState : std::uint8_t {
  kComplete,
  kPartial,
  kUnreachable,
  kStartBlocked,
  kGoalBlocked,
  kOutOfBudget,
  kOutOfMemory,  // the search would exceed search_bytes_of(), or the clusters of its own shape
                 // FactMemory's limit; what it found proves nothing
  kTurnTooTight  // a path was found, but a turn of it has no room for the turning radius
};
#pragma GCC diagnostic pop

inline constexpr std::size_t kSearchBytesMin = std::size_t{1} << 16;
inline constexpr std::size_t kSearchBytesMax = std::size_t{1} << 30;
inline constexpr std::size_t kSearchBytesDefault = std::size_t{16} << 20;
inline constexpr std::size_t kPairBytesDefault = std::size_t{256} << 20;  // kFloydWarshall

// The clusters that a query may ask for.
inline constexpr std::int32_t kClusterSideMin = 8;
inline constexpr std::int32_t kClusterSideMax = HpaShape::kSideMax;
inline constexpr int kClusterLevelsMax = HpaShape::kLevelsMax;
inline constexpr std::uint32_t kClustersMax = 1u << 20;  // of level 1

// Greatest memory of a search that QueryLimits::idle_jumps should keep: only short searches gain.
inline constexpr std::size_t kIdleJumpsBytes = std::size_t{1} << 16;

struct QueryLimits {
  std::uint64_t max_expansions = ~std::uint64_t{0};
  const StopToken* stop = nullptr;  // borrowed; may be null
  // Memory of kIdaStar, kSmaStar and kFloydWarshall; 0: the algorithm's default.
  std::size_t search_bytes = 0;
  // Memory of every other search; one that needs more ends with kOutOfMemory.
  std::size_t bytes_max = ~std::size_t{0};
  // Counts the expansions of all searches of the query, and the work units of edges beside them
  // (routes/edge_work.h); borrowed, may be null.
  std::uint64_t* work = nullptr;
  // Memory that this thread's queries leave to the next ones; borrowed, may be null. For a short
  // path, allocating a search from scratch costs as much as the search itself.
  IdleJumps* idle_jumps = nullptr;
};

// Returns the memory that a search by the algorithm may take. REQUIRES: keeps_to_memory(algorithm).
std::size_t search_bytes_of(QueryAlgorithm algorithm, const QueryLimits& limits);

inline constexpr double kCurveDeviationDefault = 0.05;

// Graphs do not read `smoothing` and `curve_deviation`; meshes read only kCurves, and not
// `turn_penalty`.
struct PathQuery {
  MapPoint from;
  std::vector<MapPoint> goals;  // 1 to kRouteGoalsMax
  double goal_radius = 0;       // cells
  QueryAlgorithm algorithm = QueryAlgorithm::kAuto;
  double weight = 1;  // [1, 1000], in sixteenths, rounded down; only A*
  Heuristic heuristic = Heuristic::kAuto;
  // For each change of direction, [0, kTurnPenaltyMax], on graphs [0, kRouteTurnPenaltyMax]; kAuto
  // and kAStar.
  Cost turn_penalty = 0;
  Smoothing smoothing = Smoothing::kNone;
  double curve_deviation = kCurveDeviationDefault;  // of the chords of a curve, cells, > 0
  double turning_radius = 0;  // meshes, kCurves: the walker's, > 0; grids: Snapshot has it
  // Cells along a cluster's side, and levels; 0: as the world keeps them. kHpa. Other values than
  // the world's make clusters for this query alone.
  std::int32_t cluster_side = 0;
  int cluster_levels = 0;
  bool allow_partial = false;
  bool snap_start = false;
  bool explain = false;  // fill PathAnswer::touched
};

inline constexpr Cost kTurnPenaltyMax = 1000 * kStraightStep;

struct PathAnswer {
  QueryState state = QueryState::kUnreachable;
  std::vector<NodeId> nodes;  // every cell
  // With smoothing on grids: the points at which the path turns, both ends included; it was made
  // from `nodes`.
  std::vector<MapPoint> points;
  Cost cost = 0;            // of the steps, or of the smoothed path
  double bound = 1;         // cost <= bound x optimum; 1: optimal
  std::uint64_t turns = 0;  // changes of direction, counted if they have a penalty
  Cost turn_cost = 0;       // of all of them; then cost + turn_cost is optimal
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::uint64_t peak_bytes = 0;
  std::vector<TouchedNode> touched;  // by ascending node
  // With `explain`: the nodes in the order of their expansion, at most kStepsToldMax; a node that
  // was expanded again stands here again. Empty if the algorithm has no such order.
  std::vector<NodeId> expansions;
  // Route of the path on meshes and graphs, where it replaces `nodes` and `touched`.
  std::vector<RoutePoint> route;
  RouteTrace trace;  // of all searches, one after the other
};
// Maximum number of places remembered by a search with PathQuery::explain on meshes and graphs.
inline constexpr std::size_t kTouchedPlacesMax = 50'000;

// Returns whether the algorithm can answer on this snapshot. On grids kJps needs a uniform layer
// and its jump map. The algorithm kHpa needs the clusters of a layer with 4 or 8
// neighbours. On graphs all suit but kJps and kHpa. On meshes kAuto, kAStar, kDijkstra and kBfs
// suit.
bool suits(QueryAlgorithm algorithm, const Snapshot& world);
bool suits(QueryAlgorithm algorithm, const QueryGround& ground);
// Returns whether the algorithm keeps to QueryLimits::search_bytes.
bool keeps_to_memory(QueryAlgorithm algorithm);

// Finds the size of the table of kFloydWarshall: of the free cells, or of the open nodes. The bytes
// are those needed at least if they exceed kSearchBytesMax. O(free cells, or edges).
PairTableNeed pair_table_need(const Snapshot& world);
PairTableNeed pair_table_need(const QueryGround& ground);
// Returns the number of clusters of level 1 that a query's clusters have on this snapshot.
std::uint64_t cluster_count(const PathQuery& query, const Snapshot& world);
// Returns whether a heuristic can be chosen for the algorithm.
bool takes_heuristic(QueryAlgorithm algorithm);
// Returns whether the heuristic is admissible in this topology. Columns and rows are counted as the
// map stores them. So on hexagons Manhattan, octile and Euclid may overestimate.
bool never_overestimates(Heuristic heuristic, Topology topology);
// Returns whether it is admissible on meshes and graphs, where steps lead in any direction.
bool never_overestimates(Heuristic heuristic);
// Returns whether the map is small enough (2^25 cells) for a search with turn costs.
bool suits_turns(const Snapshot& world);

// kFloydWarshall ends with kOutOfMemory before it begins if its table exceeds search_bytes_of().
// REQUIRES: suits(query.algorithm, world). A heuristic that may overestimate requires a weight of
// at least 17/16 and kAuto or kAStar. A turn_penalty requires kAuto or kAStar, weight 1 and
// suits_turns(world). Smoothing requires a topology other than kHex. Cluster options require kHpa,
// their ranges, and a cluster_count() of at most kClustersMax.
PathAnswer find_path(const Snapshot& world, const PathQuery& query, const QueryLimits& limits);
// REQUIRES: suits(query.algorithm, ground). On graphs a heuristic that may overestimate requires a
// weight of at least 17/16 and kAuto or kAStar. A weight above 1 requires kAuto or kAStar. kCurves
// requires a mesh and a turning radius.
PathAnswer find_path(const QueryGround& ground, const PathQuery& query, const QueryLimits& limits);

struct NearestGoal {
  QueryState state = QueryState::kUnreachable;
  std::uint32_t goal = 0;  // index; with kComplete
  PathAnswer path;
};
// Finds the goal that is cheapest to reach. On grids one Dijkstra from `from`; ties by the goal's
// cell, then by its index.
NearestGoal find_nearest_goal(const Snapshot& world, MapPoint from, std::span<const MapPoint> goals,
                              const QueryLimits& limits);
NearestGoal find_nearest_goal(const QueryGround& ground, MapPoint from,
                              std::span<const MapPoint> goals, const QueryLimits& limits);

struct FlowQuery {
  std::vector<MapPoint> goals;  // 1 to 64
  double goal_radius = 0;       // cells
  PlaceBox area;                // on the map, not empty
};

// FlowField::directions holds these two values or a direction's number. On squares the directions
// are 0 to 7 from +x on by way of +y; the odd ones are diagonals. On hexagons they are 0 to 5 in
// the same sense: 0 is +x, 1 leads to the right one of row y + 1.
inline constexpr std::uint8_t kFlowGoal = 254;
inline constexpr std::uint8_t kFlowNone = 255;  // blocked, or no goal can be reached

struct FlowField {
  QueryState state = QueryState::kComplete;  // or kGoalBlocked, kOutOfBudget
  std::vector<std::uint8_t> directions;      // of each cell of the area, row by row
  std::vector<Cost> costs;                   // to the nearest goal; kUnreachable
  std::uint64_t expanded = 0;
};
// Finds the next step of a cheapest path from every cell of the area; ties go to the direction with
// the lowest number. One Dijkstra from the goals, which ends when every free cell of the area is
// settled.
FlowField find_flow_field(const Snapshot& world, const FlowQuery& query, const QueryLimits& limits);

struct AwayQuery {
  MapPoint from;
  std::vector<MapPoint> threats;  // 1 to 64; the nearest of them counts
  double distance = 0;            // cells, [0, kAwayCellsMax]
  bool allow_partial = false;
  bool snap_start = false;
};
inline constexpr double kAwayCellsMax = 32'768;  // farther than any two cells are apart

struct AwayAnswer {
  // Distance from the nearest threat to the path's end. On grids it is the straight distance to the
  // cell's centre, in cells; on meshes and graphs QueryGround::distance_from.
  double distance = 0;
  PathAnswer path;  // kPartial: to the farthest place; kUnreachable: nothing is far enough
};
// Finds the cell that is cheapest to reach among those whose centre is at least `distance` from
// every threat; ties by node id. If there is none and allow_partial is set, finds the farthest
// reachable cell; ties by cost, then by id. One Dijkstra, which ends with the first cell that is
// far enough.
AwayAnswer find_away(const Snapshot& world, const AwayQuery& query, const QueryLimits& limits);
// Finds the same among places. The path's bound holds against all places that are far enough.
AwayAnswer find_away(const QueryGround& ground, const AwayQuery& query, const QueryLimits& limits);

struct ReachableCell {
  NodeId node{};
  Cost cost = 0;
  std::uint32_t previous = 0;  // index into the list; its own for the start
};
struct ReachableAnswer {
  QueryState state = QueryState::kComplete;
  std::vector<ReachableCell> cells;  // by (cost, node)
  bool truncated = false;
};
// Finds the cells that can be reached within `max_cost`: the `max_cells` nearest of them, ordered
// by cost and then by node. `truncated` is set if there are more. Does not snap: a start that is
// not free gives kStartBlocked. One Dijkstra. Limits that are spent give kOutOfBudget and no cells.
ReachableAnswer find_reachable(const Snapshot& world, MapPoint from, Cost max_cost,
                               std::uint32_t max_cells, const QueryLimits& limits);

// Answer that lists pieces of the ground of a mesh or a graph.
struct PiecesAnswer {
  QueryState state = QueryState::kComplete;  // or kStartBlocked, kGoalBlocked, kOutOfBudget
  std::vector<ReachedPiece> pieces = {};     // by ascending cost
  bool truncated = false;
  bool is_exact = false;  // RouteFlood::is_exact
  std::uint64_t expanded = 0;
};
// Finds the pieces that can be reached within the cost; the nearest ones if there are too many.
PiecesAnswer find_pieces(const QueryGround& ground, MapPoint from, Cost max_cost,
                         std::size_t max_pieces, const QueryLimits& limits);
// Finds the pieces from which a goal can be reached within the cost, and where to go from each
// (QueryGround::flood_to). Reads only the goals and the goal radius of the query.
PiecesAnswer find_pieces_to(const QueryGround& ground, const FlowQuery& query, Cost max_cost,
                            const QueryLimits& limits);

// Returns a free cell, chosen evenly, whose centre is at most `radius` cells from `near` (infinite:
// any free cell). The same seed gives the same cell of the same layer. Empty: there is no such
// cell, or 1,000 tries in the square around `near` met none. QueryGround::random_place does the
// same.
std::optional<NodeId> random_free_cell(const GridLayer& layer, MapPoint near, double radius,
                                       std::uint64_t seed);

struct RayAnswer {
  bool hit = false;
  MapPoint position;                // where it is blocked, or the end
  double distance = 0;              // from the start to there, on the plane
  std::optional<NodeId> last_free;  // the last cell passed; grids alone
  std::optional<NodeId> blocked;    // the cell that blocks; grids alone
};
// Casts a line over cells. A line that passes exactly through a corner obeys the corner rule like a
// diagonal step.
RayAnswer raycast(const Snapshot& world, MapPoint from, MapPoint to);
// Casts a line over the ground below the start, to a target on the same floor. REQUIRES:
// is_continuous().
RayAnswer raycast(const QueryGround& ground, MapPoint from, MapPoint to);

struct CheckAnswer {
  bool valid = false;
  std::optional<std::uint32_t>
      first_invalid;  // index of the node at the end of the first broken step; 0: the start
  Cost cost = 0;      // at today's costs, if valid
  Cost slack = 0;     // costs no farther apart are equal: they are sums of rounded lengths
};
// Checks a path. `nodes` are waypoints: consecutive ones lie on one row, column or diagonal, and
// every step between them is checked. first_invalid counts waypoints.
CheckAnswer check_path(const Snapshot& world, std::span<const NodeId> nodes);
// Checks a route. `route` holds positions as a client has them, and links. Its first point is moved
// to the place where find_path would begin.
CheckAnswer check_path(const QueryGround& ground, std::vector<RoutePoint>* route);

}  // namespace repath
