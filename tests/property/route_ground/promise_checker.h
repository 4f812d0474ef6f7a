// A client that believes the events about its agents, and a plain model that searches from scratch
// at any earlier revision. Every event is checked against the ground of its revision, and silence
// against settled_revision.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/nearest_on_segment.h"
#include "property/engine/turn_radius.h"
#include "property/route_ground/believed.h"
#include "route_ground/on_route.h"
#include "route_ground/rerouter.h"
#include "routes/boxes.h"
#include "routes/driven_route.h"
#include "routes/nav_ground.h"
#include "routes/places.h"
#include "routes/query_ground.h"

namespace repath::test {

// In world units. Where a mesh is carved, rounding to its lattice may move the sides of other
// obstacles nearby, and the places on them.
inline constexpr double kEndApart = 0.002;

class PromiseChecker {
 public:
  PromiseChecker(RouteWorld* world, Rerouter* rerouter)
      : world_(world), rerouter_(rerouter), is_carved_(world->kind() == WorldKind::kNavmesh) {
    for (const TeamId team : {TeamId{0}, TeamId{1}})
      views_.push_back(*world->acquire_view("default", team));
    keep();
  }

  std::map<AgentId, Believed>& agents() { return agents_; }

  // Keeps the present ground; call it after every commit.
  void keep() {
    for (const RouteViewId view : views_)
      grounds_[value(world_->revision())].push_back(world_->keep(view));
  }
  const RouteGround& ground(const AgentSpec& spec, Revision revision) const {
    return *grounds_.at(value(revision))[static_cast<std::size_t>(spec.team)];
  }

  // Returns kUnreachable if there is no path. REQUIRES: an agent can stand at `from`.
  static Cost optimum(const RouteGround& ground, const Spot& from, const AgentSpec& spec) {
    const std::vector<RoutePlace> goals = goals_of(ground, spec);
    const auto start = stand_at(ground, from);
    if (!start) return kUnreachable;
    if (goals.empty()) return kUnreachable;
    const auto search = ground.search(*start, goals);
    for (int slice = 0; slice < 100'000; ++slice) {
      std::uint32_t expansions = 1'000'000;
      const Progress progress = search->advance(&expansions);
      if (progress == Progress::kNoPath) return kUnreachable;
      if (progress == Progress::kPathFound) return search->cost();
    }
    ADD_FAILURE() << "the model's search does not end";
    return 0;
  }
  static std::vector<RoutePlace> goals_of(const RouteGround& ground, const AgentSpec& spec) {
    std::vector<Spot> points;
    for (const MapPoint& goal : spec.goals) points.push_back(spot_of(goal));
    return places_of_goals(ground, points, spec.goal_radius);
  }

  // Returns whether the agent was seen on a link and counts as being at the nearer end of that.
  static bool is_end_of_link_at(const RouteGround& ground, const Spot& seen, const Spot& counted) {
    const auto* view = dynamic_cast<const GroundView*>(&ground);
    if (view == nullptr) return false;
    return std::ranges::any_of(view->links(), [&](const GroundLink& link) {
      const NearestOnSegment near =
          nearest_on_segment(link.from.x, link.from.z, link.to.x, link.to.z, seen.x, seen.z);
      return near.squared <= kRouteReportReach * kRouteReportReach &&
             is_same_place(counted, near.share > 0.5 ? link.to : link.from);
    });
  }

  // Takes the events since the last call, then checks all agents.
  void check() {
    for (const AgentEvent& event : rerouter_->take_events()) check_event(event);
    const Revision settled =
        rerouter_->waiting().least_proved(std::nullopt).value_or(world_->revision());
    for (auto& [id, agent] : agents_) {
      SCOPED_TRACE("agent " + std::to_string(value(id)) + " at revision " +
                   std::to_string(value(world_->revision())));
      const AgentView view = *rerouter_->view(id, true);
      follow(view, &agent);
      check_at_once(view, agent);
      if (!view.waiting) {
        check_verdict(agent, world_->revision());
        check_claim(view);
      }
      // No event since then.
      if (settled >= agent.told && value(settled) > 0) check_verdict(agent, settled);
    }
  }

  std::uint64_t events() const { return events_; }
  // Turns that were looked at of agents with a turning radius, and paths with a turn too tight.
  std::uint64_t turns() const { return turns_; }
  std::uint64_t tight() const { return tight_; }
  // One line for each event.
  const std::string& log() const { return log_; }

 private:
  Cost slack(const RouteGround& ground) const {
    if (is_carved_) return static_cast<Cost>(2 * kEndApart * kRouteCostUnit);
    return ground.is_continuous() ? 4 * kRouteCostSlack : 0;
  }
  bool is_continuous(const AgentSpec& spec) const {
    return ground(spec, world_->revision()).is_continuous();
  }
  void expect_near(const RouteGround& ground, Cost a, Cost b) const {
    EXPECT_LE(std::max(a, b) - std::min(a, b), slack(ground)) << a << " and " << b;
  }

  // Walks the rest of the agent's path. Along a wall its place on a leg, being rounded, may lie a
  // hair behind the next corner; then the whole leg must be free.
  static RouteWalk walk_rest(const RouteGround& ground, const Believed& agent) {
    const RouteWalk walk = walk_route(ground, agent.rest());
    if (walk.cost != kUnreachable || !ground.is_continuous() || !stand_at(ground, agent.spot))
      return walk;
    const auto whole = std::span(agent.path).subspan(agent.at);
    RouteWalk from_leg = walk_route(ground, whole);
    if (from_leg.cost == kUnreachable) return walk;
    const double behind = std::sqrt(plane_distance_squared(whole[0].at, agent.spot));
    Cost cost = static_cast<Cost>(behind * kRouteCostUnit);
    if (whole.size() > 1 && !whole[0].link) {  // its ground may be dear
      const Spot& a = whole[0].at;
      const Spot& b = whole[1].at;
      const LegPart part{0,
                         nearest_on_segment(a.x, a.z, b.x, b.z, agent.spot.x, agent.spot.z).share};
      const Cost counted = cost_of_part(ground, whole[0], b, part);
      if (counted != kUnreachable) cost = counted;
    }
    from_leg.cost -= std::min(from_leg.cost, cost);
    return from_leg;
  }

  // Puts the agent where the server counts it; its route is the one that the client knows.
  void follow(const AgentView& view, Believed* agent) const {
    const bool has_moved = !is_same_place(agent->spot, view.spot);
    if (has_moved && !is_continuous(agent->spec))
      agent->before.try_emplace(world_->revision(), agent->spot);
    agent->spot = view.spot;
    if (agent->led && !is_same_place(*agent->led, view.spot)) agent->led.reset();
    if (agent->path.empty()) return;
    if (has_moved) agent->is_blocked = false;  // on the way to the start of its path
    if (view.waiting) return walk_to(view.spot, agent);
    const std::size_t ahead = view.verdict.path->points.size();
    ASSERT_TRUE(ahead > 0 && ahead <= agent->path.size());
    agent->at = agent->path.size() - ahead;
    agent->is_blocked = view.verdict.path->state == PathState::kStartBlocked;
  }

  // Checks a waiting agent, too: a path that is not known to be broken can be walked at the known
  // cost.
  void check_at_once(const AgentView& view, const Believed& agent) const {
    const RouteGround& live = ground(agent.spec, world_->revision());
    const double off = std::sqrt(plane_distance_squared(view.spot, spot_of(view.spec.position)));
    EXPECT_TRUE(!live.is_continuous() || off <= kRouteReportReach + 2 * kEndApart ||
                is_end_of_link_at(live, spot_of(view.spec.position), view.spot))
        << "it is " << off << " from where it was seen";
    if (!live.is_continuous() && !view.waiting && !agent.led) {
      const auto nearest = live.locate(spot_of(view.spec.position));
      EXPECT_TRUE(!nearest || is_same_place(nearest->at, view.spot)) << "another node is nearest";
    }
    if (!view.waiting && agent.is_tight && agent.at == 0 && !agent.path.empty() &&
        !agent.is_blocked && is_same_place(agent.path[0].at, agent.spot)) {
      EXPECT_FALSE(is_drivable(live, agent.spec, agent.path))
          << "its turns have room" << drawn(agent.path);
    }
    if (agent.path.empty() || view.held_cost == kUnreachable) {
      EXPECT_TRUE(agent.path.empty() || agent.is_blocked) << "nobody said that the path is gone";
      return;
    }
    if (view.waiting) return;
    const std::vector<RoutePoint> rest = agent.rest();
    const RouteWalk walk = walk_rest(live, agent);
    ASSERT_NE(walk.cost, kUnreachable) << "broken at " << walk.broken << drawn(rest);
    expect_near(live, walk.cost, view.held_cost);
  }

  void check_claim(const AgentView& view) const {
    if (!view.verdict.path || view.verdict.path->points.empty()) return;
    EXPECT_NE(view.verdict.path->optimality, Optimality::kStale);
  }

  // Checks that the agent's latest verdict holds at `revision` from its present place.
  void check_verdict(const Believed& agent, Revision revision) const {
    SCOPED_TRACE("held to be right at " + std::to_string(value(revision)));
    const RouteGround& then = ground(agent.spec, revision);
    ASSERT_TRUE(agent.verdict);
    if (then.is_continuous() && !agent.has_reported) {
      const auto meant = stand_at(then, spot_of(agent.spec.position));
      EXPECT_NE(meant.has_value(), agent.is_blocked);
      EXPECT_NEAR(meant ? meant->at.y : agent.spot.y, agent.spot.y, 0.1) << "another floor";
    }
    if (agent.is_blocked) {
      EXPECT_FALSE(stand_again(then, agent.spot));
      if (agent.path.empty()) return;
    }
    if (agent.path.empty()) {
      EXPECT_NE(*agent.verdict, EventType::kInvalidated);
      const auto later = agent.before.upper_bound(revision);
      const Spot& spot = later != agent.before.end() ? later->second : agent.spot;
      EXPECT_EQ(optimum(then, spot, agent.spec), kUnreachable);
      return;
    }
    const std::vector<RoutePoint> rest = agent.rest();
    const RouteWalk walk = walk_rest(then, agent);
    ASSERT_NE(walk.cost, kUnreachable) << "broken at " << walk.broken << drawn(rest);
    check_cost(then, agent, rest, walk.cost);
  }

  // Returns the least cost from where the path begins. Where pieces of ground touch, silence speaks
  // of the piece that the path leads over, but a search looks at all of them. There the search
  // begins a hair farther on along the path, behind its link if one begins here.
  static Cost least_along(const RouteGround& ground, const AgentSpec& spec,
                          const std::vector<RoutePoint>& path) {
    const Cost least = optimum(ground, path.front().at, spec);
    const auto* nav = dynamic_cast<const NavGround*>(&ground);
    const auto place = stand_again(ground, path.front().at);
    if (nav == nullptr || !place || path.size() < 2 ||
        nav->pieces_at(mesh_place(*place)).size() < 2)
      return least;
    std::vector<RoutePoint> step(path.begin(), path.begin() + 2);
    const Spot& a = path[0].at;
    Spot& b = step[1].at;
    const double share = kEndApart / 10 / std::sqrt(plane_distance_squared(a, b));
    if (!step[0].link && share < 1)
      b = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z)};
    const Cost to_there = walk_route(ground, step).cost;
    const Cost from_there = stand_at(ground, b) ? optimum(ground, b, spec) : kUnreachable;
    if (to_there == kUnreachable || from_there == kUnreachable) return least;
    return std::max(least, to_there + from_there);
  }

  void check_cost(const RouteGround& then, const Believed& agent,
                  const std::vector<RoutePoint>& path, Cost cost) const {
    const Cost least = least_along(then, agent.spec, path);
    if (agent.is_partial) {
      // Where two pieces of ground touch in a point, an agent there is on both.
      if (is_carved_ && is_same_place(path.front().at, path.back().at)) return;
      EXPECT_EQ(least, kUnreachable) << "there is a whole path";
      if (!then.is_continuous()) check_partial(then, agent.spec, path, cost);
      return;
    }
    std::vector<RoutePoint> goals;
    for (const RoutePlace& goal : goals_of(then, agent.spec)) goals.push_back({goal.at, 0, 0, {}});
    EXPECT_TRUE(std::ranges::any_of(goals,
                                    [&](const RoutePoint& goal) {
                                      return space_distance_squared(goal.at, path.back().at) <=
                                             kEndApart * kEndApart;
                                    }))
        << "ends elsewhere" << drawn(path) << " than at" << drawn(goals);
    const auto most = static_cast<Cost>(agent.weight * static_cast<double>(least));
    EXPECT_LE(cost, most + agent.allowance + slack(then)) << "least: " << least;
  }

  // Checks on a graph that the path leads to the node nearest to those that stand for the goals.
  static void check_partial(const RouteGround& then, const AgentSpec& spec,
                            const std::vector<RoutePoint>& path, Cost cost) {
    std::vector<RoutePlace> wanted = goals_of(then, spec);
    if (wanted.empty())
      for (const MapPoint& goal : spec.goals) wanted.push_back({spot_of(goal), 0});
    const RoutePlace end = then.nearest_reachable(*then.locate(path.front().at), wanted);
    EXPECT_EQ(path.back().at, end.at) << "another node is nearer to a goal" << drawn(path);
    AgentSpec to_there = spec;
    to_there.goals = {point_of(end.at)};
    EXPECT_EQ(cost, optimum(then, path.front().at, to_there)) << drawn(path);
  }

  void check_event(const AgentEvent& event) {
    if (event.type == EventType::kAsked) return;  // not sent to clients
    ++events_;
    log_ += std::to_string(static_cast<int>(event.type)) + " " +
            std::to_string(value(event.agent)) + " " + std::to_string(value(event.revision)) + " " +
            std::to_string(event.cost) + " " + std::to_string(event.waited_frames) + "\n";
    SCOPED_TRACE("event " + std::to_string(static_cast<int>(event.type)) + " of agent " +
                 std::to_string(value(event.agent)) + " for revision " +
                 std::to_string(value(event.revision)));
    const auto it = agents_.find(event.agent);
    if (it == agents_.end()) return;
    Believed& agent = it->second;
    const RouteGround& then = ground(agent.spec, event.revision);
    agent.told = event.revision;
    agent.spot = event.spot;
    if (event.type == EventType::kConfirmed || event.type == EventType::kCostChanged) {
      EXPECT_TRUE(event.type == EventType::kConfirmed || event.cost != event.old_cost);
      return;
    }
    if (event.type == EventType::kInvalidated) return check_invalidated(event, then, &agent);
    agent.verdict = event.type;
    agent.is_partial = event.type == EventType::kPartial;
    ASSERT_TRUE(event.path);
    agent.is_blocked = event.path->state == PathState::kStartBlocked;
    agent.path = event.path->points;
    agent.at = 0;
    if (event.type == EventType::kStartBlocked) {
      if (!stand_again(then, event.spot)) return;
      ADD_FAILURE() << "there is ground";
    }
    if (event.type == EventType::kUnreachable) {
      EXPECT_EQ(optimum(then, event.spot, agent.spec), kUnreachable);
      EXPECT_EQ(event.path->state == PathState::kGoalBlocked, goals_of(then, agent.spec).empty());
      return;
    }
    check_path(event, then, &agent);
  }

  void check_invalidated(const AgentEvent& event, const RouteGround& then, Believed* agent) {
    ASSERT_FALSE(agent->path.empty() && agent->verdict != EventType::kInvalidated);
    EXPECT_EQ(event.path_version, agent->version);
    ASSERT_TRUE(event.first_invalid_waypoint);
    agent->path.clear();
    agent->verdict = event.type;
    EXPECT_EQ(event.revision, world_->revision());
    EXPECT_FALSE(event.cause_revisions.empty());
    static_cast<void>(then);
  }

  void check_path(const AgentEvent& event, const RouteGround& then, Believed* agent) {
    const AgentPath& path = *event.path;
    ASSERT_FALSE(path.points.empty());
    EXPECT_GT(path.version, agent->version) << "versions ascend";
    agent->version = path.version;
    EXPECT_TRUE(agent->is_blocked || is_same_place(path.points.front().at, event.spot));
    const RouteWalk walk = walk_route(then, path.points);
    ASSERT_NE(walk.cost, kUnreachable) << "broken at " << walk.broken << drawn(path.points);
    expect_near(then, walk.cost, path.cost);
    EXPECT_EQ(path.cost, event.cost);
    EXPECT_EQ(path.revision, event.revision);
    EXPECT_TRUE(event.type != EventType::kImproved ||
                event.cost + agent->hysteresis < event.old_cost);
    agent->hysteresis =
        static_cast<Cost>(agent->spec.min_improvement_ratio * static_cast<double>(path.cost));
    agent->is_tight = path.turn_too_tight;
    check_turns(then, agent->spec, path);
    Believed as_told = *agent;
    as_told.allowance = path.optimality == Optimality::kWithin ? path.allowance : 0;
    as_told.weight = path.weight;
    if (path.optimality != Optimality::kValidOnly)
      check_cost(then, as_told, path.points, path.cost);
    // Later silence may use the whole allowance.
    const double ratio = agent->spec.min_improvement_ratio;
    const double gap = path.weight > 1 ? 1 - 1 / path.weight : 0;
    agent->allowance =
        static_cast<Cost>(std::max(ratio, gap) * static_cast<double>(path.cost)) + slack(then);
    // Nothing was said of the optimum, so silence says nothing of it: no way over a link to a place
    // straight above the agent has a bound.
    if (path.optimality == Optimality::kValidOnly) agent->allowance = kUnreachable / 4;
  }

  double turning_radius(const AgentSpec& spec) const {
    return find_profile(world_->profiles(), spec.profile)->turning_radius;
  }
  bool is_drivable(const RouteGround& ground, const AgentSpec& spec,
                   std::span<const RoutePoint> path) const {
    return drive_route(ground, path, rules_of_agent(turning_radius(spec))).is_found;
  }

  // Checks that no turn of the path is narrower than its agent can steer.
  void check_turns(const RouteGround& then, const AgentSpec& spec, const AgentPath& path) {
    if (path.turn_too_tight) {
      ++tight_;
      EXPECT_TRUE(spec.curves);
      EXPECT_FALSE(is_drivable(then, spec, path.points)) << drawn(path.points);
    }
    if (!spec.curves || path.turn_too_tight) return;
    const DriveRules rules = rules_of_agent(turning_radius(spec));
    for (std::size_t i = 2; i < path.points.size(); ++i) {
      if (path.points[i - 1].link || path.points[i - 2].link) continue;
      const auto at = [&](std::size_t k) { return point_of(path.points[k].at); };
      // A path that is sent again may begin within a chord, where the agent is.
      EXPECT_TRUE(keeps_radius(at(i - 2), at(i - 1), at(i), rules.radius, rules.deviation, i == 2))
          << i << drawn(path.points);
      ++turns_;
    }
  }

  RouteWorld* world_;
  Rerouter* rerouter_;
  bool is_carved_;
  std::uint64_t turns_ = 0;
  std::uint64_t tight_ = 0;
  std::vector<RouteViewId> views_;
  std::map<std::uint64_t, std::vector<std::shared_ptr<const RouteGround>>> grounds_;
  std::map<AgentId, Believed> agents_;
  std::uint64_t events_ = 0;
  std::string log_;
};

}  // namespace repath::test
