// What the parts of reroute share: one world's agents with their goals, routes, places in the queue
// and unsent events. The parts are thin classes that borrow it; rerouter.h puts them together.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "agents/agent.h"
#include "agents/queue.h"
#include "agents/stats.h"
#include "agents/waiting_book.h"
#include "reroute/agent_table.h"
#include "reroute/delta_log.h"
#include "reroute/goal_table.h"
#include "reroute/hindsight_book.h"
#include "routes/route_world.h"

namespace repath {

struct RouteState {
  // Half of the memory is for what single agents keep of searches, half for what all who share a
  // goal do.
  RouteState(RouteWorld& world_in, std::uint64_t search_bytes_max)
      : world(world_in),
        survey_bytes_max(search_bytes_max / 2),
        goals(world_in, log),
        hindsight(search_bytes_max / 2) {}

  RouteWorld& world;
  const std::uint64_t survey_bytes_max;
  RouteDeltaLog log;
  RouteGoalTable goals;
  RouteAgentTable agents;
  HindsightBook hindsight;
  Queue queue;
  WaitingBook waiting;
  std::set<RouteSlot> confirming;  // agents that asked for CONFIRMED
  std::set<RouteSlot> off_ground;  // agents without an origin, or snapped
  std::vector<AgentEvent> events;
  std::vector<Revision> being_read;  // by searches under way, see RoutePlanner
  Stats stats;
  std::uint64_t last_epoch = 0;  // of searches, see RouteAgent::epoch
  std::uint64_t frame = 0;
  Micros now = 0;

  const RouteGoals& goals_of(RouteSlot slot) const { return goals[agents.row(slot).goals]; }
  const RouteGround& ground_of(RouteSlot slot) const { return world.ground(agents.row(slot).view); }
  // 0 where costs are exact.
  Cost slack_of(RouteSlot slot) const {
    return ground_of(slot).is_continuous() ? kRouteCostSlack : 0;
  }
  // Whether the held route is as good as was claimed, as far as row.lower tells.
  bool is_good_enough(RouteSlot slot) const {
    const RouteRow& row = agents.row(slot);
    return row.held <= saturating_add(saturating_add(row.lower, row.allowance), slack_of(slot));
  }
};

}  // namespace repath
