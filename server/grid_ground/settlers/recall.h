// Settlers named `recall`: a path that was proved for the agent before is optimal again, as after a
// door that shut and opened.
//
// Why they are exact: the path's cost and lower bound were proved at an earlier revision. Recaller
// adds up all deltas since then, edge by edge, to one net delta, and filters 1 and 2 of the promise
// hold for that delta as for any other. The path is optimal if all its steps are open and its cost
// today is at most its lower bound today.
#pragma once

#include <cstddef>

#include "grid_ground/planning.h"
#include "grid_ground/settlers/settler.h"

namespace repath {

// Asked early, for agents whose path did not break: a path that was open before may be open again,
// and then labels need not be asked.
class RecallSettler final : public Settler {
 public:
  explicit RecallSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  Planning& p_;
};

// Asked after labels, of agents whose path broke: that path is left to the settler `detour`.
class RecallBrokenSettler final : public Settler {
 public:
  explicit RecallBrokenSettler(Planning& planning) : p_(planning) {}
  Tried attempt(Turn* turn) override;

 private:
  Planning& p_;
};

// ---- shared with the settler `detour` ----

// Drops the agent's proved paths that the log does not reach back to.
void drop_forgotten(Planning& planning, const Turn& turn);
// Looks at the agent's i-th proved path and notes there why it is of no use, if it is not. Spends
// what that costs, and adds it to `units`.
std::optional<Recalled> recall(Planning& planning, const Turn& turn, std::size_t i,
                               WorkUnits* units);
// Returns whether what was recalled is a path that is optimal today.
bool counts_again(const Recalled& recalled);
// Returns whether the agent's path is as long as no path can be shorter but for closed steps.
bool counts_but_for_gap(const Recalled& recalled);
// Settles the agent on its i-th proved path. REQUIRES: counts_again. Returns whether it was served.
bool settle_on(Planning& planning, const Turn& turn, std::size_t i, const Recalled& recalled);

}  // namespace repath
