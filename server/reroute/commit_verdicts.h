// The verdicts that are given at once, in one pass over a commit and before any planning: whose
// route is broken, whose cost changed, who stands in an obstacle, whose goals are elsewhere now,
// and whom neither filter of exactness.md can settle.
//
// Not thread-safe. Borrows the state and the verdicts. Work is counted as commit work, apart from
// the frames' budgets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reroute/fall_filter.h"
#include "reroute/state.h"
#include "reroute/verdicts.h"

namespace repath {

class RouteCommitVerdicts {
 public:
  RouteCommitVerdicts(RouteState& state, RouteVerdicts& verdicts) : s_(state), v_(verdicts) {}

  // The world is at commit.revision. Returns how many routes were invalidated. O(rows of the views
  // changed + legs near changes + changes near agents' ways). The commit goes to the log.
  std::uint64_t apply(RouteCommit commit);

 private:
  struct Scope {  // one view's part of the commit
    Revision revision{};
    RouteViewId view{};
    const std::vector<RouteChange>& changes;
    const RouteGround& ground;
    const RouteFalls& falls;
    RouteBox all;    // around all changes, from and to
    RouteBox risen;  // of these the ones that rose
  };

  void judge_view(Revision revision, RouteViewId view, const std::vector<RouteChange>& changes);
  void judge_agent(const Scope& scope, RouteSlot slot);
  bool lost_ground(const Scope& scope, RouteSlot slot);
  void nudge(RouteSlot slot, const Spot& to);
  bool has_other_place(const Scope& scope, RouteSlot slot);
  void start_blocked(const Scope& scope, RouteSlot slot);
  void look_at_ground(const Scope& scope, RouteSlot slot);
  void look_at_goals(const Scope& scope, RouteSlot slot);
  bool walk_again(const Scope& scope, RouteSlot slot);
  void invalidate(const Scope& scope, RouteSlot slot, std::uint32_t broken, Cost before);
  void limit_hindsight(const Scope& scope, RouteSlot slot);
  void filter_route(const Scope& scope, RouteSlot slot, bool was_dearer);
  bool is_still_cut_off(const Scope& scope, RouteSlot slot);
  void wake(const Scope& scope, RouteSlot slot, const RouteChange* cause);
  void add_causes_on(const Scope& scope, RouteSlot slot, const Spot& a, const Spot& b);
  void add_causes_on_rest(const Scope& scope, RouteSlot slot);

  RouteState& s_;
  RouteVerdicts& v_;
  std::vector<RoutePoint> rest_;
  std::uint64_t invalidated_ = 0;
  std::uint64_t tests_ = 0;
};

}  // namespace repath
