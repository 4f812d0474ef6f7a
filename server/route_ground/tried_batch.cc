#include "route_ground/tried_batch.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "route_ground/fall_filter.h"
#include "route_ground/held_walk.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

// Units of work that the meter counts for a look at an agent, or for looking up a goal's place.
constexpr std::uint64_t kUnitsOfAgent = 64;

bool holds_route(const RouteRow& row) {
  return row.standing == Standing::kPath || row.standing == Standing::kPartial;
}

// Returns where the agent's route would begin; empty: nowhere.
std::optional<RoutePlace> begin_of(const RouteAgent& agent, const RouteGround& ground) {
  std::optional<RoutePlace> place = stand_of(agent, ground);
  return place ? place : stand_in_of(agent, ground);
}

// The places of goals in one world, before or after the batch, each looked up once.
class GoalPlaces {
 public:
  GoalPlaces(const RouteState& s, const RouteWorld& world) : s_(s), world_(world) {}
  const std::vector<RoutePlace>& of(GoalsId id) {
    const auto [known, is_new] = places_.try_emplace(id);
    const RouteGoals& goals = s_.goals[id];
    if (is_new)
      known->second = places_of_goals(world_.ground(goals.view), goals.points, goals.radius);
    return known->second;
  }

 private:
  const RouteState& s_;
  const RouteWorld& world_;
  std::map<GoalsId, std::vector<RoutePlace>> places_;
};

class HitFinder {
 public:
  HitFinder(const RouteState& s, const RouteWorld& after, GoalPlaces* goals)
      : s_(s), after_(after), goals_(*goals) {}

  // Returns whether the batch changes something of what the agent holds, or where it stands.
  // `all`: around the changes of its view.
  bool is_hit(const RouteDelta& delta, Slot slot, const RouteBox& all) {
    const RouteRow& row = s_.agents.row(slot);
    return loses_ground(delta, row, all) || loses_route(delta, slot, all) ||
           loses_goals(row, slot) || loses_place(row, slot) || loses_stand_in(row, slot, all);
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
    const double off = std::sqrt(space_distance_squared(agent.spot, row.origin));
    if (!meet(box_of(agent.spot), all, off + kBoxMargin)) return false;
    const RouteGround& ground = after_.ground(row.view);
    const std::optional<RoutePlace> place = begin_of(agent, ground);
    return !place || !is_same_place_of(ground, place->at, row.origin);
  }

  const RouteState& s_;
  const RouteWorld& after_;
  GoalPlaces& goals_;
  std::vector<RoutePoint> rest_;
};

// One world, before or after the batch, and what is known of its ways.
struct Ways {
  const RouteWorld& world;
  GoalPlaces& goals;
  ReachByView& reach;
};

// An agent of which it is asked whether the batch cuts it off.
struct Suspect {
  Slot slot{};
  bool has_way = false;
};

// Notes of each suspect whether a way leads from where its route would begin to one of its goals.
// All of them are of the view. Returns false once the meter is over.
bool find_ways(const RouteState& s, RouteViewId view, const Ways& ways, WorkMeter* meter,
               std::vector<Suspect>* suspects) {
  const RouteGround& ground = ways.world.ground(view);
  std::vector<ReachQuestion> questions;
  std::vector<Suspect*> asked;
  std::map<GoalsId, std::uint32_t> indices;
  std::vector<std::span<const RoutePlace>> goals;
  for (Suspect& suspect : *suspects) {
    suspect.has_way = false;
    if (!meter->spend(kUnitsOfAgent)) return false;
    const std::optional<RoutePlace> from = begin_of(s.agents[suspect.slot], ground);
    if (!from) continue;
    const GoalsId id = s.agents.row(suspect.slot).goals;
    const auto [index, is_new] = indices.try_emplace(id, static_cast<std::uint32_t>(goals.size()));
    if (is_new) {
      goals.emplace_back(ways.goals.of(id));
      if (!meter->spend(kUnitsOfAgent * s.goals[id].points.size())) return false;
    }
    questions.push_back({*from, index->second});
    asked.push_back(&suspect);
  }
  if (questions.empty()) return true;
  std::vector<bool> leads;
  if (!ways.reach.of(view).answer(questions, goals, meter, &leads)) return false;
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->has_way = leads[i];
  return true;
}

// Leaves only those suspects that have a way to a goal and would have none. The verdict of a
// settled agent says whether it has one. For an agent that waits, the ground says whether there is
// one. Returns false once the meter is over.
bool keep_cut_off(const RouteState& s, RouteViewId view, const Ways& before, const Ways& after,
                  WorkMeter* meter, std::vector<Suspect>* suspects) {
  if (!find_ways(s, view, after, meter, suspects)) return false;
  std::erase_if(*suspects, &Suspect::has_way);
  std::vector<Suspect> waiting;
  std::erase_if(*suspects, [&](const Suspect& suspect) {
    if (s.agents.row(suspect.slot).settled) return false;
    waiting.push_back(suspect);
    return true;
  });
  if (!find_ways(s, view, before, meter, &waiting)) return false;
  std::ranges::copy_if(waiting, std::back_inserter(*suspects), &Suspect::has_way);
  return true;
}

}  // namespace

ReachTable& ReachByView::of(RouteViewId view) {
  std::unique_ptr<ReachTable>& table = by_view_[view];
  if (table == nullptr) table = world_.ground(view).reach_table();
  return *table;
}

AgentsHit find_agents_hit(const RouteState& s, const RouteWorld& after, const RouteCommit& commit,
                          ReachByView* reach_before, ReachByView* reach_after, WorkMeter* meter) {
  GoalPlaces goals_before(s, s.world);
  GoalPlaces goals_after(s, after);
  const Ways ways_before{s.world, goals_before, *reach_before};
  const Ways ways_after{after, goals_after, *reach_after};
  HitFinder finder(s, after, &goals_after);
  AgentsHit found;
  const std::vector<RouteRow>& rows = s.agents.rows();
  for (const RouteDelta& delta : commit.views) {
    const RouteBox all = box_of(delta.changes);
    std::vector<Suspect> suspects;
    for (Slot slot = 0; slot < rows.size(); ++slot) {
      const RouteRow& row = rows[slot];
      if (row.standing == Standing::kEmpty || row.view != delta.view) continue;
      if (!meter->spend(kUnitsOfAgent)) return found;
      const bool is_hit = finder.is_hit(delta, slot, all);
      if (is_hit) found.affected.push_back(s.agents[slot].spec.id);
      // A settled agent has a route that stays whole unless it is hit.
      const bool may_lose = row.settled ? is_hit && row.standing == Standing::kPath : true;
      if (may_lose) suspects.push_back({slot});
    }
    if (!keep_cut_off(s, delta.view, ways_before, ways_after, meter, &suspects)) return found;
    for (const Suspect& suspect : suspects) found.cut_off.push_back(s.agents[suspect.slot].spec.id);
  }
  std::ranges::sort(found.cut_off);
  found.affected.insert(found.affected.end(), found.cut_off.begin(), found.cut_off.end());
  std::ranges::sort(found.affected);
  found.affected.erase(std::unique(found.affected.begin(), found.affected.end()),
                       found.affected.end());
  return found;
}

}  // namespace repath
