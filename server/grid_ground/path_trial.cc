#include "grid_ground/path_trial.h"

#include <algorithm>
#include <vector>

#include "grid/cells/snap.h"
#include "grid_ground/changed_steps.h"
#include "grid_ground/fall_filter.h"

namespace repath {
namespace {

class PathTrialRun {
 public:
  PathTrialRun(const GridLayer& layer, const Goals& goals, const PathClaim& claim, Revision since)
      : layer_(layer), goals_(goals), claim_(claim) {
    out_.from = out_.proved = since;
    out_.held = out_.held_now = out_.optimal_cost = claim.held;
    out_.optimal_at = since;
    out_.lower = out_.optimal_lower = claim.lower;
    out_.allowance = claim.allowance;
  }

  void face(const LoggedDelta& logged) {
    const Cost held_before = out_.held_now;
    cross(logged.delta.risen);
    cross(logged.delta.fallen);
    if (out_.spoiled_by) return;
    const EdgeChange* spoiler = nullptr;
    if (survives(logged.delta, held_before, &spoiler)) {
      out_.proved = logged.revision;
      out_.held = out_.held_now;
      out_.lower = lower_;
      note_optimal();
      return;
    }
    out_.spoiled_by = {logged.revision, logged.frame, logged.us, {}};
    if (spoiler == nullptr) spoiler = last_crossed_;
    if (spoiler != nullptr && spoiler->cause != kNoCause)
      out_.spoiled_by->cause = logged.causes[spoiler->cause];
  }

  ClaimTrial finish(Revision now) {
    if (!out_.spoiled_by) out_.proved = now;
    return out_;
  }

 private:
  void note_optimal() {
    if (out_.lower < out_.held) return;
    out_.optimal_at = out_.proved;
    out_.optimal_cost = out_.optimal_lower = out_.held;
  }

  void cross(const std::vector<EdgeChange>& changes) {
    out_.tests += changes.size();
    if (changes.empty() || claim_.nodes.empty()) return;
    const EdgeChange* last = nullptr;
    for_each_changed_step(layer_, changes, box_of(layer_, changes), claim_.nodes, 0,
                          claim_.nodes.size() - 1, [&](std::size_t, const EdgeChange& change) {
                            if (last == nullptr || last < &change) last = &change;
                            if (change.after == kUnreachable)
                              out_.closed = true;
                            else
                              out_.held_now += change.after - change.before;  // modulo 2^64, exact
                          });
    if (last != nullptr) last_crossed_ = last;
  }

  // Returns whether the cell it begins at is still free and, if it stands in for the agent's place,
  // still the nearest free one.
  bool keeps_ground(const ViewDelta& delta) const {
    const NodeId origin = layer_.node_at(claim_.origin.x, claim_.origin.y);
    if (std::ranges::binary_search(delta.blocked, origin)) return false;
    return !claim_.stands || !frees_nearer(layer_, delta.freed, *claim_.stands, origin);
  }

  bool survives(const ViewDelta& delta, Cost held_before, const EdgeChange** spoiler) {
    if (out_.closed || !keeps_ground(delta)) return false;
    const FallFilter falls(layer_, goals_.metric(), delta.fallen);
    lower_ = out_.lower;
    if (claim_.standing != Standing::kPath && falls.opens()) {
      *spoiler = falls.first_opened();
      return false;
    }
    if (claim_.standing == Standing::kCutOff) return true;
    if (claim_.standing == Standing::kPartial) {
      const Rival rival = falls.to_partial_end(claim_.origin, goals_, claim_.end_distance,
                                               out_.held_now + 1, &out_.tests);
      *spoiler = rival.edge;
      return rival.edge == nullptr && out_.held_now == held_before;
    }
    const Rival rival = falls.to_goals(claim_.origin, goals_, lower_, &out_.tests);
    if (rival.edge != nullptr) lower_ = rival.cost;
    *spoiler = rival.edge;
    if (claim_.ratio)
      out_.allowance = std::min(
          out_.allowance, static_cast<Cost>(*claim_.ratio * static_cast<double>(out_.held_now)));
    return out_.held_now <= saturating_add(lower_, out_.allowance);
  }

  const GridLayer& layer_;
  const Goals& goals_;
  const PathClaim& claim_;
  ClaimTrial out_;
  Cost lower_ = 0;
  const EdgeChange* last_crossed_ = nullptr;
};

}  // namespace

ClaimTrial try_path(const DeltaLog& log, ViewId view, const GridLayer& layer, const Goals& goals,
                    const PathClaim& claim, Revision since, Revision now) {
  PathTrialRun trial(layer, goals, claim, since);
  if (since != now)
    log.for_each_after(view, since, [&](const LoggedDelta& logged) { trial.face(logged); });
  return trial.finish(now);
}

}  // namespace repath
