#include "grid_ground/planner.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "grid_ground/settlers/settlers.h"

namespace repath {

Planner::Planner(ReplanState& state, Settling& settling, Executor& executor)
    : FrameRounds(state, executor),
      settling_(settling),
      planning_(state, settling, budget_),
      legs_(state, settling) {}

void Planner::begin_frame(WorkUnits budget) {
  planning_.begin_frame(budget, slice_);
  overdraft_ = kOverdraftFrames * budget;
  for (SearchJob& job : jobs_) job.overdraft = 0;
  begin_again();
  legs_budget_.begin(s_.options.leads_always() ? budget : budget / 2);
  looked_for_legs_ = false;
  legs_.drop_in_vain();
  s_.clusters.keep_up();
}

// Begins the searches again that need changes which the log has dropped since the last frame.
void Planner::begin_again() {
  for (SearchJob& job : jobs_) {
    if (job.state->is_fixed() || job.state->can_follow(std::numeric_limits<std::uint64_t>::max()))
      continue;
    planning_.costs.note_in_vain(job.spent);
    give_up_repair(&job);
  }
}

void Planner::end_round(WorkUnits used) {
  go_on_with_legs(used);
  keep_within_memory();
}

void Planner::forget(Slot slot) {
  legs_.forget(slot);
  FrameRounds::forget(slot);
  s_.agents[slot].dropped = 0;  // its question ends, so no search of it was in vain
}

void Planner::note_in_vain(const SearchJob& job) {
  planning_.costs.note_in_vain(job.spent);
  Agent& agent = s_.agents[job.slot];
  if (s_.queue.contains(job.slot) && agent.dropped < Agent::kDroppedMax) ++agent.dropped;
}

bool Planner::is_busy(const SearchState* state) const {
  return std::ranges::any_of(jobs_, [state](const SearchJob& job) { return job.state == state; });
}

bool Planner::may_start(Slot slot) const {
  if (has_job(slot)) return false;
  if (!planning_.unmade.empty() && planning_.may_want_jumps(s_.agents.row(slot).view) &&
      std::ranges::find(planning_.unmade, s_.agents.row(slot).view) != planning_.unmade.end())
    return false;
  if (planning_.kind_for(slot) != SearchKind::kField) return true;
  return !is_busy(s_.goals_of(slot).field.get());
}

void Planner::start(Slot slot) {
  WorkUnits units = 0;
  const bool stands = settling_.stand(slot, &units);
  budget_.spend(units + 1);
  if (!stands) return;
  if (s_.options.strategy == Strategy::kAuto) s_.reach.keep(s_.agents.row(slot).view);
  Turn turn = turn_of(slot);
  if (settle_turn(planning_, &turn) != Tried::kJob || settle_by_known_cost(&turn.job)) return;
  jobs_.push_back(std::move(turn.job));
}

Turn Planner::turn_of(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  Turn turn;
  turn.slot = turn.job.slot = slot;
  turn.view = s_.agents.row(slot).view;
  turn.is_broken = agent.broken_at.has_value();
  turn.may_be_cut_off = (!agent.path.holds() || turn.is_broken) && !hung_together(slot);
  turn.was_enclosed = agent.was_enclosed;
  turn.job.epoch = agent.search_epoch;
  if (agent.outrun >= Agent::kOutrunMax || agent.dropped >= Agent::kDroppedMax)
    turn.job.overdraft = overdraft_;
  return turn;
}

// Returns whether the ends of a path that broke were within reach of each other when it was last
// proved, and nothing since can have parted them.
bool Planner::hung_together(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  return row.standing == Standing::kPath && agent.proved != Revision{} &&
         s_.reach.is_whole_since(row.view, agent.proved) &&
         s_.layer_of(slot).is_free(agent.path.points.back());
}

// Settles the agent by a cost that the field knows already, which needs no round. Returns true if
// the job is finished.
bool Planner::settle_by_known_cost(SearchJob* job) {
  if (job->state->kind() != SearchKind::kField) return false;
  job->slice = job->state->advance(s_.agents[job->slot].origin, 0);
  budget_.spend(job->slice.used);
  return job->slice.progress != Progress::kOutOfBudget && judge(job);
}

// Handles a search that has gone on for as long as labels are worth. Returns true if the job is
// finished.
bool Planner::settle_by_labels(SearchJob* job) {
  job->labels_at = 0;
  if (!planning_.are_apart(job->slot)) return false;
  planning_.costs.note_in_vain(job->spent);
  return planning_.settle_cut_off(job->slot, job) == Tried::kSettled;
}

void Planner::advance(SearchJob* job) const {
  job->slice = job->state->advance(s_.agents[job->slot].origin, job->grant);
}

WorkUnits Planner::grant(SearchJob* job, WorkUnits most) const {
  job->grant = std::max(most, std::min(slice_, job->overdraft));
  if (job->labels_at > 0) job->grant = std::min(job->grant, job->labels_at - job->spent);
  return std::min(most, job->grant);
}

// Searches on the live layer take in what has changed before they answer.
std::optional<Revision> Planner::revision_read(const SearchJob& job) {
  return job.state->is_fixed() ? std::optional(job.state->revision()) : std::nullopt;
}

void Planner::append_read(std::vector<Revision>* revisions) const {
  if (s_.search_memory.pinned_fields() > 0) s_.goals.append_read_by_fields(revisions);
}

// Judges the job after its slice. Returns true if the job is finished.
bool Planner::judge(SearchJob* job) {
  job->spent += job->slice.used;
  job->overdraft -= std::min(job->overdraft, std::max<WorkUnits>(job->slice.used, 1));
  job->waited += job->slice.used;
  planning_.costs.note_work(job->slice.used);
  planning_.stats_of(*job).expansions += job->slice.used;
  const bool is_done = job->slice.progress != Progress::kOutOfBudget;
  const bool is_kept = job->own == nullptr;  // else it goes with the job
  if (is_kept || !is_done) job->state->note_use();
  if (!is_done) {
    if (job->labels_at > 0 && job->spent >= job->labels_at) return settle_by_labels(job);
    if (job->is_repair && job->spent >= job->cap) {
      planning_.costs.note_in_vain(job->spent);
      ++planning_.stats_of(*job).capped;
      give_up_repair(job);
    }
    return false;
  }
  if (job->slice.progress == Progress::kNoPath) {
    s_.reach.keep(s_.agents.row(job->slot).view);
    if (job->labels_at > 0) {
      planning_.costs.note_labels(true);  // they would have said so
      planning_.note_cut_off(s_.agents.row(job->slot).view);
    }
  }
  WorkUnits units = 0;
  const Outcome outcome = settling_.finish(job->slot, *job->state, job->slice.progress, &units);
  budget_.spend(units);
  if (job->is_fresh) planning_.costs.note_fresh(job->state->kind(), job->spent);
  if (job->is_repair && job->state->kind() == SearchKind::kField)
    planning_.costs.note_field(job->spent, job->behind);
  if (outcome == Outcome::kSearchAgain) planning_.costs.note_in_vain(job->spent);
  if (is_kept && outcome == Outcome::kSearchAgain)
    job->state->leave_revision();
  else if (is_kept)
    job->state->rest();
  if (outcome != Outcome::kPartial) return true;
  planning_.begin_own(job, SearchKind::kFlood);
  return false;
}

// Gives up the repair. If another search can answer in its place, the unfinished state is kept.
void Planner::give_up_repair(SearchJob* job) {
  if (job->state->kind() == SearchKind::kDStarLite &&
      planning_.can_jump(s_.agents.row(job->slot).view)) {
    planning_.begin_own(job, SearchKind::kJump);
  } else {
    planning_.begin_fresh(job);
  }
}

bool Planner::is_over_memory() const {
  return s_.search_memory.bytes() + s_.clusters.bytes() + s_.leg_bytes >
         s_.options.search_memory_bytes;
}

void Planner::keep_within_memory() {
  while (is_over_memory() && s_.clusters.give_up_one(s_.frame)) ++s_.stats.evictions;
  s_.stats.evictions +=
      s_.search_memory.evict([this] { return is_over_memory(); },
                             [this](const SearchState* state) { return is_busy(state); });
}

}  // namespace repath
