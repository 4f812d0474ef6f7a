// Places, paths, agents and their verdicts, as plain values.
//
// Lengths and costs are world units, angles radians. y is up; on grids cell (x, y) has its centre
// at ((x + 0.5) s, 0, (y + 0.5) s), s being the world's cell size. The limits of every field stand
// in proto/repath/v1/*.proto under the same name; the server checks them, and its Error names the
// field.
//
// Thread rule: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace repath::client {

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

struct Cell {
  std::int32_t x = 0;
  std::int32_t y = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

// A place: a cell of a grid world, or a point.
using Location = std::variant<Cell, Vec3>;

// Result of a search. The numbers are the protocol's.
enum class PathStatus {
  kUnspecified = 0,
  kComplete = 1,      // Leads to a goal.
  kPartial = 2,       // No goal can be reached; leads to the nearest reachable place.
  kUnreachable = 3,   // No goal can be reached; no waypoints.
  kStartBlocked = 4,  // The start is blocked; waypoints begin at the nearest free place.
  kGoalBlocked = 5,   // No goal has a free place within its radius; no waypoints.
  kOutOfBudget = 6,   // The search was stopped; a path may exist.
  kOutOfMemory = 7,   // The search needs more memory than allowed; a path may exist.
  kTurnTooTight = 8,  // A path exists, but one of its turns has no room for the turning radius.
};

enum class Optimality {
  kUnspecified = 0,
  kOptimal = 1,    // No cheaper path exists at the path's revision.
  kWithin = 2,     // No path is cheaper by more than `bound` world units.
  kBounded = 3,    // Costs at most `bound` times the optimum.
  kValidOnly = 4,  // Open at its revision; a cheaper path may exist.
  kStale = 5,      // Optimal at its revision, or bounded; a later change has not been examined yet.
};

// A corner of a path: between two waypoints it runs straight, on grids along a row, a column or a
// diagonal.
struct Waypoint {
  Vec3 position{};
  Cell cell{};             // Grids.
  std::uint32_t area = 0;  // Meshes and graphs: the area type of the ground from here on.
  std::uint64_t node = 0;  // Graphs: the node's id.
  // Graphs: the key of the edge to the next waypoint, which tells parallel edges apart.
  std::uint32_t edge_key = 0;
  std::uint64_t link = 0;  // With is_link: over this link to the next waypoint.
  bool is_link = false;
};

struct Path {
  PathStatus status = PathStatus::kUnspecified;
  double cost = 0;  // From the first waypoint to the last; 0 without waypoints.
  std::vector<Waypoint> waypoints{};
  std::uint64_t revision = 0;
  Optimality optimality = Optimality::kUnspecified;
  double bound = 0;
  std::uint64_t version = 0;  // Number of the agent's path, from 1; 0 for queries.
  std::uint64_t digest = 0;   // Equal for equal routes.
  // Number of waypoints that follow `waypoints`; ask find_path from the last one for them.
  std::uint64_t waypoints_left_out = 0;
  // Of an agent with `curves`: a turn has no room for the turning radius, so no turn is an arc.
  bool turn_too_tight = false;
  std::vector<Vec3> line{};  // Squares: what such an agent drives, over the cells of the waypoints.
  std::uint64_t turns = 0;   // find_path with turn_penalty: changes of direction,
  double turn_cost = 0;      // and their price, not part of `cost`.
};

// Returns the cells of a path that is not smoothed, both ends included. O(length).
std::vector<Cell> cells_of(const Path& path);

// How far an agent goes out of its way to keep clear of others. Grids only; each value above 0.
struct Crowd {
  double penalty = 0;     // Price of a cell for each agent about to use it, in steps.
  double radius = 0;      // Radius in which other agents count, world units.
  double max_detour = 0;  // Greatest share by which the path may cost more than the cheapest.
  friend bool operator==(const Crowd&, const Crowd&) = default;
};

// An agent that moves. An upsert replaces everything but the id.
struct Agent {
  std::uint64_t id = 0;
  std::string profile{};  // Empty means "default".
  std::uint32_t team = 0;
  Location position{};
  std::vector<Location> goals{};  // The path leads to the one that is cheapest to reach.
  double goal_radius = 0;
  std::uint32_t priority = 0;
  std::uint32_t max_staleness_ms = 0;
  double min_improvement_ratio = 0;
  bool allow_partial = false;
  bool snap_start = false;
  bool confirm = false;
  bool stands = false;  // Its own body (ChangeBatch::stand) does not block it.
  bool curves = false;  // Squares, meshes: paths keep the turning radius of the profile.
  std::optional<Crowd> crowd{};
  // Your own number for this question; its events echo it. If you count it up with each new goal,
  // it identifies the goal of an event. Go on counting if another process resumes the session.
  std::uint64_t goal_generation = 0;
  friend bool operator==(const Agent&, const Agent&) = default;
};

// The position of an agent, and the path that it follows (0: none).
struct AgentPosition {
  std::uint64_t id = 0;
  Location position{};
  std::uint64_t path_version = 0;
};

// Numbers are the protocol's.
enum class EventType {
  kUnspecified = 0,
  kNewPath = 1,
  kInvalidated = 2,
  kCostChanged = 3,
  kReplanned = 4,
  kImproved = 5,
  kUnreachable = 6,
  kPartial = 7,
  kStartBlocked = 8,
  kConfirmed = 9,
  kRemoved = 10,
};

enum class EventReason {
  kUnspecified = 0,
  kNewAgent = 1,
  kAgentChanged = 2,
  kOffPath = 3,
  kReachableAgain = 4,
  kStartFreeAgain = 5,
  kRemovedByClient = 6,
  kWorldDeleted = 7,
  kSessionExpired = 8,
  kTakenOver = 9,   // Another session owns the agent now.
  kRecovered = 10,  // The server has loaded the world again, for example after a restart.
};

// Returns "INVALIDATED" for kInvalidated, "COMPLETE" for kComplete.
const char* name_of(EventType type);
const char* name_of(PathStatus status);

// One agent's verdict.
struct PathEvent {
  EventType type = EventType::kUnspecified;
  std::uint64_t agent_id = 0;
  std::uint64_t revision = 0;  // Revision at which the verdict holds.
  Cell cell{};                 // The cell that it was computed from.
  Vec3 position{};
  Path path{};  // Whole with kNewPath, kReplanned, kImproved, kPartial; else the status only.
  std::uint64_t path_version =
      0;  // Version of the path that counts after it; with kInvalidated, of the broken one.
  std::vector<std::uint64_t> cause_revisions{};
  std::vector<std::uint64_t> cause_obstacles{};
  std::optional<std::int32_t> first_invalid_waypoint{};
  double old_cost = 0;
  double cost = 0;
  std::uint64_t waited_frames = 0;
  std::uint64_t waited_us = 0;
  EventReason reason = EventReason::kUnspecified;
  std::uint32_t coalesced = 0;  // Number of earlier events of this agent that this one replaces.
  // Agent::goal_generation of the upsert that this event answers to.
  std::uint64_t goal_generation = 0;
};

// Facts of a batch about its session.
struct BatchInfo {
  std::uint64_t batch_number = 0;
  std::uint64_t revision = 0;  // Current revision of the world.
  // The latest event of each agent of the session up to this batch holds at this revision. The
  // batch claims nothing about revisions between this one and the one named before it.
  std::uint64_t settled_revision = 0;
  std::uint64_t coalesced = 0;
  std::uint64_t waiting = 0;
  std::uint64_t late = 0;
  std::uint64_t frame = 0;
  std::size_t events = 0;  // In this batch.
  // Greatest revision that is on the server's disk, and number of the world's present load. Both
  // are 0 on worlds that are not durable.
  std::uint64_t durable_revision = 0;
  std::uint64_t incarnation = 0;
};

}  // namespace repath::client
