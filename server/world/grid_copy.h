// The copy of a grid world under way (world/piecewise_copy.h).
#pragma once

#include <cstdint>

#include "world/piecewise_copy.h"
#include "world/resolve.h"
#include "world/world_content.h"

namespace repath {

class World;

class GridCopy {
 public:
  // Begins a copy of the world as it is. Borrows the world.
  explicit GridCopy(const World& world);

  // Is called before the batch is committed.
  void note_before(const ResolvedBatch& batch);
  // Copies about this many bytes more. Returns true when the copy is whole.
  bool advance(std::int64_t* bytes);
  // REQUIRES: the copy is whole.
  WorldContent take();

 private:
  const World& world_;
  WorldContent content_;  // all but what the parts below bring
  PiecewiseCopy<std::uint32_t, TerrainTile> tiles_;
  PiecewiseCopy<ObstacleId, ObstacleSpec> obstacles_;
  PiecewiseCopy<ObstacleId, Body> bodies_;
};

}  // namespace repath
