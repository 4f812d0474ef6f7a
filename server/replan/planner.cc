#include "replan/planner.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace repath {
namespace {

// Taking in changed nodes is cheaper than expanding them; a repair may spend half its cap on it.
constexpr std::uint64_t kFedNodesPerCap = 4;
constexpr WorkUnits kUnitsPerJumpStep = 32;  // of making a jump map

// In the last quarter of what was left of its path: a goal-rooted repair would do most of it anew.
bool is_broken_near_goal(const Agent& agent) {
  return agent.broken_at &&
         4 * (agent.path.nodes.size() - *agent.broken_at) < agent.path.nodes.size() - agent.path.at;
}

}  // namespace

Planner::Planner(ReplanState& state, Settling& settling, Executor& executor)
    : s_(state),
      settling_(settling),
      executor_(executor),
      costs_(static_cast<std::uint32_t>(state.world.width()) *
             static_cast<std::uint32_t>(state.world.height())),
      legs_(state, settling) {}

WorkUnits Planner::step(WorkUnits budget) {
  budget_.begin(budget);
  slice_ = std::max(kSliceMin, budget / kSlicesInBudget);
  labels_left_ = slice_;
  jumps_left_ = budget / 2;
  legs_budget_.begin(s_.options.leads_always() ? budget : budget / 2);
  looked_for_legs_ = false;
  unmade_.clear();
  drop_jobs_in_vain();
  note_being_read();
  legs_.drop_in_vain();
  s_.clusters.keep_up();
  while (budget_.left() > 0) {
    start_jobs();
    const WorkUnits left = budget_.left();
    if (!run_round()) break;
    go_on_with_legs(left - budget_.left());
    keep_within_memory();
  }
  note_being_read();
  s_.stats.work_units += budget_.used();
  return budget_.used();
}

void Planner::forget(Slot slot) {
  std::erase_if(jobs_, [&](const Job& job) {
    if (job.slot != slot) return false;
    costs_.note_in_vain(job.spent);
    return true;
  });
  legs_.forget(slot);
  note_being_read();
}

// Of agents that were settled by other means or stand elsewhere now.
void Planner::drop_jobs_in_vain() {
  std::erase_if(jobs_, [this](const Job& job) {
    if (s_.agents[job.slot].search_epoch == job.epoch && s_.queue.contains(job.slot)) return false;
    costs_.note_in_vain(job.spent);
    return true;
  });
}

bool Planner::is_busy(const SearchState* state) const {
  return std::ranges::any_of(jobs_, [state](const Job& job) { return job.state == state; });
}

void Planner::start_jobs() {
  while (budget_.left() > 0) {
    const auto slot =
        s_.queue.next(s_.frame, [this](Slot candidate) { return may_start(candidate); });
    if (!slot) return;
    if (jobs_.size() >= kJobsMax) {
      const auto class_of = [this](Slot s) {
        return s_.queue.rank(s, s_.frame) / Queue::kAgingFrames;
      };
      const bool is_urgent = std::ranges::all_of(
          jobs_, [&](const Job& job) { return class_of(job.slot) < class_of(*slot); });
      if (!is_urgent || jobs_.size() >= kUrgentJobsMax) return;
    }
    start(*slot);
  }
}

bool Planner::may_start(Slot slot) const {
  if (std::ranges::any_of(jobs_, [slot](const Job& job) { return job.slot == slot; })) return false;
  if (!unmade_.empty() && may_want_jumps(slot) &&
      std::ranges::find(unmade_, s_.agents.row(slot).view) != unmade_.end())
    return false;
  if (kind_for(slot) != SearchKind::kField) return true;
  return !is_busy(s_.goals_of(slot).field.get());
}

SearchKind Planner::kind_for(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  const bool is_left_behind = agent.moved_off_searches > 0;
  if (s_.agents.row(slot).standing == Standing::kPartial && agent.spec.allow_partial &&
      !is_left_behind)
    return SearchKind::kFlood;
  switch (s_.options.strategy) {
    case Strategy::kAStar:
      return is_left_behind ? SearchKind::kDStarLite : SearchKind::kAStar;
    case Strategy::kLpa:
      return is_left_behind ? SearchKind::kDStarLite : SearchKind::kLpa;
    case Strategy::kDStarLite:
      return SearchKind::kDStarLite;
    case Strategy::kField:
      return SearchKind::kField;
    case Strategy::kAuto:
      break;
  }
  const bool jumps = can_jump(s_.agents.row(slot).view);
  const bool wants_rooted_in_goal = !jumps || agent.moved_off_searches >= kJumpsInVainMax;
  if (const GoalsEntry& goals = s_.goals_of(slot); goals.agents >= ReplanState::kFieldAgentsMin)
    return wants_rooted_in_goal || field_pays(goals) ? SearchKind::kField : SearchKind::kJump;
  if (wants_rooted_in_goal) return SearchKind::kDStarLite;
  if (is_broken_near_goal(agent) || !costs_.may_pay_to_repair(SearchKind::kJump))
    return SearchKind::kJump;
  // Keeping a state is like buying what could be rented: once rent has come to the price.
  const bool keeps_state = agent.jump_units >= costs_.mean_fresh(SearchKind::kDStarLite) ||
                           (agent.search != nullptr && !agent.search->is_empty());
  return keeps_state && costs_.repairs_pay(SearchKind::kJump) ? SearchKind::kDStarLite
                                                              : SearchKind::kJump;
}

bool Planner::can_jump(ViewId view) const {
  return s_.options.strategy == Strategy::kAuto && s_.world.jumps(view) != nullptr &&
         s_.world.layer(view).is_uniform();
}

// For those of its agents that wait now.
bool Planner::field_pays(const GoalsEntry& goals) const {
  if (goals.field == nullptr || goals.field->is_empty())
    return costs_.field_pays(goals.waiting, std::nullopt);
  return costs_.field_pays(goals.waiting,
                           value(s_.world.revision()) - value(goals.field->revision()));
}

bool Planner::may_want_jumps(Slot slot) const {
  return s_.options.strategy == Strategy::kAuto &&
         s_.world.layer(s_.agents.row(slot).view).is_uniform();
}

// False if more of the map is to be made in the next frames; for those who want it no search begins
// before. A large map takes the work of many searches, so it takes half a frame at most.
bool Planner::make_jumps(ViewId view) {
  if (s_.world.jumps(view) != nullptr) return true;
  const auto most = std::max<std::size_t>(1, jumps_left_ / kUnitsPerJumpStep);
  std::size_t left = most;
  const World::Jumps jumps = s_.world.keep_jumps(view, &left);
  const WorkUnits used = (most - left) * kUnitsPerJumpStep;
  budget_.spend(used);
  jumps_left_ -= std::min(jumps_left_, used);
  if (jumps == World::Jumps::kBeingMade) unmade_.push_back(view);
  return jumps != World::Jumps::kBeingMade;
}

SearchState* Planner::state_for(Slot slot, SearchKind kind) {
  const AgentRow& row = s_.agents.row(slot);
  GoalsEntry& goals = s_.goals[row.goals];
  std::unique_ptr<SearchState>& kept =
      kind == SearchKind::kField ? goals.field : s_.agents[slot].search;
  if (kept == nullptr || kept->kind() != kind)
    kept = std::make_unique<SearchState>(s_.world, s_.log, row.view, goals.goals, kind,
                                         s_.search_memory);
  return kept.get();
}

void Planner::start(Slot slot) {
  WorkUnits units = 0;
  const bool stands = settling_.stand(slot, &units);
  budget_.spend(units + 1);
  if (!stands) return;
  const ViewId view = s_.agents.row(slot).view;
  if (s_.options.strategy == Strategy::kAuto) s_.reach.keep(view);
  // Who was enclosed and is not any more has something opened: labels would hardly say otherwise.
  const bool is_in_doubt = may_be_cut_off(slot);
  const bool was_enclosed = s_.agents[slot].was_enclosed;
  bool cut_off = is_in_doubt && is_enclosed(slot);
  if (cut_off) make_labels(view);
  // What was open before may be again, and then labels need not be asked; what broke is not.
  const bool is_broken = s_.agents[slot].broken_at.has_value();
  if (!cut_off && !is_broken && settle_by_known_path(slot)) return;
  const bool asks_labels = !cut_off && is_in_doubt && !was_enclosed;
  const bool may_ask_later = may_want_jumps(slot) && s_.reach.units_behind(view) > 0;
  cut_off = cut_off || (asks_labels && !may_ask_later && is_apart(slot));
  if (!cut_off && may_want_jumps(slot) && !make_jumps(view)) return;
  if (!cut_off && is_broken && settle_by_known_path(slot)) return;
  Job job;
  job.slot = slot;
  job.epoch = s_.agents[slot].search_epoch;
  if (asks_labels && may_ask_later) {
    if (kind_for(slot) == SearchKind::kJump)
      job.labels_at = costs_.units_before_labels(s_.reach.units_behind(view));
    else
      cut_off = is_apart(slot);
  }
  if (!cut_off) {
    begin(&job);
    if (settle_by_known_cost(&job)) return;
  } else if (const Outcome outcome = settle_cut_off(slot); outcome == Outcome::kFlood) {
    begin_own(&job, SearchKind::kFlood);
  } else {
    return;
  }
  jobs_.push_back(std::move(job));
}

void Planner::begin(Job* job) {
  const SearchKind kind = kind_for(job->slot);
  if (kind == SearchKind::kFlood || kind == SearchKind::kJump) {
    begin_own(job, kind);
    ++stats_of(*job).searches;
    return;
  }
  const Agent& agent = s_.agents[job->slot];
  job->state = state_for(job->slot, kind);
  SearchState& state = *job->state;
  const bool jumps_instead =
      kind == SearchKind::kDStarLite && can_jump(s_.agents.row(job->slot).view);
  const WorkUnits cap = kind == SearchKind::kField
                            ? costs_.field_cap()
                            : costs_.repair_cap(jumps_instead ? SearchKind::kJump : kind);
  if (!state.is_empty()) {
    // A field that still reads an older revision, newer than what the agent is proved for, serves
    // all its agents before it is brought up to date; none with an answer older than its question,
    // or settled_revision would fall back to where others were never proved.
    if (kind == SearchKind::kField && state.is_fixed() && state.revision() > agent.proved &&
        state.revision() >= agent.asked_at && state.graph().layer().is_free(agent.origin)) {
      ++stats_of(*job).searches;
      return;
    }
    const bool is_rooted_here = is_goal_rooted(kind) || state.root() == agent.origin;
    if (is_rooted_here && state.can_follow(cap * kFedNodesPerCap)) {
      job->behind = value(s_.world.revision()) - value(state.revision());
      state.follow();
      job->is_repair = true;
      job->cap = cap;
      ++stats_of(*job).searches;
      ++stats_of(*job).repairs;
      return;
    }
  }
  ++stats_of(*job).searches;
  begin_fresh(job);
}

// What a field knows already needs no round. True if the job is done with.
bool Planner::settle_by_known_cost(Job* job) {
  if (job->state->kind() != SearchKind::kField) return false;
  job->slice = job->state->advance(s_.agents[job->slot].origin, 0);
  budget_.spend(job->slice.used);
  return job->slice.progress != Progress::kOutOfBudget && judge(job);
}

void Planner::begin_fresh(Job* job) {
  job->state->begin(s_.agents[job->slot].origin);
  job->is_repair = false;
  job->is_fresh = true;
  job->spent = 0;
}

void Planner::begin_own(Job* job, SearchKind kind) {
  const AgentRow& row = s_.agents.row(job->slot);
  job->own = std::make_unique<SearchState>(s_.world, s_.log, row.view, s_.goals[row.goals].goals,
                                           kind, s_.search_memory);
  job->state = job->own.get();
  begin_fresh(job);
}

// False if there was nothing to run.
bool Planner::run_round() {
  if (jobs_.empty()) return false;
  ++round_;
  grant_slices();
  struct Context {
    ReplanState* state;
    std::vector<Job*>* jobs;
  } context{&s_, &in_round_};
  executor_.run(
      in_round_.size(),
      [](void* c, std::size_t i) {
        Job& job = *(*static_cast<Context*>(c)->jobs)[i];
        const NodeId origin = static_cast<Context*>(c)->state->agents[job.slot].origin;
        job.slice = job.state->advance(origin, job.grant);
      },
      &context);
  for (Job* job : in_round_) budget_.spend(job->slice.used);
  for (Job* job : in_round_) {
    if (judge(job)) done_.push_back(job->slot);
    note_being_read();
  }
  std::erase_if(jobs_,
                [&](const Job& job) { return std::ranges::find(done_, job.slot) != done_.end(); });
  done_.clear();
  return true;
}

// Searches on the live layer take in what has changed before they answer.
void Planner::note_being_read() {
  s_.being_read.clear();
  for (const Job& job : jobs_)
    if (job.state->is_fixed() && std::ranges::find(done_, job.slot) == done_.end())
      s_.being_read.push_back(job.state->revision());
  if (s_.search_memory.pinned_fields() > 0) s_.goals.append_read_by_fields(&s_.being_read);
}

// Higher classes first, then whose turn was longest ago.
void Planner::grant_slices() {
  order_.clear();
  for (Job& job : jobs_) order_.push_back(&job);
  if (order_.size() > 1) {
    const auto class_of = [this](const Job* job) {
      return s_.queue.rank(job->slot, s_.frame) / Queue::kAgingFrames;
    };
    std::ranges::stable_sort(order_, [&](const Job* a, const Job* b) {
      return std::tuple(class_of(b), a->last_round) < std::tuple(class_of(a), b->last_round);
    });
  }
  in_round_.clear();
  WorkUnits left = budget_.left();
  for (Job* job : order_) {
    if (left == 0 || in_round_.size() == kRoundJobs) break;
    job->grant = std::min(left, slice_);
    if (job->labels_at > 0) job->grant = std::min(job->grant, job->labels_at - job->spent);
    job->last_round = round_;
    left -= job->grant;
    in_round_.push_back(job);
  }
}

// After its slice. True if the job is done with.
bool Planner::judge(Job* job) {
  job->spent += job->slice.used;
  job->waited += job->slice.used;
  costs_.note_work(job->slice.used);
  stats_of(*job).expansions += job->slice.used;
  const bool is_done = job->slice.progress != Progress::kOutOfBudget;
  const bool is_kept = job->own == nullptr;  // else it goes with the job
  if (is_kept || !is_done) job->state->note_use();
  if (!is_done) {
    if (job->labels_at > 0 && job->spent >= job->labels_at) return settle_by_labels(job);
    if (job->is_repair && job->spent >= job->cap) {
      costs_.note_in_vain(job->spent);
      if (job->state->kind() != SearchKind::kField) costs_.note_repair(job->spent, true);
      ++stats_of(*job).capped;
      give_up_repair(job);
    }
    return false;
  }
  if (job->slice.progress == Progress::kNoPath) {
    s_.reach.keep(s_.agents.row(job->slot).view);
    if (job->labels_at > 0) {
      costs_.note_labels(true);  // they would have said so
      make_labels(s_.agents.row(job->slot).view);
    }
  }
  WorkUnits units = 0;
  const Outcome outcome = settling_.finish(job->slot, *job->state, job->slice.progress, &units);
  budget_.spend(units);
  if (job->is_fresh) costs_.note_fresh(job->state->kind(), job->spent);
  if (job->is_repair) {
    if (job->state->kind() == SearchKind::kField)
      costs_.note_field(job->spent, job->behind);
    else
      costs_.note_repair(job->spent, false);
  }
  if (job->state->kind() == SearchKind::kJump) s_.agents[job->slot].jump_units += job->spent;
  if (outcome == Outcome::kSearchAgain) costs_.note_in_vain(job->spent);
  if (is_kept && outcome == Outcome::kSearchAgain)
    job->state->leave_revision();
  else if (is_kept)
    job->state->rest();
  if (outcome != Outcome::kFlood) return true;
  begin_own(job, SearchKind::kFlood);
  return false;
}

// What was repaired so far is kept, unfinished, if another search can answer instead.
void Planner::give_up_repair(Job* job) {
  if (job->state->kind() == SearchKind::kDStarLite && can_jump(s_.agents.row(job->slot).view)) {
    begin_own(job, SearchKind::kJump);
  } else {
    begin_fresh(job);
  }
}

void Planner::keep_within_memory() {
  const auto is_over = [this] {
    return s_.search_memory.bytes() + s_.clusters.bytes() + s_.leg_bytes >
           s_.options.search_memory_bytes;
  };
  while (is_over() && s_.clusters.give_up_one(s_.frame)) ++s_.stats.evictions;
  const auto& by_use = s_.search_memory.by_use();
  for (auto it = by_use.begin(); it != by_use.end() && is_over();) {
    SearchState& state = *it->second;
    ++it;
    if (is_busy(&state) || state.is_empty()) continue;
    state.give_up();
    ++s_.stats.evictions;
  }
}

// Floods are counted with A*: they are fresh and start-rooted too.
StrategyStats& Planner::stats_of(const Job& job) {
  const SearchKind kind = job.state->kind();
  const auto i = kind == SearchKind::kFlood ? 0 : static_cast<std::size_t>(kind);
  return s_.stats.strategies[i];
}

}  // namespace repath
