#include "route_ground/settling.h"

#include <algorithm>
#include <utility>

#include "route_ground/held_walk.h"
#include "route_ground/on_route.h"
#include "route_ground/recall.h"
#include "routes/boxes.h"
#include "routes/driven_route.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr WorkUnits kUnitsPerLeg = 2;  // of a leg that is walked to drive a route
// Number of points of a route that can be read, walked and sent in the time of one expansion.
constexpr std::size_t kPointsPerUnit = 8;

Cost less_by(Cost a, Cost b) { return a > b ? a - b : 0; }

// Returns a lower bound of any way from there to the goals of the search.
Cost least_cost_from(const Spot& from, const RouteFinding& finding) {
  if (finding.standing != Standing::kPath) return 0;
  Cost least = kUnreachable;
  for (const Spot& goal : finding.goals)
    least = std::min(least, finding.ground->least_cost(box_of(from), box_of(goal)));
  return least;
}

}  // namespace

RouteSettling::Stand RouteSettling::find_stand(Slot slot) const {
  const RouteAgent& agent = s_.agents[slot];
  const RouteGround& ground = s_.ground_of(slot);
  if (const auto place = stand_of(agent, ground)) return {place->at, place->at};
  const std::optional<RoutePlace> place = stand_in_of(agent, ground);
  return {agent.spot, place ? std::optional(place->at) : std::nullopt};
}

// Returns whether `stand` differs from the agent's place and origin.
bool RouteSettling::is_new(Slot slot, const Stand& stand) const {
  const RouteRow& row = s_.agents.row(slot);
  const RouteGround& ground = s_.ground_of(slot);
  return stand.origin.has_value() != row.has_origin ||
         (stand.origin && !is_same_place_of(ground, *stand.origin, row.origin)) ||
         !is_same_place_of(ground, stand.spot, s_.agents[slot].spot);
}

// Moves the begin of the agent's routes to `stand`. REQUIRES: an event is sent next, unless the
// route is known to be broken.
void RouteSettling::move_to(Slot slot, const Stand& stand) {
  if (!is_new(slot, stand)) return;
  v_.drop_path(slot);  // it begins elsewhere
  // On graphs another node is nearest now; the one that its route led to counts no more.
  if (!is_same_place_of(s_.ground_of(slot), stand.spot, s_.agents[slot].spot))
    s_.agents[slot].is_led = false;
  RouteKind::set_origin(s_, slot, stand.spot, stand.origin);
}

std::optional<Spot> RouteSettling::stand(Slot slot) {
  const RouteAgent& agent = s_.agents[slot];
  const Stand stand = find_stand(slot);
  if (is_new(slot, stand)) {
    const bool is_continuous = s_.ground_of(slot).is_continuous();
    if (agent.path.holds() && is_continuous)
      v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
    if (agent.path.holds() && !is_continuous)
      v_.expect(slot, EventType::kReplanned, EventReason::kNone);
    // The client follows the old route until it gets another one. If the old route breaks,
    // INVALIDATED is sent.
    if (stand.origin && agent.path.holds() && !agent.broken_at) return stand.origin;
    move_to(slot, stand);
  }
  if (!stand.origin) start_blocked(slot);
  return stand.origin;
}

Outcome RouteSettling::finish(Slot slot, const RouteFinding& finding, Progress progress,
                              WorkUnits* units) {
  *units += 1;
  const RouteRow& row = s_.agents.row(slot);
  const bool is_today = finding.revision == s_.world.revision();
  if (!s_.log.covers(row.view, finding.revision)) return Outcome::kSearchAgain;
  // Another place may stand in for a blocked place today.
  if ((row.is_snapped || finding.moves_origin) && !is_today) return Outcome::kSearchAgain;
  // Another node may stand for a node that has closed since; such a change need not show on any
  // way.
  if (!is_today && !s_.ground_of(slot).is_continuous() && is_new(slot, find_stand(slot)))
    return Outcome::kSearchAgain;
  if (finding.moves_origin) {
    const Stand stand = find_stand(slot);
    if (!stand.origin || !is_same_place_of(*finding.ground, *stand.origin, finding.start))
      return Outcome::kSearchAgain;
    if (progress != Progress::kPathFound) {
      if (finding.standing == Standing::kPartial) return Outcome::kSearchAgain;
      if (s_.agents[slot].spec.allow_partial) return Outcome::kPartial;
    }
    move_to(slot, stand);
  }
  if (progress != Progress::kPathFound) return finish_unreachable(slot, finding, units);
  keep_hindsight(slot, finding);
  const bool was_tight = row.is_tight;
  if (!was_tight && keep_held(slot, finding, units)) return Outcome::kServed;
  Found found = take_found(slot, finding, units);
  if (was_tight && found.is_tight) {
    if (std::optional<Found> held = drive_held(slot, finding, found, units)) {
      held->lower = found.lower;
      found = *std::move(held);
    } else if (keep_held(slot, finding, units)) {
      return Outcome::kServed;
    }
  }
  if (!align(slot, finding, &found)) return Outcome::kSearchAgain;
  prefer_held(slot, finding, &found);
  // The agent has walked on since, and what is left may have room.
  if (found.is_tight && !is_same_place(found.origin, finding.start))
    drive(slot, *finding.ground, &found, units);
  return adopt(slot, finding, std::move(found), units);
}

// Returns the route found. An agent that keeps a turning radius gets a driven route in its place,
// unless a turn has no room.
RouteSettling::Found RouteSettling::take_found(Slot slot, const RouteFinding& finding,
                                               WorkUnits* units) const {
  Found found;
  finding.search->append_route(&found.points);
  found.cost = finding.search->cost();
  found.lower = finding.search->lower_bound();
  found.origin = finding.start;
  if (s_.agents[slot].spec.curves) drive(slot, *finding.ground, &found, units);
  return found;
}

// Puts a route of the agent's turning radius in place of `found`, or notes that a turn has no room.
void RouteSettling::drive(Slot slot, const RouteGround& ground, Found* found,
                          WorkUnits* units) const {
  const AgentSpec& spec = s_.agents[slot].spec;
  const double radius = find_profile(s_.world.profiles(), spec.profile)->turning_radius;
  DrivenRoute driven = drive_route(ground, found->points, rules_of_agent(radius));
  *units += driven.legs * kUnitsPerLeg;
  found->is_tight = !driven.is_found;
  if (found->is_tight) return;
  found->points = std::move(driven.points);
  found->cost = driven.cost;
}

// Returns the rest of the held route, driven on the ground that was searched. Empty if a turn has
// no room, or if that route does not lead where `found` does.
std::optional<RouteSettling::Found> RouteSettling::drive_held(Slot slot,
                                                              const RouteFinding& finding,
                                                              const Found& found,
                                                              WorkUnits* units) const {
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  if (!holds_whole(agent) || row.standing != finding.standing ||
      !is_same_place(row.origin, finding.start))
    return std::nullopt;
  const Spot& end = agent.path.points.back().at;
  const bool leads_there = row.standing == Standing::kPath
                               ? has_place(*finding.ground, finding.goals, end)
                               : is_same_place(end, found.points.back().at);
  if (!leads_there) return std::nullopt;
  Found held;
  held.origin = finding.start;
  rest_of_route(agent.path.points, agent.path.at, row.origin, &held.points);
  drive(slot, *finding.ground, &held, units);
  return held.is_tight ? std::nullopt : std::optional(std::move(held));
}

// Keeps the hindsight that the search left, if nothing has opened since it was found.
void RouteSettling::keep_hindsight(Slot slot, const RouteFinding& finding) {
  std::shared_ptr<const Hindsight> left = finding.search->hindsight();
  if (left == nullptr) return;
  const RouteRow& row = s_.agents.row(slot);
  if (!left->is_of_all_places()) {
    if (finding.revision == s_.world.revision())
      s_.hindsight.put(slot, std::move(left), finding.start, finding.revision);
    return;
  }
  bool holds = s_.goals[row.goals].changed_at <= finding.revision;
  s_.log.for_each_after(row.view, finding.revision, [&](const LoggedRouteDelta& delta) {
    for (const RouteChange& change : delta.changes)
      holds = holds && !(change.fell && change.shut_at <= finding.revision);
  });
  if (!holds) return;
  s_.goals.set_survey(row.goals, std::move(left), finding.revision, s_.survey_bytes_max);
}

// Cuts off the part behind the agent. Returns false if the agent is not on the route found.
bool RouteSettling::align(Slot slot, const RouteFinding& finding, Found* found) {
  const RouteRow& row = s_.agents.row(slot);
  if (!row.has_origin) return false;
  if (is_same_place(row.origin, finding.start)) return true;
  if (row.is_snapped) return false;
  const auto on =
      find_on_route(*finding.ground, found->points, 0, finding.start, row.origin, false);
  if (!on || !is_within_reach(on->spot, row.origin)) return false;  // beside a link it may be far
  std::vector<RoutePoint> rest;
  rest_of_route(found->points, on->at, on->spot, &rest);
  const Cost cost = walk_route(*finding.ground, rest).cost;
  if (cost == kUnreachable) return false;
  // Over dear ground the way behind it may have cost more than the search had proved of all of it.
  found->lower = std::max(less_by(found->lower, less_by(found->cost, cost)),
                          least_cost_from(row.origin, finding));
  found->cost = cost;
  found->points = std::move(rest);
  found->origin = on->spot;
  return true;
}

// Keeps the held route and sends nothing if it is as good as the one found, or good enough. Returns
// whether it did. The agent may have walked along the held route since the search began.
bool RouteSettling::keep_held(Slot slot, const RouteFinding& finding, WorkUnits* units) {
  const RouteAgent& agent = s_.agents[slot];
  RouteRow& row = s_.agents.row(slot);
  if (row.standing != finding.standing || agent.must_answer || agent.broken_at) return false;
  if (agent.path.version != finding.version) return false;
  // The client was sent no bound that silence could confirm.
  if (agent.path.is_bounded && agent.verdict.path &&
      (agent.verdict.path->optimality == Optimality::kStale ||
       agent.verdict.path->optimality == Optimality::kValidOnly))
    return false;
  if (finding.standing == Standing::kPath &&
      !has_place(*finding.ground, finding.goals, agent.path.points.back().at))
    return false;
  const Cost walked = agent.walked - finding.walked;
  const bool is_today = finding.revision == s_.world.revision();
  if (!is_today && walked > 0) return false;
  std::vector<RoutePoint> rest;
  rest_of_route(agent.path.points, agent.path.at, row.origin, &rest);
  *units += rest.size() / kPointsPerUnit;
  Cost held = row.held + walked;
  if (!is_today) held = walk_route(*finding.ground, rest).cost;
  const Cost slack = s_.slack_of(slot);
  const Cost found = finding.search->cost();
  const Cost lower = finding.search->lower_bound();
  // The route found is not driven yet, so a driven one is held to its allowance alone.
  const bool is_driven = agent.spec.curves && !row.is_tight;
  if (held == kUnreachable || (!is_driven && held > found + agent.path.hysteresis + slack))
    return false;
  if (held > saturating_add(lower, row.allowance) + slack) return false;
  if (finding.standing == Standing::kPartial) {
    std::vector<RoutePoint> points;
    finding.search->append_route(&points);
    if (!is_same_place_of(*finding.ground, points.back().at, rest.back().at)) return false;
  }
  const RouteClaim claim{
      rest,          row.origin,    row.standing, held - walked, less_by(lower, walked),
      row.allowance, finding.goals, row.is_tight};
  const ClaimTrial trial = try_route(s_, slot, claim, finding.revision);
  *units += trial.tests / kTestsPerUnit;
  if (trial.closed || is_out_of_date(slot, trial, finding.revision)) return false;
  set_proof(slot, finding, trial);
  close_in_silence(slot, trial);
  return true;
}

// Puts the held route in place of the one found, if the held one is cheaper. A search that claims
// only a bound may find such a worse route, and so may driving. The held route is then sent again,
// with the bound found. A driven route goes before one with a turn too tight, whatever they cost.
void RouteSettling::prefer_held(Slot slot, const RouteFinding& finding, Found* found) const {
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  if (row.standing != Standing::kPath || finding.standing != Standing::kPath) return;
  if (agent.must_answer || agent.broken_at || finding.revision != s_.world.revision()) return;
  const bool is_tight = row.is_tight;
  if (is_tight == found->is_tight ? row.held >= found->cost : is_tight) return;
  if (!has_place(*finding.ground, finding.goals, agent.path.points.back().at)) return;
  found->is_tight = is_tight;
  found->cost = row.held;
  found->origin = row.origin;
  rest_of_route(agent.path.points, agent.path.at, row.origin, &found->points);
}

void RouteSettling::set_proof(Slot slot, const RouteFinding& finding, const ClaimTrial& trial) {
  RouteRow& row = s_.agents.row(slot);
  row.lower = trial.lower;
  row.proof = trial.stands_again ? s_.world.revision() : finding.proof;
}

Outcome RouteSettling::adopt(Slot slot, const RouteFinding& finding, Found found,
                             WorkUnits* units) {
  RouteAgent& agent = s_.agents[slot];
  RouteRow& row = s_.agents.row(slot);
  const bool is_complete = finding.standing == Standing::kPath;
  const double ratio = is_complete ? agent.spec.min_improvement_ratio : 0.0;
  const Cost gap = less_by(found.cost, found.lower);
  const RouteClaim claim{found.points,  found.origin,  finding.standing,
                         found.cost,    found.lower,   std::max(share_of(ratio, found.cost), gap),
                         finding.goals, found.is_tight};
  const ClaimTrial trial = try_route(s_, slot, claim, finding.revision);
  *units += trial.tests / kTestsPerUnit + found.points.size() / kPointsPerUnit;
  if (trial.closed || is_out_of_date(slot, trial, finding.revision)) return Outcome::kSearchAgain;
  const Cost old_cost = holds_whole(agent) ? row.held : 0;
  // A search may follow a proof that was lost or a turn that had no room. A route is an
  // improvement only if it saves more than the hysteresis.
  const Cost saved_least = agent.path.hysteresis + s_.slack_of(slot);
  if (agent.answer == EventType::kImproved && trial.told_cost() + saved_least >= old_cost)
    agent.answer = EventType::kReplanned;
  if (!is_same_place(found.origin, row.origin))
    RouteKind::set_origin(s_, slot, found.origin, found.origin);
  v_.hold_path(slot, std::move(found.points), finding.standing);
  row.is_tight = found.is_tight;
  row.held = trial.told_cost();
  set_proof(slot, finding, trial);
  if (is_complete && gap <= s_.slack_of(slot)) note_best(finding, &agent.path);
  row.allowance = claim.allowance;
  agent.path.hysteresis = share_of(ratio, row.held);
  agent.path.is_bounded = gap > s_.slack_of(slot);
  give_path(slot, trial, old_cost, s_.slack_of(slot));
  return Outcome::kServed;
}

// Returns whether the trial proves only a revision older than the agent's question or than what it
// is proved for already.
bool RouteSettling::is_out_of_date(Slot slot, const ClaimTrial& trial, Revision since) const {
  const RouteAgent& agent = s_.agents[slot];
  return trial.spoiled_by && (since < agent.asked_at || since <= agent.proved);
}

Outcome RouteSettling::cut_off(Slot slot) {
  const Stand stand = find_stand(slot);
  if (stand.origin && s_.agents[slot].spec.allow_partial) return Outcome::kPartial;
  move_to(slot, stand);
  return tell_unreachable(slot, ClaimTrial::of_today(s_.world.revision()),
                          [&] { return !s_.goals_of(slot).spots.empty(); });
}

Outcome RouteSettling::finish_unreachable(Slot slot, const RouteFinding& finding,
                                          WorkUnits* units) {
  const RouteAgent& agent = s_.agents[slot];
  const RouteRow& row = s_.agents.row(slot);
  if (finding.standing == Standing::kPartial) return Outcome::kSearchAgain;
  if (!row.has_origin || !is_same_place(row.origin, finding.start)) return Outcome::kSearchAgain;
  if (agent.spec.allow_partial) return Outcome::kPartial;
  const RouteClaim claim{{}, row.origin, Standing::kCutOff, 0, 0, 0, finding.goals};
  const ClaimTrial trial = try_route(s_, slot, claim, finding.revision);
  *units += trial.tests / kTestsPerUnit;
  if (is_out_of_date(slot, trial, finding.revision)) return Outcome::kSearchAgain;
  return tell_unreachable(slot, trial, [&] { return !finding.goals.empty(); });
}

}  // namespace repath
