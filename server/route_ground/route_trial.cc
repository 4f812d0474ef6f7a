#include "route_ground/route_trial.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "route_ground/fall_filter.h"
#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {
namespace {

bool needs_no_goal(Standing standing) { return standing != Standing::kPath; }

// Returns whether what fell is an obstacle that stands again, just as it did.
bool stands_again(const RouteWorld& world, const RouteChange& change) {
  return change.fell && change.form != 0 && change.cause &&
         world.form_of(*change.cause) == change.form;
}

}  // namespace

ClaimTrial try_route(const RouteState& state, Slot slot, const RouteClaim& claim, Revision since) {
  ClaimTrial trial = ClaimTrial::of_today(state.world.revision());
  trial.held = trial.held_now = trial.optimal_cost = claim.held;
  trial.lower = trial.optimal_lower = claim.lower;
  trial.optimal_at = since;
  if (since == state.world.revision()) return trial;
  const RouteRow& row = state.agents.row(slot);
  const RouteGround& ground = state.world.ground(row.view);
  const RouteGoals& goals = state.goals[row.goals];
  if (!claim.points.empty()) {
    trial.held = trial.held_now = walk_route(ground, claim.points).cost;
    trial.closed = trial.held == kUnreachable;
    trial.tests += claim.points.size();
  }
  const bool ends_elsewhere =
      claim.standing == Standing::kPath && !has_place(ground, goals.spots, claim.points.back().at);
  const std::vector<Spot> added = spots_beside(ground, claim.goals, goals.spots);
  for (const Spot& spot : added)
    trial.lower = std::min(trial.lower, ground.least_cost(box_of(claim.origin), box_of(spot)));
  // A partial route is measured from all places of its goals, so one that is lost counts, too.
  const bool has_other_goals =
      !added.empty() || (claim.standing == Standing::kPartial &&
                         !spots_beside(ground, goals.spots, claim.goals).empty());
  std::optional<ClaimTrial::Spoiler> first_fall;
  std::vector<RouteChange> still_open;
  ClaimTrial::Spoiler latest{state.world.revision(), state.frame, state.now, {}};
  state.log.for_each_after(row.view, since, [&](const LoggedRouteDelta& logged) {
    latest = {logged.revision, logged.frame, logged.us, {}};
    trial.tests += logged.changes.size();
    still_open.clear();
    std::ranges::remove_copy_if(
        logged.changes, std::back_inserter(still_open),
        [&](const RouteChange& change) { return stands_again(state.world, change); });
    trial.stands_again |= still_open.size() < logged.changes.size();
    const RouteFalls falls(ground, still_open);
    if (falls.empty()) return;
    const RouteChange* cause = falls.first();
    if (!needs_no_goal(claim.standing)) {
      const RouteRival rival =
          falls.cheapest(claim.origin, goals.box, trial.lower, since, &trial.tests);
      if (rival.change != nullptr) trial.lower = rival.cost;
      if (!claim.is_tight) cause = rival.change;
      if (cause == nullptr) return;
    }
    if (first_fall) return;
    first_fall = latest;
    first_fall->cause = cause->cause;
  });
  if (trial.closed) return trial;
  const Cost slack = ground.is_continuous() ? kRouteCostSlack : 0;
  const Cost most = saturating_add(saturating_add(trial.lower, claim.allowance), slack);
  const bool survives =
      needs_no_goal(claim.standing)
          ? !first_fall && !has_other_goals && trial.held == claim.held
          : !ends_elsewhere && trial.held <= most && !(claim.is_tight && first_fall);
  if (survives) return trial;
  trial.spoiled_by = first_fall.value_or(latest);
  trial.from = trial.proved = since;
  return trial;
}

}  // namespace repath
