// The searches of a world of routes, in the rounds of verdicts/rounds.h.
//
// A search begins on the live ground. If a commit comes before its end, a kept search takes in what
// changed and goes on, for as long as its cap allows. Any other search is given up, for nothing may
// change under it. Its agent's next search reads an immutable copy, so that one ends at any rate of
// edits. So does a kept search that a commit has interrupted and that reached its cap. A search was
// in vain if its agent has left the place it was for, or if its route is broken by now. After
// kSearchesInVainMax of these the agent's next search is not cut in slices. It runs to its end in
// the frame it begins in, whatever it costs; the units above the budget are a debt of the next
// frames. So an agent that moves or is cut off in every frame is answered, too. Not thread-safe;
// owned by one strand. Borrows state, settling and executor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/executor.h"
#include "route_ground/kept_searches.h"
#include "route_ground/settling.h"
#include "route_ground/state.h"
#include "verdicts/rounds.h"

namespace repath {

struct RouteJob : JobCore {
  std::shared_ptr<const RouteGround> copy;  // null: it reads the live ground
  RouteFinding asked;
  RoutePlace start;  // places of that ground
  std::vector<RoutePlace> goals;
  std::unique_ptr<RouteSearch> search;
  bool is_informed = false;  // by what is known of the ways to its goals
  bool surveys = false;      // it finds that out for all; others with the same goals wait for it
  bool is_uncut = false;     // not to be cut in slices
  // A search that is kept, of the agent or of its goals; null: `search` does the work.
  RouteSearchState* state = nullptr;
  bool is_repair = false;       // it began with what was kept
  bool is_interrupted = false;  // a commit came, and it goes on
  std::uint64_t behind = 0;     // number of revisions that the repair takes in
  WorkUnits cap = 0;            // units after which it is given up; 0: never
  WorkUnits spent = 0;          // by the search that runs
  WorkUnits used = 0;           // in the round; more than the grant after a node with many edges
  WorkUnits expanded = 0;       // of those, expansions and changes taken in
  Progress progress = Progress::kOutOfBudget;
};

class RoutePlanner : public FrameRounds<RouteState, RouteJob, RoutePlanner> {
 public:
  static constexpr std::uint32_t kSearchesInVainMax = 2;
  static constexpr WorkUnits kCopyUnits = 256;     // work of an immutable copy of the ground
  static constexpr WorkUnits kNearestUnits = 256;  // work of looking for the nearest reachable
  static constexpr WorkUnits kRecallTestsPerUnit = 16;

  RoutePlanner(RouteState& state, RouteSettling& settling, Executor& executor)
      : FrameRounds(state, executor), settling_(settling), kept_(state) {}

  // As FrameRounds::forget.
  void forget(Slot slot);
  // Before the world changes: gives up the searches that read the live ground and cannot take in
  // what changes.
  void before_commit();

 private:
  friend FrameRounds;
  using Job = RouteJob;

  void begin_frame(WorkUnits);
  void end_round(WorkUnits);
  bool is_over_memory() const { return kept_.is_over_memory(); }
  bool may_start(Slot slot) const;
  void start(Slot slot);
  void begin_search(Job* job);
  void begin_kept(Job* job, SearchKind kind);
  void give_up_at_cap(const Job& job);
  std::optional<bool> ask_today(Job* job);
  void note_end(const Job& job, Outcome outcome);
  bool is_busy(const RouteSearchState* state) const;
  void count_fresh();
  StrategyStats& stats_of(const Job& job);
  // Returns whether the agent keeps a search that can take in what changed. Such a repair is tried
  // before remembered routes, because it usually costs less than looking for one.
  bool can_repair(Slot slot, SearchKind kind) const;
  bool settle_by_recall(Slot slot);
  bool is_cut_off(const Job& job) const;
  void begin_partial(Job* job);
  RouteFinding ask(Slot slot, const RouteGround& ground) const;
  void note_in_vain(const Job& job);
  bool ask_from(Job* job, const Spot& origin) const;
  static bool runs_uncut(const Job& job) { return job.is_uncut; }
  static WorkUnits grant(Job* job, WorkUnits most);
  static void advance(Job* job);
  WorkUnits count_slice(const Job& job);
  bool judge(Job* job);
  // Kept searches on the live ground take in what has changed before they answer.
  static std::optional<Revision> revision_read(const Job& job) {
    if (job.state != nullptr && !job.state->is_fixed()) return std::nullopt;
    return job.asked.revision;
  }
  static void append_read(std::vector<Revision>*) {}

  RouteSettling& settling_;
  KeptSearches kept_;
};

}  // namespace repath
