#include "world/grid_copy.h"

#include <optional>
#include <utility>

#include "world/read_back.h"
#include "world/world.h"

namespace repath {

GridCopy::GridCopy(const World& world) : world_(world) {
  content_.kind = WorldKind::kGrid;
  content_.revision = world.revision();
  content_.state_hash = world.state_hash();
  content_.profiles = world.profiles();
  content_.width = world.width();
  content_.height = world.height();
  content_.cell_size = world.cell_size();
  content_.terrain_classes = world.terrain_classes();
}

void GridCopy::note_before(const ResolvedBatch& batch) {
  const auto keep_tile = [this](std::size_t tile) {
    const auto at = static_cast<std::uint32_t>(tile);
    tiles_.keep(at, [&] { return std::optional(read_tile(world_, at, {.of_all = true})); });
  };
  for (const TerrainEdit& edit : batch.terrain_edits)
    for (const std::size_t tile : world_.tiles_of(edit.cells)) keep_tile(tile);
  for (const ResolvedPlaneEdit& edit : batch.plane_edits)
    for_each_tile_met(edit.cells, world_.tiles_x(), keep_tile);
  for (const ResolvedObstacle& obstacle : batch.obstacles) {
    if (obstacle.is_body) {
      bodies_.keep(obstacle.id, [&] {
        return obstacle.before == nullptr ? std::nullopt : std::optional(body_of(*obstacle.before));
      });
    } else {
      obstacles_.keep(obstacle.id, [&] {
        return obstacle.before == nullptr ? std::nullopt : std::optional(obstacle.before->spec);
      });
    }
  }
}

bool GridCopy::advance(std::int64_t* bytes) {
  const auto next_tile = [this](const std::optional<std::uint32_t>& last) {
    const std::uint32_t next = last ? *last + 1 : 0;
    return next < world_.tile_count() ? std::optional(next) : std::nullopt;
  };
  const auto tile = [this](std::uint32_t at) { return read_tile(world_, at, {.of_all = true}); };
  const ObstacleIndex::ById& obstacles = world_.obstacle_index().by_id();
  const ObstacleIndex::ById& bodies = world_.bodies().by_id();
  const auto key_in = [](const ObstacleIndex::ById& map) {
    return [&map](const std::optional<ObstacleId>& last) { return key_after(map, last); };
  };
  return tiles_.advance(
             bytes, next_tile, tile,
             [](const TerrainTile& one) { return kTileSide * kTileSide + one.bytes(); }) &&
         obstacles_.advance(
             bytes, key_in(obstacles), [&](ObstacleId id) { return obstacles.at(id).spec; },
             bytes_of) &&
         bodies_.advance(
             bytes, key_in(bodies), [&](ObstacleId id) { return body_of(bodies.at(id)); },
             [](const Body&) { return 64; });
}

WorldContent GridCopy::take() {
  content_.tiles = tiles_.take();
  content_.obstacles = obstacles_.take();
  content_.bodies = bodies_.take();
  return std::move(content_);
}

}  // namespace repath
