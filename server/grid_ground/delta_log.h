// The deltas that the latest batches made for each view of a grid; see verdicts/delta_log.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "verdicts/delta_log.h"
#include "world/view.h"

namespace repath {

struct LoggedDelta {
  Revision revision{};
  ViewDelta delta;
  std::vector<ObstacleId> causes;  // obstacles that the delta's edges name
  std::uint64_t frame = 0;         // when it was committed
  Micros us = 0;
};

class DeltaLog : public DeltaLogOf<ViewId, LoggedDelta> {
 public:
  // Limit for one view, 32 bytes each.
  static constexpr std::size_t kEdgesMax = std::size_t{1} << 18;

  explicit DeltaLog(std::size_t edges_max = kEdgesMax) : DeltaLogOf(edges_max) {}

  // REQUIRES: revisions ascend.
  void append(Commit commit, std::uint64_t frame, Micros us) {
    for (ViewDelta& delta : commit.views) {
      const ViewId view = delta.view;
      const std::size_t edges = delta.risen.size() + delta.fallen.size();
      DeltaLogOf::append(view, {commit.revision, std::move(delta), commit.causes, frame, us},
                         edges);
    }
  }
  // Returns the number of changed nodes after `since`, which is the cost of catching up.
  std::uint64_t changed_nodes_after(ViewId view, Revision since) const {
    std::uint64_t nodes = 0;
    for_each_after(view, since,
                   [&](const LoggedDelta& logged) { nodes += logged.delta.changed_nodes.size(); });
    return nodes;
  }
  std::uint64_t bytes() const { return changes() * (sizeof(EdgeChange) + 2 * sizeof(NodeId)); }
};

}  // namespace repath
