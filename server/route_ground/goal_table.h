// The goals in use: agents with equal goals, radius, profile and team share one entry.
//
// A goal's place depends on the ground: covered, it has none; with a radius, or on a graph, another
// one takes its stead. So after every commit the goals near the changes are looked up anew, and
// whoever asked for them learns which places are new.
// Not thread-safe. An entry holds one use of its view for as long as an agent uses the entry.
// Borrows the world and the log, which must outlive it; a view that is not used any more is closed
// there.
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
  std::vector<Spot> points;  // as asked for
  double radius = 0;
  RouteViewId view{};
  std::uint32_t agents = 0;
  std::vector<Spot> spots;  // where its places are at the world's revision; empty: all blocked
  RouteBox box;             // around them
  Revision changed_at{};    // spots were others before
  std::vector<Spot> added;  // then: those that were not there before

  // What tells of all ways there; null: nothing does.
  std::shared_ptr<const Hindsight> survey;
  Revision since{};         // that it was found at, or that searches without one are counted from
  std::uint64_t spent = 0;  // what these expanded
};

class RouteGoalTable {
 public:
  RouteGoalTable(RouteWorld& world, RouteDeltaLog& log) : world_(world), log_(log) {}

  // One more use of the entry for these goals. Errors as RouteWorld::acquire_view. REQUIRES: valid
  // points and radius.
  absl::StatusOr<RouteGoalsId> acquire(const AgentSpec& spec);
  // One use less. With the last one the entry is gone.
  void release(RouteGoalsId id);

  const RouteGoals& operator[](RouteGoalsId id) const { return *entries_[index(id)]; }

  // The world has just come to its revision, by these changes of the view. O(entries of the view +
  // goals near the changes); on graphs O(goals). Returns how many goals were looked up.
  std::size_t look_again(RouteViewId view, std::span<const RouteChange> changes);

  // ---- what tells of all ways to one goal, for the agents that share it ----
  static constexpr std::uint32_t kSharedBy = 8;  // so many at least
  // Whether searches without it have cost as much by now as it would: `units` by the ground's guess
  // (RouteGround::survey_units), or what the last one took.
  bool pays_to_survey(RouteGoalsId id, std::uint64_t units) const {
    const RouteGoals& goals = (*this)[id];
    return goals.survey == nullptr && goals.spent >= std::max(units, survey_units_);
  }
  // A search without it is over, or one that found it out.
  void spend(RouteGoalsId id, std::uint64_t expansions, bool was_survey);
  // No effect if all of them would take more than `bytes_max`. REQUIRES: nothing opened since, but
  // what had been shut after that.
  void set_survey(RouteGoalsId id, std::shared_ptr<const Hindsight> survey, Revision found_at,
                  std::uint64_t bytes_max);
  // By what fell just now. After look_again().
  void drop_surveys(RouteViewId view, const RouteFalls& falls);

  // Of the ground as it is now. O(goals).
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
  std::uint64_t survey_units_ = 0;  // of the last one
};

}  // namespace repath
