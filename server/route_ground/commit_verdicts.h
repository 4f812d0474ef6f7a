// The effect of a commit on the agents of a world of routes: the pass of verdicts/commit_pass.h.
// Goals and places are looked at as well, for they may be elsewhere now.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "route_ground/fall_filter.h"
#include "route_ground/route_kind.h"
#include "route_ground/state.h"
#include "verdicts/commit_pass.h"

namespace repath {

class RouteCommitVerdicts : private CommitPass<RouteKind, RouteCommitVerdicts> {
 public:
  RouteCommitVerdicts(RouteState& state, Verdicts<RouteKind>& verdicts)
      : CommitPass(state, verdicts) {}

  // Applies the commit and returns how many routes were invalidated. The commit goes to the log.
  // REQUIRES: the world is at commit.revision. O(rows of the views changed + legs near changes +
  // changes near agents' ways).
  std::uint64_t apply(RouteCommit commit);

 private:
  friend CommitPass;

  struct Scope {  // one view's part of the commit
    Revision revision{};
    RouteViewId view{};
    const std::vector<RouteChange>& changes;
    const RouteGround& ground;
    const RouteFalls& falls;
    RouteBox all;    // around all changes, from and to
    RouteBox risen;  // box of the changes that rose
  };

  void judge_view(Revision revision, RouteViewId view, const std::vector<RouteChange>& changes);
  bool lost_ground(const Scope& scope, Slot slot);
  void nudge(Slot slot, const Spot& to);
  void add_causes_here(const Scope& scope, Slot slot);
  void look_at_ground(const Scope& scope, Slot slot);
  bool look_at_path(const Scope& scope, Slot slot);
  bool has_other_place(const Scope& scope, Slot slot);
  void look_at_goals(const Scope& scope, Slot slot);
  void wake_for_goals(const Scope& scope, Slot slot);
  bool walk_again(const Scope& scope, Slot slot);
  void limit_hindsight(const Scope& scope, Slot slot);
  void filter_path(const Scope& scope, Slot slot, Cost before);
  void filter_partial(const Scope& scope, Slot slot, Cost before);
  bool may_reach(const Scope& scope, Slot slot);
  bool is_still_cut_off(const Scope& scope, Slot slot);
  std::optional<ObstacleId> first_opened(const Scope& scope) const;
  void add_causes_on(const Scope& scope, Slot slot, const Spot& a, const Spot& b);
  void add_causes_on_rest(const Scope& scope, Slot slot);

  std::vector<RoutePoint> rest_;
};

}  // namespace repath
