// From a finished search to a verdict: what the agent is told, if anything, and how far it is
// proved.
//
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <cstdint>
#include <vector>

#include "grid_ground/grid_kind.h"
#include "grid_ground/path_trial.h"
#include "grid_ground/search_state.h"
#include "grid_ground/state.h"
#include "verdicts/settling_core.h"

namespace repath {

// An agent's answer takes as long as so many expansions of a field; a path that it takes up, one
// more for so many of its nodes: it is written, indexed and handed on.
inline constexpr WorkUnits kUnitsPerAnswer = 4;
inline constexpr WorkUnits kPathNodesPerUnit = 6;

class Settling : private SettlingCore<GridKind> {
 public:
  Settling(ReplanState& state, Verdicts<GridKind>& verdicts) : SettlingCore(state, verdicts) {}

  // Finds where the agent's path is to begin. False if a verdict was given, because it stands in an
  // obstacle and no path is wanted or nothing free is near. Adds its work to `units`.
  bool stand(Slot slot, WorkUnits* units);
  // No goal can be reached at the world's revision. kServed or kPartial. Adds its work to `units`.
  Outcome cut_off(Slot slot, WorkUnits* units);
  // `nodes`, from the agent's origin to a goal, are an optimal path at the world's revision and
  // cost `cost`. Adds its work to `units`.
  Outcome finish_proved(Slot slot, std::vector<NodeId> nodes, Cost cost, WorkUnits* units);
  // `search` ended with `progress` for the agent's origin. Adds its work to `units`.
  Outcome finish(Slot slot, const SearchState& search, Progress progress, WorkUnits* units);
  // `nodes`, from where the agent was to a goal, were a path of `graph`, that of revision `since`.
  // If the agent is on it and no step has closed, it is told as BOUNDED, and the agent goes on
  // waiting for its exact search. True: no path can be cheaper, so it is settled. Today none costs
  // less than `least`, as that search has proved so far. Adds its work to `units`. REQUIRES: the
  // agent waits and holds no whole path.
  bool lead(Slot slot, std::vector<NodeId> nodes, const GridGraph& graph, Revision since,
            Cost least, WorkUnits* units);

 private:
  struct Found {
    std::vector<NodeId> nodes;
    Standing standing = Standing::kPath;
    Cost cost = 0;
    Cost end_distance = 0;
    std::uint32_t optimal_from = 0;  // place in `nodes`; of kPath, from there on it is optimal
    Cost optimal_cost = 0;           // and costs so much
  };
  bool stood_there(const Agent& agent, const SearchState& search, WorkUnits* units) const;
  Outcome finish_path(Slot slot, const SearchState& search, WorkUnits* units);
  Outcome finish_partial(Slot slot, const SearchState& search, WorkUnits* units);
  Outcome finish_unreachable(Slot slot, const GridLayer& layer, Revision since, WorkUnits* units);
  Outcome settle_by(Slot slot, const GridGraph& graph, Revision since, Found found,
                    WorkUnits* units);
  Outcome adopt(Slot slot, Revision since, Found found, WorkUnits* units);
  void keep_clear(Slot slot, Found* found, ClaimTrial* trial, WorkUnits* units) const;
  bool lacks_bound(Slot slot) const;
  bool keep_held(Slot slot, const GridGraph& graph, Revision since, const Found& found,
                 WorkUnits* units);

  // settling_leg.cc
  void tell_leg(Slot slot);
  bool holds_leg(Slot slot) const;
  void take_leg_for_found(Slot slot, const ClaimTrial& trial);
  void expect_in_place_of_leg(Slot slot, const ClaimTrial& trial);

  ClaimTrial put_to_trial(Slot slot, PathClaim claim, Revision since, WorkUnits* units) const;
  std::vector<NodeId> found_;  // of one call, kept for its memory
};

// What the steps of `nodes` cost together; kUnreachable if one is closed. O(length).
Cost cost_of(const GridGraph& graph, std::span<const NodeId> nodes);
// The same where all steps are open, as they are on a path that was found: sooner on uniform
// layers.
Cost cost_of_open(const GridGraph& graph, std::span<const NodeId> nodes);

}  // namespace repath
