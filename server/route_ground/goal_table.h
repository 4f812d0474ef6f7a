// The goals in use in a world of routes (verdicts/goal_table.h).
//
// A goal's place depends on the ground. A covered goal has no place; with a radius, or on a graph,
// another place stands for it. So after every commit the goals near the changes are looked up
// again, and the caller learns which places are new.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "route_ground/delta_log.h"
#include "route_ground/fall_filter.h"
#include "route_ground/search_state.h"
#include "routes/route_world.h"
#include "verdicts/goal_table.h"

namespace repath {

struct RouteGoals {
  std::vector<Spot> points;  // the points asked for
  double radius = 0;
  RouteViewId view{};
  std::uint32_t agents = 0;
  std::uint32_t waiting = 0;                // number of these agents that wait
  std::unique_ptr<RouteSearchState> field;  // shared by them; may be null
  std::vector<Spot> spots;  // where its places are at the world's revision; empty: all blocked
  RouteBox box;             // around them
  Revision changed_at{};    // spots were others before
  std::vector<Spot> added;  // then: those that were not there before

  // Lengths of all ways to the goals; null: no survey has been made.
  std::shared_ptr<const Hindsight> survey;
  Revision since{};         // revision of the survey, or from which searches are counted
  std::uint64_t spent = 0;  // expansions of these searches
};

class RouteGoalTable : public GoalTableCore<RouteGoalTable, RouteWorld, RouteDeltaLog, RouteGoals> {
 public:
  RouteGoalTable(RouteWorld& world, RouteDeltaLog& log) : GoalTableCore(world, log) {}

  // Looks up the goals near the changes of the view, by which the world has just come to its
  // revision. Returns how many goals were looked up. O(entries of the view + goals near the
  // changes); on graphs O(goals).
  std::size_t look_again(RouteViewId view, std::span<const RouteChange> changes);

  // ---- surveys: lengths of all ways to one goal, for the agents that share it ----
  static constexpr std::uint32_t kSurveyAgentsMin = 8;  // least number of agents that share it

  // Returns whether searches without a survey have cost as much by now as one would: `units` by the
  // ground's guess (RouteGround::survey_units), or what the last one took.
  bool pays_to_survey(GoalsId id, std::uint64_t units) const {
    const RouteGoals& goals = (*this)[id];
    return goals.survey == nullptr && goals.spent >= std::max(units, survey_units_);
  }
  // Notes the cost of a search that had no survey, or of one that made it.
  void spend(GoalsId id, std::uint64_t expansions, bool was_survey);
  // Sets the survey of the goals. Does nothing if all surveys would take more than `bytes_max`.
  // REQUIRES: nothing opened since, but ground that was shut after that revision.
  void set_survey(GoalsId id, std::shared_ptr<const Hindsight> survey, Revision found_at,
                  std::uint64_t bytes_max);
  // Drops surveys that the latest falls spoil. Call it after look_again().
  void drop_surveys(RouteViewId view, const RouteFalls& falls);

  // Returns the goals' places on the ground as it is now. O(goals).
  std::vector<RoutePlace> places(GoalsId id) const;

  std::uint64_t bytes() const;
  // Returns the number of entries that have a field now.
  std::uint64_t fields() const;

 private:
  friend GoalTableCore;

  absl::StatusOr<RouteViewId> acquire_view(const AgentSpec& spec,
                                           const EndingUses<RouteViewId>& ending) {
    return world_.acquire_view(spec.profile, spec.team, ending);
  }
  static KeyPoint key_point(const AgentSpec&, MapPoint p) { return {p.x, p.height, p.y}; }
  std::unique_ptr<RouteGoals> make_entry(const AgentSpec& spec, RouteViewId view,
                                         const std::vector<KeyPoint>& points) const;
  void close_entry(RouteGoals* goals) { drop_survey(goals); }
  static void close_view(RouteViewId) {}

  void set_spots(RouteGoals* goals) const;
  void drop_survey(RouteGoals* goals);

  std::uint64_t survey_bytes_ = 0;
  std::uint64_t survey_units_ = 0;  // expansions of the last survey
};

}  // namespace repath
