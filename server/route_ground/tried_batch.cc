#include "route_ground/tried_batch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "route_ground/fall_filter.h"
#include "route_ground/held_walk.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

bool holds_route(const RouteRow& row) {
  return row.standing == Standing::kPath || row.standing == Standing::kPartial;
}

// Returns where the agent's route would begin; empty: nowhere.
std::optional<RoutePlace> begin_of(const RouteAgent& agent, const RouteGround& ground) {
  std::optional<RoutePlace> place = stand_of(agent, ground);
  return place ? place : stand_in_of(agent, ground);
}

// The places of goals after the batch, each looked up once.
class GoalsAfter {
 public:
  GoalsAfter(const RouteState& s, const RouteWorld& after) : s_(s), after_(after) {}
  const std::vector<RoutePlace>& of(GoalsId id) {
    const auto [known, is_new] = places_.try_emplace(id);
    const RouteGoals& goals = s_.goals[id];
    if (is_new)
      known->second = places_of_goals(after_.ground(goals.view), goals.points, goals.radius);
    return known->second;
  }

 private:
  const RouteState& s_;
  const RouteWorld& after_;
  std::map<GoalsId, std::vector<RoutePlace>> places_;
};

class HitFinder {
 public:
  HitFinder(const RouteState& s, const RouteWorld& after, GoalsAfter* goals)
      : s_(s), after_(after), goals_(*goals) {}

  // Looks at the agents of one view.
  void look_at(const RouteDelta& delta, std::vector<std::pair<AgentId, Slot>>* hit) {
    const RouteBox all = box_of(delta.changes);
    const std::vector<RouteRow>& rows = s_.agents.rows();
    for (Slot slot = 0; slot < rows.size(); ++slot) {
      const RouteRow& row = rows[slot];
      if (row.standing == Standing::kEmpty || row.view != delta.view) continue;
      if (loses_ground(delta, row, all) || loses_route(delta, slot, all) ||
          loses_goals(row, slot) || loses_place(row, slot) || loses_stand_in(row, slot, all))
        hit->emplace_back(s_.agents[slot].spec.id, slot);
    }
  }

 private:
  bool loses_ground(const RouteDelta& delta, const RouteRow& row, const RouteBox& all) const {
    if (!row.has_origin || row.is_snapped) return false;
    const RouteBox here = box_of(row.origin);
    return meet(here, all) && rises_at(delta.changes, here) &&
           !stand_again(after_.ground(delta.view), row.origin);
  }

  bool loses_route(const RouteDelta& delta, Slot slot, const RouteBox& all) {
    const RouteRow& row = s_.agents.row(slot);
    if (!holds_route(row) || !meet(row.rest, all)) return false;
    std::uint64_t tests = 0;
    if (!crosses(s_, slot, delta.changes, &tests)) return false;
    const RouteGround& ground = after_.ground(delta.view);
    const HeldWalk walk = walk_held(s_, ground, slot, &rest_);
    const std::optional<std::uint32_t>& broken_at = s_.agents[slot].broken_at;
    if (walk.broken) return !broken_at || *walk.broken < *broken_at;
    const Cost apart = std::max(walk.cost, row.held) - std::min(walk.cost, row.held);
    return !broken_at && apart > s_.slack_of(slot);
  }

  // Returns whether the route leads to a place that stands for none of its goals any more.
  bool loses_goals(const RouteRow& row, Slot slot) {
    if (row.standing != Standing::kPath || s_.agents[slot].broken_at) return false;
    const Spot& end = s_.agents[slot].path.points.back().at;
    const std::vector<RoutePlace>& places = goals_.of(row.goals);
    return std::ranges::none_of(
        places, [&](const RoutePlace& goal) { return is_same_place(goal.at, end); });
  }

  // Returns whether the route would begin elsewhere: another node is nearest to the agent's
  // position, or a nearer floor.
  bool loses_place(const RouteRow& row, Slot slot) const {
    if (!holds_route(row) || row.is_snapped) return false;
    const RouteGround& ground = after_.ground(row.view);
    const std::optional<RoutePlace> place = stand_of(s_.agents[slot], ground);
    return place && !is_same_place_of(ground, place->at, row.origin);
  }

  // Returns whether another place, or none, would stand in for the agent's own, which is blocked.
  bool loses_stand_in(const RouteRow& row, Slot slot, const RouteBox& all) const {
    if (!holds_route(row) || !row.is_snapped) return false;
    const RouteAgent& agent = s_.agents[slot];
    // Only ground that opens nearer than the stand-in or shuts under it matters.
    const double off = std::sqrt(plane_distance_squared(agent.spot, row.origin));
    if (!meet(box_of(agent.spot), all, off + kBoxMargin)) return false;
    const RouteGround& ground = after_.ground(row.view);
    const std::optional<RoutePlace> place = begin_of(agent, ground);
    return !place || !is_same_place_of(ground, place->at, row.origin);
  }

  const RouteState& s_;
  const RouteWorld& after_;
  GoalsAfter& goals_;
  std::vector<RoutePoint> rest_;
};

bool would_be_cut_off(const RouteState& s, Slot slot, const RouteWorld& after, GoalsAfter* goals,
                      ReachByView* reach) {
  const RouteRow& row = s.agents.row(slot);
  if (row.standing != Standing::kPath) return false;
  const RouteGround& ground = after.ground(row.view);
  const RouteAgent& agent = s.agents[slot];
  const std::optional<RoutePlace> from = begin_of(agent, ground);
  if (!from) return true;
  return std::ranges::none_of(goals->of(row.goals), [&](const RoutePlace& goal) {
    return reach->leads(row.view, *from, goal);
  });
}

}  // namespace

bool ReachByView::leads(RouteViewId view, const RoutePlace& from, const RoutePlace& to) {
  std::unique_ptr<RouteReach>& reach = by_view_[view];
  if (reach == nullptr) reach = world_.ground(view).reach();
  return reach->leads(from, to);
}

AgentsHit find_agents_hit(const RouteState& s, const RouteWorld& after, const RouteCommit& commit,
                          std::uint32_t most, ReachByView* reach) {
  std::vector<std::pair<AgentId, Slot>> hit;
  GoalsAfter goals(s, after);
  HitFinder finder(s, after, &goals);
  for (const RouteDelta& delta : commit.views) finder.look_at(delta, &hit);
  std::ranges::sort(hit);
  AgentsHit found;
  for (const auto& [id, slot] : hit) {
    if (found.affected.size() == most) {
      found.truncated = true;
      break;
    }
    found.affected.push_back(id);
    if (would_be_cut_off(s, slot, after, &goals, reach)) found.cut_off.push_back(id);
  }
  return found;
}

}  // namespace repath
