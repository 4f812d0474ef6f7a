// The deltas that the latest batches made for each view of a world of routes; see
// verdicts/delta_log.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "routes/route_world.h"
#include "verdicts/delta_log.h"

namespace repath {

struct LoggedRouteDelta {
  Revision revision{};
  std::vector<RouteChange> changes;
  std::vector<NodeId> tails;  // as in RouteDelta
  std::vector<NodeId> heads;
  std::uint64_t frame = 0;  // when it was committed
  Micros us = 0;

  std::uint64_t bytes() const {
    return sizeof *this + list_bytes(changes) + list_bytes(tails) + list_bytes(heads);
  }
};

class RouteDeltaLog : public DeltaLogOf<RouteViewId, LoggedRouteDelta> {
 public:
  // Limit for one view. A change takes sizeof(RouteChange), and the ids of its nodes.
  static constexpr std::size_t kChangesMax = std::size_t{1} << 16;

  explicit RouteDeltaLog(std::size_t changes_max = kChangesMax,
                         std::uint64_t bytes_max = ~std::uint64_t{0})
      : DeltaLogOf(changes_max, bytes_max) {}

  // REQUIRES: revisions ascend.
  void append(RouteCommit commit, std::uint64_t frame, Micros us) {
    for (RouteDelta& delta : commit.views) {
      const std::size_t changes = delta.changes.size();
      DeltaLogOf::append(delta.view,
                         {commit.revision, std::move(delta.changes), std::move(delta.tails),
                          std::move(delta.heads), frame, us},
                         changes);
    }
  }
};

}  // namespace repath
