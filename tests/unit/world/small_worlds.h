// Small worlds of grids, their obstacles, and what a view of them shows.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "support/ascii_grid.h"
#include "world/world.h"

namespace repath::test {

inline constexpr TeamId kRed{0};
inline constexpr TeamId kBlue{1};

inline std::unique_ptr<World> make_world(GridMap map, std::vector<Profile> profiles = {},
                                         WorldLimits limits = {}) {
  auto world = World::create(
      {.name = "w", .map = std::move(map), .cell_size = 1, .profiles = std::move(profiles)},
      limits);
  REPATH_CHECK(world.ok());
  return *std::move(world);
}

inline ObstacleSpec wall(std::uint64_t id, CellRect cells) {
  return {.id = ObstacleId{id}, .shape = cells};
}
inline ObstacleSpec mud(std::uint64_t id, CellRect cells, double factor) {
  return {.id = ObstacleId{id}, .shape = cells, .effect = {.blocked = false, .factor = factor}};
}

inline Commit apply(World* world, const ChangeBatch& batch) {
  auto staged = world->stage(batch);
  EXPECT_TRUE(staged.ok()) << staged.status();
  return world->commit(*std::move(staged));
}

inline std::string seen(const World& world, ViewId view) { return drawing(world.layer(view)); }

}  // namespace repath::test
