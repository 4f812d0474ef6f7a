// A view is what one (profile, team) sees of a world: the layer that terrain and obstacles come to,
// and how it changes. Plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "grid/cells/edges.h"
#include "grid/cells/layer.h"

namespace repath {

// One view in use; means nothing to another world. The number of a released view is used again.
enum class ViewId : std::uint32_t {};
constexpr std::uint32_t index(ViewId v) { return static_cast<std::uint32_t>(v); }

// What one batch does to one view. All lists sorted, without doubles. Causes index Commit::causes.
struct ViewDelta {
  ViewId view{};
  std::vector<EdgeChange> risen;
  std::vector<EdgeChange> fallen;
  std::vector<NodeId> changed_nodes;  // ends of these edges
  std::vector<NodeId> freed;          // cells that were blocked
  std::vector<NodeId> blocked;        // cells that were free
};

// What a batch came to. Views without any change are left out; ascending by view.
struct Commit {
  Revision revision{};
  std::uint64_t state_hash = 0;
  std::vector<ObstacleId>
      causes;  // obstacles of the batch: removed, switched, upserted, in the batch's order
  std::vector<ViewDelta> views;
};

}  // namespace repath
