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
#include <vector>

#include "base/executor.h"
#include "replan/first_legs.h"
#include "replan/planning.h"
#include "replan/search_job.h"
#include "replan/settlers/settlers.h"
#include "replan/settling.h"
#include "replan/state.h"

namespace repath {

class Planner {
 public:
  static constexpr std::size_t kRoundJobs = 8;
  static constexpr std::size_t kJobsMax = 8;
  static constexpr std::size_t kUrgentJobsMax = 64;  // with those of higher classes

  Planner(ReplanState& state, Settling& settling, Executor& executor);

  // Ends what runs for the agent. A search must not outlive the question it serves: it borrows the
  // agent's kept search, its goals and their view. To be called before the agent goes or its
  // question is replaced.
  void forget(Slot slot);
  // One frame. Returns the units used, never more than `budget`.
  WorkUnits step(WorkUnits budget);

 private:
  void drop_jobs_in_vain();
  void start_jobs();
  bool may_start(Slot slot) const;
  void start(Slot slot);
  Turn turn_of(Slot slot) const;
  bool hung_together(Slot slot) const;
  bool settle_by_known_cost(SearchJob* job);
  bool settle_by_labels(SearchJob* job);

  void go_on_with_legs(WorkUnits round);
  Cost proved_least(Slot slot) const;
  std::optional<Slot> next_to_lead();
  bool is_leg_due(Slot slot) const;
  WorkUnits units_waited_for(Slot slot, SearchKind kind) const;

  bool run_round();
  void grant_slices();
  bool judge(SearchJob* job);
  void note_being_read();
  bool is_busy(const SearchState* state) const;
  void give_up_repair(SearchJob* job);
  void keep_within_memory();

  ReplanState& s_;
  Settling& settling_;
  Executor& executor_;
  Planning planning_;
  Settlers settlers_;
  FirstLegs legs_;
  Budget legs_budget_;            // what first legs may use, half of each frame's
  bool looked_for_legs_ = false;  // in vain, in this frame
  std::vector<SearchJob> jobs_;   // in the order they began
  std::uint64_t round_ = 0;
  // Of one round, kept for their memory.
  std::vector<SearchJob*> order_;
  std::vector<SearchJob*> in_round_;
  std::vector<Slot> done_;
};

}  // namespace repath
