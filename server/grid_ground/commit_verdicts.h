// The effect of a commit on the agents of a grid: the pass of verdicts/commit_pass.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid_ground/fall_filter.h"
#include "grid_ground/grid_kind.h"
#include "grid_ground/state.h"
#include "verdicts/commit_pass.h"

namespace repath {

class CommitVerdicts : private CommitPass<GridKind, CommitVerdicts> {
 public:
  CommitVerdicts(ReplanState& state, Verdicts<GridKind>& verdicts) : CommitPass(state, verdicts) {}

  // Applies the commit and returns how many paths were invalidated. The commit goes to the delta
  // log. REQUIRES: the world is at commit.revision. O(paths in the blocks touched + rows of the
  // views changed + edges near agents' ways).
  std::uint64_t apply(Commit commit);

 private:
  friend CommitPass;

  struct Scope {  // one view's part of the commit
    Revision revision{};
    const Commit& commit;
    const ViewDelta& delta;
    const GridLayer& layer;
    const FallFilter& falls;
    PlaceBox blocked = {};
    // State of the agent that is being judged.
    std::span<const PathHit> hits = {};  // its path's changed steps
    bool is_off_ground = false;
  };

  void judge_view(const Commit& commit, const ViewDelta& delta);
  bool lost_ground(const Scope& scope, Slot slot) const;
  void add_causes_here(const Scope& scope, Slot slot);
  void look_at_ground(const Scope& scope, Slot slot);
  std::optional<ObstacleId> freed_by(const Scope& scope, NodeId node) const;
  bool look_at_path(const Scope& scope, Slot slot);
  void filter_path(const Scope& scope, Slot slot, Cost before);
  void filter_partial(const Scope& scope, Slot slot, Cost before);
  bool may_reach(const Scope& scope, Slot slot);
  bool is_still_cut_off(const Scope& scope, Slot slot);
  std::optional<ObstacleId> first_opened(const Scope& scope) const;
  std::optional<ObstacleId> cause_of(const Scope& scope, const EdgeChange* edge) const;
  void add_causes_of_hits(const Scope& scope, Slot slot);
  std::optional<std::uint32_t> broken_line(const Scope& scope, Slot slot) const;
  void add_causes_beside(const Scope& scope, Slot slot, std::uint32_t node);

  std::vector<PathHit> hits_;
  std::optional<bool> labels_are_current_;  // for the view that is judged; empty: not asked yet
  std::size_t looks_left_ = 0;              // in the view that is judged
};

}  // namespace repath
