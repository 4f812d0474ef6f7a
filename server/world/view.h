// A view of a world: the layer that one (profile, team) sees, and how it changes. Plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "grid/cells/edges.h"
#include "grid/cells/layer.h"

namespace repath {

// The id of a view in use, valid in its own world alone. The number of a released view is used
// again.
enum class ViewId : std::uint32_t {};
constexpr std::uint32_t index(ViewId v) { return static_cast<std::uint32_t>(v); }

// The effect of one batch on one view. All lists are sorted, without doubles. Causes index
// Commit::causes.
struct ViewDelta {
  ViewId view{};
  std::vector<EdgeChange> risen;
  std::vector<EdgeChange> fallen;
  std::vector<NodeId> changed_nodes;  // ends of these edges
  std::vector<NodeId> freed;          // cells that were blocked
  std::vector<NodeId> blocked;        // cells that were free
};

// The effect of a batch on a world. Unchanged views are left out; ascending by view.
struct Commit {
  Revision revision{};
  std::uint64_t state_hash = 0;
  std::vector<ObstacleId>
      causes;  // obstacles of the batch: removed, switched, upserted, in the batch's order
  std::vector<ViewDelta> views;
};

}  // namespace repath
