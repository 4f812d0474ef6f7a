// A batch that was checked and worked out against one revision of a world, but not applied: what
// TestChanges looks at and World::commit takes.
//
// Its layers share tiles with the world's, which costs O(pages) and no copy of cells. It may
// outlive later revisions of the world, but can then no longer be committed. Thread rule as the
// world's.
#pragma once

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
    GridLayer layer;  // as it would be
    ViewDelta delta;
  };

  // The revision it was worked out against.
  Revision base() const { return base_; }
  // The views that would change, ascending by id.
  const std::vector<View>& views() const { return views_; }
  // Null: the view would not change. O(log views).
  const View* view(ViewId id) const;
  // Commit::causes to be.
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
  // Of the views with a radius, what terrain and obstacles come to, where that changes.
  std::vector<std::pair<ViewId, GridLayer>> bases_;
};

}  // namespace repath
