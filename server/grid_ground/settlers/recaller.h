// The proof, without a search, that an agent's earlier path is optimal today. A door that shut and
// opened again, or a stone that was put down and taken away, leaves a path as optimal as it was.
//
// The settlers `recall` and `detour` say why that is exact. Edges that changed and changed back are
// not in the net delta. Safe on any thread as log and layer are; one Recaller on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid_ground/agent_table.h"
#include "grid_ground/delta_log.h"

namespace repath {

struct Recalled {
  std::size_t at = 0;  // place of the agent in the path
  Cost held = 0;       // cost of the rest today; of steps that closed, their cost before
  Cost lower = 0;      // no path from there costs less today
  // The first step and the last one that are closed: from nodes[first] to nodes[first + 1] and so
  // on; none if the path is open.
  struct Gap {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  std::optional<Gap> gap;
  // Returns whether no path costs less, as if the closed steps were open.
  bool is_cheapest() const { return held <= lower; }
};

// Returns whether a change since `path` was looked at in vain may make it useful again. Only falls
// open its steps, and only rises remove rivals. O(deltas since).
bool may_count_again(const DeltaLog& log, ViewId view, const ProvedPath& path);

// How many changed edges are looked through for one path; more are not worth it.
inline constexpr std::size_t kRecallEdgesMax = 2048;

// Keeps the memory that it adds deltas up in from one path to the next, 160 KiB at most.
class Recaller {
 public:
  // Returns what `path` proves for an agent at `origin`, on `graph` as it is after all deltas of
  // the log. Empty if the agent is off the path, if the log does not reach back to it, or if too
  // much changed. Adds edges and steps looked at to `tests`. O(edges deltas + length log edges).
  std::optional<Recalled> recall(const DeltaLog& log, ViewId view, const GridGraph& graph,
                                 const Goals& goals, const ProvedPath& path, NodeId origin,
                                 std::uint64_t* tests);

 private:
  bool add_up(const DeltaLog& log, ViewId view, Revision since);
  void add(std::span<const EdgeChange> later);

  std::vector<std::span<const EdgeChange>> parts_;
  std::vector<EdgeChange> net_;
  std::vector<EdgeChange> spare_;
};

}  // namespace repath
