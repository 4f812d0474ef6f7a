// A search that runs for an agent, as the planner keeps it from round to round.
#pragma once

#include <cstdint>
#include <memory>

#include "grid_ground/search_state.h"
#include "grid_ground/state.h"
#include "verdicts/rounds.h"

namespace repath {

struct SearchJob : JobCore {
  // Borrowed from the agent or its goals, or `own`. It lives as long as the question: see
  // Planner::forget.
  SearchState* state = nullptr;
  std::unique_ptr<SearchState> own;  // a search of a kind that is not kept
  bool is_repair = false;            // it repairs a kept state, under a cap
  bool is_fresh = false;             // all its work was done for this agent
  std::uint64_t behind = 0;          // number of revisions that a repair takes in
  WorkUnits spent = 0;               // by the search that runs
  WorkUnits waited = 0;              // by all searches that the job began
  WorkUnits cap = 0;                 // units after which a repair is given up
  WorkUnits labels_at = 0;  // units after which labels are asked whether it is in vain; 0: never
  SearchState::Slice slice;
};

}  // namespace repath
