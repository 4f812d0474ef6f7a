#include "route_ground/commit_verdicts.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "route_ground/held_walk.h"
#include "routes/places.h"

namespace repath {
namespace {

// Number of filter tests that take as long as a look at the ground.
constexpr std::uint64_t kTestsPerWalk = 16;

}  // namespace

std::uint64_t RouteCommitVerdicts::apply(RouteCommit commit) {
  static const std::vector<RouteChange> none;
  auto delta = commit.views.begin();
  for (const RouteViewId view : s_.log.views()) {
    while (delta != commit.views.end() && delta->view < view) ++delta;
    const bool is_changed = delta != commit.views.end() && delta->view == view;
    // On graphs what stands for a goal may change with a node that no way leads to.
    if (!is_changed && s_.world.ground(view).is_continuous()) continue;
    judge_view(commit.revision, view, is_changed ? delta->changes : none);
  }
  return finish(std::move(commit));
}

void RouteCommitVerdicts::judge_view(Revision revision, RouteViewId view,
                                     const std::vector<RouteChange>& changes) {
  const RouteGround& ground = s_.world.ground(view);
  const RouteFalls falls(ground, changes);
  Scope scope{revision, view, changes, ground, falls, box_of(changes), {}};
  for (const RouteChange& change : changes) {
    if (!change.rose) continue;
    add_to(&scope.risen, change.from);
    add_to(&scope.risen, change.to);
  }
  tests_ += s_.goals.look_again(view, changes) * kTestsPerWalk;
  s_.goals.drop_surveys(view, falls);
  const std::vector<RouteRow>& rows = s_.agents.rows();
  for (Slot slot = 0; slot < rows.size(); ++slot)
    if (rows[slot].standing != Standing::kEmpty && rows[slot].view == view) {
      limit_hindsight(scope, slot);
      judge_agent(scope, slot);
    }
  tests_ += rows.size();
}

bool RouteCommitVerdicts::look_at_path(const Scope& scope, Slot slot) {
  const RouteRow& row = s_.agents.row(slot);
  const bool holds = row.standing == Standing::kPath || row.standing == Standing::kPartial;
  if (holds && meet(row.rest, scope.all) && crosses(s_, slot, scope.changes, &tests_) &&
      walk_again(scope, slot))
    return true;
  if (has_other_place(scope, slot)) {
    v_.begin_search_anew(slot);
    wake(scope, slot, std::nullopt);
  }
  if (s_.goals_of(slot).changed_at == scope.revision) look_at_goals(scope, slot);
  return false;
}

// The ways that lead to a partial end are not distinguished: any fall may matter.
void RouteCommitVerdicts::filter_partial(const Scope& scope, Slot slot, Cost before) {
  if (!scope.falls.empty() || s_.agents.row(slot).held != before)
    wake(scope, slot, first_opened(scope));
}

bool RouteCommitVerdicts::may_reach(const Scope& scope, Slot slot) {
  return !scope.falls.empty() && s_.agents.row(slot).has_origin && !is_still_cut_off(scope, slot);
}

std::optional<ObstacleId> RouteCommitVerdicts::first_opened(const Scope& scope) const {
  return scope.falls.empty() ? std::nullopt : scope.falls.first()->cause;
}

void RouteCommitVerdicts::add_causes_here(const Scope& scope, Slot slot) {
  const Spot& here = s_.agents.row(slot).origin;
  add_causes_on(scope, slot, here, here);
}

// Returns whether the agent stood on the ground before and an obstacle is over it now.
bool RouteCommitVerdicts::lost_ground(const Scope& scope, Slot slot) {
  const RouteRow& row = s_.agents.row(slot);
  if (!row.has_origin || row.is_snapped) return false;
  const RouteBox here = box_of(row.origin);
  if (!meet(here, scope.risen) || !rises_at(scope.changes, here)) return false;
  tests_ += kTestsPerWalk;
  const std::optional<RoutePlace> place = stand_again(scope.ground, row.origin);
  if (!place) return true;
  if (scope.ground.is_continuous() && plane_distance_squared(place->at, row.origin) > 0)
    nudge(slot, place->at);
  return false;
}

// Moves the place of an agent that is inside the new obstacle by a hair: it stands beside the
// obstacle from now on.
void RouteCommitVerdicts::nudge(Slot slot, const Spot& to) {
  RouteRow& row = s_.agents.row(slot);
  const double moved = std::sqrt(plane_distance_squared(row.origin, to));
  row.lower -= std::min(row.lower, static_cast<Cost>(moved * kRouteCostUnit) + 1);
  RouteKind::set_origin(s_, slot, to, to);
}

// Returns whether another node is nearest to the agent's position now, because its own shut or a
// nearer one opened. On meshes a position means the same floor whatever opens.
bool RouteCommitVerdicts::has_other_place(const Scope& scope, Slot slot) {
  const RouteRow& row = s_.agents.row(slot);
  if (!row.has_origin || row.is_snapped || scope.ground.is_continuous()) return false;
  const RouteAgent& agent = s_.agents[slot];
  const Spot seen = spot_of(agent.spec.position);
  const double off = std::sqrt(space_distance_squared(seen, row.origin));
  tests_ += scope.changes.size();
  const RouteBox here = box_of(row.origin);
  if (std::ranges::none_of(scope.changes, [&](const RouteChange& change) {
        return (change.fell && meet(box_of(seen), change.from, off + kBoxMargin)) ||
               (change.rose && meet(here, change.from));
      }))
    return false;
  tests_ += kTestsPerWalk;
  const std::optional<RoutePlace> place = stand_of(agent, scope.ground);
  return !place || !is_same_place_of(scope.ground, place->at, row.origin);
}

// Wakes an agent in an obstacle if its place may be free again, if the place that stands in for it
// is blocked, or if a nearer one is free.
void RouteCommitVerdicts::look_at_ground(const Scope& scope, Slot slot) {
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  if (row.has_origin && !row.is_snapped) return;
  double reach = scope.ground.is_continuous() ? 0 : kRouteSnapReach;
  if (agent.spec.snap_start)
    reach = row.has_origin ? std::sqrt(space_distance_squared(agent.spot, row.origin))
                           : kRouteSnapReach;
  const RouteChange* const opened = scope.falls.near(agent.spot, reach);
  bool is_woken = opened != nullptr;
  // On graphs the opening of an isolated node shows in no change, so each commit wakes the agent.
  if (!scope.ground.is_continuous() && !row.has_origin) is_woken = true;
  if (!is_woken && row.is_snapped && meet(box_of(row.origin), scope.risen)) {
    tests_ += kTestsPerWalk;
    is_woken = !stand_again(scope.ground, row.origin);
  }
  if (!is_woken) return;
  v_.begin_search_anew(slot);
  wake(scope, slot, opened == nullptr ? std::nullopt : opened->cause);
  if (row.standing == Standing::kStartBlocked && stand_of(agent, scope.ground))
    v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
}

// Handles goals of the agent that mean other places now.
void RouteCommitVerdicts::look_at_goals(const Scope& scope, Slot slot) {
  const RouteAgent& agent = s_.agents[slot];
  RouteRow& row = s_.agents.row(slot);
  const RouteGoals& goals = s_.goals_of(slot);
  v_.begin_search_anew(slot);
  if (row.standing == Standing::kPath) {
    if (!has_place(scope.ground, goals.spots, agent.path.points.back().at)) {
      row.lower = 0;
      wake_for_goals(scope, slot);
      add_causes_on(scope, slot, agent.path.points.back().at, agent.path.points.back().at);
      if (!agent.broken_at) v_.expect(slot, EventType::kReplanned, EventReason::kNone);
      return;
    }
    for (const Spot& spot : goals.added)
      row.lower = std::min(row.lower, scope.ground.least_cost(box_of(row.origin), box_of(spot)));
    if (row.settled && !s_.is_good_enough(slot)) wake_for_goals(scope, slot);
    return;
  }
  if (row.standing == Standing::kPartial || (row.has_origin && !goals.added.empty()))
    wake_for_goals(scope, slot);
}

// Wakes an agent some of whose goals mean other places now, and names what changed there.
void RouteCommitVerdicts::wake_for_goals(const Scope& scope, Slot slot) {
  wake(scope, slot, std::nullopt);
  for (const Spot& spot : s_.goals_of(slot).added) add_causes_on(scope, slot, spot, spot);
}

// Walks the held route again on the ground of today. Returns true if the route is broken.
bool RouteCommitVerdicts::walk_again(const Scope& scope, Slot slot) {
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  ++s_.stats.filter_path_hits;
  const HeldWalk walk = walk_held(s_, scope.ground, slot, &rest_);
  tests_ += kTestsPerWalk + rest_.size();
  if (walk.broken && (!agent.broken_at || *walk.broken < *agent.broken_at)) {
    const bool is_first = *walk.broken <= agent.path.at + 1;
    const Spot begin = is_first ? row.origin : agent.path.points[*walk.broken - 1].at;
    const Spot end = agent.path.points[*walk.broken].at;
    invalidate(scope, slot, *walk.broken, [&] { add_causes_on(scope, slot, begin, end); });
  }
  if (agent.broken_at) return true;
  const Cost apart = std::max(walk.cost, row.held) - std::min(walk.cost, row.held);
  if (apart > s_.slack_of(slot))
    change_cost(slot, walk.cost, [&] { add_causes_on_rest(scope, slot); });
  return false;
}

void RouteCommitVerdicts::filter_path(const Scope& scope, Slot slot, Cost before) {
  RouteRow& row = s_.agents.row(slot);
  const RouteRival rival =
      scope.falls.cheapest(row.origin, s_.goals_of(slot).box, row.lower, row.proof, &tests_);
  if (rival.change != nullptr) row.lower = rival.cost;
  const bool may_have_room = row.is_tight && !scope.falls.empty();
  if (s_.is_good_enough(slot) && !may_have_room) return;
  if (rival.change != nullptr) ++s_.stats.filter_fall_failures;
  if (rival.change != nullptr) {
    wake(scope, slot, rival.change->cause);
  } else {
    wake(scope, slot, may_have_room ? first_opened(scope) : std::nullopt);
  }
  if (row.held == before) return;
  add_causes_on_rest(scope, slot);
  s_.agents[slot].answer = EventType::kReplanned;
}

// Limits the agent's hindsight, because ground that opens may shorten the ways that it bounds.
// Drops it if a goal's place has changed: about the new place nothing is known.
void RouteCommitVerdicts::limit_hindsight(const Scope& scope, Slot slot) {
  HindsightBook& book = s_.hindsight;
  const Revision found_at = book.found_at(slot);
  if (found_at == Revision{}) return;
  const RouteGoals& goals = s_.goals_of(slot);
  if (goals.changed_at == scope.revision) return book.drop(slot);
  if (!scope.falls.concern(found_at)) return;
  const RouteRival rival =
      scope.falls.cheapest(book.from(slot), goals.box, book.certain(slot), found_at, &tests_);
  if (rival.change == nullptr) return;
  if (rival.cost <= s_.agents.row(slot).held) return book.drop(slot);
  book.limit(slot, rival.cost);
}

bool RouteCommitVerdicts::is_still_cut_off(const Scope& scope, Slot slot) {
  const RouteRow& row = s_.agents.row(slot);
  tests_ += kTestsPerWalk;
  const std::optional<RoutePlace> here = stand_again(scope.ground, row.origin);
  if (!here) return false;
  const std::vector<RoutePlace> goals = s_.goals.places(row.goals);
  return std::ranges::none_of(
      goals, [&](const RoutePlace& goal) { return scope.ground.may_reach(*here, goal); });
}

// Adds the causes of the changes on that leg. REQUIRES: the agent waits.
void RouteCommitVerdicts::add_causes_on(const Scope& scope, Slot slot, const Spot& a,
                                        const Spot& b) {
  v_.add_cause(slot, scope.revision, std::nullopt);
  for (const RouteChange& change : scope.changes)
    if (change.cause && (leg_meets(a, b, change.from) || leg_meets(a, b, change.to)))
      v_.add_cause(slot, scope.revision, change.cause);
}

void RouteCommitVerdicts::add_causes_on_rest(const Scope& scope, Slot slot) {
  const HeldRoute& route = s_.agents[slot].path;
  Spot before = s_.agents.row(slot).origin;
  add_causes_on(scope, slot, before, before);
  for (std::size_t i = route.at + 1; i < route.points.size(); ++i) {
    add_causes_on(scope, slot, before, route.points[i].at);
    before = route.points[i].at;
  }
}

}  // namespace repath
