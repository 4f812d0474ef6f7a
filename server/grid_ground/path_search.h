// The searches of a grid's agents: kernels behind the interface of search/kept_search.h, for one
// set of goals on one view's graph. The flood for PARTIAL speaks for all nodes it reached.
//
// Not thread-safe; different searches may run in parallel. Borrows graph and goals.
#pragma once

#include <memory>

#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid/jps/idle_jumps.h"
#include "grid/jps/jump_map.h"
#include "search/kept_search.h"

namespace repath {

// Makes a search of this kind. kJump alone borrows `jumps`, the map of the graph's layer, which is
// uniform, and `idle`.
std::unique_ptr<PathSearch> make_search(SearchKind kind, const GridGraph& graph,
                                        const JumpMap& jumps, IdleJumps& idle, const Goals& goals,
                                        NodeId start);

}  // namespace repath
