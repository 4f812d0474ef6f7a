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

// Units of work that the meter counts for a point of a held route that is walked.
constexpr std::uint64_t kUnitsOfLeg = 16;

std::uint64_t units_of(std::uint64_t looks) { return std::max(kUnitsOfLook, looks); }

bool holds_route(const RouteRow& row) {
  return row.standing == Standing::kPath || row.standing == Standing::kPartial;
}

// Returns where the agent's route would begin; empty: nowhere.
std::optional<RoutePlace> begin_of(const RouteAgent& agent, const RouteGround& ground,
                                   std::uint64_t* looks) {
  std::optional<RoutePlace> place = stand_of(agent, ground, looks);
  return place ? place : stand_in_of(agent, ground, looks);
}

// The places of goals in one world, before or after the batch. Agents share goals, so the places
// are kept, but not more of them than kGoalsKept.
class GoalPlaces {
 public:
  GoalPlaces(const RouteState& s, const RouteWorld& world, WorkMeter* meter)
      : s_(s), world_(world), meter_(*meter) {}
  // Returns the places, valid until the next call; null once the meter is over.
  const std::vector<RoutePlace>* of(GoalsId id) {
    const auto known = places_.find(id);
    if (known != places_.end()) return &known->second;
    const RouteGoals& goals = s_.goals[id];
    if (kept_ > kGoalsKept) {
      places_.clear();
      kept_ = 0;
    }
    std::vector<RoutePlace> places;
    for (const Spot& point : goals.points) {
      std::uint64_t looks = 0;
      const std::vector<RoutePlace> place =
          places_of_goals(world_.ground(goals.view), {&point, 1}, goals.radius, &looks);
      if (!meter_.spend(units_of(looks))) return nullptr;
      places.insert(places.end(), place.begin(), place.end());
    }
    kept_ += 1 + goals.points.size();
    return &places_.emplace(id, std::move(places)).first->second;
  }

 private:
  static constexpr std::size_t kGoalsKept = std::size_t{1} << 16;

  const RouteState& s_;
  const RouteWorld& world_;
  WorkMeter& meter_;
  std::map<GoalsId, std::vector<RoutePlace>> places_;
  std::size_t kept_ = 0;  // goals in places_, and lists of them
};

class HitFinder {
 public:
  HitFinder(const RouteState& s, const RouteWorld& after, GoalPlaces* goals)
      : s_(s), after_(after), goals_(*goals) {}

  // Returns whether the batch changes something of what the agent holds, or where it stands.
  // `all`: around the changes of its view. Once the meter is over the answer is of no use.
  bool is_hit(const RouteDelta& delta, Slot slot, const RouteBox& all) {
    const RouteRow& row = s_.agents.row(slot);
    return loses_ground(delta, row, all) || loses_route(delta, slot, all) ||
           loses_goals(row, slot) || loses_place(row, slot) || loses_stand_in(row, slot, all);
  }
  // Returns the work since the last call, without that of goals.
  std::uint64_t take_units() { return std::exchange(units_, 0); }

 private:
  bool loses_ground(const RouteDelta& delta, const RouteRow& row, const RouteBox& all) {
    if (!row.has_origin || row.is_snapped) return false;
    const RouteBox here = box_of(row.origin);
    if (!meet(here, all)) return false;
    units_ += delta.changes.size();
    return rises_at(delta.changes, here) &&
           !stand_again(after_.ground(delta.view), row.origin, &units_);
  }

  bool loses_route(const RouteDelta& delta, Slot slot, const RouteBox& all) {
    const RouteRow& row = s_.agents.row(slot);
    if (!holds_route(row) || !meet(row.rest, all)) return false;
    if (!crosses(s_, slot, delta.changes, &units_)) return false;
    const RouteGround& ground = after_.ground(delta.view);
    const HeldWalk walk = walk_held(s_, ground, slot, &rest_);
    units_ += kUnitsOfLeg * rest_.size();
    const std::optional<std::uint32_t>& broken_at = s_.agents[slot].broken_at;
    if (walk.broken) return !broken_at || *walk.broken < *broken_at;
    const Cost apart = std::max(walk.cost, row.held) - std::min(walk.cost, row.held);
    return !broken_at && apart > s_.slack_of(slot);
  }

  // Returns whether the route leads to a place that stands for none of its goals any more.
  bool loses_goals(const RouteRow& row, Slot slot) {
    if (row.standing != Standing::kPath || s_.agents[slot].broken_at) return false;
    const Spot& end = s_.agents[slot].path.points.back().at;
    const std::vector<RoutePlace>* places = goals_.of(row.goals);
    if (places == nullptr) return false;
    units_ += places->size();
    const RouteGround& ground = after_.ground(row.view);
    return std::ranges::none_of(
        *places, [&](const RoutePlace& goal) { return is_same_place_of(ground, goal.at, end); });
  }

  // Returns whether the route would begin elsewhere: another node is nearest to the agent's
  // position.
  bool loses_place(const RouteRow& row, Slot slot) {
    if (!holds_route(row) || row.is_snapped) return false;
    const RouteGround& ground = after_.ground(row.view);
    const std::optional<RoutePlace> place = stand_of(s_.agents[slot], ground, &units_);
    return place && !is_same_place_of(ground, place->at, row.origin);
  }

  // Returns whether another place, or none, would stand in for the agent's own, which is blocked.
  bool loses_stand_in(const RouteRow& row, Slot slot, const RouteBox& all) {
    if (!holds_route(row) || !row.is_snapped) return false;
    const RouteAgent& agent = s_.agents[slot];
    // Only ground that opens nearer than the stand-in or shuts under it matters.
    const double off = std::sqrt(space_distance_squared(agent.spot, row.origin));
    if (!meet(box_of(agent.spot), all, off + kBoxMargin)) return false;
    const RouteGround& ground = after_.ground(row.view);
    const std::optional<RoutePlace> place = begin_of(agent, ground, &units_);
    return !place || !is_same_place_of(ground, place->at, row.origin);
  }

  const RouteState& s_;
  const RouteWorld& after_;
  GoalPlaces& goals_;
  std::vector<RoutePoint> rest_;
  std::uint64_t units_ = 0;
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

// The goals of suspects, each list once.
class AskedGoals {
 public:
  // Returns the index of the goals; empty once the meter is over.
  std::optional<std::uint32_t> add(GoalsId id, GoalPlaces* goals) {
    const auto [index, is_new] = indices_.try_emplace(id, static_cast<std::uint32_t>(ends_.size()));
    if (!is_new) return index->second;
    const std::vector<RoutePlace>* places = goals->of(id);
    if (places == nullptr) return std::nullopt;
    places_.insert(places_.end(), places->begin(), places->end());
    ends_.push_back(places_.size());
    return index->second;
  }
  // Returns the places by index, valid until the next one is added.
  std::vector<std::span<const RoutePlace>> lists() const {
    std::vector<std::span<const RoutePlace>> lists;
    std::size_t first = 0;
    for (const std::size_t end : ends_) {
      lists.push_back(std::span(places_).subspan(first, end - first));
      first = end;
    }
    return lists;
  }

 private:
  std::map<GoalsId, std::uint32_t> indices_;
  std::vector<RoutePlace> places_;  // of all lists
  std::vector<std::size_t> ends_;   // by index: where the list ends
};

// Notes of each suspect whether a way leads from where its route would begin to one of its goals.
// All of them are of the view. Returns false once the meter is over.
bool find_ways(const RouteState& s, RouteViewId view, const Ways& ways, WorkMeter* meter,
               std::vector<Suspect>* suspects) {
  const RouteGround& ground = ways.world.ground(view);
  std::vector<ReachQuestion> questions;
  std::vector<Suspect*> asked;
  AskedGoals goals;
  for (Suspect& suspect : *suspects) {
    suspect.has_way = false;
    std::uint64_t looks = 0;
    const std::optional<RoutePlace> from = begin_of(s.agents[suspect.slot], ground, &looks);
    if (!meter->spend(units_of(looks))) return false;
    if (!from) continue;
    const auto index = goals.add(s.agents.row(suspect.slot).goals, &ways.goals);
    if (!index) return false;
    questions.push_back({*from, *index});
    asked.push_back(&suspect);
  }
  if (questions.empty()) return true;
  ReachTable* const table = ways.reach.of(view);
  std::vector<bool> leads;
  if (table == nullptr || !table->answer(questions, goals.lists(), meter, &leads)) return false;
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

ReachTable* ReachByView::of(RouteViewId view) {
  const RouteGround& ground = world_.ground(view);
  if (table_ != nullptr && (view == view_ || world_.ground(view_).reaches_as(ground)))
    return table_.get();
  table_ = nullptr;  // before the next one takes as much memory
  table_ = ground.reach_table(&meter_);
  view_ = view;
  return table_.get();
}

std::vector<std::vector<RouteViewId>> views_by_reach(const RouteWorld& before,
                                                     const RouteWorld& after,
                                                     std::vector<RouteViewId> views) {
  std::ranges::sort(views);
  views.erase(std::unique(views.begin(), views.end()), views.end());
  std::vector<std::vector<RouteViewId>> groups;
  for (const RouteViewId view : views) {
    const auto shared = std::ranges::find_if(groups, [&](const std::vector<RouteViewId>& group) {
      return before.ground(group[0]).reaches_as(before.ground(view)) &&
             after.ground(group[0]).reaches_as(after.ground(view));
    });
    if (shared != groups.end()) {
      shared->push_back(view);
    } else {
      groups.push_back({view});
    }
  }
  return groups;
}

std::map<RouteViewId, std::vector<Slot>> agents_by_view(const RouteState& s,
                                                        const RouteCommit& commit) {
  std::map<RouteViewId, std::vector<Slot>> slots;
  for (const RouteDelta& delta : commit.views) slots[delta.view];
  const std::vector<RouteRow>& rows = s.agents.rows();
  for (Slot slot = 0; slot < rows.size(); ++slot) {
    if (rows[slot].standing == Standing::kEmpty) continue;
    if (const auto of_view = slots.find(rows[slot].view); of_view != slots.end())
      of_view->second.push_back(slot);
  }
  return slots;
}

bool find_agents_hit(const TriedBatch& tried, const RouteDelta& delta, std::span<const Slot> agents,
                     AgentsHit* found) {
  const RouteState& s = tried.s;
  WorkMeter* const meter = &tried.meter;
  GoalPlaces goals_before(s, s.world, meter);
  GoalPlaces goals_after(s, tried.after, meter);
  HitFinder finder(s, tried.after, &goals_after);
  const RouteBox all = box_of(delta.changes);
  std::vector<Suspect> suspects;
  for (const Slot slot : agents) {
    const RouteRow& row = s.agents.row(slot);
    const bool is_hit = finder.is_hit(delta, slot, all);
    if (!meter->spend(units_of(finder.take_units()))) return false;
    if (is_hit) found->affected.push_back(s.agents[slot].spec.id);
    // A settled agent has a route that stays whole unless it is hit.
    const bool may_lose = row.settled ? is_hit && row.standing == Standing::kPath : true;
    if (may_lose) suspects.push_back({slot});
  }
  const Ways ways_before{s.world, goals_before, tried.reach_before};
  const Ways ways_after{tried.after, goals_after, tried.reach_after};
  if (!keep_cut_off(s, delta.view, ways_before, ways_after, meter, &suspects)) return false;
  for (const Suspect& suspect : suspects) found->cut_off.push_back(s.agents[suspect.slot].spec.id);
  return true;
}

void sort_agents(AgentsHit* found) {
  std::ranges::sort(found->cut_off);
  found->affected.insert(found->affected.end(), found->cut_off.begin(), found->cut_off.end());
  std::ranges::sort(found->affected);
  found->affected.erase(std::unique(found->affected.begin(), found->affected.end()),
                        found->affected.end());
}

}  // namespace repath
