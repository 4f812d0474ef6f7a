// From a proof to a verdict: the event, if any, that an agent is sent at the end of its turn, and
// the revision up to which it is proved. Each kind derives its Settling from this class, and adds
// the results of its own searches.
//
// Not thread-safe. Borrows the state and the verdicts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "verdicts/trial.h"
#include "verdicts/verdicts.h"

namespace repath {

// Outcome of a finished search.
enum class Outcome : std::uint8_t {
  kServed,       // a verdict was given; the agent is settled or waits for another one
  kSearchAgain,  // the search does not speak for the agent as it is now; it keeps its place
  kPartial,      // no goal can be reached, and the agent wants the nearest reachable place
};

template <class Kind>
class SettlingCore {
 protected:
  using State = typename Kind::State;

  SettlingCore(State& state, Verdicts<Kind>& verdicts) : s_(state), v_(verdicts) {}

  static Cost share_of(double share, Cost cost) {
    return static_cast<Cost>(share * static_cast<double>(cost));
  }

  // Ends the agent's turn. The agent is SETTLED, or WAITING for the change that spoilt the claim.
  void close(Slot slot, const ClaimTrial& trial) {
    if (!trial.spoiled_by) return v_.settle(slot);
    v_.serve_and_wait(slot, trial.proved, trial.spoiled_by->frame, trial.spoiled_by->us);
    v_.add_cause(slot, trial.spoiled_by->revision, trial.spoiled_by->cause);
  }

  // Settles the agent in silence if it can: its latest verdict is right at the revisions that the
  // trial proves. But silence would speak for the revisions before these, too.
  void close_in_silence(Slot slot, const ClaimTrial& trial) {
    const bool misleads = v_.silence_would_mislead(slot, trial.from);
    close(slot, trial);
    if (misleads) {
      v_.assure(slot, trial.proved);
    } else {
      v_.confirm(slot);
    }
  }

  // Sends START_BLOCKED: the agent stands in an obstacle. Either it wants no path from there, or no
  // free place is near.
  void start_blocked(Slot slot) {
    tell_no_path(slot, ClaimTrial::of_today(s_.world.revision()), Standing::kStartBlocked,
                 PathState::kStartBlocked, 0);
  }

  // No goal can be reached from where its path would begin. `has_goals()`: some of them have a free
  // place.
  template <class HasGoals>
  Outcome tell_unreachable(Slot slot, const ClaimTrial& trial, const HasGoals& has_goals) {
    const bool is_snapped = Kind::is_snapped(s_, slot);
    const Standing standing = is_snapped ? Standing::kStartBlocked : Standing::kCutOff;
    const Cost old_cost = holds_whole(s_.agents[slot]) ? s_.agents.row(slot).held : 0;
    PathState state = PathState::kStartBlocked;
    if (!is_snapped && is_news(slot, standing))
      state = has_goals() ? PathState::kUnreachable : PathState::kGoalBlocked;
    tell_no_path(slot, trial, standing, state, old_cost);
    return Outcome::kServed;
  }

  // Sends the path that the agent has just been given to hold, and closes the turn. `trial` holds
  // what is proved of the path. `slack`: costs that differ by at most this much count as equal.
  void give_path(Slot slot, const ClaimTrial& trial, Cost old_cost, Cost slack) {
    auto& row = s_.agents.row(slot);
    tell_path(slot, trial, old_cost, slack);
    close(slot, trial);
    const Cost told = trial.told_cost();
    row.held = trial.held_now;
    const Cost apart = std::max(told, row.held) - std::min(told, row.held);
    if (apart > slack) v_.tell(slot, v_.cost_changed(told, row.held));
  }

  State& s_;
  Verdicts<Kind>& v_;

 private:
  // Returns whether the client is still to be sent that the agent has no path, for this reason.
  bool is_news(Slot slot, Standing standing) const {
    return s_.agents[slot].must_answer || s_.agents.row(slot).standing != standing;
  }

  void tell_no_path(Slot slot, const ClaimTrial& trial, Standing standing, PathState state,
                    Cost old_cost) {
    const bool is_new = is_news(slot, standing);
    v_.drop_path(slot);
    s_.agents.row(slot).standing = standing;
    if (!is_new) return close_in_silence(slot, trial);
    const EventType type =
        standing == Standing::kStartBlocked ? EventType::kStartBlocked : EventType::kUnreachable;
    v_.tell(slot, v_.no_path(type, state, trial.proved, old_cost));
    close(slot, trial);
  }

  // Writes what was claimed of the path before its proof was spoilt: that it is optimal, or within
  // a bound of that.
  static void claim_then(const ClaimTrial& trial, Cost slack, AgentPath* path) {
    const bool was_optimal = trial.optimal_cost <= saturating_add(trial.optimal_lower, slack);
    const bool had_bound = was_optimal || trial.optimal_lower > 0;
    path->optimality = had_bound ? Optimality::kStale : Optimality::kValidOnly;
    if (!was_optimal && had_bound)
      path->weight =
          static_cast<double>(trial.optimal_cost) / static_cast<double>(trial.optimal_lower);
  }

  // Sends the path. If a newer change has spoilt its proof, it is sent for the last revision at
  // which it was as good as when it was found.
  void tell_path(Slot slot, const ClaimTrial& trial, Cost old_cost, Cost slack) {
    const auto& agent = s_.agents[slot];
    const bool is_snapped = Kind::is_snapped(s_, slot);
    AgentEvent event{.revision = trial.told_at(), .old_cost = old_cost, .cost = trial.told_cost()};
    AgentPath path{.turn_too_tight = s_.agents.row(slot).is_tight,
                   .cost = event.cost,
                   .revision = event.revision,
                   .version = agent.path.version};
    Kind::points_of(path) = agent.path.points;
    Kind::show_line(s_, slot, &path);
    if (trial.spoiled_by) {
      claim_then(trial, slack, &path);
    } else {
      Kind::claim_found(s_, slot, &path);
    }
    const bool is_partial = s_.agents.row(slot).standing == Standing::kPartial;
    path.state = is_snapped   ? PathState::kStartBlocked
                 : is_partial ? PathState::kPartial
                              : PathState::kComplete;
    event.type = is_partial ? EventType::kPartial : is_snapped ? EventType::kNewPath : agent.answer;
    if (event.type == EventType::kNewPath) event.reason = agent.reason;
    if (is_snapped && event.reason == EventReason::kStartFreeAgain)
      event.reason = EventReason::kNone;
    event.path = std::move(path);
    v_.tell(slot, std::move(event));
  }
};

}  // namespace repath
