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

  std::uint64_t bytes() const {
    return sizeof *this + list_bytes(delta.risen) + list_bytes(delta.fallen) +
           list_bytes(delta.changed_nodes) + list_bytes(delta.freed) + list_bytes(delta.blocked) +
           list_bytes(causes);
  }
};

class DeltaLog : public DeltaLogOf<ViewId, LoggedDelta> {
 public:
  // Limit for one view. An edge takes 32 bytes, and its nodes.
  static constexpr std::size_t kEdgesMax = std::size_t{1} << 18;

  explicit DeltaLog(std::size_t edges_max = kEdgesMax, std::uint64_t bytes_max = ~std::uint64_t{0})
      : DeltaLogOf(edges_max, bytes_max) {}

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
};

}  // namespace repath
