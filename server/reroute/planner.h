// Serves the queue: which searches run in a frame, for how long, and what becomes of them.
//
// A frame is a row of rounds. In each, up to kRoundJobs searches get a slice of the budget, run
// through the executor (each touches only itself, the world stands still), and are judged in a
// fixed order, so that the same bytes come out with any number of workers.
//
// A search begins on the live ground. If a commit comes before it ends it is given up, for nothing
// may change under it, and its agent's next one reads an immutable copy: that one ends, whatever
// comes. A search that ended for a place that its agent has left meanwhile, or with a route that is
// broken by now, was in vain; after kSearchesInVainMax of these the agent's next one is not cut in
// slices but runs to its end in the frame it begins in, whatever it costs; what it takes above the
// budget is a debt of the next frames. So nobody starves who moves or is cut off in every frame.
// Not thread-safe; owned by one strand. Borrows state, settling and executor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/budget.h"
#include "base/executor.h"
#include "reroute/settling.h"
#include "reroute/state.h"

namespace repath {

class RoutePlanner {
 public:
  static constexpr std::size_t kRoundJobs = 8;
  static constexpr std::size_t kJobsMax = 8;
  static constexpr std::size_t kUrgentJobsMax = 64;  // with those of higher classes
  static constexpr WorkUnits kSliceMin = 64;
  static constexpr WorkUnits kSlicesInBudget = 20;  // a slice is 5 % of the budget at most
  static constexpr std::uint32_t kSearchesInVainMax = 2;
  static constexpr WorkUnits kCopyUnits = 256;     // what an immutable copy of the ground counts
  static constexpr WorkUnits kNearestUnits = 256;  // what looking for the nearest reachable does
  static constexpr WorkUnits kRecallTestsPerUnit = 16;

  RoutePlanner(RouteState& state, RouteSettling& settling, Executor& executor)
      : s_(state), settling_(settling), executor_(executor) {}

  // Before the world changes: gives up what reads the live ground.
  void before_commit();
  // The agent goes or asks something else: gives up what runs for it.
  void forget(RouteSlot slot);
  // One frame. Returns the units used, never more than `budget`.
  WorkUnits step(WorkUnits budget);

 private:
  struct Job {
    RouteSlot slot{};
    std::uint64_t epoch = 0;
    std::shared_ptr<const RouteGround> copy;  // null: it reads the live ground
    const RouteGround* ground = nullptr;
    Revision revision{};
    RoutePlace start;
    bool moves_origin = false;      // RouteFinding
    std::vector<RoutePlace> goals;  // places of that ground
    std::vector<Spot> spots;        // where they are
    RouteStanding standing = RouteStanding::kRoute;
    PathVersion version{};  // of the route its agent held, and how far it had come on it
    Cost walked = 0;
    std::unique_ptr<RouteSearch> search;
    bool is_informed = false;  // by what is known of the ways to its goals
    bool surveys = false;      // it finds that out for all; others with the same goals wait for it
    bool is_whole = false;     // not to be cut in slices
    std::uint64_t last_round = 0;
    std::uint32_t grant = 0;
    std::uint32_t left = 0;  // of that
    Progress progress = Progress::kOutOfBudget;
  };

  void drop_jobs_in_vain();
  void start_jobs();
  bool may_start(RouteSlot slot) const;
  void start(RouteSlot slot);
  void begin_search(Job* job);
  bool settle_by_recall(RouteSlot slot);
  bool is_cut_off(const Job& job) const;
  bool begin_partial(Job* job);
  bool run_round();
  void grant_slices(std::vector<Job*>* round);
  bool judge(Job* job);
  void note_being_read();

  RouteState& s_;
  RouteSettling& settling_;
  Executor& executor_;
  Budget budget_;
  WorkUnits slice_ = 0;          // the most that one search may use in one go
  std::vector<Job> jobs_;        // in the order they began
  std::vector<RouteSlot> done_;  // with their job, in the round that is judged
  std::uint64_t round_ = 0;
};

}  // namespace repath
