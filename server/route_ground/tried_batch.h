// The effect of a batch on the agents of a world, after it was made on a clone of that world.
// Changes nothing. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/work_meter.h"
#include "route_ground/state.h"
#include "routes/route_world.h"

namespace repath {

// Which places lead to which in the views of one world, for each view a table that is made when it
// is first asked for. Borrows the world, which must not change while the tables are used.
class ReachByView {
 public:
  explicit ReachByView(const RouteWorld& world) : world_(world) {}
  ReachTable& of(RouteViewId view);

 private:
  const RouteWorld& world_;
  std::map<RouteViewId, std::unique_ptr<ReachTable>> by_view_;
};

struct AgentsHit {
  // Affected agents, ascending. Such an agent would stand in an obstacle, or be cut off. Or it
  // holds a route that would be broken, cost something else, begin at another place, or end at none
  // of its goals any more, because these have other places then.
  std::vector<AgentId> affected;
  // Agents that would be cut off, ascending: those that have a complete route, and those that wait
  // and have a way to a goal, which would have no way.
  std::vector<AgentId> cut_off;
};

// Returns all such agents; only some of them once the meter is over. REQUIRES: `after` is a clone
// of s.world on which the batch was made, with the result `commit`; `reach_before` is of s.world,
// `reach_after` of `after`. O(rows + legs near changes + goals), and for each view that changes one
// ReachTable of each world with a question for each affected or waiting agent. The meter counts
// these questions, the goals that are looked up, and the agents.
AgentsHit find_agents_hit(const RouteState& s, const RouteWorld& after, const RouteCommit& commit,
                          ReachByView* reach_before, ReachByView* reach_after, WorkMeter* meter);

}  // namespace repath
