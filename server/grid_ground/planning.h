// The state that the planner and its settlers share: searches that run, the agent whose turn has
// come, the costs of searches in this world so far and the rest of the frame's budget. It also
// knows which search an agent's question calls for.
//
// Not thread-safe; owned by one planner. Borrows state and settling.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agents/budget.h"
#include "grid_ground/search_costs.h"
#include "grid_ground/search_state.h"
#include "grid_ground/settlers/recaller.h"
#include "grid_ground/settling.h"
#include "grid_ground/state.h"
#include "verdicts/rounds.h"

namespace repath {

// A search that runs for an agent, as the planner keeps it from round to round.
struct SearchJob : JobCore {
  // Borrowed from the agent or its goals, or `own`. It lives as long as the question: see
  // Planner::forget.
  SearchState* state = nullptr;
  std::unique_ptr<SearchState> own;  // a search of a kind that is not kept
  bool is_repair = false;            // it repairs a kept state, under a cap
  bool is_fresh = false;             // all its work was done for this agent
  WorkUnits overdraft = 0;           // units that it may use in its first frame beyond the budget
  std::uint64_t behind = 0;          // number of revisions that a repair takes in
  WorkUnits spent = 0;               // by the search that runs
  WorkUnits waited = 0;              // by all searches that the job began
  WorkUnits cap = 0;                 // units after which a repair is given up
  WorkUnits labels_at = 0;  // units after which labels are asked whether it is in vain; 0: never
  SearchState::Slice slice;
};

// Answer of a settler (settlers/settlers.h).
enum class Tried : std::uint8_t {
  kNext,     // this settler has no answer: ask the next one
  kJob,      // Turn::job holds the search to run
  kSettled,  // a verdict was given; the agent is settled, or it waits for something newer
  kLater,    // nothing can be done in this frame: the agent keeps its place in the queue
};

// An agent whose turn has come, and what is known of it.
struct Turn {
  Slot slot{};
  ViewId view{};
  bool is_broken = false;  // it holds a path with a closed step
  bool may_be_cut_off =
      false;                  // it holds no whole path, and ground may have parted since its proof
  bool was_enclosed = false;  // when `enclosed` looked the last time
  std::optional<SearchKind> kind = {};  // kind of search that its question calls for, once asked
  SearchJob job;
};

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
  // Begins to repair the state of the job, for at most `cap` units. Returns false if the state
  // holds no work, cannot follow the world to today's revision, or would use up the cap by that.
  bool begin_repair(SearchJob* job, WorkUnits cap);
  // Returns the counters of the job's kind of search.
  StrategyStats& stats_of(const SearchJob& job);

  // ---- verdicts without a search ----
  // Settles the agent by `nodes`, an optimal path today from its origin to a goal, of cost `cost`.
  // Returns whether the agent was served.
  bool settle_proved(Slot slot, std::vector<NodeId> nodes, Cost cost);
  // Drops the agent's proved paths that the log does not reach back to.
  void drop_forgotten_paths(const Turn& turn);
  // Looks at the agent's i-th proved path and notes there why it is of no use, if it is not. Spends
  // what that costs, and adds it to `units`.
  std::optional<Recalled> recall(const Turn& turn, std::size_t i, WorkUnits* units);
  // Settles the agent on its i-th proved path. REQUIRES: it is open and is_cheapest(). Returns
  // whether it was served.
  bool settle_recalled(const Turn& turn, std::size_t i, const Recalled& recalled);
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
