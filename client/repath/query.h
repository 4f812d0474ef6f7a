// Questions about a world and their answers, as plain values. The limits are in proto/repath/v1:
// path.proto, query.proto and area.proto.
//
// Thread rule: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repath/values.h"
#include "repath/world.h"

namespace repath::client {

struct Walker {
  std::string profile{};  // Empty means "default".
  std::uint32_t team = 0;
};

// Numbers are the protocol's.
enum class Smoothing {
  kUnspecified = 0,  // The same as kNone.
  kNone = 1,
  kStraight = 2,  // Straight lines in any direction, as far as they are in sight.
  kCurves = 3,    // The same, with rounded corners.
};

// Numbers are the protocol's, which says what suits which world.
enum class Algorithm {
  kUnspecified = 0,  // The server's choice.
  kBfs = 1,
  kDijkstra = 2,
  kAStar = 3,
  kLpa = 4,
  kDStarLite = 5,
  kJps = 6,
  kFringe = 7,
  kIdaStar = 8,
  kSmaStar = 9,
  kDStar = 10,
  kHpa = 11,
  kFloydWarshall = 12,
};

struct PathQuery {
  std::string world{};
  Location from{};
  std::vector<Location> goals{};  // The path leads to the one that is cheapest to reach.
  double goal_radius = 0;
  Walker walker{};
  bool allow_partial = false;
  bool snap_start = false;
  bool every_cell = false;
  std::uint32_t max_waypoints = 0;  // Limit of waypoints; 0: all, at most 100,000.
  std::uint64_t min_revision = 0;
  std::uint64_t at_revision = 0;  // The world as it was then; 0: as it is.
  double turn_penalty = 0;        // Price of each turn; then cost + turn_cost is optimal.
  Smoothing smoothing = Smoothing::kUnspecified;  // Else Waypoint::position counts, not the cell.
  double curve_deviation = 0;                     // World units; 0: 0.05 cell sizes.
  Algorithm algorithm = Algorithm::kUnspecified;
  // Memory of kIdaStar, kSmaStar and kFloydWarshall; 0: the default. Other algorithms refuse it.
  std::uint64_t memory_limit_bytes = 0;
  // Side, 8 to 64 cells, and levels, 1 to 3, of the clusters of kHpa; 0: the world's own. Other
  // algorithms refuse them.
  std::uint32_t cluster_side = 0;
  std::uint32_t cluster_levels = 0;
};

struct NearestQuery {
  std::string world{};
  Location from{};
  std::vector<Location> goals{};  // Empty: snap to the nearest free place.
  Walker walker{};
  double max_distance = 0;  // For snapping; 0 means 64 cell sizes.
};

struct Nearest {
  PathStatus status = PathStatus::kUnspecified;
  std::int32_t goal_index = -1;
  Cell cell{};
  Vec3 position{};
  double distance = 0;
  Path path{};
  std::uint64_t revision = 0;
};

struct ReachableQuery {
  std::string world{};
  Location from{};
  double max_cost = 0;
  Walker walker{};
  std::uint32_t max_cells = 0;  // 0 means 10,000.
};

struct ReachableCell {
  Cell cell{};
  double cost = 0;
  std::int32_t previous = -1;  // Index of the cell before it; -1 for the start.
};

// A convex piece of a mesh, or a node of a graph.
struct ReachablePiece {
  Vec3 position{};  // Meshes: the point where it is entered.
  double cost = 0;
  std::int32_t previous = -1;   // Index of the piece before it; -1 for the start.
  std::uint64_t node = 0;       // Graphs.
  std::uint32_t area = 0;       // Meshes: its area type.
  std::vector<Vec3> corners{};  // Meshes.
  std::uint32_t edge_key = 0;   // Graphs: key of the edge that leads to it.
};

struct Reachable {
  PathStatus status = PathStatus::kUnspecified;
  std::vector<ReachableCell> cells{};                // By ascending cost; grids.
  std::vector<ReachablePiece> pieces{};              // By ascending cost; meshes and graphs.
  Optimality optimality = Optimality::kUnspecified;  // Claim about the costs of pieces.
  bool truncated = false;
  std::uint64_t revision = 0;
};

struct AwayQuery {
  std::string world{};
  Location from{};
  std::vector<Location> threats{};  // The nearest of them counts.
  double distance = 0;              // Straight distance to keep from each of them, world units.
  Walker walker{};
  bool allow_partial = false;  // If no reachable place is that far away, go to the farthest.
  bool snap_start = false;
  bool every_cell = false;
  std::uint32_t max_waypoints = 0;  // Limit of waypoints; 0: all, at most 100,000.
  std::uint64_t min_revision = 0;
  std::uint64_t at_revision = 0;  // The world as it was then; 0: as it is.
};

struct Away {
  PathStatus status = PathStatus::kUnspecified;
  Cell cell{};  // The end of the path.
  Vec3 position{};
  double distance = 0;  // Distance from its end to the nearest threat.
  Path path{};          // The cheapest path that leads far enough.
  std::uint64_t revision = 0;
};

struct FlowQuery {
  std::string world{};
  std::vector<Location> goals{};
  double goal_radius = 0;
  std::optional<CellRect> area{};  // Grids: at most 400,000 cells; empty: the whole map.
  Walker walker{};
  std::uint64_t min_revision = 0;
  std::uint64_t at_revision = 0;  // The world as it was then; 0: as it is.
  // Meshes and graphs: greatest cost to a goal (0: no limit), the first piece to return, and the
  // greatest number of pieces (0 means 20,000).
  double max_cost = 0;
  std::uint32_t first_piece = 0;
  std::uint32_t max_pieces = 0;
};

// A piece of a mesh or graph. From anywhere in a piece of a mesh go straight to its position.
struct FlowPiece {
  Vec3 position{};
  double cost = 0;         // Cost from the position to a goal.
  std::int32_t next = -1;  // Index of the next piece among all; -1: a goal is in this one.
  double toward_x = 0;     // Meshes: next point of the way, in a straight line.
  double toward_z = 0;
  std::uint64_t link = 0;       // Meshes: link to take at the position; 0: none.
  std::uint64_t node = 0;       // Graphs.
  std::uint32_t area = 0;       // Meshes: its area type.
  std::vector<Vec3> corners{};  // Meshes.
  std::uint32_t edge_key = 0;   // Graphs: key of the edge to the next one.
};

// The next step from every cell of an area. Directions are numbered as in GetFlowFieldResponse of
// area.proto: 0 is +x, the others follow by way of +y.
struct FlowField {
  static constexpr std::uint8_t kGoal = 254;
  static constexpr std::uint8_t kNone = 255;  // Blocked, or without a way to a goal.

  PathStatus status = PathStatus::kUnspecified;
  CellRect area{};
  std::vector<std::uint8_t> directions{};  // Row by row; empty unless kComplete.
  std::vector<double> costs{};             // To the nearest goal; infinity with kNone. Grids.
  std::uint64_t revision = 0;
  std::vector<FlowPiece> pieces{};                   // From first_piece on; meshes and graphs.
  Optimality optimality = Optimality::kUnspecified;  // Claim about the costs of pieces.
  std::optional<std::uint32_t> next_piece{};         // Empty: these were the last.
};

// Asks where a tower of `width` x `height` cells may stand; grids only.
struct PlacementQuery {
  std::string world{};
  std::optional<CellRect> area{};  // Anchors, at most 1,048,576 cells; empty: the whole map.
  std::uint32_t width = 1;         // [1, 64]
  std::uint32_t height = 1;        // [1, 64]
  Walker walker{};                 // The tower needs ground that is free for it.
  std::uint64_t min_revision = 0;
  std::uint64_t max_expansions = 0;  // Limit of the work; 0: the server's.
};

enum class Placement : std::uint8_t {
  kUnspecified = 0,
  kFree = 1,
  kGround = 2,   // A cell of the tower is off the map, or not free.
  kAgent = 3,    // An agent would stand in the tower, and would have no path.
  kCutsOff = 4,  // Another agent would have no path to a goal any more.
  kUnknown = 5,  // A limit was reached.
};

struct Placements {
  CellRect area{};
  std::vector<Placement> placements{};  // One for each anchor, row by row.
  std::uint64_t revision = 0;
};

struct RaycastQuery {
  std::string world{};
  Location from{};
  Location to{};
  Walker walker{};
};

struct RaycastHit {
  bool hit = false;
  Vec3 position{};  // The point where it is blocked, or `to`.
  double distance = 0;
  std::uint64_t revision = 0;
};

struct PathCheckQuery {
  std::string world{};
  std::vector<Cell> waypoints{};  // Grids: the path runs straight between them.
  Walker walker{};
  bool check_optimal = false;
  std::vector<Vec3> positions{};       // Meshes and graphs: the waypoints.
  std::vector<std::uint64_t> links{};  // Meshes: link from each waypoint, 0 for none; may be empty.
};

struct PathCheck {
  bool valid = false;
  std::int32_t first_invalid_waypoint = -1;
  double cost = 0;
  bool optimal = false;     // With check_optimal, if valid.
  double optimal_cost = 0;  // With check_optimal: of the cheapest path found; 0 if there is none.
  std::uint64_t revision = 0;
  bool optimal_is_known = false;  // With check_optimal: `optimal` is proved either way.
};

struct RandomQuery {
  std::string world{};
  std::optional<Location> near{};  // Centre of the disc to pick from; empty: anywhere.
  double radius = 0;               // Of the disc, world units.
  Walker walker{};
  std::uint64_t seed = 0;  // The same seed picks the same place on the same revision.
};

struct RandomPlace {
  PathStatus status = PathStatus::kUnspecified;
  Vec3 position{};
  Cell cell{};             // Grids.
  std::uint64_t node = 0;  // Graphs.
  std::uint64_t revision = 0;
};

struct TickQuery {
  std::string world{};
  std::string session_id{};  // Session whose settled_revision is returned; empty: of all agents.
  std::uint64_t budget_work_units = 0;  // 0: the world's frame budget.
  std::uint64_t game_tick = 0;          // The client's own number; it comes back in the answer.
};

struct Ticked {
  std::uint64_t revision = 0;
  std::uint64_t settled_revision = 0;  // Valid once batches up to last_batch_number have been read.
  std::uint64_t last_batch_number = 0;  // The last batch on the session's stream.
  std::uint64_t backlog = 0;            // Agents that wait.
  std::uint64_t late = 0;
  std::uint64_t used_work_units = 0;
  std::uint64_t frame = 0;
  std::uint64_t state_hash = 0;
  std::uint64_t game_tick = 0;  // The request's.
};

}  // namespace repath::client
