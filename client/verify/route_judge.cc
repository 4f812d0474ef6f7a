#include "verify/route_judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "verify/turns.h"

namespace repath::verify {
namespace {

constexpr double kRouteNear =
    2e-3;  // places are rounded to a millimetre, and goals are snapped to ground
constexpr double kRouteStep = 0.5;       // farther up or down is not where a path must end
constexpr double kRouteRelative = 1e-6;  // of costs
// An agent on an older path this near to the new one counts as being on the new one.
constexpr double kRouteReach = 0.1;
constexpr double kRouteFloor = 1;     // farther up or down is another floor
constexpr double kRouteAside = 1e-3;  // an agent this far inside of an obstacle may stand beside it

double route_slack(double cost) { return 1e-6 + kRouteRelative * cost; }

std::string route_at(const v1::PathEvent& event) {
  return v1::EventType_Name(event.type()).substr(11) + " at revision " +
         std::to_string(event.revision());
}

bool is_cost_of(const Walked& walked, double cost, int positions) {
  const double slack = route_slack(cost) + 1e-6 * positions;
  return cost >= walked.cost - slack && cost <= std::max(walked.cost, walked.most) + slack;
}

std::string text(const Spot& at) {
  return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " + std::to_string(at.z) +
         ")";
}

std::string text(const Verdict& best) {
  std::string all = std::to_string(best.cost) + " by way of";
  for (const Spot& at : best.by) all += " " + text(at);
  return all;
}

}  // namespace

void RouteJudge::on_event(const v1::PathEvent& event) {
  ++tally_.verdicts;
  const auto found = agents_.find(event.agent_id());
  if (found == agents_.end()) return;
  RouteAgent& agent = found->second;
  if (tally_.traces(agent.id)) std::fprintf(stderr, "%s\n", event.ShortDebugString().c_str());
  if (!model_.is_continuous() && event.has_position()) take_place(&agent, event);
  tally_.max_wait_frames = std::max(tally_.max_wait_frames, event.waited_frames());
  agent.heard_at = event.revision();
  switch (event.type()) {
    case v1::EVENT_TYPE_NEW_PATH:
    case v1::EVENT_TYPE_REPLANNED:
    case v1::EVENT_TYPE_IMPROVED:
    case v1::EVENT_TYPE_PARTIAL:
      return on_path(agent, event);
    case v1::EVENT_TYPE_INVALIDATED:
      return on_invalidated(agent, event);
    case v1::EVENT_TYPE_UNREACHABLE:
      on_cut_off(agent, event);
      break;
    case v1::EVENT_TYPE_START_BLOCKED:
      on_start_blocked(agent, event);
      break;
    case v1::EVENT_TYPE_COST_CHANGED:
      agent.held.set_cost(event.cost());
      return on_cost_changed(agent, event);
    default:
      return;
  }
  agent.held = event;
  agent.has_verdict = true;
  agent.broken = false;
}

// Checks on a graph which node stands for the agent's place: the nearest open one. INVALIDATED
// leaves with the change, and may name the node from before it, or the one where the route begins
// that the agent follows until it gets another. If no node is open, none stands for it:
// START_BLOCKED says so, and CONFIRMED may say so again.
void RouteJudge::take_place(RouteAgent* agent, const v1::PathEvent& event) {
  const Spot before =
      std::exchange(agent->at, {event.position().x(), event.position().y(), event.position().z()});
  if (!agent->reported || event.type() == v1::EVENT_TYPE_START_BLOCKED) return;
  if (!model_.stands(agent->view, event.revision(), *agent->reported)) return;
  ++tally_.checked;
  const auto is_due = [&](std::uint64_t revision) {
    const Spot due = model_.settled_at(agent->view, revision, *agent->reported);
    return plane_distance(agent->at, due) <= kRouteNear &&
           std::abs(agent->at.y - due.y) <= kRouteNear;
  };
  if (is_due(event.revision())) return;
  if (event.type() == v1::EVENT_TYPE_INVALIDATED &&
      (agent->at == before || is_due(event.revision() - 1)))
    return;
  defect(Defect::kWrong, *agent,
         route_at(event) + ": stands on " + text(agent->at) +
             ", which is not the open node nearest to " + text(*agent->reported));
}

void RouteJudge::on_path(RouteAgent& agent, const v1::PathEvent& event) {
  const v1::Path& path = event.path();
  const bool is_new = !agent.has_verdict || agent.held.path_version() != event.path_version();
  // If an event was coalesced in between, the checker does not have the path that was improved.
  const bool has_held = agent.has_verdict && event.coalesced() == 0;
  const double hysteresis = has_held ? agent.ratio * agent.held.path().cost() : 0;
  agent.held = event;
  agent.has_verdict = true;
  agent.broken = false;
  agent.next = 1;
  if (path.positions_size() < 3)
    return defect(Defect::kWrong, agent, route_at(event) + " has no path");
  ++tally_.checked;
  const Walk walk = walk_of(path);
  const Spot& begin = walk.points.front();
  if (plane_distance(agent.at, begin) <= kRouteReach &&
      std::abs(agent.at.y - begin.y) <= kRouteFloor)
    agent.at = begin;
  const Walked walked = model_.walk(agent.view, path.revision(), walk);
  if (walked.broken)
    return defect(Defect::kInvalidPath, agent,
                  route_at(event) + ": the path is blocked before waypoint " +
                      std::to_string(*walked.broken));
  if (!is_cost_of(walked, path.cost(), path.positions_size()))
    defect(Defect::kWrong, agent,
           route_at(event) + ": says " + std::to_string(path.cost()) + ", costs " +
               std::to_string(walked.cost) + " to " + std::to_string(walked.most));
  const Spot& end = walk.points.back();
  if (event.type() == v1::EVENT_TYPE_PARTIAL)
    return check_partial(agent, path.revision(), begin, end, path.cost(), route_at(event));
  const auto is_at = [&](const Spot& wanted) {
    const Spot goal = model_.settled_at(agent.view, path.revision(), wanted);
    return plane_distance(end, goal) <= kRouteNear && std::abs(end.y - goal.y) <= kRouteStep;
  };
  if (std::ranges::none_of(agent.goals, is_at))
    defect(Defect::kWrong, agent,
           route_at(event) + ": ends at " + text(end) + ", not at " +
               text(model_.settled_at(agent.view, path.revision(), agent.goals.front())));
  if (event.type() == v1::EVENT_TYPE_IMPROVED &&
      event.cost() + hysteresis > event.old_cost() + route_slack(event.old_cost()))
    defect(Defect::kWrong, agent,
           route_at(event) + " saves less than " + std::to_string(hysteresis) + " of " +
               std::to_string(event.old_cost()));
  check_turns(agent, event, is_new);
  check_optimal(agent, path, path.revision(), walk.points.front(), path.cost(), "a new path");
}

// Checks that each turn is as wide as the agent must drive it, where no link begins or ends.
// Whether a turn has room is not judged; a new path that turns nowhere has no turn too tight. A
// path that is sent again may begin within a chord, where the agent is, or behind its last turn.
void RouteJudge::check_turns(const RouteAgent& agent, const v1::PathEvent& event, bool is_new) {
  const Walk walk = walk_of(event.path());
  const auto takes_link = [&](std::size_t i) { return !walk.links.empty() && walk.links[i] != 0; };
  const bool is_tight = event.path().turn_too_tight();
  bool turns = false;
  for (std::size_t i = 2; agent.curves && i < walk.points.size(); ++i) {
    if (takes_link(i - 1) || takes_link(i - 2)) continue;
    const Spot& at = walk.points[i - 1];
    const double in = i == 2 ? kNoWay : plane_distance(walk.points[i - 2], at);
    const double allowed =
        turn_allowed(in, plane_distance(at, walk.points[i]), model_.turning_radius(agent.view));
    const double turn = turn_between(at.x - walk.points[i - 2].x, at.z - walk.points[i - 2].z,
                                     walk.points[i].x - at.x, walk.points[i].z - at.z);
    turns |= turn > kTurnRounded;
    ++tally_.checked;
    if (turn <= allowed || is_tight) continue;
    defect(Defect::kWrong, agent,
           route_at(event) + ": turns by " + std::to_string(turn) + " radians at " + text(at) +
               ", more than " + std::to_string(allowed));
  }
  if (is_new && is_tight && !turns)
    defect(Defect::kWrong, agent, route_at(event) + ": says that a turn is too tight");
  if (!model_.is_continuous() || !event.has_position()) return;
  const Spot seen{event.position().x(), event.position().y(), event.position().z()};
  if (plane_distance(seen, walk.points.front()) > kRouteNear)
    defect(Defect::kWrong, agent,
           route_at(event) + ": begins at " + text(walk.points.front()) + ", not at " + text(seen));
}

void RouteJudge::check_optimal(const RouteAgent& agent, const v1::Path& path,
                               std::uint64_t revision, const Spot& from, double cost,
                               const char* what) {
  // The allowance is that of the moment when the path was adopted.
  double bound = cost - agent.ratio * path.cost();
  if (path.optimality() == v1::OPTIMALITY_WITHIN) bound = cost - path.bound();
  if (path.optimality() == v1::OPTIMALITY_OPTIMAL && revision == path.revision()) bound = cost;
  const bool is_stale = path.optimality() == v1::OPTIMALITY_STALE;
  if (is_stale && revision == path.revision()) bound = cost;
  if (path.optimality() == v1::OPTIMALITY_BOUNDED || (is_stale && path.bound() != 0)) {
    if (path.bound() < 1) defect(Defect::kWrong, agent, "a bound below 1");
    // The bound is claimed at the verdict's position. After that its excess stays allowed, not the
    // ratio; hysteresis is allowed too.
    const double allowed = 1 - 1 / std::max(1.0, path.bound());
    bound = cost - std::max(allowed, agent.ratio) * path.cost();
  }
  if (bound <= 0 || searches_ <= 0) return;
  --searches_;
  const Verdict best = cheapest(agent, revision, from, bound - route_slack(bound));
  if (!best.is_known) return;
  ++tally_.checked;
  if (best.cost < kNoWay)
    defect(Defect::kMissedImprovement, agent,
           std::string(what) + " at revision " + std::to_string(revision) + " costs " +
               std::to_string(cost) + ", there is one of " + text(best));
}

void RouteJudge::on_invalidated(RouteAgent& agent, const v1::PathEvent& event) {
  ++tally_.checked;
  if (agent.holds_path() && agent.held.path_version() == event.path_version()) {
    Walk whole = walk_of(agent.held.path());
    Walk left = rest_of(agent);
    whole.must_be_clear = left.must_be_clear = true;
    const Walked walked = model_.walk(agent.view, event.revision(), whole);
    const Walked rest = model_.walk(agent.view, event.revision(), left);
    const auto may_be_shut = [&] { return model_.squeezes(agent.view, event.revision(), left); };
    if (!walked.broken && !rest.broken && !may_be_shut())
      defect(Defect::kWrong, agent, route_at(event) + ": its path is open");
    // The part behind the agent may be broken too and does not matter.
    const auto first = static_cast<int>(agent.next) - 1;
    const auto leg_of = [&](const Walked& by) {
      return by.broken ? *by.broken + first : std::numeric_limits<int>::max();
    };
    // For an agent on closed ground either the first leg is broken or the place before it. Legs
    // that are only grazed may be open.
    const int told = event.first_invalid_waypoint();
    const bool tells_it =
        !rest.broken || (*rest.broken == 0 && told == first + 1) ||
        (told >= leg_of(rest) &&
         told <= leg_of(model_.walk(agent.view, event.revision(), rest_of(agent))));
    if (!tells_it &&
        plane_distance(agent.at, walk_of(agent.held.path()).points[agent.next - 1]) < 1e-9 &&
        !may_be_shut())
      defect(Defect::kWrong, agent,
             route_at(event) + ": broken before waypoint " + std::to_string(*rest.broken + first) +
                 ", not " + std::to_string(event.first_invalid_waypoint()));
  }
  agent.broken = true;
}

// Checks the sum of today's costs along the rest of the path from where the server knew the agent;
// it may have walked on since.
void RouteJudge::on_cost_changed(const RouteAgent& agent, const v1::PathEvent& event) {
  if (!agent.holds_path() || !model_.is_continuous()) return;
  ++tally_.checked;
  RouteAgent then = agent;
  if (event.has_position())
    put_back(&then, {event.position().x(), event.position().y(), event.position().z()});
  const Walk rest = rest_of(then);
  Walked walked = model_.walk(agent.view, event.revision(), rest);
  if (walked.broken) return;
  // Both ends of the path may have been moved aside.
  walked.most = std::max(walked.cost, walked.most) + 2 * kRouteAside;
  walked.cost -= 2 * kRouteAside;
  if (is_cost_of(walked, event.cost(), static_cast<int>(rest.points.size()))) return;
  defect(Defect::kWrong, agent,
         route_at(event) + ": says " + std::to_string(event.cost()) + ", costs " +
             std::to_string(walked.cost) + " to " + std::to_string(walked.most));
}

Verdict RouteJudge::cheapest(const RouteAgent& agent, std::uint64_t revision, const Spot& from,
                             double bound) {
  Verdict best;
  for (const Spot& goal : agent.goals) {
    const Verdict one = model_.cheapest(agent.view, revision, from, goal, bound);
    if (!one.is_known || one.cost < best.cost) best = one;
    if (!one.is_known) break;
  }
  return best;
}

void RouteJudge::check_partial(const RouteAgent& agent, std::uint64_t revision, const Spot& from,
                               const Spot& end, double cost, const std::string& what) {
  if (!agent.partial) return defect(Defect::kWrong, agent, what + ": PARTIAL was not asked for");
  if (searches_ <= 0) return;
  --searches_;
  ++tally_.checked;
  const Verdict whole = cheapest(agent, revision, from, kNoWay);
  if (whole.cost < kNoWay)
    return defect(Defect::kMissedImprovement, agent,
                  what + ": partial, though there is a way of " + text(whole));
  const Nearness near = model_.nearness(agent.view, revision, from, end, agent.goals);
  if (near.of_end > near.least + kRouteNear)
    return defect(Defect::kMissedImprovement, agent,
                  what + ": ends " + std::to_string(near.of_end) + " from a goal's node; " +
                      std::to_string(near.least) + " can be had");
  const double most = cost - route_slack(cost);
  const Verdict best = model_.cheapest(agent.view, revision, from, end, most);
  if (most > 0 && best.cost < most)
    defect(Defect::kMissedImprovement, agent,
           what + ": its end can be reached for " + text(best) + ", not " + std::to_string(cost));
}

void RouteJudge::on_cut_off(const RouteAgent& agent, const v1::PathEvent& event) {
  if (agent.partial)
    defect(Defect::kWrong, agent, route_at(event) + " though a partial path was allowed");
  if (searches_ <= 0) return;
  --searches_;
  const Verdict best = cheapest(agent, event.revision(), agent.at, kNoWay);
  if (!best.is_known) return;
  ++tally_.checked;
  if (best.cost < kNoWay)
    defect(Defect::kWrong, agent, route_at(event) + ": there is a way of " + text(best));
}

void RouteJudge::on_start_blocked(const RouteAgent& agent, const v1::PathEvent& event) {
  ++tally_.checked;
  if (!model_.stands(agent.view, event.revision(), agent.at)) return;
  const auto& said = event.position();
  defect(Defect::kWrong, agent,
         route_at(event) + ": nothing stands on " + text(agent.at) + "; it names " +
             text({said.x(), said.y(), said.z()}));
}

// Returns the rest of the path from the agent's position.
Walk RouteJudge::rest_of(const RouteAgent& agent) const {
  Walk rest = walk_of(agent.held.path());
  const auto walked = static_cast<std::ptrdiff_t>(agent.next) - 1;
  rest.points.erase(rest.points.begin(), rest.points.begin() + walked);
  rest.points.front() = agent.at;
  if (!rest.nodes.empty()) rest.nodes.erase(rest.nodes.begin(), rest.nodes.begin() + walked);
  if (!rest.links.empty()) rest.links.erase(rest.links.begin(), rest.links.begin() + walked);
  if (!rest.keys.empty()) rest.keys.erase(rest.keys.begin(), rest.keys.begin() + walked);
  return rest;
}

// Puts the agent back where it was, if that is on this or an earlier leg of its path.
void RouteJudge::put_back(RouteAgent* agent, const Spot& at) {
  const Walk walk = walk_of(agent->held.path());
  for (std::size_t i = std::min(agent->next, walk.points.size() - 1); i > 0; --i) {
    const Spot& a = walk.points[i - 1];
    const Spot& b = walk.points[i];
    const double around = plane_distance(a, at) + plane_distance(at, b) - plane_distance(a, b);
    if (around > kRouteNear * kRouteNear) continue;
    agent->at = at;
    agent->next = i;
    return;
  }
}

void RouteJudge::check_silence(std::uint64_t revision, bool all) {
  for (const auto& [id, agent] : agents_) check_held(agent, revision, all || dice_.chance(0.03));
}

void RouteJudge::check_named(std::uint64_t revision) {
  constexpr std::uint64_t kSearchedOneIn = 16;
  for (const auto& [id, agent] : agents_) {
    if (revision < std::max({agent.asked_at, agent.heard_at, std::uint64_t{1}})) continue;
    // A path sent as STALE claims nothing of later revisions.
    const bool is_stale = agent.held.path().optimality() == v1::OPTIMALITY_STALE;
    check_held(agent, revision, !is_stale && sampled_++ % kSearchedOneIn == 0);
  }
}

void RouteJudge::check_held(const RouteAgent& agent, std::uint64_t revision, bool search) {
  if (!agent.has_verdict)
    return defect(Defect::kWrong, agent, "is said to be settled and has no verdict");
  if (agent.broken)
    return defect(Defect::kWrong, agent,
                  "is said to be settled and nothing came after INVALIDATED");
  ++tally_.checked;
  if (agent.held.type() == v1::EVENT_TYPE_START_BLOCKED) {
    if (model_.stands(agent.view, revision, agent.at))
      defect(Defect::kWrong, agent, "silence: stands on free ground again");
    return;
  }
  if (!agent.holds_path()) {
    if (!search) return;
    const Verdict best = cheapest(agent, revision, agent.at, kNoWay);
    if (best.is_known && best.cost < kNoWay)
      defect(Defect::kMissedImprovement, agent,
             "silence at revision " + std::to_string(revision) + " on a way of " + text(best));
    return;
  }
  const Walked walked = model_.walk(agent.view, revision, rest_of(agent));
  if (walked.broken)
    return defect(Defect::kInvalidPath, agent,
                  "silence at revision " + std::to_string(revision) + ": its path is blocked");
  if (!search) return;
  const Walk rest = rest_of(agent);
  if (agent.held.type() == v1::EVENT_TYPE_PARTIAL)
    return check_partial(agent, revision, rest.points.front(), rest.points.back(), walked.cost,
                         "silence at revision " + std::to_string(revision));
  check_optimal(agent, agent.held.path(), revision, rest.points.front(), walked.cost,
                "silence: a path held");
}

}  // namespace repath::verify
