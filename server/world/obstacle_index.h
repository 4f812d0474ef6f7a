// The obstacles of a grid: by id, and for each tile of 64 x 64 cells those that cover a cell of
// it.
//
// Not thread-safe; part of World. Addresses of obstacles are stable until they are erased.
//   1. A tile's list holds exactly the obstacles with a covered cell in it, enabled or not,
//   ascending by id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/layer.h"
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

class ObstacleIndex {
 public:
  using ById = std::map<ObstacleId, Obstacle>;

  // Makes an index without tiles.
  ObstacleIndex() = default;
  // Makes an index for a map of this many cells. O(tiles).
  ObstacleIndex(std::int32_t width, std::int32_t height);

  std::size_t size() const { return by_id_.size(); }
  const ById& by_id() const { return by_id_; }
  // Returns the obstacle; null if it is unknown. O(log n).
  const Obstacle* find(ObstacleId id) const;
  const std::vector<const Obstacle*>& in_tile(std::size_t tile) const { return tiles_[tile]; }
  std::int32_t tiles_x() const { return tiles_x_; }
  std::size_t tile_of(std::int32_t x, std::int32_t y) const;

  // Puts the obstacle in; it replaces the one with its id. O(log n + tiles met x obstacles of a
  // tile).
  void put(Obstacle obstacle);
  // REQUIRES for both functions: the id is known.
  void erase(ObstacleId id);
  void set_enabled(ObstacleId id, bool enabled);

  // Returns an estimate of the memory. O(1).
  std::uint64_t bytes() const { return bytes_; }

 private:
  void list(const Obstacle* obstacle);
  void unlist(const Obstacle* obstacle);

  ById by_id_;
  std::int32_t tiles_x_ = 0;
  std::vector<std::vector<const Obstacle*>> tiles_;
  std::uint64_t bytes_ = 0;
};

// Calls visit(tile) for the tiles in which the cells lie. A tile may come several times.
template <class Visit>
void for_each_tile_met(const CellSpans& cells, std::int32_t tiles_x, Visit visit) {
  for (const CellSpan& span : cells)
    for (std::int32_t tx = span.x0 >> kTileBits; tx <= (span.x1 - 1) >> kTileBits; ++tx)
      visit(static_cast<std::size_t>((span.y >> kTileBits) * tiles_x + tx));
}

// The tiles in which the cells lie, ascending, each once. O(spans x tiles of a span).
std::vector<std::size_t> tiles_met(const CellSpans& cells, std::int32_t tiles_x);

}  // namespace repath
