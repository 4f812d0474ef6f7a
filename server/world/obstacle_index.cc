#include "world/obstacle_index.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "grid/cells/layer.h"

namespace repath {
namespace {

// Memory of a map node and its allocation besides the obstacle.
constexpr std::uint64_t kNodeOverheadBytes = 48;

bool before(const Obstacle* obstacle, ObstacleId id) { return obstacle->spec.id < id; }

}  // namespace

std::uint64_t Obstacle::bytes() const {
  std::uint64_t bytes = sizeof(Obstacle) + kNodeOverheadBytes +
                        cells.capacity() * sizeof(CellSpan) +
                        points_kept(spec.shape) * sizeof(Point);
  // The list has at most one entry for each tile met. A span meets one tile and one more for each
  // 64 cells.
  for (const CellSpan& span : cells)
    bytes += sizeof(void*) * (1 + static_cast<std::uint64_t>(span.x1 - span.x0) / kTileSide);
  return bytes;
}

std::vector<std::size_t> tiles_met(const CellSpans& cells, std::int32_t tiles_x) {
  std::vector<std::size_t> tiles;
  for (const CellSpan& span : cells) {
    const auto row =
        static_cast<std::size_t>(span.y >> kTileBits) * static_cast<std::size_t>(tiles_x);
    for (std::int32_t tx = span.x0 >> kTileBits; tx <= (span.x1 - 1) >> kTileBits; ++tx) {
      const std::size_t tile = row + static_cast<std::size_t>(tx);
      if (tiles.empty() || tiles.back() != tile) tiles.push_back(tile);
    }
  }
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return tiles;
}

ObstacleIndex::ObstacleIndex(std::int32_t width, std::int32_t height)
    : tiles_x_((width + kTileMask) >> kTileBits),
      tiles_(static_cast<std::size_t>(tiles_x_) *
             static_cast<std::size_t>((height + kTileMask) >> kTileBits)) {
  bytes_ = tiles_.size() * sizeof(tiles_[0]);
}

const Obstacle* ObstacleIndex::find(ObstacleId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

std::size_t ObstacleIndex::tile_of(std::int32_t x, std::int32_t y) const {
  return static_cast<std::size_t>(y >> kTileBits) * static_cast<std::size_t>(tiles_x_) +
         static_cast<std::size_t>(x >> kTileBits);
}

void ObstacleIndex::put(Obstacle obstacle) {
  const ObstacleId id = obstacle.spec.id;
  const auto [place, is_new] = by_id_.try_emplace(id);
  if (!is_new) {
    unlist(&place->second);
    bytes_ -= place->second.bytes();
  }
  place->second = std::move(obstacle);
  list(&place->second);
  bytes_ += place->second.bytes();
}

void ObstacleIndex::erase(ObstacleId id) {
  const auto place = by_id_.find(id);
  REPATH_CHECK(place != by_id_.end());
  unlist(&place->second);
  bytes_ -= place->second.bytes();
  by_id_.erase(place);
}

void ObstacleIndex::set_enabled(ObstacleId id, bool enabled) {
  const auto place = by_id_.find(id);
  REPATH_CHECK(place != by_id_.end());
  place->second.spec.enabled = enabled;
}

void ObstacleIndex::list(const Obstacle* obstacle) {
  for (const std::size_t tile : tiles_met(obstacle->cells, tiles_x_)) {
    auto& here = tiles_[tile];
    here.insert(std::lower_bound(here.begin(), here.end(), obstacle->spec.id, before), obstacle);
  }
}

void ObstacleIndex::unlist(const Obstacle* obstacle) {
  for (const std::size_t tile : tiles_met(obstacle->cells, tiles_x_)) {
    auto& here = tiles_[tile];
    here.erase(std::lower_bound(here.begin(), here.end(), obstacle->spec.id, before));
  }
}

}  // namespace repath
