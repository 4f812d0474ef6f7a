// Which floor a position means, against a plain look at all cells: the nearest one of the base,
// whether something covers it or not.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "navmesh/carve/carved_mesh.h"
#include "support/carved_worlds.h"
#include "support/seed.h"

namespace repath {
namespace {

// Returns the height of the cells of the mesh at the point that is nearest to `y`.
template <class HeightAt>
std::optional<double> plain_floor(const NavMesh& mesh, const MeshPlace& at, double y, double reach,
                                  HeightAt&& height_at) {
  std::optional<double> nearest;
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    if (!mesh.is_live(c) || !holds(mesh, c, at.x, at.z)) continue;
    const double height = height_at(c);
    if (std::abs(height - y) > reach) continue;
    if (!nearest || std::abs(height - y) < std::abs(*nearest - y)) nearest = height;
  }
  return nearest;
}

// Obstacles on the lower floor, on the upper one, or on both.
CarveEdit random_cover(Random* random, double rise) {
  CarveEdit edit{CarveEdit::Kind::kUpsert, ObstacleId{1 + random->below(8)}, {}};
  edit.shape.pieces.push_back(test::random_obstacle(random, 12, 1.5));
  const std::uint32_t floor = random->below(3);
  edit.shape.y0 = floor == 1 ? 0.75 * rise : -1;
  edit.shape.y1 = floor == 0 ? rise / 2 : rise + 1;
  edit.shape.enabled = random->below(4) != 0;
  return edit;
}

TEST(CloseFloorsProperty, APositionMeansTheNearestFloorCoveredOrNot) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int free = 0;
  int covered = 0;  // and another floor within reach is free
  for (int round = 0; round < 90; ++round) {
    const double rise = round % 3 == 0 ? 0.4 : round % 3 == 1 ? 1.5 : 2.8;
    CarvedMesh mesh = *CarvedMesh::make(test::two_floors(&random, 10, 8, rise, 8), 3);
    const CarvedGround& ground = mesh.ground();
    for (int step = 0; step < 8; ++step) {
      const CarveEdit edit = random_cover(&random, rise);
      ASSERT_TRUE(mesh.apply({&edit, 1}).ok());
      for (int i = 0; i < 40; ++i) {
        const Point at{14 * random.unit(), 9 * random.unit() - 0.5};
        const double y = (rise + 3) * random.unit() - 1.5;
        const double reach = random.below(2) == 0 ? 2 : 2 * random.unit();
        const MeshPlace here = place_in(kNoCell, at);
        const auto floor = plain_floor(ground.base(), here, y, reach, [&](std::uint32_t c) {
          return ground.base().height_at(c, here.x, here.z);
        });
        const auto live = [&](double height, double height_reach) {
          return plain_floor(ground.mesh(), here, height, height_reach,
                             [&](std::uint32_t c) { return ground.height_at(c, here.x, here.z); });
        };
        const auto found = ground.find_cell(at, y, reach);
        SCOPED_TRACE(::testing::Message() << at.x << ", " << y << ", " << at.z);
        ASSERT_EQ(ground.find_floor(at, y, reach), floor);
        ASSERT_EQ(found.has_value(), floor && live(*floor, 1e-9));
        if (found) {
          ASSERT_TRUE(holds(ground.mesh(), found->cell, here.x, here.z));
          ASSERT_NEAR(ground.height_at(found->cell, here.x, here.z), *floor, 1e-9);
        }
        free += found ? 1 : 0;
        covered += !found && live(y, reach) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(free, 5'000);
  EXPECT_GT(covered, 100);
}

}  // namespace
}  // namespace repath
