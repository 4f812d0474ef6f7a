// The state of the promise in every kind of world: the record of an agent, the short row that the
// filters read of every agent at every commit, and what all parts share. Each kind of world adds
// the fields that it alone needs, see kind.h.
//
// Invariants:
//   1. A path is held iff the standing is kPath or kPartial.
//      row.held is the cost of its rest today, unless `broken_at` is set.
//   2. row.lower is a lower bound of the optimum at every revision the agent is settled for.
//      So the verdict holds as long as held - lower stays within the allowance.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "agents/agent.h"
#include "agents/queue.h"
#include "agents/stats.h"
#include "agents/waiting_book.h"
#include "base/cost.h"
#include "base/ids.h"

namespace repath {

using Slot = std::uint32_t;
// An entry of the goal table (goal_table.h).
enum class GoalsId : std::uint32_t {};
constexpr std::uint32_t index(GoalsId g) { return static_cast<std::uint32_t>(g); }

// The state that an agent's last verdict left it in. kNone: no verdict counts. kEmpty: the slot has
// no agent.
enum class Standing : std::uint8_t { kEmpty, kNone, kPath, kPartial, kCutOff, kStartBlocked };

template <class PlaceType, class ViewIdType>
struct RowCore {
  PlaceType origin;    // where its path begins or would begin
  Cost held = 0;       // cost of the rest of the held path, today
  Cost lower = 0;      // no path from the origin is cheaper (kPath)
  Cost allowance = 0;  // by how much `held` may exceed `lower`; no more than when it was adopted
  GoalsId goals{};
  ViewIdType view{};
  Standing standing = Standing::kEmpty;
  bool settled = false;   // SETTLED at the world's revision, else WAITING
  bool is_tight = false;  // a turn of the held path had no room (AgentPath::turn_too_tight)
};

template <class PointType>
struct HeldPathCore {
  using Point = PointType;
  std::vector<Point> points;  // the path as it was sent
  std::uint32_t at = 0;       // the agent is on points[at], or on the leg that begins there
  PathVersion version{};
  // A path that is sent as IMPROVED must save more than this: min_improvement_ratio times the cost
  // of this path when it was first sent.
  Cost hysteresis = 0;
  bool holds() const { return !points.empty(); }
};

// A path whose client may not know yet that it was replaced.
template <class Point>
struct PastPath {
  PathVersion version{};
  std::vector<Point> points;
};

template <class Held>
struct AgentCore {
  AgentSpec spec;
  OwnerId owner{};
  Held path;
  PathVersion last_version{};
  std::vector<PastPath<typename Held::Point>> past;  // ascending by version
  std::optional<std::uint32_t> broken_at;  // place in the path where its first broken step ends

  // For a waiting agent: the type and reason of the event that sends a path found, and whether
  // silence is no answer.
  EventType answer = EventType::kImproved;
  EventReason reason = EventReason::kNone;
  bool must_answer = false;
  Revision proved{};    // the last revision its verdict is proved for; 0: none
  Revision asked_at{};  // the world's when it was last put where no verdict speaks for it
  std::uint64_t wait_frame = 0;
  Micros wait_us = 0;
  std::vector<Revision> cause_revisions;    // ascending
  std::vector<ObstacleId> cause_obstacles;  // ascending
  std::uint32_t searches_in_vain = 0;  // since it waits: they spoke for a place it had left, or the
                                       // like

  bool has_verdict = false;
  AgentEvent verdict;              // the latest; its path without points
  Revision told{};                 // the last revision it got an event in
  Micros position_age_us = 0;      // AgentView::position_age_us
  std::uint64_t search_epoch = 0;  // a search begun in another one must begin again
};

// Returns whether the agent holds a path all of whose steps are open.
template <class Held>
bool holds_whole(const AgentCore<Held>& agent) {
  return agent.path.holds() && !agent.broken_at;
}

// Filter tests, and edges, cells or changes looked at, that make up a unit of work.
inline constexpr WorkUnits kTestsPerUnit = 64;

struct BookCore {
  Queue queue;
  WaitingBook waiting;
  std::set<Slot> confirming;  // agents that asked for CONFIRMED
  std::set<Slot> off_ground;  // agents that stand in an obstacle, or did at their last verdict
  std::vector<AgentEvent> events;
  std::vector<Revision> being_read;  // by searches whose answers agents wait for, see the planner
  Stats stats;
  std::uint64_t last_epoch = 0;  // latest epoch of searches, see AgentCore::search_epoch
  PathVersion first_version{};   // versions of new agents' paths begin above it
  std::uint64_t frame = 0;
  Micros now = 0;
};

}  // namespace repath
