// Every agent of one world as replan keeps it; see agents/slot_table.h.
//
// Not thread-safe. Invariants:
//   1. A path is held iff the standing is kPath or kPartial; then path.nodes[path.at] == origin,
//      and row.held is the rest's cost today unless `broken_at` is set.
//   2. row.lower is a lower bound of the optimum at every revision the agent is settled for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agents/agent.h"
#include "agents/slot_table.h"
#include "base/ids.h"
#include "grid/cells/place.h"
#include "grid/cells/snap.h"
#include "replan/goal_table.h"
#include "replan/search_state.h"
#include "world/view.h"

namespace repath {

using Slot = std::uint32_t;

// What an agent's last verdict was; kNone: none that counts. kEmpty: no agent in the slot.
enum class Standing : std::uint8_t { kEmpty, kNone, kPath, kPartial, kCutOff, kStartBlocked };

struct AgentRow {
  Place origin;           // where its path begins or would begin
  PlaceBox goal_box;      // around its goals' nodes
  Cost held = 0;          // of the rest of the held path, today
  Cost lower = 0;         // no path from the origin is cheaper (kPath), see exactness.md
  Cost allowance = 0;     // fixed when the path was adopted
  Cost end_distance = 0;  // kPartial: metric distance of the path's end to the goals
  GoalsId goals{};
  ViewId view{};
  Standing standing = Standing::kEmpty;
  bool settled = false;  // at the world's revision
};

struct HeldPath {
  std::vector<NodeId> nodes;
  std::uint32_t at = 0;  // the origin's place in it
  PathVersion version{};
  // Of kPath: from nodes[found_from] on it was optimal at found_at and cost found_cost.
  std::uint32_t found_from = 0;
  Revision found_at{};
  Cost found_cost = 0;
  Revision led_at{};  // told as a first leg then, and not proved since; 0: no first leg
  bool holds() const { return !nodes.empty(); }
};

// A path whose client may not know yet that it was replaced.
struct PastPath {
  PathVersion version{};
  std::vector<NodeId> nodes;
};

// A path that stopped counting, and what was proved of it last: see settlers/recaller.h.
struct ProvedPath {
  std::vector<NodeId> nodes;
  Cost cost = 0;   // of all of it at `revision`
  Cost lower = 0;  // no path from its first node to the goals cost less then
  Revision revision{};
  // Up to `looked_at` it was of no use for this reason: steps closed, or something might be
  // cheaper.
  enum class Spoiled : std::uint8_t { kNo, kClosed, kRival } spoiled = Spoiled::kNo;
  Revision looked_at{};
};

struct Agent {
  static constexpr std::size_t kProvedPathsMax = 2;  // a door's two states
  static constexpr std::uint8_t kLegsMax = 3;        // first legs searched for in one wait

  AgentSpec spec;
  OwnerId owner{};
  NodeId node{};            // where it is
  NodeId origin = kNoNode;  // the node, or the free cell that stands in for it; kNoNode: none near
  HeldPath path;
  PathVersion last_version{};
  std::vector<PastPath> past;              // ascending by version
  std::optional<std::uint32_t> broken_at;  // place in the path where the first closed step ends
  std::vector<ProvedPath> proved_paths;    // to its goals; the oldest first

  // While it waits: what a path found would be told as, and whether silence is no answer.
  EventType answer = EventType::kImproved;
  EventReason reason = EventReason::kNone;
  bool must_answer = false;
  Revision proved{};      // the last revision its verdict is proved for; 0: none
  Revision asked_at{};    // the world's when it was last put where no verdict speaks for it
  std::uint8_t legs = 0;  // first legs searched for, since it waits or the last one broke
  std::uint64_t wait_frame = 0;
  Micros wait_us = 0;
  std::vector<Revision> cause_revisions;    // ascending
  std::vector<ObstacleId> cause_obstacles;  // ascending

  bool has_verdict = false;
  AgentEvent verdict;                   // the latest; its path without nodes
  Revision told{};                      // the last revision it got an event in
  std::uint8_t moved_off_searches = 0;  // start-rooted ones in a row that were in vain
  bool was_enclosed = false;            // when it was last looked at, see Reachability
  Revision not_enclosed_at{};           // a look found no walls around it; 0: none did
  WorkUnits jump_units = 0;             // spent on jump point search since its goals were set
  std::uint64_t search_epoch = 0;       // a search begun in another one must begin again
  std::unique_ptr<SearchState> search;  // its own kept search; may be null
};

// Where free ground is looked for if the agent stands in an obstacle: its point, or the centre of
// its node while it counts as being on a path beside its point.
inline MapPoint point_of(const GridLayer& layer, const Agent& agent) {
  const Place place = place_of(layer, agent.node);
  return place_of(agent.spec.position) == place ? agent.spec.position : centre_of(place);
}

using AgentTable = SlotTable<Agent, AgentRow>;

}  // namespace repath
