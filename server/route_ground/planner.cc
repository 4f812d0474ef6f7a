#include "route_ground/planner.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "route_ground/recall.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr WorkUnits kWholeGrant = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void RoutePlanner::before_commit() {
  std::erase_if(jobs_, [this](const Job& job) {
    if (job.copy != nullptr) return false;
    RouteAgent& agent = s_.agents[job.slot];
    if (agent.search_epoch == job.epoch) agent.wants_copy = true;
    return true;
  });
  note_being_read();
}

bool RoutePlanner::may_start(Slot slot) const {
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
  const RouteGoals& goals = s_.goals_of(slot);
  if (is_same_place(*origin, row.origin) && settle_by_recall(slot)) return;
  Job job;
  job.slot = slot;
  job.epoch = agent.search_epoch;
  job.is_whole = agent.searches_in_vain >= kSearchesInVainMax;
  if (agent.wants_copy && !job.is_whole) {
    job.copy = s_.world.keep(row.view);
    budget_.spend(kCopyUnits);
  }
  const RouteGround& ground = job.copy != nullptr ? *job.copy : s_.world.ground(row.view);
  job.asked = ask(slot, ground);
  // The place found when it was put there may be a little off the ground, see stand_again.
  const std::optional<RoutePlace> place = stand_again(ground, *origin);
  job.start = place.value_or(RoutePlace{*origin, 0});
  job.goals = places_of_goals(ground, goals.points, goals.radius);
  job.asked.start = job.start.at;
  job.asked.moves_origin = !is_same_place_of(ground, *origin, row.origin);
  job.asked.goals = spots_of(job.goals);
  budget_.spend(job.goals.size());
  if (!place || is_cut_off(job)) {
    if (settling_.cut_off(slot) == Outcome::kServed) return;
    begin_partial(&job);
  } else {
    begin_search(&job);
    ++s_.stats.strategies[0].searches;
  }
  jobs_.push_back(std::move(job));
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
// ground that opens leaves none: it mostly finds its old way.
void RoutePlanner::begin_search(Job* job) {
  const RouteAgent& agent = s_.agents[job->slot];
  const RouteRow& row = s_.agents.row(job->slot);
  const RouteGoals& goals = s_.goals_of(job->slot);
  HeldHindsight known;
  if (goals.survey != nullptr) {
    known = {goals.survey, kUnreachable};
  } else {
    known = s_.hindsight.take(job->slot, job->start.at, row.lower);
  }
  job->is_informed = known.of != nullptr;
  if (!job->is_informed) {
    const std::uint64_t price = job->asked.ground->survey_units();
    const bool is_shared =
        goals.agents >= RouteGoalTable::kSharedBy && goals.points.size() == 1 && price > 0;
    job->surveys = is_shared && !job->is_whole && s_.goals.pays_to_survey(row.goals, price);
    known.wants_all = job->surveys;
    known.wants_more = !is_shared && (agent.must_answer || agent.broken_at);
  }
  job->search = job->asked.ground->search_with(known, job->start, job->goals);
}

bool RoutePlanner::settle_by_recall(Slot slot) {
  const RouteAgent& agent = s_.agents[slot];
  if (agent.remembered.empty()) return false;
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
  budget_.spend(units);
  return is_served;
}

bool RoutePlanner::is_cut_off(const Job& job) const {
  return std::ranges::none_of(job.goals, [&](const RoutePlace& goal) {
    return job.asked.ground->may_reach(job.start, goal);
  });
}

// Begins a search for the nearest place that can be reached at all. A goal without a place of its
// own counts as being at the point that was asked for.
void RoutePlanner::begin_partial(Job* job) {
  std::vector<RoutePlace> wanted = job->goals;
  if (wanted.empty())
    for (const Spot& point : s_.goals_of(job->slot).points) wanted.push_back({point, 0});
  const RoutePlace end = job->asked.ground->nearest_reachable(job->start, wanted);
  budget_.spend(kNearestUnits);
  job->asked.standing = Standing::kPartial;
  job->search = job->asked.ground->search(job->start, std::span(&end, 1));
  ++s_.stats.strategies[0].searches;
}

void RoutePlanner::note_in_vain(const Job& job) {
  if (s_.queue.contains(job.slot)) ++s_.agents[job.slot].searches_in_vain;
}

WorkUnits RoutePlanner::grant(Job* job, WorkUnits most) {
  most = std::min(most, WorkUnits{std::numeric_limits<std::int32_t>::max()});
  job->grant = job->is_whole ? kWholeGrant : most;
  return most;
}

void RoutePlanner::advance(Job* job) {
  job->left = static_cast<std::uint32_t>(job->grant);
  job->progress = job->search->advance(&job->left);
}

WorkUnits RoutePlanner::count_slice(const Job& job) {
  const WorkUnits used = job.grant - job.left;
  s_.stats.strategies[0].expansions += used;
  return std::max<WorkUnits>(used, 1);
}

// Judges the job after its slice. Returns true if the job is finished.
bool RoutePlanner::judge(Job* job) {
  if (job->progress == Progress::kOutOfBudget) return false;
  job->asked.search = job->search.get();
  if (!job->is_informed)
    s_.goals.spend(s_.agents.row(job->slot).goals, job->search->expanded(), job->surveys);
  WorkUnits units = 0;
  const Outcome outcome = settling_.finish(job->slot, job->asked, job->progress, &units);
  budget_.spend(units);
  if (outcome == Outcome::kSearchAgain) ++s_.agents[job->slot].searches_in_vain;
  if (outcome != Outcome::kPartial) return true;
  begin_partial(job);
  return false;
}

}  // namespace repath
