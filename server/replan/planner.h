// Serves the queue: which searches run in a frame, for how long, and what becomes of them.
//
// A frame is a row of rounds. In each, up to kRoundJobs searches get a slice of the budget, run
// through the executor (each touches only itself, the world stands still), and are judged in a
// fixed order, so that the same bytes come out with any number of workers. At most kJobsMax
// searches are in progress, so that a long one holds up nobody and little work is left half done;
// agents of a higher class may begin beside them. Not thread-safe; owned by one strand. Borrows
// state, settling and executor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/budget.h"
#include "base/executor.h"
#include "replan/first_legs.h"
#include "replan/recall.h"
#include "replan/search_costs.h"
#include "replan/settling.h"
#include "replan/state.h"

namespace repath {

class Planner {
 public:
  static constexpr std::size_t kRoundJobs = 8;
  static constexpr std::size_t kJobsMax = 8;
  static constexpr std::size_t kUrgentJobsMax = 64;  // with those of higher classes
  static constexpr WorkUnits kSliceMin = 64;
  static constexpr WorkUnits kSlicesInBudget = 20;    // a slice is 5 % of the budget at most
  static constexpr std::uint8_t kJumpsInVainMax = 3;  // before an agent gets a goal-rooted search

  Planner(ReplanState& state, Settling& settling, Executor& executor);

  // Ends what runs for the agent. A search must not outlive the question it serves: it borrows the
  // agent's kept search, its goals and their view. To be called before the agent goes or its
  // question is replaced.
  void forget(Slot slot);
  // One frame. Returns the units used, never more than `budget`.
  WorkUnits step(WorkUnits budget);

 private:
  struct Job {
    Slot slot{};
    std::uint64_t epoch = 0;
    // Borrowed from the agent or its goals, or `own`: lives as long as the question, see forget().
    SearchState* state = nullptr;
    std::unique_ptr<SearchState> own;  // of kinds that are not kept
    bool is_repair = false;            // of kept state, under a cap
    bool is_fresh = false;             // all its work was done for this agent
    std::uint64_t behind = 0;          // revisions that a repair takes in
    WorkUnits spent = 0;
    WorkUnits waited = 0;  // the same, of all searches that the job began
    WorkUnits cap = 0;
    WorkUnits labels_at = 0;  // having spent so much it asks labels whether it is in vain; 0: no
    std::uint64_t last_round = 0;
    WorkUnits grant = 0;
    SearchState::Slice slice;
  };

  void drop_jobs_in_vain();
  void start_jobs();
  bool may_start(Slot slot) const;
  void start(Slot slot);
  SearchKind kind_for(Slot slot) const;
  SearchState* state_for(Slot slot, SearchKind kind);
  bool settle_proved(Slot slot, std::vector<NodeId> nodes, Cost cost);
  bool hung_together(Slot slot) const;
  bool may_be_cut_off(Slot slot) const;
  bool is_enclosed(Slot slot);
  bool is_apart(Slot slot);
  bool settle_by_labels(Job* job);
  void make_labels(ViewId view);
  Outcome settle_cut_off(Slot slot);
  void begin(Job* job);
  bool settle_by_known_cost(Job* job);
  void begin_fresh(Job* job);
  void begin_own(Job* job, SearchKind kind);
  bool can_jump(ViewId view) const;
  bool field_pays(const GoalsEntry& goals) const;
  bool may_want_jumps(Slot slot) const;
  bool make_jumps(ViewId view);
  bool settle_by_known_path(Slot slot);
  bool settle_by_detour(Slot slot, const ProvedPath& path, const Recalled& recalled);

  void go_on_with_legs(WorkUnits round);
  Cost proved_least(Slot slot) const;
  std::optional<Slot> next_to_lead();
  bool is_leg_due(Slot slot) const;
  WorkUnits units_waited_for(Slot slot, SearchKind kind) const;

  bool run_round();
  void grant_slices();
  bool judge(Job* job);
  void note_being_read();
  bool is_busy(const SearchState* state) const;
  void give_up_repair(Job* job);
  void keep_within_memory();
  StrategyStats& stats_of(const Job& job);

  ReplanState& s_;
  Settling& settling_;
  Executor& executor_;
  SearchCosts costs_;
  Recaller recaller_;
  FirstLegs legs_;
  Budget budget_;
  WorkUnits slice_ = 0;                     // the most that one search may use in one go
  std::size_t cut_off_without_labels_ = 0;  // agents found to be
  WorkUnits labels_left_ = 0;               // of the slice that labels may use in this frame
  WorkUnits jumps_left_ = 0;                // of what making jump maps may use in this frame
  Budget legs_budget_;                      // what first legs may use, half of each frame's
  bool looked_for_legs_ = false;            // in vain, in this frame
  std::vector<ViewId> unmade_;              // views whose jump map was not done with that
  std::vector<Job> jobs_;                   // in the order they began
  std::uint64_t round_ = 0;
  // Of one round, kept for their memory.
  std::vector<Job*> order_;
  std::vector<Job*> in_round_;
  std::vector<Slot> done_;
};

}  // namespace repath
