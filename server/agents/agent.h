// What clients say of their agents and what they are told back: plain data between those who plan,
// engine and the rooms above. On grids positions are in cells here (x, y as doubles: cell (cx, cy)
// spans [cx, cx + 1) x [cy, cy + 1)); whoever speaks world units divides by the cell size first. In
// worlds of routes (meshes and graphs) they are in world units, y being the z of the world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/route.h"
#include "base/cost.h"
#include "base/ids.h"

namespace repath {

// On grids in cells, on the map: 0 <= x < width, 0 <= y < height. In worlds of routes x and z.
struct MapPoint {
  double x = 0;
  double y = 0;
  double height = 0;  // worlds of routes alone
  bool operator==(const MapPoint&) const = default;
};

// Limits of what a client may say of an agent; rpc and the .proto name the same figures.
inline constexpr std::size_t kAgentGoalsMax = 16;
inline constexpr double kGoalRadiusCellsMax = 64;
inline constexpr std::uint32_t kPriorityMax = 7;
inline constexpr std::uint32_t kMaxStalenessMs = 3'600'000;
inline constexpr int kSnapCellsMax = 64;
inline constexpr double kCrowdPenaltyMax = 16;
inline constexpr double kCrowdRadiusCellsMax = 64;

// Which search keeps paths right; one for each world. All are exact.
enum class Strategy : std::uint8_t { kAuto, kAStar, kLpa, kDStarLite, kField };

// Whose stream an agent belongs to; kNoOwner is nobody's. Chosen by runtime.
enum class OwnerId : std::uint32_t {};
inline constexpr OwnerId kNoOwner{0};

// How far an agent goes out of its way to keep clear of others; grids alone. replan/aside.h has
// what comes of it. Each is above 0.
struct CrowdSpec {
  double penalty = 0;     // extra cost of a cell for each other agent that is about to use it, in
                          // straight steps on the best ground; at most kCrowdPenaltyMax
  double radius = 0;      // cells around the agent, at most kCrowdRadiusCellsMax
  double max_detour = 0;  // the path costs at most this share more than the cheapest; at most 1
  bool operator==(const CrowdSpec&) const = default;
};

struct AgentSpec {
  AgentId id{};
  std::string profile = "default";
  TeamId team{};
  MapPoint position;
  std::vector<MapPoint> goals;  // 1 to kAgentGoalsMax, on the map
  double goal_radius = 0;       // cells, [0, kGoalRadiusCellsMax]
  std::uint32_t priority = 0;   // [0, kPriorityMax]; higher first
  std::uint32_t max_staleness_ms = 1000;
  double min_improvement_ratio = 0;  // [0, 1]
  bool allow_partial = false;
  bool snap_start = false;
  bool confirm = false;
  bool stands = false;  // the body of its id does not count for it
  std::optional<CrowdSpec> crowd = {};
  std::uint64_t goal_generation = 0;  // the client's number for this question; events echo it
  bool operator==(const AgentSpec&) const = default;
};

// Whether both ask the same: they differ at most in where the agent is, in when and how often it is
// to be answered, and in the question's number. An agent that asks the same keeps its verdict.
bool is_same_question(const AgentSpec& a, AgentSpec b);

struct PositionReport {
  AgentId id{};
  MapPoint position;
  PathVersion path_version{};  // the path it follows; 0 for none
};

// g++ 12 holds a scoped enumerator against the constant kUnreachable of the same name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class PathState : std::uint8_t {
  kComplete,
  kPartial,
  kUnreachable,
  kStartBlocked,
  kGoalBlocked
};
#pragma GCC diagnostic pop
enum class Optimality : std::uint8_t { kOptimal, kWithin, kBounded, kValidOnly, kStale };

// As sent to a client. Nodes are every cell of the path, the first the position it was computed
// from; empty without one. In worlds of routes `points` are in their place.
struct AgentPath {
  PathState state = PathState::kUnreachable;
  Optimality optimality = Optimality::kOptimal;
  Cost allowance = 0;  // with kWithin
  double weight = 1;   // with kBounded: the cost is at most so many times the least, >= 1
  Cost cost = 0;
  Revision revision{};
  PathVersion version{};
  std::vector<NodeId> nodes;
  std::vector<RoutePoint> points;
};

// g++ 12 holds a scoped enumerator against the constant kUnreachable of the same name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class EventType : std::uint8_t {
  kNewPath,
  kInvalidated,
  kCostChanged,
  kReplanned,
  kImproved,
  kUnreachable,
  kPartial,
  kStartBlocked,
  kConfirmed,
  kRemoved,
  kAsked  // an upsert replaced the agent's question; for the rooms above, never sent to a client
};
#pragma GCC diagnostic pop
enum class EventReason : std::uint8_t {
  kNone,
  kNewAgent,
  kAgentChanged,
  kOffPath,
  kReachableAgain,
  kStartFreeAgain,
  kRemovedByClient,
  kWorldDeleted,
  kSessionExpired,
  kTakenOver  // another owner has it now; see runtime/stream_hub.h
};

// One verdict. See exactness.md's table; the README of replan has it too.
struct AgentEvent {
  EventType type = EventType::kNewPath;
  EventReason reason = EventReason::kNone;
  AgentId agent{};
  OwnerId owner{};
  Revision revision{};         // for which the verdict holds
  NodeId position{};           // that it was computed from
  Spot spot{};                 // the same in worlds of routes
  PathVersion path_version{};  // that counts after the event; the broken one's with kInvalidated
  std::optional<AgentPath>
      path;  // kNewPath, kReplanned, kImproved, kPartial; kUnreachable and kStartBlocked: state
             // only (a snapped start's path comes as kNewPath or kPartial with state kStartBlocked)
  Cost old_cost = 0;  // of the held path before the event, from the agent's position
  Cost cost = 0;      // of the held path after it
  std::optional<std::uint32_t> first_invalid_node;  // kInvalidated: index into the path's nodes as
                                                    // sent: the end of the first broken step
  std::optional<std::uint32_t>
      first_invalid_waypoint;  // the same, counted in straight runs: 1 is the end of the first run
  std::vector<Revision> cause_revisions;    // ascending, at most 16
  std::vector<ObstacleId> cause_obstacles;  // ascending, at most 16
  std::uint64_t waited_frames = 0;
  Micros waited_us = 0;
  std::uint64_t goal_generation = 0;  // AgentSpec::goal_generation when the event arose
  // Waypoints of the path as it was first sent that `path` leaves out because they lie behind the
  // agent. Not 0 only in a verdict that is looked up later (Engine::latest_verdict).
  std::uint32_t waypoints_behind = 0;
};

// One agent as replan knows it, for lists and for resuming a stream.
struct AgentView {
  AgentSpec spec;
  OwnerId owner{};
  NodeId node{};             // where it is
  Spot spot{};               // the same in worlds of routes
  AgentEvent verdict;        // as Engine::latest_verdict; empty if there is none
  bool has_verdict = false;  // whether there is one that counts
  bool waiting = false;
  Revision waiting_since{};       // the first revision for which nothing is proved, if waiting
  Revision settled{};             // the last revision for which the verdict is proved
  Cost held_cost = kUnreachable;  // of the held path, from there
};

}  // namespace repath
