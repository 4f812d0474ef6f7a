// From a proof to a verdict: what an agent is told at the end of its turn, if anything, and up to
// which revision it is proved. The kinds derive their Settling from this, and add what a search of
// theirs finds.
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

// What came of a finished search.
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

  // SETTLED, or WAITING for what spoiled the claim.
  void close(Slot slot, const ClaimTrial& trial) {
    if (!trial.spoiled_by) return v_.settle(slot);
    v_.serve_and_wait(slot, trial.proved, trial.spoiled_by->frame, trial.spoiled_by->us);
    v_.add_cause(slot, trial.spoiled_by->revision, trial.spoiled_by->cause);
  }

  // The verdict told before is right at the revisions that the trial proves, so nothing need be
  // told. But silence would speak for the revisions before these too.
  void close_in_silence(Slot slot, const ClaimTrial& trial) {
    const bool misleads = v_.silence_would_mislead(slot, trial.from);
    close(slot, trial);
    if (misleads) {
      v_.assure(slot, trial.proved);
    } else {
      v_.confirm(slot);
    }
  }

  // It stands in an obstacle, and no path is wanted or nothing free is near.
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

  // Tells the path that it has just been given to hold, of which `trial` says what is proved, and
  // closes. `slack`: costs that differ by no more count as equal.
  void give_path(Slot slot, const ClaimTrial& trial, Cost old_cost, Cost slack) {
    auto& row = s_.agents.row(slot);
    tell_path(slot, trial, old_cost);
    close(slot, trial);
    const Cost told = trial.told_cost();
    row.held = trial.held_now;
    const Cost apart = std::max(told, row.held) - std::min(told, row.held);
    if (apart > slack) v_.tell_cost(slot, told, row.held);
  }

  State& s_;
  Verdicts<Kind>& v_;

 private:
  // Whether its client has yet to hear that it has no path, for this reason.
  bool is_news(Slot slot, Standing standing) const {
    return s_.agents[slot].must_answer || s_.agents.row(slot).standing != standing;
  }

  void tell_no_path(Slot slot, const ClaimTrial& trial, Standing standing, PathState state,
                    Cost old_cost) {
    const bool is_new = is_news(slot, standing);
    v_.drop_path(slot);
    s_.agents.row(slot).standing = standing;
    if (!is_new) return close_in_silence(slot, trial);
    AgentEvent event;
    event.type =
        standing == Standing::kStartBlocked ? EventType::kStartBlocked : EventType::kUnreachable;
    event.revision = trial.proved;
    event.old_cost = old_cost;
    event.path = AgentPath{};
    event.path->state = state;
    event.path->revision = trial.proved;
    v_.tell(slot, std::move(event));
    close(slot, trial);
  }

  // A path that something newer spoilt is told for the last revision it was optimal at.
  void tell_path(Slot slot, const ClaimTrial& trial, Cost old_cost) {
    const auto& agent = s_.agents[slot];
    const bool is_snapped = Kind::is_snapped(s_, slot);
    AgentEvent event;
    event.revision = trial.told_at();
    event.old_cost = old_cost;
    event.cost = trial.told_cost();
    AgentPath path;
    path.cost = event.cost;
    path.revision = event.revision;
    path.version = agent.path.version;
    Kind::points_of(path) = agent.path.points;
    if (trial.spoiled_by) {
      path.optimality = Optimality::kStale;
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
