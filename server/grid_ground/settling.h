// From a finished search to a verdict: the event, if any, that the agent is sent, and the revision
// up to which it is proved.
//
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid_ground/grid_kind.h"
#include "grid_ground/path_trial.h"
#include "grid_ground/search_state.h"
#include "grid_ground/state.h"
#include "verdicts/settling_core.h"

namespace repath {

// Work of an agent's answer, in units (expansions of a field). A path that the agent adopts costs
// one unit more for each kPathNodesPerUnit of its nodes: it is written, indexed and handed on.
inline constexpr WorkUnits kUnitsPerAnswer = 4;
inline constexpr WorkUnits kPathNodesPerUnit = 6;

class Settling : private SettlingCore<GridKind> {
 public:
  Settling(ReplanState& state, Verdicts<GridKind>& verdicts) : SettlingCore(state, verdicts) {}

  // Finds the place where the agent's path is to begin. Returns false if it gave a verdict. It does
  // so if the agent stands in an obstacle and wants no path from there, or if all ground near is
  // blocked. Adds its work to `units`.
  bool stand(Slot slot, WorkUnits* units);
  // Settles an agent that can reach no goal at the world's revision. Returns kServed or kPartial.
  // Adds its work to `units`.
  Outcome cut_off(Slot slot, WorkUnits* units);
  // Settles the agent by `nodes`, an optimal path at the world's revision from its origin to a
  // goal, of cost `cost`. Adds its work to `units`.
  Outcome finish_proved(Slot slot, std::vector<NodeId> nodes, Cost cost, WorkUnits* units);
  // Settles the agent by `search`, which ended with `progress` for the agent's origin. Adds its
  // work to `units`.
  Outcome finish(Slot slot, const SearchState& search, Progress progress, WorkUnits* units);
  // Sends `nodes`, from where the agent was to a goal, as a first leg. They were a path of `graph`,
  // that of revision `since`. If the agent is on the path and no step has closed, it is sent as
  // BOUNDED, and the agent goes on waiting for its exact search. Returns true if no path can be
  // cheaper, so that the agent is settled. `least`: a lower bound of any path's cost today, as far
  // as that search has proved it. Adds its work to `units`. REQUIRES: the agent waits and holds no
  // whole path.
  bool lead(Slot slot, std::vector<NodeId> nodes, const GridGraph& graph, Revision since,
            Cost least, WorkUnits* units);

 private:
  struct Found {
    std::vector<NodeId> nodes;
    Standing standing = Standing::kPath;
    Cost cost = 0;
    Cost end_distance = 0;
    std::uint32_t optimal_from = 0;  // place in `nodes` from which a kPath is optimal
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
  std::optional<FoundLine> drive(Slot slot, std::span<const NodeId> nodes, WorkUnits* units) const;
  std::optional<DrivenLine> take_line(Slot slot, Found* found, ClaimTrial* trial, WorkUnits* units);
  void hold_line(Slot slot, std::optional<DrivenLine> line);
  bool lacks_bound(Slot slot) const;
  bool keep_held(Slot slot, const GridGraph& graph, Revision since, const Found& found,
                 WorkUnits* units);

  // settling_leg.cc
  void tell_leg(Slot slot);
  bool holds_leg(Slot slot) const;
  void take_leg_for_found(Slot slot, const ClaimTrial& trial);
  void expect_in_place_of_leg(Slot slot, const ClaimTrial& trial);

  ClaimTrial put_to_trial(Slot slot, PathClaim claim, Revision since, WorkUnits* units) const;
  std::vector<NodeId> found_;  // scratch of one call, kept for its memory
};

// Returns the cost of the steps of `nodes`; kUnreachable if one is closed. O(length).
Cost cost_of(const GridGraph& graph, std::span<const NodeId> nodes);
// Returns the same cost where all steps are open, as they are on a path that was found. Faster on
// uniform layers.
Cost cost_of_open(const GridGraph& graph, std::span<const NodeId> nodes);

}  // namespace repath
