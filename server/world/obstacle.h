// An obstacle as a world keeps it. Plain values.
#pragma once

#include <cstdint>

#include "grid/cells/cells.h"
#include "world/batch.h"

namespace repath {

// A body is kept as an obstacle whose id is its agent's, apart from the obstacles.
constexpr ObstacleId body_id(AgentId agent) { return ObstacleId{value(agent)}; }

struct Obstacle {
  ObstacleSpec spec;
  CellSpans cells;  // covered, within the map

  // Returns an estimate of its memory, including its places in an index. O(spans).
  std::uint64_t bytes() const;
};

}  // namespace repath
