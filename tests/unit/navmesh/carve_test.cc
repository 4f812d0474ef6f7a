#include "navmesh/carve/carve.h"

#include <gtest/gtest.h>

#include <cstddef>

#include "geometry/grow.h"
#include "support/carve_scenes.h"

namespace repath {
namespace {

constexpr std::int32_t kMetre = kLatticePerUnit;

LatticeRing square(std::int32_t x0, std::int32_t z0, std::int32_t x1, std::int32_t z1) {
  return {{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}};
}

Carving carved(const LatticeRing& cell, const std::vector<LatticeRing>& rings) {
  std::vector<CarveObstacle> obstacles;
  for (std::size_t i = 0; i < rings.size(); ++i)
    obstacles.push_back({ObstacleId{i + 1}, 0, rings[i]});
  Carver carver;
  Carving out;
  carver.carve(cell, obstacles, &out);
  return out;
}

std::size_t count(const Carving& carving, FragmentEdgeKind kind, std::uint32_t number) {
  std::size_t found = 0;
  for (const FragmentEdge& e : carving.edges) found += e.kind == kind && e.number == number ? 1 : 0;
  return found;
}

TEST(Carve, ACellWithNothingNearIsItsOwnFragment) {
  const LatticeRing cell = square(0, 0, 4 * kMetre, 4 * kMetre);
  const Carving whole = carved(cell, {});
  EXPECT_EQ(whole.fragment_ends, (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(whole.edges[1], (FragmentEdge{{4 * kMetre, 0}, FragmentEdgeKind::kBase, 1, {}}));
  EXPECT_EQ(carved(cell, {square(5 * kMetre, 0, 6 * kMetre, kMetre)}), whole);
}

TEST(Carve, ACoveredCellHasNoFragments) {
  const LatticeRing cell = square(0, 0, 4 * kMetre, 4 * kMetre);
  EXPECT_TRUE(carved(cell, {cell}).edges.empty());
  EXPECT_TRUE(carved(cell, {square(-1600, -1600, 5 * kMetre, 5 * kMetre)}).edges.empty());
  // By two obstacles that overlap, and by two that only touch.
  EXPECT_TRUE(carved(cell, {square(0, 0, 3 * kMetre, 4 * kMetre),
                            square(kMetre, 0, 4 * kMetre, 4 * kMetre)})
                  .edges.empty());
  EXPECT_TRUE(carved(cell, {square(0, 0, 2 * kMetre, 4 * kMetre),
                            square(2 * kMetre, 0, 4 * kMetre, 4 * kMetre)})
                  .edges.empty());
}

TEST(Carve, ABoxInTheMiddleLeavesFourFragments) {
  const Carving carving = carved(square(0, 0, 4 * kMetre, 4 * kMetre),
                                 {square(kMetre, kMetre, 3 * kMetre, 3 * kMetre)});
  EXPECT_EQ(carving.fragment_ends.size(), 4u);
  EXPECT_EQ(carving.diagonals, 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(count(carving, FragmentEdgeKind::kBase, i), 1u);
    EXPECT_EQ(count(carving, FragmentEdgeKind::kObstacle, i), 1u);
    EXPECT_EQ(count(carving, FragmentEdgeKind::kDiagonal, i), 2u);
  }
}

TEST(Carve, AnObstacleAlongABaseEdgeBlocksItFromBothSides) {
  const LatticeRing box = square(4 * kMetre, kMetre, 5 * kMetre, 2 * kMetre);
  // The box lies in the right cell only and touches the left cell along their common edge.
  const Carving left = carved(square(0, 0, 4 * kMetre, 4 * kMetre), {box});
  const Carving right = carved(square(4 * kMetre, 0, 8 * kMetre, 4 * kMetre), {box});
  EXPECT_EQ(left.fragment_ends.size(), 1u);
  EXPECT_EQ(count(left, FragmentEdgeKind::kBase, 1), 2u);
  EXPECT_EQ(count(left, FragmentEdgeKind::kObstacle, 3), 1u);
  EXPECT_EQ(count(right, FragmentEdgeKind::kBase, 3), 2u);
}

TEST(Carve, ObstaclesThatTouchAtACornerLeaveNoWayBetweenThem) {
  const Carving carving = carved(square(0, 0, 4 * kMetre, 4 * kMetre),
                                 {square(0, 0, 2 * kMetre, 2 * kMetre),
                                  square(2 * kMetre, 2 * kMetre, 4 * kMetre, 4 * kMetre)});
  EXPECT_EQ(carving.fragment_ends.size(), 2u);
  EXPECT_EQ(carving.diagonals, 0u);
}

TEST(Carve, CornersAreNumberedOverThePiecesOfAnObstacle) {
  const LatticeRing first = square(kMetre, kMetre, 2 * kMetre, 2 * kMetre);
  const LatticeRing second = square(2 * kMetre, kMetre, 3 * kMetre, 2 * kMetre);
  Carver carver;
  Carving out;
  const std::vector<CarveObstacle> pieces{{ObstacleId{5}, 0, first}, {ObstacleId{5}, 4, second}};
  carver.carve(square(0, 0, 4 * kMetre, 4 * kMetre), pieces, &out);
  EXPECT_EQ(count(out, FragmentEdgeKind::kObstacle, 3), 1u);  // left side of the first
  EXPECT_EQ(count(out, FragmentEdgeKind::kObstacle, 5), 1u);  // right side of the second
  EXPECT_EQ(count(out, FragmentEdgeKind::kObstacle, 1), 0u);  // the seam
  for (const FragmentEdge& e : out.edges)
    if (e.kind == FragmentEdgeKind::kObstacle) {
      EXPECT_EQ(e.obstacle, ObstacleId{5});
    }
}

// Grown boxes in four rows, each of which crosses all others; some pass near a corner of the cell.
TEST(Carve, ACrowdOfObstaclesThatCrossEachOtherIsLittleWork) {
  const std::int32_t unit = kLatticePerUnit;
  const LatticeRing cell{{0, 0}, {8 * unit, 0}, {8 * unit, 8 * unit}, {0, 8 * unit}};
  std::vector<LatticeRing> rings;
  for (int i = 0; i < 240; ++i) {
    const Point center{0.515 + 0.1 * (i % 60), 0.315 + 0.2 * (i / 60)};
    rings.push_back(grow(Box{center, 0.015, 0.015, 0}, 2)->front());
  }
  Carver carver;
  Carving carving;
  WorkMeter work(kNoWorkLimits);
  ASSERT_TRUE(carver.carve(cell, test::as_obstacles(rings), &carving, &work));
  EXPECT_FALSE(carving.fragment_ends.empty());
  EXPECT_LT(work.spent(), 150'000'000u);  // all pairs of pieces would be many times as much
  WorkMeter little({.units = work.spent() / 2, .units_per_byte = 0});
  EXPECT_FALSE(carver.carve(cell, test::as_obstacles(rings), &carving, &little));
}

}  // namespace
}  // namespace repath
