// The ways to settle an agent whose turn has come.
//
// A settler either gives the verdict, or hands over a search that will give it, or passes the agent
// on to the next settler. Every verdict of a settler is exact, and its file, which has its name,
// says why. So the order decides nothing but the work: a look at the ground, paths known before,
// kept searches, searches from scratch.
#pragma once

#include "grid_ground/planning.h"

namespace repath {

// Asks the settlers in turn, but for those that ReplanOptions::without names. Never returns kNext:
// the last settler always has a search. REQUIRES: the agent waits and stands on free ground, or
// something free stands in for its place.
Tried settle_turn(Planning& p, Turn* turn);

// ---- one settler each; they spend what they cost from the frame's budget ----

Tried try_enclosed(Planning& p, Turn* turn);
// Asked early, of agents whose path did not break: a path that was open before may be open again,
// and then labels need not be asked.
Tried try_recall(Planning& p, Turn* turn);
// Asked after labels, of agents whose path broke: that path is left to the settler `detour`.
Tried try_recall_broken(Planning& p, Turn* turn);
Tried try_labels(Planning& p, Turn* turn);
// Asked later in a turn, of the agents that try_labels left to it.
Tried try_labels_behind(Planning& p, Turn* turn);
// Not a verdict but what the settlers after it need. Returns kNext or kLater.
Tried make_jump_map(Planning& p, Turn* turn);
Tried try_detour(Planning& p, Turn* turn);
Tried try_field(Planning& p, Turn* turn);
Tried try_repair(Planning& p, Turn* turn);
Tried try_jumps(Planning& p, Turn* turn);
// Returns kJob.
Tried begin_search(Planning& p, Turn* turn);

}  // namespace repath
