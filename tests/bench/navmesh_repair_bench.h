// The part of `repath-bench navmesh-settle` for ground of several costs: each strategy settles the
// same agents after the same changes, in a world of its own.
#pragma once

#include <optional>

#include "bench/navmesh_ground.h"
#include "bench/navmesh_settle_bench.h"
#include "bench/output.h"

namespace repath::bench {

// Returns a row for each kind of change and strategy; empty if there is no room. Besides the
// obstacles that block, `options.dear` make ground dearer.
std::optional<Json> navmesh_repair_rows(const NavmeshSettleOptions& options,
                                        const NavmeshGround& ground);

}  // namespace repath::bench
