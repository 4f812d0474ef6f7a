// What an agent's earlier paths prove today, without a search: a door that shut and opened again,
// a stone that was put down and taken away, leave a path as optimal as it was.
//
// A path whose cost and lower bound were proved at revision s, and all deltas since: edge by edge
// these come to one net delta, and filters 1 and 2 of server/docs/promise.md hold for that one as
// for any other. Edges that changed and changed back are not in it. If steps of the path are
// closed, it still bounds from below what any path can cost, which grid/jps/jps.h may use to mend
// it: a way round at no more than the old cost needs no further proof. Safe on any thread as log
// and layer are; one Recaller on one thread.
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
  Cost held = 0;       // of the rest today; if steps are closed, before they closed
  Cost lower = 0;      // no path from there costs less today
  // The first step and the last one that are closed: from nodes[first] to nodes[first + 1] and so
  // on; none if the path is open.
  struct Gap {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  std::optional<Gap> gap;
};

// Whether anything happened since `path` was looked at in vain that could make it of use again:
// steps open by falls only, rivals go by rises only. O(deltas since).
bool may_count_again(const DeltaLog& log, ViewId view, const ProvedPath& path);

// How many changed edges are looked through for one path; more are not worth it.
inline constexpr std::size_t kRecallEdgesMax = 2048;

// Keeps the memory that it adds deltas up in from one path to the next, 160 KiB at most.
class Recaller {
 public:
  // What `path` says of an agent at `origin`, on `graph` as it is after all deltas of the log.
  // None: the agent is not on it, the log does not reach back to it, or too much changed. Adds
  // edges and steps looked at to `tests`. O(edges deltas + length log edges).
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
