// Serves the queue: which searches run in a frame, for how long, and in which order they are
// judged.
//
// A frame is a row of rounds. In each round up to kRoundJobs searches get a slice of the budget: at
// most 5 % of it, or kSliceMin units if that is more. The executor runs them: each touches only
// itself, and the world stands still. They are judged in a fixed order, so the same bytes come out
// with any number of workers. At most kJobsMax searches are in progress, so a long search holds up
// no other agent and little work is left half done. Agents of a higher class may begin beside them.
//
// While the searches hold more memory than they may, no further one begins beside another, and one
// alone goes on. The others keep what they have and wait for it to end. So the limit is exceeded by
// what that search takes, and by what all of them took in one round.
//
// `Server` derives from this class, and defines its kind's searches. Its Job derives from JobCore.
//   `begin_frame`            called when a frame begins.
//   `end_round`              called after a round, with the units that it used.
//   `is_over_memory`         whether searches hold more memory than they may, idle ones given up.
//   `may_start`              whether a search for the agent may begin now.
//   `start`                  gives the agent a verdict that needs no search, or adds its job.
//   `note_in_vain`           called when a job is dropped whose work was of no use.
//   `grant`                  sets the limit of a job in a round: `most`, or the units it must have.
//                            Returns the units that count against the others.
//   `runs_uncut`             whether the job goes on in this frame even if the budget is used up.
//   `advance`                runs a slice. It runs on any thread, so it must touch the job alone.
//   `count_slice`            counts the units that the slice used, and returns them.
//   `judge`                  called after the job's slice. Returns true if the job is finished.
//   `revision_read`          the fixed revision that the job reads, if any.
//   `append_read`            appends more such revisions, of searches that are no jobs.
// Not thread-safe; owned by one strand. Borrows state and executor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "agents/budget.h"
#include "agents/queue.h"
#include "base/executor.h"
#include "verdicts/agent_record.h"

namespace repath {

struct JobCore {
  Slot slot{};
  std::uint64_t epoch = 0;  // AgentCore::search_epoch when it began
  std::uint64_t last_round = 0;
  WorkUnits grant = 0;  // units of the round
};

template <class State, class Job, class Server>
class FrameRounds {
 public:
  static constexpr std::size_t kRoundJobs = 8;
  static constexpr std::size_t kJobsMax = 8;
  static constexpr std::size_t kUrgentJobsMax = 64;  // with those of higher classes
  static constexpr WorkUnits kSliceMin = 64;
  static constexpr WorkUnits kSlicesInBudget = 20;

  // Runs one frame. Returns the units spent.
  SpentUnits step(WorkUnits budget) {
    budget_.begin(budget);
    slice_ = std::max(kSliceMin, budget / kSlicesInBudget);
    drop_jobs_in_vain();
    note_being_read();
    server().begin_frame(budget);
    while (budget_.left() > 0 || runs_uncut_job()) {
      is_short_ = server().is_over_memory();
      start_jobs();
      const WorkUnits left = budget_.left();
      if (!run_round()) break;
      server().end_round(left - budget_.left());
    }
    note_being_read();
    s_.stats.work_units += budget_.spent().used;
    return budget_.spent();
  }

  // Ends what runs for the agent. A search must not outlive the question it serves. To be called
  // before the agent goes or its question is replaced.
  void forget(Slot slot) {
    drop_jobs([slot](const Job& job) { return job.slot == slot; });
    note_being_read();
  }

 protected:
  FrameRounds(State& state, Executor& executor) : s_(state), executor_(executor) {}

  template <class IsDropped>
  void drop_jobs(const IsDropped& is_dropped) {
    std::erase_if(jobs_, [&](const Job& job) {
      if (!is_dropped(job)) return false;
      server().note_in_vain(job);
      return true;
    });
  }

  bool has_job(Slot slot) const {
    return std::ranges::any_of(jobs_, [slot](const Job& job) { return job.slot == slot; });
  }

  // Notes the revisions that searches read: a batch may come to name these, see
  // Verdicts::silence_would_mislead.
  void note_being_read() {
    s_.being_read.clear();
    for (const Job& job : jobs_) {
      const std::optional<Revision> read = server().revision_read(job);
      if (read && std::ranges::find(done_, job.slot) == done_.end()) s_.being_read.push_back(*read);
    }
    server().append_read(&s_.being_read);
  }

  State& s_;
  Budget budget_;
  WorkUnits slice_ = 0;    // the most that one search may use in one go
  std::vector<Job> jobs_;  // in the order they began
  bool is_short_ = false;  // of memory, in the round: one job runs alone

 private:
  Server& server() { return static_cast<Server&>(*this); }

  std::uint64_t class_of(Slot slot) const {
    return s_.queue.rank(slot, s_.frame) / Queue::kAgingFrames;
  }

  // Drops the jobs of agents that were settled by other means or stand elsewhere now.
  void drop_jobs_in_vain() {
    drop_jobs([this](const Job& job) {
      return s_.agents[job.slot].search_epoch != job.epoch || !s_.queue.contains(job.slot);
    });
  }

  void start_jobs() {
    while (budget_.left() > 0) {
      if (is_short_ && !jobs_.empty()) return;
      const auto slot =
          s_.queue.next(s_.frame, [this](Slot candidate) { return server().may_start(candidate); });
      if (!slot) return;
      if (jobs_.size() >= kJobsMax) {
        const bool is_urgent = std::ranges::all_of(
            jobs_, [&](const Job& job) { return class_of(job.slot) < class_of(*slot); });
        if (!is_urgent || jobs_.size() >= kUrgentJobsMax) return;
      }
      server().start(*slot);
    }
  }

  // A commit would end such a job, so it must not be left to the next frame.
  bool runs_uncut_job() {
    return std::ranges::any_of(jobs_, [this](const Job& job) { return server().runs_uncut(job); });
  }

  // Returns the job that goes on while memory is short: one that runs uncut, else that of the agent
  // with the highest rank, else the one that began first. Ranks of agents that wait keep their
  // order, so this is the same job until it ends.
  Job* lone_job() {
    return &*std::ranges::max_element(jobs_, {}, [this](const Job& job) {
      return std::tuple(server().runs_uncut(job), s_.queue.rank(job.slot, s_.frame));
    });
  }

  // Grants slices: to higher classes first, then to the job whose last turn was longest ago. While
  // memory is short, one job alone gets one.
  void grant_slices() {
    order_.clear();
    if (is_short_) {
      order_.push_back(lone_job());
    } else {
      for (Job& job : jobs_) order_.push_back(&job);
    }
    if (order_.size() > 1) {
      std::ranges::stable_sort(order_, [&](const Job* a, const Job* b) {
        return std::tuple(class_of(b->slot), a->last_round) <
               std::tuple(class_of(a->slot), b->last_round);
      });
    }
    in_round_.clear();
    WorkUnits left = budget_.left();
    for (Job* job : order_) {
      if (in_round_.size() == kRoundJobs) break;
      if (left == 0 && !server().runs_uncut(*job)) continue;
      left -= server().grant(job, std::min(left, slice_));
      job->last_round = round_;
      in_round_.push_back(job);
    }
  }

  // Returns false if there was nothing to run.
  bool run_round() {
    if (jobs_.empty()) return false;
    ++round_;
    grant_slices();
    executor_.run(
        in_round_.size(),
        [](void* c, std::size_t i) {
          auto* rounds = static_cast<FrameRounds*>(c);
          rounds->server().advance(rounds->in_round_[i]);
        },
        this);
    for (const Job* job : in_round_) budget_.spend(server().count_slice(*job));
    for (Job* job : in_round_) {
      if (server().judge(job)) done_.push_back(job->slot);
      note_being_read();
    }
    std::erase_if(
        jobs_, [&](const Job& job) { return std::ranges::find(done_, job.slot) != done_.end(); });
    done_.clear();
    return true;
  }

  Executor& executor_;
  std::uint64_t round_ = 0;
  // Lists of one round, kept for their memory.
  std::vector<Job*> order_;
  std::vector<Job*> in_round_;
  std::vector<Slot> done_;  // with their job, in the round that is judged
};

}  // namespace repath
