#include "navmesh/mesh/convex_split.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "navmesh/mesh/nav_mesh.h"

namespace repath {
namespace {

using Pieces = std::vector<std::vector<std::uint32_t>>;

std::vector<MeshSource::Vertex> vertices_at(const std::vector<LatticePoint>& points) {
  std::vector<MeshSource::Vertex> vertices;
  for (const LatticePoint p : points) vertices.push_back({p, 0});
  return vertices;
}

Pieces split(const std::vector<LatticePoint>& points) {
  std::vector<std::uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  Pieces pieces;
  EXPECT_TRUE(append_convex(vertices_at(points), all, &pieces));
  return pieces;
}

std::int64_t twice_area(const std::vector<LatticePoint>& points,
                        const std::vector<std::uint32_t>& piece) {
  std::int64_t sum = 0;
  for (std::size_t k = 2; k < piece.size(); ++k)
    sum += turn(points[piece[0]], points[piece[k - 1]], points[piece[k]]);
  return sum;
}

TEST(ConvexSplit, LeavesAConvexPolygonAsItIs) {
  const Pieces pieces = split({{0, 0}, {100, 0}, {100, 100}, {0, 100}});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].size(), 4u);
}

// A triangle whose long edge got two corners by rounding, one a step inside and one a step outside.
// The cut from the dent to the next corner but one would leave a sliver a step wide.
TEST(ConvexSplit, ADentOfAStepLeavesNoSliver) {
  const std::vector<LatticePoint> points{
      {0, 0}, {1600, 1144}, {24640, 17599}, {33600, 24000}, {0, 24000}};
  ASSERT_LT(turn(points[0], points[1], points[2]), 0);
  ASSERT_GT(turn(points[1], points[2], points[3]), 0);
  const Pieces pieces = split(points);
  std::int64_t sum = 0;
  for (const auto& piece : pieces) {
    EXPECT_GT(twice_area(points, piece), 1'000'000);
    sum += twice_area(points, piece);
  }
  EXPECT_EQ(sum, twice_area(points, {0, 1, 2, 3, 4}));
}

TEST(ConvexSplit, RefusesWhatHasNoArea) {
  const std::vector<LatticePoint> points{{0, 0}, {10, 0}, {20, 0}, {10, 0}};
  Pieces pieces;
  EXPECT_FALSE(append_convex(vertices_at(points), {0, 1, 2, 3}, &pieces));
  EXPECT_TRUE(pieces.empty());
}

}  // namespace
}  // namespace repath
