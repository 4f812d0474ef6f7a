// The verdicts that are given at once, in one pass over a commit and before any planning. This pass
// fixes the order in which an agent is judged, and the events it is sent.
//
// A SETTLED agent stays settled if the two filters of server/docs/promise.md pass. Otherwise it
// becomes WAITING, proved up to the revision before. If a step of a held path changed, the path has
// another cost (COST_CHANGED) or is broken (INVALIDATED); waiting agents are sent both, too.
// Nothing is planned here.
//
// `Pass` derives from this class, and defines what a change means to one kind of world:
//   `lost_ground`      something is over the agent's place now.
//   `add_causes_here`  adds the causes of that.
//   `look_at_ground`   for an agent in an obstacle: wakes it if it may stand elsewhere now.
//   `look_at_path`     filter 1; true if the path is broken.
//   `filter_path`      filter 2 of a complete path, whose cost was `before`.
//   `filter_partial`   filter 2 of a partial path.
//   `may_reach`        for an agent that could reach no goal: something opened that may let it.
//   `first_opened`     the obstacle, if any, behind what opened first.
// Its Scope is one view's part of a commit and has the commit's `revision`. Not thread-safe.
// Borrows the state and the verdicts. Work is counted as commit work, apart from the budgets.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "agents/agent.h"
#include "verdicts/verdicts.h"

namespace repath {

template <class Kind, class Pass>
class CommitPass {
 protected:
  using State = typename Kind::State;

  CommitPass(State& state, Verdicts<Kind>& verdicts) : s_(state), v_(verdicts) {}

  // Ends the pass over all views and passes the commit to the log. Returns how many paths were
  // invalidated.
  std::uint64_t finish(typename Kind::Commit commit) {
    for (const Slot slot : s_.confirming) v_.confirm(slot);
    s_.stats.commit_work_units += (tests_ + kTestsPerUnit - 1) / kTestsPerUnit;
    tests_ = 0;
    s_.log.append(std::move(commit), s_.frame, s_.now);
    return std::exchange(invalidated_, 0);
  }

  template <class Scope>
  void judge_agent(const Scope& scope, Slot slot) {
    Pass& pass = static_cast<Pass&>(*this);
    const auto& row = s_.agents.row(slot);
    if (pass.lost_ground(scope, slot)) return start_blocked(scope, slot);
    const bool was_settled = row.settled;
    pass.look_at_ground(scope, slot);
    const Cost before = row.held;
    if (pass.look_at_path(scope, slot) || !row.settled) return;
    switch (row.standing) {
      case Standing::kPath:
        pass.filter_path(scope, slot, before);
        break;
      case Standing::kPartial:
        pass.filter_partial(scope, slot, before);
        break;
      case Standing::kCutOff:
      case Standing::kStartBlocked:
        if (pass.may_reach(scope, slot)) wake(scope, slot, pass.first_opened(scope));
        break;
      case Standing::kEmpty:
      case Standing::kNone:
        break;
    }
    if (was_settled && row.settled) ++s_.stats.filter_settled;
  }

  // WAITING from this commit on.
  template <class Scope>
  void wake(const Scope& scope, Slot slot, std::optional<ObstacleId> cause) {
    v_.wait(slot, previous(scope.revision));
    v_.add_cause(slot, scope.revision, cause);
  }

  // The held path is broken; points[broken] is the end of its first broken step.
  template <class Scope, class AddCauses>
  void invalidate(const Scope& scope, Slot slot, std::uint32_t broken,
                  const AddCauses& add_causes) {
    auto& agent = s_.agents[slot];
    const auto& row = s_.agents.row(slot);
    v_.wait(slot, previous(scope.revision));
    add_causes();
    AgentEvent event{.type = EventType::kInvalidated,
                     .revision = scope.revision,
                     .path_version = agent.path.version,
                     .old_cost = agent.broken_at ? 0 : row.held};
    agent.broken_at = broken;
    Kind::show_break(s_, slot, &event);
    if (row.standing == Standing::kPartial) {
      v_.expect(slot, EventType::kNewPath, EventReason::kReachableAgain);
    } else {
      v_.expect(slot, EventType::kReplanned, EventReason::kNone);
    }
    v_.tell_at_once(slot, std::move(event));
    ++invalidated_;
  }

  // Sets the new cost of the held path. A waiting agent's later answer is then no improvement.
  template <class AddCauses>
  void change_cost(Slot slot, Cost after, const AddCauses& add_causes) {
    auto& agent = s_.agents[slot];
    auto& row = s_.agents.row(slot);
    const Cost before = std::exchange(row.held, after);
    const bool was_settled = row.settled;
    add_causes();
    v_.tell_at_once(slot, v_.cost_changed(before, after));
    if (was_settled) {
      v_.clear_causes(slot);
    } else if (agent.answer == EventType::kImproved) {
      agent.answer = EventType::kReplanned;
    }
  }

  State& s_;
  Verdicts<Kind>& v_;
  std::uint64_t tests_ = 0;

 private:
  // The agent stands in an obstacle. If it wants a path from beside the obstacle, it waits.
  // Otherwise it is settled: the verdict is a fact.
  template <class Scope>
  void start_blocked(const Scope& scope, Slot slot) {
    auto& agent = s_.agents[slot];
    auto& row = s_.agents.row(slot);
    v_.wait(slot, previous(scope.revision));
    static_cast<Pass&>(*this).add_causes_here(scope, slot);
    const Cost old_cost = holds_whole(agent) ? row.held : 0;
    v_.drop_path(slot);
    Kind::lose_origin(s_, slot);
    v_.begin_search_anew(slot);
    row.standing = Standing::kStartBlocked;
    v_.tell_at_once(slot, v_.no_path(EventType::kStartBlocked, PathState::kStartBlocked,
                                     scope.revision, old_cost));
    v_.expect_nothing(slot);
    if (!agent.spec.snap_start) v_.settle_unserved(slot);
  }

  std::uint64_t invalidated_ = 0;
};

}  // namespace repath
