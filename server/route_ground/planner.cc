#include "route_ground/planner.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "route_ground/recall.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr WorkUnits kWholeGrant = std::numeric_limits<std::uint32_t>::max();

bool is_single(SearchKind kind) { return kind != SearchKind::kField; }

}  // namespace

void RoutePlanner::before_commit() {
  std::erase_if(jobs_, [this](Job& job) {
    if (job.copy != nullptr) return false;
    if (job.state != nullptr) {
      job.state->follow();
      if (!job.is_interrupted && !job.is_repair)
        job.cap = job.spent + kept_.cap_of(SearchKind::kField);
      job.is_interrupted = true;
      return false;
    }
    RouteAgent& agent = s_.agents[job.slot];
    if (agent.search_epoch == job.epoch) {
      agent.wants_copy = true;
    } else if (s_.queue.contains(job.slot)) {
      ++agent.searches_in_vain;  // it has got another place
    }
    return true;
  });
  note_being_read();
  count_fresh();
}

void RoutePlanner::forget(Slot slot) {
  FrameRounds::forget(slot);
  count_fresh();
}

// Gives up the kept searches that cannot go on since a commit, because the graph has another shape.
void RoutePlanner::begin_frame(WorkUnits) {
  drop_jobs([](const Job& job) {
    if (job.state == nullptr || job.state->is_fixed() ||
        job.state->can_follow(std::numeric_limits<std::uint64_t>::max()))
      return false;
    job.state->give_up();
    return true;
  });
  count_fresh();
}

void RoutePlanner::end_round(WorkUnits) {
  count_fresh();
  kept_.keep_within_memory([this](const RouteSearchState* state) { return is_busy(state); });
}

// Counts the memory of the searches in progress that are not kept.
void RoutePlanner::count_fresh() {
  s_.fresh_bytes = 0;
  for (const Job& job : jobs_)
    if (job.search != nullptr) s_.fresh_bytes += job.search->effort().bytes;
}

bool RoutePlanner::is_busy(const RouteSearchState* state) const {
  return std::ranges::any_of(jobs_, [state](const Job& job) { return job.state == state; });
}

StrategyStats& RoutePlanner::stats_of(const Job& job) {
  const SearchKind kind = job.state == nullptr ? SearchKind::kAStar : job.state->kind();
  return s_.stats.strategies[static_cast<std::size_t>(kind)];
}

bool RoutePlanner::may_start(Slot slot) const {
  if (const RouteSearchState* field = s_.goals_of(slot).field.get();
      field != nullptr && kept_.may_use_field(slot) && is_busy(field))
    return false;
  return std::ranges::none_of(jobs_, [this, slot](const Job& job) {
    return job.slot == slot ||
           (job.surveys && s_.agents.row(job.slot).goals == s_.agents.row(slot).goals);
  });
}

// Gives a verdict at once, or adds one more job.
void RoutePlanner::start(Slot slot) {
  budget_.spend(1);
  const std::optional<Spot> origin = settling_.stand(slot);
  if (!origin) return;
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  const bool is_auto = s_.options.strategy == Strategy::kAuto;
  const SearchKind kind = kept_.kind_for(slot);
  const bool recalls = is_auto && is_same_place(*origin, row.origin) && !can_repair(slot, kind);
  if (recalls && settle_by_recall(slot)) return;
  Job job;
  job.slot = slot;
  job.epoch = agent.search_epoch;
  job.is_uncut = agent.searches_in_vain >= kSearchesInVainMax;
  if (agent.wants_copy && !job.is_uncut) {
    job.copy = s_.world.keep(row.view);
    budget_.spend(kCopyUnits);
  }
  const bool has_place = ask_from(&job, *origin);
  budget_.spend(job.goals.size());
  if (!has_place || is_cut_off(job)) {
    if (settling_.cut_off(slot) == Outcome::kServed) return;
    begin_partial(&job);
  } else if (is_incremental(kind) && !(is_auto && agent.wants_fresh && is_single(kind))) {
    begin_kept(&job, kind);
  } else {
    s_.agents[slot].wants_fresh = false;
    begin_search(&job);
    ++s_.stats.strategies[0].searches;
  }
  jobs_.push_back(std::move(job));
}

// Fills in what the job asks of today's ground, its copy or the live one, for a route from there.
// Returns whether that is a place.
bool RoutePlanner::ask_from(Job* job, const Spot& origin) const {
  const RouteRow& row = s_.agents.row(job->slot);
  const RouteGoals& goals = s_.goals_of(job->slot);
  const RouteGround& ground = job->copy != nullptr ? *job->copy : s_.world.ground(row.view);
  job->asked = ask(job->slot, ground);
  // The place found when it was put there may be a little off the ground, see stand_again.
  const std::optional<RoutePlace> place = stand_again(ground, origin);
  job->start = place.value_or(RoutePlace{origin, 0});
  job->goals = places_of_goals(ground, goals.points, goals.radius);
  job->asked.start = job->start.at;
  job->asked.moves_origin = !is_same_place_of(ground, origin, row.origin);
  job->asked.goals = spots_of(job->goals);
  return place.has_value();
}

// Returns what is asked of `ground`, which is that of today, for the agent from its origin.
RouteFinding RoutePlanner::ask(Slot slot, const RouteGround& ground) const {
  return {.ground = &ground,
          .revision = s_.world.revision(),
          .start = s_.agents.row(slot).origin,
          .goals = s_.goals_of(slot).spots,
          .version = s_.agents[slot].path.version,
          .walked = s_.agents[slot].walked,
          .proof = s_.world.revision()};
}

// Begins a search that uses the known lengths of ways to its goals. For a goal that many agents
// share, a survey finds these lengths once searches for the agents have cost as much. A search for
// an agent with a goal of its own leaves hindsight for its next one. An agent that was woken by
// ground that opens leaves none: it mostly finds its old way. Where CorridorSearch gives a part of
// the answer, hindsight would help the smaller part only, and none is left.
void RoutePlanner::begin_search(Job* job) {
  const RouteAgent& agent = s_.agents[job->slot];
  const RouteRow& row = s_.agents.row(job->slot);
  const RouteGoals& goals = s_.goals_of(job->slot);
  HeldHindsight known;
  if (s_.options.strategy != Strategy::kAuto) {
    job->is_informed = true;  // from scratch each time: nothing is learned
    job->search = job->asked.ground->search(job->start, job->goals);
    return;
  }
  if (goals.survey != nullptr) {
    known = {goals.survey, kUnreachable};
  } else {
    known = s_.hindsight.take(job->slot, job->start.at, row.lower);
  }
  job->is_informed = known.of != nullptr;
  if (!job->is_informed) {
    const std::uint64_t price = job->asked.ground->survey_units();
    const bool is_shared =
        goals.agents >= RouteGoalTable::kSurveyAgentsMin && goals.points.size() == 1 && price > 0;
    job->surveys = is_shared && !job->is_uncut && s_.goals.pays_to_survey(row.goals, price);
    known.wants_all = job->surveys;
    known.wants_more = !is_shared && (agent.must_answer || agent.broken_at) &&
                       !job->asked.ground->keeps_searches(job->goals.size());
  }
  job->search = job->asked.ground->search_with(known, job->start, job->goals);
}

// Begins with the search that the agent or its goals keep, or makes one.
void RoutePlanner::begin_kept(Job* job, SearchKind kind) {
  job->state = kept_.state_of(job->slot, kind);
  ++stats_of(*job).searches;
  const WorkUnits cap = kept_.cap_of(kind);
  RouteSearchState& state = *job->state;
  const bool is_fresh = job->copy != nullptr || s_.agents[job->slot].wants_fresh ||
                        !state.can_follow(cap * RepairCosts::kFedNodesPerCap) ||
                        !state.is_for(job->start, job->goals);
  s_.agents[job->slot].wants_fresh = false;
  if (is_fresh) return state.begin(job->start, job->goals, job->copy);
  job->behind = value(s_.world.revision()) - value(state.revision());
  job->is_repair = true;
  job->cap = cap;
  state.follow();
  ++stats_of(*job).repairs;
}

bool RoutePlanner::can_repair(Slot slot, SearchKind kind) const {
  const RouteAgent& agent = s_.agents[slot];
  return is_single(kind) && is_incremental(kind) && !agent.wants_copy && !agent.wants_fresh &&
         agent.search != nullptr && agent.search->kind() == kind && !agent.search->is_empty() &&
         agent.search->can_follow(kept_.cap_of(kind) * RepairCosts::kFedNodesPerCap);
}

bool RoutePlanner::settle_by_recall(Slot slot) {
  const RouteAgent& agent = s_.agents[slot];
  if (agent.remembered.empty()) return false;
  const bool is_broken = agent.broken_at.has_value();
  // See begin_search(). A search that leaves hindsight takes so long that looking first always
  // pays.
  const bool may_leave_hindsight =
      is_broken && !s_.ground_of(slot).keeps_searches(s_.goals_of(slot).points.size());
  if (!may_leave_hindsight && !kept_.costs.recalls_pay(is_broken)) return false;
  std::uint64_t tests = 0;
  const std::optional<RecalledRoute> recalled = recall_route(s_, slot, &tests);
  WorkUnits units = tests / kRecallTestsPerUnit;
  bool is_served = false;
  if (recalled) {
    RouteFinding finding = ask(slot, s_.ground_of(slot));
    finding.search = &*recalled;
    finding.proof = recalled->proof();
    is_served = settling_.finish(slot, finding, Progress::kPathFound, &units) == Outcome::kServed;
  }
  kept_.costs.note_recall(is_broken, units, is_served);
  budget_.spend(units);
  return is_served;
}

bool RoutePlanner::is_cut_off(const Job& job) const {
  return std::ranges::none_of(job.goals, [&](const RoutePlace& goal) {
    return job.asked.ground->may_reach(job.start, goal);
  });
}

// Begins a search for the nearest place that can be reached at all. On graphs the nodes that stand
// for the goals count; on meshes, and if there is no such node, the points that were asked for.
void RoutePlanner::begin_partial(Job* job) {
  std::vector<RoutePlace> wanted;
  if (!job->asked.ground->is_continuous()) wanted = job->goals;
  if (wanted.empty())
    for (const Spot& point : s_.goals_of(job->slot).points) wanted.push_back({point, 0});
  const RoutePlace end = job->asked.ground->nearest_reachable(job->start, wanted);
  budget_.spend(kNearestUnits);
  job->asked.standing = Standing::kPartial;
  job->search = job->asked.ground->search(job->start, std::span(&end, 1));
  ++s_.stats.strategies[0].searches;
}

void RoutePlanner::note_in_vain(const Job& job) {
  kept_.costs.note_in_vain(job.spent);
  if (job.state != nullptr) job.state->rest();
  if (s_.queue.contains(job.slot)) ++s_.agents[job.slot].searches_in_vain;
}

WorkUnits RoutePlanner::grant(Job* job, WorkUnits most) {
  most = std::min(most, WorkUnits{std::numeric_limits<std::int32_t>::max()});
  job->grant = job->is_uncut ? kWholeGrant : most;
  return most;
}

void RoutePlanner::advance(Job* job) {
  if (job->state != nullptr) {
    const RouteSearchState::Slice slice = job->state->advance(job->start, job->grant);
    job->used = slice.used + job->state->take_edge_units();
    job->expanded = slice.used;
    job->progress = slice.progress;
    return;
  }
  auto left = static_cast<std::uint32_t>(job->grant);
  job->progress = job->search->advance(&left);
  job->expanded = job->grant - left;
  job->used = job->expanded + job->search->take_edge_units();
}

WorkUnits RoutePlanner::count_slice(const Job& job) {
  stats_of(job).expansions += job.expanded;
  return std::max<WorkUnits>(job.used, 1);
}

// Judges the job after its slice. Returns true if the job is finished.
bool RoutePlanner::judge(Job* job) {
  job->spent += job->used;
  kept_.costs.note_work(job->used);
  if (job->state != nullptr) job->state->note_use();
  if (job->progress == Progress::kOutOfBudget) {
    if (job->cap == 0 || job->spent < job->cap) return false;
    give_up_at_cap(*job);
    return true;
  }
  if (const std::optional<bool> ends = ask_today(job)) return *ends;
  if (job->state != nullptr) job->search = std::make_unique<KeptAnswer>(job->state, job->start);
  job->asked.search = job->search.get();
  if (!job->is_informed)
    s_.goals.spend(s_.agents.row(job->slot).goals, job->search->expanded(), job->surveys);
  WorkUnits units = 0;
  const Outcome outcome = settling_.finish(job->slot, job->asked, job->progress, &units);
  budget_.spend(units);
  note_end(*job, outcome);
  if (outcome == Outcome::kSearchAgain) ++s_.agents[job->slot].searches_in_vain;
  if (outcome != Outcome::kPartial) return true;
  job->state = nullptr;
  job->cap = 0;
  begin_partial(job);
  return false;
}

// Asks again for the agent as it is now, if commits have come since the job's search began and the
// search has taken them in. Returns empty if the search answers that question already, false if it
// has to go on for an answer, true if it cannot answer for the agent any more.
std::optional<bool> RoutePlanner::ask_today(Job* job) {
  if (!job->is_interrupted || job->asked.revision == s_.world.revision()) return std::nullopt;
  const RoutePlace before = job->start;
  const std::optional<Spot> origin = settling_.stand(job->slot);
  if (origin && ask_from(job, *origin) && job->state->is_for(job->start, job->goals)) {
    if (is_kept_place(*job->asked.ground, job->start, before)) return std::nullopt;
    return false;
  }
  if (s_.queue.contains(job->slot)) ++s_.agents[job->slot].searches_in_vain;
  job->state->rest();
  return true;
}

// Ends a repair that costs too much, or a search that commits have interrupted for too long. The
// agent keeps its turn, and a search from scratch begins: after interruptions on a copy, so that it
// ends. With kAuto the agent's unfinished repair is kept, and A* answers.
void RoutePlanner::give_up_at_cap(const Job& job) {
  kept_.costs.note_in_vain(job.spent);
  ++stats_of(job).capped;
  if (job.state->kind() != SearchKind::kField) {
    kept_.costs.note_single(job.spent, false);
    if (job.is_repair) kept_.costs.note_repair(job.spent, false);
  }
  job.state->rest();
  RouteAgent& agent = s_.agents[job.slot];
  agent.wants_fresh = true;
  agent.wants_copy |= job.is_interrupted;
}

// Notes what the job cost, and lets go of a kept search.
void RoutePlanner::note_end(const Job& job, Outcome outcome) {
  const SearchKind kind = job.state == nullptr ? SearchKind::kAStar : job.state->kind();
  if (job.asked.standing == Standing::kPath && outcome != Outcome::kSearchAgain) {
    if (!job.is_repair && !job.is_interrupted) kept_.costs.note_fresh(kind, job.spent);
    if (kind != SearchKind::kField) kept_.costs.note_single(job.spent, true);
    if (job.is_repair && kind == SearchKind::kField) kept_.costs.note_field(job.spent, job.behind);
    if (job.is_repair && kind != SearchKind::kField) kept_.costs.note_repair(job.spent, true);
  }
  if (outcome == Outcome::kSearchAgain) kept_.costs.note_in_vain(job.spent);
  if (job.state != nullptr) job.state->rest();
}

}  // namespace repath
