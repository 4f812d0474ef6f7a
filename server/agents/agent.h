// Questions of clients about their agents, and the answers to them: plain data that the verdicts,
// the engine and the rooms above exchange. On grids, positions are in cells (x and y as doubles;
// cell (cx, cy) spans [cx, cx + 1) x [cy, cy + 1)); rooms that speak world units divide by the cell
// size first. On meshes and graphs, positions are in world units, and y is the z of the world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/route.h"
#include "base/cost.h"
#include "base/ids.h"
#include "base/map_point.h"

namespace repath {

// Limits on what a client may ask about an agent. rpc and the .proto files name the same figures.
inline constexpr std::size_t kAgentGoalsMax = 16;
inline constexpr double kGoalRadiusCellsMax = 64;
inline constexpr std::uint32_t kPriorityMax = 7;
inline constexpr std::uint32_t kMaxStalenessMs = 3'600'000;
inline constexpr double kCrowdPenaltyMax = 16;
inline constexpr double kCrowdRadiusCellsMax = 64;

// The search that keeps paths right; one for each world. All of them give exact answers.
enum class Strategy : std::uint8_t { kAuto, kAStar, kLpa, kDStarLite, kField };

// The stream that an agent belongs to; kNoOwner if it belongs to none. Chosen by runtime.
enum class OwnerId : std::uint32_t {};
inline constexpr OwnerId kNoOwner{0};

// How far an agent leaves its cheapest path to keep clear of other agents. Grids only. Each figure
// is above 0.
struct CrowdSpec {
  // Extra cost of a cell for each other agent that is about to use it, in straight steps on the
  // best ground; at most kCrowdPenaltyMax.
  double penalty = 0;
  // Radius around the agent in which others count, in cells; at most kCrowdRadiusCellsMax.
  double radius = 0;
  // Share by which the path may cost more than the cheapest path; at most 1.
  double max_detour = 0;
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
  bool stands = false;  // the obstacle with the agent's id does not block the agent itself
  bool curves = false;  // paths keep the turning radius of the profile, which is above 0
  std::optional<CrowdSpec> crowd = {};
  std::uint64_t goal_generation = 0;  // number that the client gave this question; events repeat it
  bool operator==(const AgentSpec&) const = default;
};

// An agent that existed before its engine did, as it was asked for last.
struct RestoredAgent {
  AgentSpec spec;  // with the newest position that is known
  OwnerId owner{};
  Micros position_age_us = 0;  // age of that position, for AgentView
};

// Returns whether both ask the same question: they differ at most in the agent's position, in when
// and how often it is to be answered, and in the question's number. An agent that asks the same
// question again keeps its verdict.
inline bool is_same_question(const AgentSpec& a, AgentSpec b) {
  b.position = a.position;
  b.priority = a.priority;
  b.max_staleness_ms = a.max_staleness_ms;
  b.confirm = a.confirm;
  b.goal_generation = a.goal_generation;
  return a == b;
}

struct PositionReport {
  AgentId id{};
  MapPoint position;
  PathVersion path_version{};  // version of the path that the agent follows; 0 for none
};

// g++ 12 warns that an enumerator of these scoped enumerations shadows the constant kUnreachable.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class PathState : std::uint8_t {
  kComplete,
  kPartial,
  kUnreachable,
  kStartBlocked,
  kGoalBlocked
};
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
  kAsked  // an upsert replaced the question; for the rooms above, never sent to a client
};
#pragma GCC diagnostic pop
enum class Optimality : std::uint8_t { kOptimal, kWithin, kBounded, kValidOnly, kStale };

// A path as it is sent to a client. On grids `nodes` holds every cell of the path; the first is the
// position that the path was computed from. On meshes and graphs `points` takes its place; on grids
// `points` is the line over these nodes that an agent with AgentSpec::curves drives, in cells (x
// and z). Both are empty if there is no path.
struct AgentPath {
  PathState state = PathState::kUnreachable;
  Optimality optimality = Optimality::kOptimal;
  bool turn_too_tight = false;  // with AgentSpec::curves: a turn has no room, so none is driven
  Cost allowance = 0;           // with kWithin
  // With kBounded and kStale: the cost is at most `weight` times the least cost; >= 1.
  double weight = 1;
  Cost cost = 0;
  Revision revision{};
  PathVersion version{};
  std::vector<NodeId> nodes = {};
  std::vector<RoutePoint> points = {};
};
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
  kTakenOver,  // another owner has the agent now; see runtime/stream_hub.h
  kRecovered   // the agent existed before the engine did, see Engine::restore_agents
};

// Returns whether events of this type leave the latest verdict as it is.
constexpr bool is_note(EventType type) {
  return type == EventType::kCostChanged || type == EventType::kConfirmed;
}

// One verdict. server/docs/promise.md has the table of events.
struct AgentEvent {
  EventType type = EventType::kNewPath;
  EventReason reason = EventReason::kNone;
  AgentId agent{};
  OwnerId owner{};
  Revision revision{};  // revision for which the verdict holds
  NodeId position{};    // position that the verdict was computed from (grids)
  Spot spot{};          // the same position on meshes and graphs
  // Version that counts after the event; kInvalidated: version of the broken path.
  PathVersion path_version{};
  // Path with kNewPath, kReplanned, kImproved and kPartial. With kUnreachable and kStartBlocked it
  // holds only the state. (The path from a snapped start comes as kNewPath or kPartial with state
  // kStartBlocked.)
  std::optional<AgentPath> path = {};
  Cost old_cost = 0;  // cost of the held path before the event, from the agent's position
  Cost cost = 0;      // cost of the held path after the event
  // kInvalidated: end of the first broken step, as an index into the path's nodes as they were
  // sent.
  std::optional<std::uint32_t> first_invalid_node = {};
  // kInvalidated: the same place counted in straight runs; 1 is the end of the first run.
  std::optional<std::uint32_t> first_invalid_waypoint = {};
  std::vector<Revision> cause_revisions = {};    // ascending, at most 16
  std::vector<ObstacleId> cause_obstacles = {};  // ascending, at most 16
  std::uint64_t waited_frames = 0;
  Micros waited_us = 0;
  std::uint64_t goal_generation = 0;  // AgentSpec::goal_generation when the event arose
  // Number of waypoints of the path as it was first sent that `path` leaves out because they lie
  // behind the agent. It is above 0 only in a verdict that is looked up later
  // (Engine::latest_verdict).
  std::uint32_t waypoints_behind = 0;
};

// The state of one agent, for lists and for resuming a stream.
struct AgentView {
  AgentSpec spec;
  OwnerId owner{};
  NodeId node{};             // position of the agent (grids)
  Spot spot{};               // the same position on meshes and graphs
  AgentEvent verdict;        // as Engine::latest_verdict returns it; empty if there is none
  bool has_verdict = false;  // whether there is a verdict that still counts
  bool waiting = false;
  Revision waiting_since{};  // if waiting: the first revision for which the verdict is not proved
  Revision settled{};        // the last revision for which the verdict is proved
  Cost held_cost = kUnreachable;  // cost of the held path from the agent's position
  // Age that the position had when the agent was restored; 0 if the client has sent one.
  Micros position_age_us = 0;
};

// How an agent's question stands, for whoever looks at a world from above.
enum class Outlook : std::uint8_t { kNone, kPath, kBroken, kPartial, kCutOff, kStartBlocked };

struct AgentGlance {
  AgentId id{};
  NodeId node{};  // position of the agent (grids)
  Spot spot{};    // the same position on meshes and graphs
  Outlook outlook = Outlook::kNone;
  bool waiting = false;
  bool operator==(const AgentGlance&) const = default;
};

}  // namespace repath
