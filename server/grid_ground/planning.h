// The state that the planner and its settlers share: the costs of searches in this world so far and
// the rest of the frame's budget. It also knows which search an agent's question calls for.
//
// Not thread-safe; owned by one planner. Borrows state and settling.
#pragma once

#include <vector>

#include "agents/budget.h"
#include "grid_ground/search_costs.h"
#include "grid_ground/search_job.h"
#include "grid_ground/settlers/recaller.h"
#include "grid_ground/settlers/settler.h"
#include "grid_ground/settling.h"
#include "grid_ground/state.h"

namespace repath {

class Planning {
 public:
  static constexpr std::uint8_t kJumpsInVainMax = 3;  // before an agent gets a goal-rooted search

  // `budget`: of the frame that runs. Borrowed, as the others.
  Planning(ReplanState& state, Settling& settling, Budget& budget);

  // Begins a frame of so many units.
  void begin_frame(WorkUnits units, WorkUnits slice);

  // ---- which search ----
  // Returns the kind of search that the agent's question calls for, by what each has cost so far.
  SearchKind kind_for(Slot slot) const;
  // Returns the same kind, looked up once in a turn.
  SearchKind kind_for(Turn* turn) const {
    if (!turn->kind) turn->kind = kind_for(turn->slot);
    return *turn->kind;
  }
  // Returns whether jump point search can answer today: the layer is uniform and its jump map is
  // made.
  bool can_jump(ViewId view) const;
  // Returns whether jump point search could answer if the view's jump map were made.
  bool may_want_jumps(ViewId view) const;

  // ---- searches ----
  // Returns the search that the agent, or its goals for a field, keep from one question to the
  // next. It is empty if another kind was kept before.
  SearchState* kept_state(Slot slot, SearchKind kind);
  // Begins the job's search from scratch on the world's revision.
  void begin_fresh(SearchJob* job);
  // Begins the job's search from scratch, with a search that is dropped when the job ends.
  void begin_own(SearchJob* job, SearchKind kind);
  // Returns the counters of the job's kind of search.
  StrategyStats& stats_of(const SearchJob& job);

  // ---- verdicts without a search ----
  // Settles the agent by `nodes`, an optimal path today from its origin to a goal, of cost `cost`.
  // Returns whether the agent was served.
  bool settle_proved(Slot slot, std::vector<NodeId> nodes, Cost cost);
  // Settles an agent that no path leads to its goals today. Returns kSettled, or kJob: the job
  // looks for the nearest reachable place.
  Tried settle_cut_off(Slot slot, SearchJob* job);
  // Notes that an agent of the view was found to be cut off by other means than component labels.
  // If there are more of these agents than a commit looks at one by one, brings the labels up to
  // date. With labels the commit knows which agents an opening wakes.
  void note_cut_off(ViewId view);
  // Returns whether component labels prove that no path leads to the agent's goals. Brings them up
  // to date for at most a slice a frame, since an agent that they do not answer has to search.
  bool are_apart(Slot slot);

  ReplanState& s;
  Settling& settling;
  SearchCosts costs;
  Recaller recaller;
  // ---- of this frame ----
  Budget& budget;
  WorkUnits labels_left = 0;   // rest of the slice for bringing labels up to date
  WorkUnits jumps_left = 0;    // rest of the units for making jump maps
  std::vector<ViewId> unmade;  // views whose jump map was not finished with that

 private:
  bool field_pays(const GoalsEntry& goals) const;

  std::size_t cut_off_without_labels_ = 0;  // number of agents found to be
};

}  // namespace repath
