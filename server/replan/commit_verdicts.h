// The verdicts that are given at once, in one pass over a commit and before any planning: who is
// cut off, whose cost changed, who stands in an obstacle, and whom neither filter of exactness.md
// can settle.
//
// Not thread-safe. Borrows the state and the verdicts. Work is counted as commit work, apart from
// the frames' budgets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "replan/fall_filter.h"
#include "replan/state.h"
#include "replan/verdicts.h"

namespace repath {

// The straight run of the path that the step to nodes[node] belongs to, counted from 1; 0 for the
// first node. O(node).
std::uint32_t waypoint_of(const GridLayer& layer, std::span<const NodeId> nodes,
                          std::uint32_t node);
// How many waypoints the path has more than its rest from nodes[at] on. O(at).
std::uint32_t waypoints_behind(const GridLayer& layer, std::span<const NodeId> nodes,
                               std::uint32_t at);

class CommitVerdicts {
 public:
  struct Count {
    std::uint64_t invalidated = 0;
  };

  CommitVerdicts(ReplanState& state, Verdicts& verdicts) : s_(state), v_(verdicts) {}

  // The world is at commit.revision. O(paths in the blocks touched + rows of the views changed +
  // edges near agents' ways). The commit goes to the delta log.
  Count apply(Commit commit);

 private:
  struct Scope {  // one view's part of the commit
    const Commit& commit;
    const ViewDelta& delta;
    const GridLayer& layer;
    const FallFilter& falls;
    PlaceBox blocked;
  };

  void judge_view(const Commit& commit, const ViewDelta& delta, Count* count);
  void judge_agent(const Scope& scope, Slot slot, std::span<const PathHit> hits, Count* count);
  bool cross_path(const Scope& scope, Slot slot, std::span<const PathHit> hits, Count* count);
  void filter_path(const Scope& scope, Slot slot, std::span<const PathHit> hits);
  void filter_partial(const Scope& scope, Slot slot, std::span<const PathHit> hits);
  bool is_still_cut_off(const Scope& scope, Slot slot);
  void start_blocked(const Scope& scope, Slot slot);
  void look_at_ground(const Scope& scope, Slot slot);
  void wake(const Scope& scope, Slot slot, const EdgeChange* cause);
  void add_cause(const Scope& scope, Slot slot, const EdgeChange* edge);

  ReplanState& s_;
  Verdicts& v_;
  std::vector<PathHit> hits_;
  std::optional<bool> labels_are_current_;  // of the view that is judged; empty: not asked for yet
  std::size_t looks_left_ = 0;              // in the view that is judged
  std::uint64_t tests_ = 0;
};

}  // namespace repath
