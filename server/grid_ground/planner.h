// The searches of a grid, in the rounds of verdicts/rounds.h. After each round first legs get as
// many units as it used (planner_legs.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/executor.h"
#include "grid_ground/first_legs.h"
#include "grid_ground/planning.h"
#include "grid_ground/settling.h"
#include "grid_ground/state.h"
#include "verdicts/rounds.h"

namespace repath {

class Planner : public FrameRounds<ReplanState, SearchJob, Planner> {
 public:
  Planner(ReplanState& state, Settling& settling, Executor& executor);

  // As FrameRounds::forget. A search borrows the agent's kept search, its goals and their view.
  void forget(Slot slot);
  // Pins the layers that searches in progress read, before the world changes.
  void before_commit() { s_.search_memory.pin_all(); }

 private:
  friend FrameRounds;

  void begin_frame(WorkUnits budget);
  void end_round(WorkUnits used);
  bool is_over_memory() const;
  bool may_start(Slot slot) const;
  void start(Slot slot);
  void note_in_vain(const SearchJob& job);
  static bool runs_uncut(const SearchJob& job) { return job.overdraft > 0; }
  WorkUnits grant(SearchJob* job, WorkUnits most) const;
  void advance(SearchJob* job) const;
  static WorkUnits count_slice(const SearchJob& job) { return job.slice.used; }
  bool judge(SearchJob* job);
  static std::optional<Revision> revision_read(const SearchJob& job);
  void append_read(std::vector<Revision>* revisions) const;

  Turn turn_of(Slot slot) const;
  bool hung_together(Slot slot) const;
  bool settle_by_known_cost(SearchJob* job);
  bool settle_by_labels(SearchJob* job);
  bool is_busy(const SearchState* state) const;
  void begin_again();
  void give_up_repair(SearchJob* job);
  void keep_within_memory();

  void go_on_with_legs(WorkUnits round);
  Cost proved_least(Slot slot) const;
  std::optional<Slot> next_to_lead();
  bool is_leg_due(Slot slot) const;
  WorkUnits units_waited_for(Slot slot, SearchKind kind) const;

  // Budgets that a search may overdraw; the frames after it pay the debt.
  static constexpr WorkUnits kOverdraftFrames = 8;

  WorkUnits overdraft_ = 0;  // of this frame
  Settling& settling_;
  Planning planning_;
  FirstLegs legs_;
  Budget legs_budget_;            // units that first legs may use, half of each frame's
  bool looked_for_legs_ = false;  // in vain, in this frame
};

}  // namespace repath
