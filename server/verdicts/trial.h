// The fate of a claim that a search made on an older revision, after every change since. A kind's
// trial fills this record (grid_ground/path_trial.h, route_ground/route_trial.h).
//
// Each later change is held against the claim as at a commit. As long as both filters pass, the
// claim is proved for the later revision, too. The first change that fails a filter spoils the
// claim: the agent waits since then.
#pragma once

#include <cstdint>
#include <optional>

#include "base/cost.h"
#include "base/ids.h"

namespace repath {

struct ClaimTrial {
  // The claim is proved for these revisions and all between.
  Revision from{};
  Revision proved{};
  Cost held = 0;  // cost, lower bound and allowance at `proved`
  Cost lower = 0;
  Cost allowance = 0;
  // The last of these revisions at which the path is as good as when it was found, not only within
  // its allowance; its cost and its lower bound there. A path found whose proof is spoilt is sent
  // for this revision, as STALE.
  Revision optimal_at{};
  Cost optimal_cost = 0;
  Cost optimal_lower = 0;  // less than the cost: only a bound is claimed
  Cost held_now = 0;       // cost at the world's revision, unless closed
  bool closed = false;     // the path is broken by now
  struct Spoiler {
    Revision revision{};
    std::uint64_t frame = 0;
    Micros us = 0;
    std::optional<ObstacleId> cause = {};
  };
  std::optional<Spoiler> spoiled_by = {};  // The first change that spoils the claim.
  // An obstacle that had gone stands again just as it was, so its going was not counted. `lower` is
  // then proved for today alone.
  bool stands_again = false;
  std::uint64_t tests = 0;  // filter tests, and steps and changes looked at

  // Returns the trial of a claim that was made just now, so no change can have spoilt it.
  static ClaimTrial of_today(Revision now) {
    ClaimTrial trial;
    trial.from = trial.proved = trial.optimal_at = now;
    return trial;
  }

  // The revision for which a path found is sent, and its cost there.
  Revision told_at() const { return spoiled_by ? optimal_at : proved; }
  Cost told_cost() const { return spoiled_by ? optimal_cost : held; }
};

}  // namespace repath
