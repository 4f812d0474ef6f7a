// The state that the parts of a grid's promise share: its agents with their goals, paths and
// searches. The parts are thin classes that borrow it; verdicts/agent_book.h puts them together.
#pragma once

#include <cstdint>
#include <set>

#include "agents/agent.h"
#include "grid_ground/agent_table.h"
#include "grid_ground/cluster_maps.h"
#include "grid_ground/delta_log.h"
#include "grid_ground/driven_line.h"
#include "grid_ground/goal_table.h"
#include "grid_ground/path_index.h"
#include "grid_ground/reachability.h"
#include "verdicts/agent_record.h"
#include "world/world.h"

namespace repath {

// The settlers that can be left out, in the order in which settlers/settlers.h asks them.
enum class SettlerId : std::uint8_t {
  kEnclosed,
  kRecall,
  kLabels,
  kDetour,
  kField,
  kRepair,
  kJumps
};

struct ReplanOptions {
  Strategy strategy = Strategy::kAuto;
  std::uint64_t search_memory_bytes = std::uint64_t{1} << 30;
  std::size_t log_changes_max = DeltaLog::kEdgesMax;  // of one view
  std::uint64_t log_bytes_max = ~std::uint64_t{0};    // of all views
  // Worlds from so many cells on give agents a first leg, see first_legs.h. With kLegsAlways all
  // worlds do, once a search took more than a slice and before it goes on, whatever a leg costs.
  static constexpr std::uint64_t kLegsAlways = 1;
  std::uint64_t first_leg_cells = std::uint64_t{1} << 20;
  PathVersion first_path_version{};  // see EngineOptions
  bool leads_always() const { return first_leg_cells <= kLegsAlways; }
  // Settlers that Strategy::kAuto does without. `repath-bench --without NAME` measures what they
  // gain; no option of the server sets it.
  std::set<SettlerId> without = {};
  bool uses(SettlerId id) const { return strategy != Strategy::kAuto || !without.contains(id); }
};

struct ReplanState : BookCore {
  // Share of the memory for search state that the facts of clusters get: one part in so many.
  static constexpr std::uint64_t kFactsShare = 8;

  ReplanState(World& world_in, const ReplanOptions& options_in)
      : world(world_in),
        options(options_in),
        log{options_in.log_changes_max, options_in.log_bytes_max},
        reach(world_in),
        clusters(world_in, options_in.search_memory_bytes / kFactsShare),
        goals(world_in, log, reach, clusters),
        index(agents, world_in.width(), world_in.height()) {}

  World& world;
  ReplanOptions options;
  SearchMemory search_memory;
  DeltaLog log;
  Reachability reach;
  ClusterMaps clusters;
  GoalTable goals;
  AgentTable agents;
  PathIndex index;
  DrivenLines lines;
  std::uint64_t leg_bytes = 0;  // memory of the search for a first leg

  GoalsEntry& goals_of(Slot slot) { return goals[agents.row(slot).goals]; }
  const GoalsEntry& goals_of(Slot slot) const { return goals[agents.row(slot).goals]; }
  // Returns whether it is useful to know paths that were proved for the agent before. Where agents
  // share a field it is not: one repair of the field serves all of them, and then each answer is as
  // cheap.
  bool recalls_paths(Slot slot) const {
    return options.strategy == Strategy::kAuto && goals_of(slot).field == nullptr &&
           !agents[slot].spec.curves &&
           (options.uses(SettlerId::kRecall) || options.uses(SettlerId::kDetour));
  }
  const GridLayer& layer_of(Slot slot) const { return world.layer(agents.row(slot).view); }
  // Returns what the agent's view sees now.
  LineOfSight sight_of(Slot slot) const {
    const ViewId view = agents.row(slot).view;
    const GridLayer* const ground = world.ground(view);
    return {world.graph(view), ground != nullptr ? ground : &world.layer(view),
            world.view_profile(view).radius / world.cell_size()};
  }
  // Returns the line of the agent's path `version`; null: there is none.
  const DrivenLine* line_of(Slot slot, PathVersion version) const {
    if (lines.empty()) return nullptr;
    const auto of = lines.find(slot);
    if (of == lines.end()) return nullptr;
    for (const DrivenLine& line : of->second)
      if (line.version == version) return &line;
    return nullptr;
  }
};

}  // namespace repath
