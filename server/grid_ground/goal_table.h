// The goals in use on a grid (verdicts/goal_table.h), and through them the search for a goal field.
//
// Borrows the labels and the clusters, too; a view that is not used any more is closed there.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "grid/cells/goals.h"
#include "grid_ground/cluster_maps.h"
#include "grid_ground/delta_log.h"
#include "grid_ground/reachability.h"
#include "grid_ground/search_state.h"
#include "verdicts/goal_table.h"
#include "world/world.h"

namespace repath {

struct GoalsEntry {
  GoalsEntry(Goals of, ViewId in)
      : shared(std::make_shared<const Goals>(std::move(of))), goals(*shared), view(in) {}

  const std::shared_ptr<const Goals> shared;  // queries of other threads read them, too
  const Goals& goals;
  const ViewId view;
  std::uint32_t agents = 0;
  std::uint32_t waiting = 0;           // number of these agents that wait
  std::unique_ptr<SearchState> field;  // shared by them; may be null
};

class GoalTable : public GoalTableCore<GoalTable, World, DeltaLog, GoalsEntry> {
 public:
  GoalTable(World& world, DeltaLog& log, Reachability& reach, ClusterMaps& clusters)
      : GoalTableCore(world, log), reach_(reach), clusters_(clusters) {}

  // Appends the revisions that fields read to their end, of entries with agents that wait. O(all).
  void append_read_by_fields(std::vector<Revision>* revisions) const;

  // Number of entries that have a field now.
  std::uint64_t fields() const;

 private:
  friend GoalTableCore;

  absl::StatusOr<ViewId> acquire_view(const AgentSpec& spec, const EndingUses<ViewId>& ending) {
    return world_.acquire_view(spec.profile, spec.team,
                               spec.stands ? std::optional(spec.id) : std::nullopt, ending);
  }
  // Without a radius only the cell of a goal matters, not the point in it.
  static KeyPoint key_point(const AgentSpec& spec, MapPoint p) {
    return spec.goal_radius == 0 ? KeyPoint{std::floor(p.x), std::floor(p.y)} : KeyPoint{p.x, p.y};
  }
  std::unique_ptr<GoalsEntry> make_entry(const AgentSpec& spec, ViewId view,
                                         const std::vector<KeyPoint>&) const {
    const GridGraph graph = world_.graph(view);
    return std::make_unique<GoalsEntry>(
        Goals(graph.layer(), graph.topology(), spec.goals, spec.goal_radius), view);
  }
  static void close_entry(GoalsEntry*) {}
  void close_view(ViewId view) {
    reach_.drop(view);
    clusters_.drop(view);
  }

  Reachability& reach_;
  ClusterMaps& clusters_;
};

}  // namespace repath
