// Every agent of a grid; see agents/slot_table.h and verdicts/agent_record.h.
//
// Not thread-safe. Invariant: if a path is held, path.points[path.at] == origin.
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
#include "grid_ground/goal_table.h"
#include "grid_ground/search_state.h"
#include "verdicts/agent_record.h"
#include "world/view.h"

namespace repath {

struct AgentRow : RowCore<Place, ViewId> {
  PlaceBox goal_box;      // around its goals' nodes
  Cost end_distance = 0;  // kPartial: metric distance of the path's end to the goals
};

struct HeldPath : HeldPathCore<NodeId> {
  // For kPath: from points[found_from] on, the path was optimal at found_at and cost found_cost.
  std::uint32_t found_from = 0;
  Revision found_at{};
  Cost found_cost = 0;
  // revision at which the path was sent as a first leg, unproved since; 0: it is none
  Revision led_at{};

  void note_found(std::uint32_t from, Revision revision, Cost cost) {
    found_from = from;
    found_at = revision;
    found_cost = cost;
  }
};

// A path that stopped counting, and what was proved of it last: see settlers/recaller.h.
struct ProvedPath {
  std::vector<NodeId> nodes;
  Cost cost = 0;   // cost of the whole path at `revision`
  Cost lower = 0;  // no path from its first node to the goals cost less then
  Revision revision{};
  // Up to `looked_at` it was of no use for this reason: steps closed, or something might be
  // cheaper.
  enum class Spoiled : std::uint8_t { kNo, kClosed, kRival } spoiled = Spoiled::kNo;
  Revision looked_at{};
};

struct Agent : AgentCore<HeldPath> {
  static constexpr std::size_t kProvedPathsMax = 2;  // a door's two states
  static constexpr std::uint8_t kLegsMax = 3;        // first legs searched for in one wait
  // After so many searches of no use the next one may overdraw the budget.
  static constexpr std::uint8_t kOutrunMax = 2;
  static constexpr std::uint8_t kDroppedMax = 8;

  NodeId node{};            // where it is
  NodeId origin = kNoNode;  // the node, or the free cell that stands in for it; kNoNode: none near
  std::vector<ProvedPath> proved_paths;  // to its goals; the oldest first
  std::uint8_t legs = 0;  // first legs searched for, since it waits or the last one broke
  // Searches since it waits that ended too late: the log had dropped changes that came after their
  // revision. At most kOutrunMax.
  std::uint8_t outrun = 0;
  // Searches since it waits that were given up because another cell stood in for its own. At most
  // kDroppedMax.
  std::uint8_t dropped = 0;
  bool was_enclosed = false;            // when it was last looked at, see Reachability
  Revision not_enclosed_at{};           // a look found no walls around it; 0: none did
  std::unique_ptr<SearchState> search;  // its own kept search; may be null
};

// Returns whether a free cell stands in for the blocked one that it is in, or nothing does.
inline bool is_off_ground(const Agent& agent) { return agent.origin != agent.node; }

// Returns the point around which free ground is looked for if the agent stands in an obstacle. It
// is the agent's point. While the agent counts as being on a path beside its point, it is the
// centre of its node.
inline MapPoint point_of(const GridLayer& layer, const Agent& agent) {
  const Place place = place_of(layer, agent.node);
  return place_of(agent.spec.position) == place ? agent.spec.position : centre_of(place);
}

using AgentTable = SlotTable<Agent, AgentRow>;

}  // namespace repath
