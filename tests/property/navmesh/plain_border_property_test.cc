// Scenes in which snap rounding has nothing to do, against the arrangement that performs it.
#include "navmesh/carve/plain_border.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "navmesh/carve/carve.h"
#include "support/carve_scenes.h"
#include "support/seed.h"

namespace repath {
namespace {

LatticeRing moved(LatticeRing ring, std::int32_t x, std::int32_t z) {
  for (LatticePoint& p : ring) p = {p.x + x, p.z + z};
  return ring;
}

// Expects the same loops in the same order, and counts plain scenes.
class PlainScenes : public testing::Test {
 protected:
  void compare(const LatticeRing& cell, const std::vector<LatticeRing>& obstacles) {
    std::vector<std::span<const LatticePoint>> rings(obstacles.begin(), obstacles.end());
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < rings.size(); ++i) all.push_back(i);
    if (plain_.find(cell, rings, all, &work_)) {
      ++found_;
      ASSERT_TRUE(border_.find(cell, rings, {}, &work_));
      border_.trace(0);
      ASSERT_EQ(plain_.points(), border_.points());
      ASSERT_EQ(plain_.loop_ends(), border_.loop_ends());
      for (std::size_t i = 0; i < plain_.sources().size(); ++i) {
        ASSERT_EQ(plain_.sources()[i].ring, border_.sources()[i].ring);
        ASSERT_EQ(plain_.sources()[i].edge, border_.sources()[i].edge);
      }
    }
    carver_.carve(cell, test::as_obstacles(obstacles), &carving_);
    arranger_.carve(cell, test::as_obstacles(obstacles), &arranged_);
    ASSERT_EQ(carving_, arranged_);
  }

  std::size_t found_ = 0;
  WorkMeter work_{kNoWorkLimits};
  PlainBorder plain_;
  CarveBorder border_;
  Carver carver_;
  Carver arranger_{true};
  Carving carving_;
  Carving arranged_;
};

TEST_F(PlainScenes, AreTheRuleAndSaidAsTheArrangementSaysThem) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 3'000; ++i) {
    const LatticeRing cell = moved(
        test::random_convex(&random, 6 * kLatticePerUnit, 3 + random.below(6)), -16'000, 16'000);
    std::vector<LatticeRing> obstacles;
    for (std::uint32_t k = random.below(7); k-- > 0;)
      obstacles.push_back(test::random_obstacle(&random, 6, 0.5 * random.below(2)));
    compare(cell, obstacles);
    if (HasFatalFailure()) FAIL() << "scene " << i;
  }
  EXPECT_GT(found_, 2'000u);
}

// A few millimetres: hardly a scene is plain, and the others must be recognised.
TEST_F(PlainScenes, AreKnownAmongThoseThatTouchEverywhere) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 60'000; ++i) {
    const auto side = static_cast<std::int32_t>(20 + random.below(4'000));
    LatticeRing cell = test::random_convex(&random, side, 3 + random.below(4));
    if (random.below(2) == 0)
      for (LatticePoint& p : cell) p = {p.x * 16, p.z * 16};
    const std::int32_t reach_mm = 1 + static_cast<std::int32_t>(random.below(60));
    std::vector<LatticeRing> obstacles;
    for (std::uint32_t k = random.below(5); k-- > 0;)
      obstacles.push_back(test::random_speck(
          &random, cell[random.below(static_cast<std::uint32_t>(cell.size()))], reach_mm));
    compare(cell, obstacles);
    if (HasFatalFailure()) FAIL() << "scene " << i;
  }
  EXPECT_GT(found_, 10'000u);
}

// On the same millimetres as the cell's edges, where users who lay things out on a grid put them.
TEST_F(PlainScenes, AreNotThoseOfBoxesThatLieAlongEdges) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  const std::int32_t unit = kLatticePerUnit;
  const LatticeRing cell{{0, 0}, {8 * unit, 0}, {8 * unit, 8 * unit}, {0, 8 * unit}};
  for (int i = 0; i < 5'000; ++i) {
    std::vector<LatticeRing> obstacles;
    for (std::uint32_t k = 1 + random.below(4); k-- > 0;) {
      const auto x = static_cast<std::int32_t>(random.below(9)) * unit - unit;
      const auto z = static_cast<std::int32_t>(random.below(9)) * unit - unit;
      const auto w = static_cast<std::int32_t>(1 + random.below(2)) * unit;
      obstacles.push_back({{x, z}, {x + w, z}, {x + w, z + w}, {x, z + w}});
    }
    compare(cell, obstacles);
    if (HasFatalFailure()) FAIL() << "scene " << i;
  }
}

}  // namespace
}  // namespace repath
