// The goals in use: agents with equal goals, radius, profile and team share one entry.
//
// A goal's place depends on the ground. A covered goal has no place; with a radius, or on a graph,
// another place stands for it. So after every commit the goals near the changes are looked up
// again, and the caller learns which places are new. Not thread-safe. An entry holds one use of its
// view for as long as an agent uses the entry. Borrows the world and the log, which must outlive
// it; a view that is not used any more is closed there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "route_ground/delta_log.h"
#include "route_ground/fall_filter.h"
#include "routes/route_world.h"

namespace repath {

enum class RouteGoalsId : std::uint32_t {};
constexpr std::uint32_t index(RouteGoalsId g) { return static_cast<std::uint32_t>(g); }

struct RouteGoals {
  std::vector<Spot> points;  // the points asked for
  double radius = 0;
  RouteViewId view{};
  std::uint32_t agents = 0;
  std::vector<Spot> spots;  // where its places are at the world's revision; empty: all blocked
  RouteBox box;             // around them
  Revision changed_at{};    // spots were others before
  std::vector<Spot> added;  // then: those that were not there before

  // Lengths of all ways to the goals; null: no survey has been made.
  std::shared_ptr<const Hindsight> survey;
  Revision since{};         // revision of the survey, or from which searches are counted
  std::uint64_t spent = 0;  // expansions of these searches
};

class RouteGoalTable {
 public:
  RouteGoalTable(RouteWorld& world, RouteDeltaLog& log) : world_(world), log_(log) {}

  // Adds a use of the entry for these goals. Fails as RouteWorld::acquire_view does. REQUIRES:
  // valid points and radius.
  absl::StatusOr<RouteGoalsId> acquire(const AgentSpec& spec);
  // Takes a use off. The last one removes the entry.
  void release(RouteGoalsId id);

  const RouteGoals& operator[](RouteGoalsId id) const { return *entries_[index(id)]; }

  // Looks up the goals near the changes of the view, by which the world has just come to its
  // revision. Returns how many goals were looked up. O(entries of the view + goals near the
  // changes); on graphs O(goals).
  std::size_t look_again(RouteViewId view, std::span<const RouteChange> changes);

  // ---- surveys: lengths of all ways to one goal, for the agents that share it ----
  static constexpr std::uint32_t kSharedBy = 8;  // least number of agents that share it

  // Returns whether searches without a survey have cost as much by now as one would: `units` by the
  // ground's guess (RouteGround::survey_units), or what the last one took.
  bool pays_to_survey(RouteGoalsId id, std::uint64_t units) const {
    const RouteGoals& goals = (*this)[id];
    return goals.survey == nullptr && goals.spent >= std::max(units, survey_units_);
  }
  // Notes the cost of a search that had no survey, or of one that made it.
  void spend(RouteGoalsId id, std::uint64_t expansions, bool was_survey);
  // Sets the survey of the goals. Does nothing if all surveys would take more than `bytes_max`.
  // REQUIRES: nothing opened since, but ground that was shut after that revision.
  void set_survey(RouteGoalsId id, std::shared_ptr<const Hindsight> survey, Revision found_at,
                  std::uint64_t bytes_max);
  // Drops surveys that the latest falls spoil. Call it after look_again().
  void drop_surveys(RouteViewId view, const RouteFalls& falls);

  // Returns the goals' places on the ground as it is now. O(goals).
  std::vector<RoutePlace> places(RouteGoalsId id) const;

  std::uint64_t bytes() const;

 private:
  using Key = std::tuple<std::uint32_t, double, std::vector<std::tuple<double, double, double>>>;
  static Key key_of(RouteViewId view, const AgentSpec& spec);
  void set_spots(RouteGoals* goals);
  void drop_survey(RouteGoals* goals);

  RouteWorld& world_;
  RouteDeltaLog& log_;
  std::vector<std::unique_ptr<RouteGoals>> entries_;  // null: free for use
  std::vector<Key> keys_;                             // by id
  std::vector<std::uint32_t> empty_;
  std::map<Key, RouteGoalsId> by_key_;
  std::map<RouteViewId, std::uint32_t> view_uses_;
  std::uint64_t survey_bytes_ = 0;
  std::uint64_t survey_units_ = 0;  // expansions of the last survey
};

}  // namespace repath
