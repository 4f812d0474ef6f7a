// Judge: checks each verdict against the model at its revision.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "verify/judge.h"
#include "verify/protocol.h"

namespace repath::verify {
namespace {

constexpr int kCausesMax = 16;

std::string name_of(const v1::PathEvent& event) {
  return without(v1::EventType_Name(event.type()), "EVENT_TYPE_") + " at revision " +
         std::to_string(event.revision());
}

bool carries_route(const v1::PathEvent& event) {
  return event.type() == v1::EVENT_TYPE_NEW_PATH || event.type() == v1::EVENT_TYPE_REPLANNED ||
         event.type() == v1::EVENT_TYPE_IMPROVED || event.type() == v1::EVENT_TYPE_PARTIAL;
}

}  // namespace

void Judge::on_event(const v1::PathEvent& event, const v1::EventBatch& batch,
                     std::uint64_t applied) {
  ++tally_.verdicts;
  tally_.max_wait_frames = std::max(tally_.max_wait_frames, event.waited_frames());
  const auto found = agents_.find(event.agent_id());
  if (found == agents_.end()) {
    if (event.type() == v1::EVENT_TYPE_REMOVED && removed_again_.erase(event.agent_id()) > 0)
      return;
    tally_.add(Defect::kWrong, event.agent_id(),
               name_of(event) + " for an agent that there is not");
    return;
  }
  Agent& agent = found->second;
  ++agent.heard;
  if (tally_.traces(agent.id)) trace(event, batch, applied);
  if (event.type() == v1::EVENT_TYPE_REMOVED) {
    if (!agent.removing) defect(Defect::kWrong, agent, "REMOVED without a request");
    agents_.erase(found);
    return;
  }
  if (agent.removing || applied < agent.asked_at) return;  // an answer to an older question
  if (event.waited_us() > agent.spec.staleness_ms * std::uint64_t{1000}) ++tally_.late;
  ++tally_.checked;
  const Ground& ground = oracle_.ground(agent.spec.view, world_.revision());
  if (!ground.on_map(event.cell().x(), event.cell().y())) {
    return defect(Defect::kWrong, agent, name_of(event) + " names a position off the map");
  }
  const Case c{event, agent, ground.cell(event.cell().x(), event.cell().y()), applied};
  check_frame(c, batch);
  if (carries_route(event)) {
    on_route(c);
  } else if (event.type() == v1::EVENT_TYPE_INVALIDATED) {
    on_invalidated(c);
  } else if (event.type() == v1::EVENT_TYPE_COST_CHANGED) {
    on_cost_changed(c);
  } else if (event.type() == v1::EVENT_TYPE_UNREACHABLE) {
    on_unreachable(c);
  } else if (event.type() == v1::EVENT_TYPE_START_BLOCKED) {
    on_start_blocked(c);
  } else if (event.type() == v1::EVENT_TYPE_CONFIRMED) {
    on_confirmed(c);
  } else {
    defect(Defect::kWrong, agent, name_of(event) + ": no such verdict");
  }
  agent.held.revision = event.revision();
  if (event.type() == v1::EVENT_TYPE_CONFIRMED) {
    check_claim(agent, {.settled = event.revision(), .applied = applied}, true);
  }
}

void Judge::trace(const v1::PathEvent& event, const v1::EventBatch& batch, std::uint64_t applied) {
  std::fprintf(stderr, "batch %llu (revision %llu, settled %llu, applied %llu): %s\n",
               static_cast<unsigned long long>(batch.batch_number()),
               static_cast<unsigned long long>(batch.revision()),
               static_cast<unsigned long long>(batch.settled_revision()),
               static_cast<unsigned long long>(applied), event.ShortDebugString().c_str());
}

// Checks the rules that all events share.
void Judge::check_frame(const Case& c, const v1::EventBatch& batch) {
  if (c.event.revision() > batch.revision() || c.event.revision() < 1) {
    defect(Defect::kWrong, c.agent, name_of(c.event) + " is ahead of its batch");
  }
  // A search of an older revision may end after a commit's verdicts at once.
  const bool searched = carries_route(c.event) || c.event.type() == v1::EVENT_TYPE_UNREACHABLE;
  if (c.event.revision() < c.agent.held.revision && !searched) {
    defect(
        Defect::kWrong, c.agent,
        name_of(c.event) + " comes after one of revision " + std::to_string(c.agent.held.revision));
  }
  check_position(c, searched);
  check_causes(c);
}

void Judge::check_position(const Case& c, bool exactly) {
  if (exactly) {
    const Cell there = c.agent.position_at(c.applied).cell;
    if (there == c.cell || c.event.coalesced() > 0) return;
    return defect(Defect::kWrong, c.agent,
                  name_of(c.event) + " was computed from " + place(c.cell) +
                      "; the agent stands at " + place(there));
  }
  const auto& positions = c.agent.positions;
  const bool was_there = std::any_of(positions.begin(), positions.end(),
                                     [&](const Position& p) { return p.cell == c.cell; });
  if (!was_there) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " names " + place(c.cell) + ", where the agent has not been of late");
  }
}

void Judge::check_causes(const Case& c) {
  const auto& revisions = c.event.cause_revisions();
  const auto& obstacles = c.event.cause_obstacles();
  if (revisions.size() > kCausesMax || obstacles.size() > kCausesMax ||
      !std::is_sorted(revisions.begin(), revisions.end()) ||
      !std::is_sorted(obstacles.begin(), obstacles.end())) {
    defect(Defect::kWrong, c.agent, name_of(c.event) + ": causes are not ascending, 16 at most");
  }
  const auto names = [&](std::uint64_t revision) {
    return std::find(revisions.begin(), revisions.end(), revision) != revisions.end();
  };
  if (c.event.type() == v1::EVENT_TYPE_INVALIDATED && !names(c.event.revision())) {
    defect(Defect::kWrong, c.agent, name_of(c.event) + " does not name its revision as the cause");
  }
  if (!revisions.empty() && revisions[revisions.size() - 1] > world_.revision()) {
    defect(Defect::kWrong, c.agent, name_of(c.event) + " names a cause that is still to come");
  }
}

void Judge::on_route(const Case& c) {
  const v1::Path& path = c.event.path();
  Held& held = c.agent.held;
  const Ground& ground = oracle_.ground(c.agent.spec.view, world_.revision());
  auto route = expand(ground, {path.cells().begin(), path.cells().end()});
  if (!route) {
    return defect(Defect::kInvalidPath, c.agent, name_of(c.event) + ": the waypoints are no path");
  }
  if (path.path_version() <= held.version || path.path_version() != c.event.path_version()) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + ": path_version " + std::to_string(path.path_version()) + " after " +
               std::to_string(held.version));
  }
  // If an event was coalesced in between, the checker does not have the path that was improved.
  if (c.event.type() == v1::EVENT_TYPE_IMPROVED && c.event.coalesced() == 0) check_improved(c);
  Standing standing = Standing::kPath;
  if (check_route(c, *route, c.agent.spec)) {
    const bool is_snapped = path.status() == v1::PATH_STATUS_START_BLOCKED;
    if (c.event.type() == v1::EVENT_TYPE_PARTIAL) {
      standing = Standing::kPartial;
      if (is_snapped) check_snapped(c, *route);
      if (!is_snapped && path.status() != v1::PATH_STATUS_PARTIAL)
        defect(Defect::kWrong, c.agent, name_of(c.event) + " carries a path that is not partial");
      check_partial(c, *route);
    } else if (is_snapped) {
      standing = Standing::kStartBlocked;
      check_snapped(c, *route);
    } else if (path.status() != v1::PATH_STATUS_COMPLETE) {
      defect(Defect::kWrong, c.agent, name_of(c.event) + " carries a path that leads nowhere");
    }
    if (standing != Standing::kPartial) {
      check_optimal(
          c, *route,
          path.optimality() == v1::OPTIMALITY_STALE ? path.revision() : c.event.revision());
    }
  }
  const double cost = cells(path.cost());
  double allowance = c.agent.spec.ratio * cost;
  if (path.optimality() == v1::OPTIMALITY_WITHIN) allowance = cells(path.bound());
  // Its excess over the optimum stays allowed.
  if (path.optimality() == v1::OPTIMALITY_BOUNDED && !is_leg(c))
    allowance = std::max(allowance, cost - cost / path.bound());
  c.agent.old = held;
  held = {standing, std::move(*route), path.path_version(), held.revision, 0, allowance};
  held.hysteresis = c.agent.spec.ratio * cost;
  held.is_leg = is_leg(c);
  held.line = line_of(path, cell_size_);
  c.agent.forget_before(c.applied);
  held.walked = 0;
  check_line(c, held.route);
}

// Checks that the path is valid at its revision and costs what it claims.
bool Judge::check_route(const Case& c, const Route& route, const AgentSpec& spec) {
  const v1::Path& path = c.event.path();
  const bool stale = path.optimality() == v1::OPTIMALITY_STALE;
  const std::uint64_t revision = stale ? path.revision() : c.event.revision();
  if (revision < 1 || revision > world_.revision()) {
    defect(Defect::kWrong, c.agent, name_of(c.event) + ": no such revision");
    return false;
  }
  const bool snapped = path.status() == v1::PATH_STATUS_START_BLOCKED;
  if (!snapped && route.cells.front() != c.cell) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + ": the path begins at " + place(route.cells.front()) + ", not at " +
               place(c.cell));
  }
  const Ground& ground = oracle_.ground(spec.view, revision);
  const double cost = cost_of(ground, route, 0);
  if (cost == kInfinity) {
    defect(Defect::kInvalidPath, c.agent,
           name_of(c.event) + ": the path from " + place(route.cells.front()) +
               " crosses something closed");
    return false;
  }
  if (!same_cost(cost, cells(path.cost())) || !same_cost(cost, cells(c.event.cost()))) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + ": the path's steps sum up to " + std::to_string(cost) + ", not " +
               std::to_string(cells(path.cost())) + " or " + std::to_string(cells(c.event.cost())));
  }
  return true;
}

void Judge::check_optimal(const Case& c, const Route& route, std::uint64_t revision) {
  const AgentSpec& spec = c.agent.spec;
  const v1::Path& path = c.event.path();
  if (!std::binary_search(spec.goal_set.begin(), spec.goal_set.end(), route.cells.back())) {
    return defect(Defect::kInvalidPath, c.agent,
                  name_of(c.event) + ": the path ends at " + place(route.cells.back()) +
                      ", which is no goal");
  }
  double allowed = 0;
  if (path.optimality() == v1::OPTIMALITY_WITHIN) {
    allowed = cells(path.bound());
    if (less_cost(spec.ratio * cells(path.cost()), allowed)) {
      defect(Defect::kWrong, c.agent, name_of(c.event) + ": the allowance exceeds its share");
    }
  } else if (path.optimality() == v1::OPTIMALITY_BOUNDED) {
    allowed = check_bound(c);
  } else if (path.optimality() != v1::OPTIMALITY_OPTIMAL &&
             path.optimality() != v1::OPTIMALITY_STALE) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " does not say OPTIMAL, WITHIN, BOUNDED or STALE");
  }
  const double best = oracle_.distance(spec.view, revision, spec.goal_set, route.cells.front());
  const double cost = cells(path.cost());
  if (less_cost(best + allowed, cost)) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + ": the path from " + place(route.cells.front()) + " costs " +
               std::to_string(cost) + ", the best one " + std::to_string(best));
  }
}

bool Judge::is_leg(const Case& c) const {
  return has_legs_ && c.event.path().optimality() == v1::OPTIMALITY_BOUNDED &&
         c.agent.spec.clearing.penalty == 0 && !c.agent.spec.curves;
}

// Checks a first leg: the agent has no other path, and the cost is within its bound.
void Judge::check_leg(const Case& c) {
  const Held& held = c.agent.held;
  const bool had_one = held.is_leg && !held.broken && !held.left && !places_on_route(c).empty();
  if (c.event.path().bound() < 1 || c.event.type() == v1::EVENT_TYPE_IMPROVED ||
      (had_one && c.event.coalesced() == 0)) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " is a first leg, bounded by " +
               std::to_string(c.event.path().bound()) + (had_one ? ", after another one" : ""));
  }
}

// Returns the excess over the optimum that its bound allows.
double Judge::check_bound(const Case& c) {
  const double bound = c.event.path().bound();
  const Clearing& clearing = c.agent.spec.clearing;
  if (is_leg(c)) {
    check_leg(c);
  } else if (bound < 1 || (!c.agent.spec.curves &&
                           (clearing.penalty == 0 || less_cost(1 + clearing.max_detour, bound)))) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " is BOUNDED by " + std::to_string(bound) + "; it may go " +
               std::to_string(clearing.max_detour) + " out of its way");
  }
  const double cost = cells(c.event.path().cost());
  return cost - cost / std::max(bound, 1.0);
}

void Judge::check_partial(const Case& c, const Route& route) {
  const AgentSpec& spec = c.agent.spec;
  const std::uint64_t revision = c.event.revision();
  if (!spec.partial) defect(Defect::kWrong, c.agent, "PARTIAL though it was not allowed");
  const Cell from = route.cells.front();
  if (oracle_.distance(spec.view, revision, spec.goal_set, from) < kInfinity) {
    return defect(Defect::kWrong, c.agent, name_of(c.event) + " though a goal can be reached");
  }
  const Oracle::Nearest best = oracle_.nearest_reachable(spec.view, revision, spec.goals, from);
  const Ground& ground = oracle_.ground(spec.view, revision);
  const double metric = metric_to(ground, spec.goals, route.cells.back());
  if (less_cost(best.metric, metric)) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " ends " + std::to_string(metric) + " from a goal; " +
               std::to_string(best.metric) + " can be had");
  } else if (!spec.curves && less_cost(best.cost, cells(c.event.path().cost()))) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " costs " + std::to_string(cells(c.event.path().cost())) +
               "; as near a cell can be reached for " + std::to_string(best.cost));
  }
}

void Judge::check_snapped(const Case& c, const Route& route) {
  const AgentSpec& spec = c.agent.spec;
  if (!spec.snap)
    defect(Defect::kWrong, c.agent, "a path from elsewhere though that was not asked for");
  const Ground& ground = oracle_.ground(spec.view, c.event.revision());
  if (ground.free(c.cell)) {
    return defect(Defect::kWrong, c.agent, name_of(c.event) + " though the start is free");
  }
  Position from = c.agent.position_at(c.applied);
  if (from.cell != c.cell) from = {from.sequence, c.cell, from.follows};
  const auto nearest = nearest_free(spec.view, c.event.revision(), from);
  const double distance = straight(from, route.cells.front());
  if (!nearest || distance > straight(from, *nearest)) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " begins at " + place(route.cells.front()) + "; " +
               (nearest ? place(*nearest) : "nothing") + " is nearer to " + place(c.cell));
  }
}

void Judge::check_improved(const Case& c) {
  const Held& held = c.agent.held;
  const double said = cells(c.event.old_cost());
  const auto cost = held_cost(c, said);
  if (held.standing == Standing::kPartial || held.broken || !cost) {
    return defect(Defect::kWrong, c.agent, name_of(c.event) + " though no good path was held");
  }
  const double before = *cost;
  const double after = cells(c.event.path().cost());
  if (before < kInfinity && !same_cost(before, said)) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + ": old_cost is " + std::to_string(said) + ", the held path costs " +
               std::to_string(before));
  }
  // A path that keeps clear of others may cost more than the optimum; the optimum saves more than
  // the allowance.
  const bool is_bounded = c.event.path().optimality() == v1::OPTIMALITY_BOUNDED;
  double saving = is_bounded ? held.hysteresis : held.allowance;
  if (held.is_leg) saving = 0;  // the allowance counts once it is settled
  if (less_cost(before - saving, after)) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " from " + std::to_string(before) + " to " + std::to_string(after) +
               ", the allowance being " + std::to_string(saving));
  }
}

void Judge::on_invalidated(const Case& c) {
  Held& held = c.agent.held;
  if (!held.has_route() || c.event.path_version() != held.version) {
    if (c.event.coalesced() == 0) {
      defect(Defect::kWrong, c.agent,
             name_of(c.event) + " of path " + std::to_string(c.event.path_version()) +
                 "; the agent holds " + std::to_string(held.version));
    }
    return;
  }
  held.broken = true;
  const std::vector<int> places = places_on_route(c);
  if (places.empty()) {
    return defect(Defect::kWrong, c.agent,
                  name_of(c.event) + " computed from " + place(c.cell) + ", which is off the path");
  }
  // A line may be closed by what comes near to it, also right beside the agent.
  constexpr double kHair = 0.06;
  const double margin = world_.view(c.agent.spec.view).profile().radius + kHair;
  if (!is_line_open(c.agent, c.event.revision(), 0, margin)) return;
  const Ground& ground = oracle_.ground(c.agent.spec.view, c.event.revision());
  const auto& at = held.route.waypoint_at;
  std::string due;  // the defect at each place
  for (const int place : places) {
    const auto broken = first_broken(ground, held.route, place);
    if (!broken) continue;
    const auto waypoint = std::lower_bound(at.begin(), at.end(), *broken) - at.begin();
    if (c.event.has_first_invalid_waypoint() && c.event.first_invalid_waypoint() == waypoint)
      return;
    due = std::to_string(waypoint);
  }
  defect(Defect::kWrong, c.agent,
         due.empty() ? name_of(c.event) + " though the path from " + place(c.cell) + " is open"
                     : name_of(c.event) + ": the first invalid waypoint is " + due + ", not " +
                           std::to_string(c.event.first_invalid_waypoint()));
}

void Judge::on_cost_changed(const Case& c) {
  const Held& held = c.agent.held;
  if (!held.has_route() || c.event.path_version() != held.version) {
    return defect(Defect::kWrong, c.agent,
                  name_of(c.event) + " of path " + std::to_string(c.event.path_version()) +
                      "; the agent holds " + std::to_string(held.version));
  }
  const double said = cells(c.event.cost());
  const auto cost = held_cost(c, said);
  if (!cost)
    return defect(Defect::kWrong, c.agent, name_of(c.event) + " for an agent off its path");
  if (!same_cost(*cost, said)) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " to " + std::to_string(said) + "; the path costs " +
               std::to_string(*cost));
  }
}

void Judge::on_unreachable(const Case& c) {
  const AgentSpec& spec = c.agent.spec;
  const std::uint64_t revision = c.event.revision();
  if (oracle_.distance(spec.view, revision, spec.goal_set, c.cell) < kInfinity) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " though a goal can be reached from " + place(c.cell));
  }
  const std::uint64_t found = std::clamp<std::uint64_t>(c.event.path().revision(), 1, revision);
  const Ground& searched = oracle_.ground(spec.view, found);
  const bool any_goal = std::any_of(spec.goal_set.begin(), spec.goal_set.end(),
                                    [&](Cell goal) { return searched.free(goal); });
  const auto expected = any_goal ? v1::PATH_STATUS_UNREACHABLE : v1::PATH_STATUS_GOAL_BLOCKED;
  if (c.event.path().status() != expected) {
    defect(Defect::kWrong, c.agent,
           name_of(c.event) + " says " + v1::PathStatus_Name(c.event.path().status()) +
               (any_goal ? ": a goal is free" : ": no goal is free"));
  }
  if (spec.partial && oracle_.ground(spec.view, revision).free(c.cell)) {
    defect(Defect::kWrong, c.agent, name_of(c.event) + " though a partial path was allowed");
  }
  c.agent.held = {Standing::kUnreachable, {}, c.agent.held.version, c.agent.held.revision};
}

// CONFIRMED claims for one revision what silence claims for each settled_revision.
void Judge::on_confirmed(const Case& c) {
  check_held(c.agent, {c.event.revision(), "CONFIRMED"}, c.agent.position_at(c.applied), true);
}

void Judge::on_start_blocked(const Case& c) {
  if (oracle_.ground(c.agent.spec.view, c.event.revision()).free(c.cell)) {
    defect(Defect::kWrong, c.agent, name_of(c.event) + " though " + place(c.cell) + " is free");
  }
  c.agent.held = {Standing::kStartBlocked, {}, c.agent.held.version, c.agent.held.revision};
}

}  // namespace repath::verify
