// A batch that was checked and worked out against one revision of a world, but not applied.
// TestChanges reads it and World::commit takes it.
//
// Its layers share tiles with the world's layers: this costs O(pages) and copies no cells. It may
// outlive later revisions of the world, but then it cannot be committed any more. It has the thread
// rule of the world.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "grid/cells/layer.h"
#include "world/resolve.h"
#include "world/view.h"

namespace repath {

class StagedBatch {
 public:
  struct View {
    GridLayer layer;  // as the batch would leave it
    ViewDelta delta;
  };

  // Returns the revision that the batch was worked out against.
  Revision base() const { return base_; }
  // Returns the views that would change, ascending by id.
  const std::vector<View>& views() const { return views_; }
  // Returns the view; null if it would not change. O(log views).
  const View* view(ViewId id) const {
    const auto key = [](const View& view) { return view.delta.view; };
    const auto found = std::ranges::lower_bound(views_, id, {}, key);
    return found != views_.end() && found->delta.view == id ? &*found : nullptr;
  }
  // Returns what Commit::causes would be.
  const std::vector<ObstacleId>& causes() const { return causes_; }

 private:
  friend class World;
  friend class Stager;
  StagedBatch() = default;

  Revision base_{};
  std::uint64_t views_epoch_ = 0;   // of the world, see World
  std::uint64_t content_hash_ = 0;  // of the world, after it
  ResolvedBatch batch_;
  std::vector<ObstacleId> causes_;
  std::vector<View> views_;
  // Bases that change, of views with a radius: the layers of terrain and obstacles alone.
  std::vector<std::pair<ViewId, GridLayer>> bases_;
};

}  // namespace repath
