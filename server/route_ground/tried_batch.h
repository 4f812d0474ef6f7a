// The effect of a batch on the agents of a world, after it was made on a clone of that world.
// Changes nothing. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "route_ground/state.h"
#include "routes/route_world.h"

namespace repath {

// Which places lead to which in the views of one world. Keeps one table at a time, because a table
// takes memory and time as its world does. Ask about views that share one (views_by_reach) one
// after the other. Borrows the world, which must not change while tables are used, and the meter.
class ReachByView {
 public:
  ReachByView(const RouteWorld& world, WorkMeter* meter) : world_(world), meter_(*meter) {}
  // Returns a table that answers for the view; null once the meter is over, which counts the work
  // to make it. Valid until the next call.
  ReachTable* of(RouteViewId view);

 private:
  const RouteWorld& world_;
  WorkMeter& meter_;
  RouteViewId view_{};  // of the table, or another that shares it
  std::unique_ptr<ReachTable> table_;
};

// Returns the views, each once, in groups. The views of a group share their tables, both before and
// after the batch. REQUIRES: `after` is a clone of `before`. O(views^2).
std::vector<std::vector<RouteViewId>> views_by_reach(const RouteWorld& before,
                                                     const RouteWorld& after,
                                                     std::vector<RouteViewId> views);

struct AgentsHit {
  // Affected agents, ascending. Such an agent would stand in an obstacle, or be cut off. Or it
  // holds a route that would be broken, cost something else, begin at another place, or end at none
  // of its goals any more, because these have other places then.
  std::vector<AgentId> affected;
  // Agents that would be cut off, ascending: those that have a complete route, and those that wait
  // and have a way to a goal, which would have no way.
  std::vector<AgentId> cut_off;
};

// A batch that was made on a clone of a world. Borrows everything.
struct TriedBatch {
  const RouteState& s;
  const RouteWorld& after;  // a clone of s.world on which the batch was made
  ReachByView& reach_before;
  ReachByView& reach_after;
  WorkMeter& meter;
};

// Returns the agents of each view that changes. O(rows).
std::map<RouteViewId, std::vector<Slot>> agents_by_view(const RouteState& s,
                                                        const RouteCommit& commit);

// Appends all such agents of the delta's view. Returns false, with some of them missing, once the
// meter is over. REQUIRES: `agents` are all agents of the view. O(agents + legs near changes +
// goals), and one ReachTable of each world with a question for each affected or waiting agent. The
// meter counts these tables and questions, what is looked at to find places of agents and goals,
// and kUnitsOfLook at least for each place.
[[nodiscard]] bool find_agents_hit(const TriedBatch& tried, const RouteDelta& delta,
                                   std::span<const Slot> agents, AgentsHit* found);
inline constexpr std::uint64_t kUnitsOfLook = 64;

// Puts the agents in order once those of all views are found.
void sort_agents(AgentsHit* found);

}  // namespace repath
