// The state that the parts of the promise share in a world of routes: its agents with their goals,
// routes and hindsight. The parts are thin classes that borrow it; verdicts/agent_book.h puts them
// together.
#pragma once

#include <cstdint>

#include "agents/agent.h"
#include "route_ground/agent_table.h"
#include "route_ground/delta_log.h"
#include "route_ground/goal_table.h"
#include "route_ground/hindsight_book.h"
#include "routes/route_world.h"
#include "verdicts/agent_record.h"

namespace repath {

struct RouteOptions {
  Strategy strategy = Strategy::kAuto;
  // Limit of the memory of searches, in progress and kept for later ones, in bytes.
  std::uint64_t search_memory_bytes = std::uint64_t{1} << 30;
  PathVersion first_path_version{};                          // see EngineOptions
  std::size_t log_changes_max = RouteDeltaLog::kChangesMax;  // of one view
  std::uint64_t log_bytes_max = ~std::uint64_t{0};           // of all views
};

struct RouteState : BookCore {
  // On meshes half of the memory is for hindsight of single agents, the other half for surveys that
  // all agents with the same goal share. On graphs all of it is for kept searches.
  RouteState(RouteWorld& world_in, const RouteOptions& options_in)
      : world(world_in),
        options(options_in),
        survey_bytes_max(options_in.search_memory_bytes / 2),
        log{options_in.log_changes_max, options_in.log_bytes_max},
        goals(world_in, log),
        hindsight(options_in.search_memory_bytes / 2) {}

  RouteWorld& world;
  const RouteOptions options;
  const std::uint64_t survey_bytes_max;
  KeptMemory<RouteSearchState> search_memory;
  std::uint64_t fresh_bytes = 0;  // memory of searches in progress that are not kept, on graphs
  RouteDeltaLog log;
  RouteGoalTable goals;
  RouteAgentTable agents;
  HindsightBook hindsight;

  RouteGoals& goals_of(Slot slot) { return goals[agents.row(slot).goals]; }
  const RouteGoals& goals_of(Slot slot) const { return goals[agents.row(slot).goals]; }
  const RouteGround& ground_of(Slot slot) const { return world.ground(agents.row(slot).view); }
  // Difference up to which two costs count as equal; 0 where costs are exact.
  Cost slack_of(Slot slot) const { return ground_of(slot).is_continuous() ? kRouteCostSlack : 0; }
  // Returns whether the held route is as good as was claimed, as far as row.lower tells.
  bool is_good_enough(Slot slot) const {
    const RouteRow& row = agents.row(slot);
    return row.held <= saturating_add(saturating_add(row.lower, row.allowance), slack_of(slot));
  }
};

}  // namespace repath
