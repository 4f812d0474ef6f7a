#include "grid/cells/raster.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace repath {
namespace {

constexpr RasterFrame kFrame{.width = 20, .height = 10, .cell_size = 1};

CellSpans block(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1) {
  CellSpans spans;
  for (std::int32_t y = y0; y < y1; ++y) spans.push_back({y, x0, x1});
  return spans;
}

TEST(Raster, ARectangleIsItsCellsClippedToTheMap) {
  EXPECT_EQ(covered_cells(CellRect{2, 3, 5, 6}, kFrame), block(2, 3, 5, 6));
  EXPECT_EQ(covered_cells(CellRect{-5, -5, 2, 1}, kFrame), block(0, 0, 2, 1));
  EXPECT_EQ(covered_cells(CellRect{18, 9, 99, 99}, kFrame), block(18, 9, 20, 10));
  EXPECT_TRUE(covered_cells(CellRect{20, 0, 30, 5}, kFrame).empty());
}

TEST(Raster, ABoxAlongCellEdgesCoversExactlyTheCellsInside) {
  EXPECT_EQ(covered_cells(Box{.center = {4, 5}, .half_x = 2, .half_z = 1, .yaw = 0}, kFrame),
            block(2, 4, 6, 6));
}

TEST(Raster, AnyOverlapCovers) {
  EXPECT_EQ(covered_cells(Box{.center = {4, 5}, .half_x = 2.000001, .half_z = 1, .yaw = 0}, kFrame),
            block(1, 4, 7, 6));
  EXPECT_EQ(covered_cells(Circle{.center = {4.5, 4.5}, .radius = 0.01}, kFrame), block(4, 4, 5, 5));
  EXPECT_EQ(covered_cells(Circle{.center = {4, 4}, .radius = 0.01}, kFrame), block(3, 3, 5, 5));
}

TEST(Raster, TouchingDoesNotCover) {
  EXPECT_EQ(covered_cells(Circle{.center = {4.5, 4.5}, .radius = 0.5}, kFrame), block(4, 4, 5, 5));
  const Polygon diamond{{{4, 2}, {6, 4}, {4, 6}, {2, 4}}};
  EXPECT_EQ(covered_cells(diamond, kFrame),
            (CellSpans{{2, 3, 5}, {3, 2, 6}, {4, 2, 6}, {5, 3, 5}}));
}

TEST(Raster, TheHollowOfAPolygonStaysFree) {
  const Polygon cup{{{0, 0}, {1, 0}, {1, 4}, {4, 4}, {4, 0}, {5, 0}, {5, 5}, {0, 5}}};
  EXPECT_EQ(covered_cells(cup, kFrame), (CellSpans{{0, 0, 1},
                                                   {0, 4, 5},
                                                   {1, 0, 1},
                                                   {1, 4, 5},
                                                   {2, 0, 1},
                                                   {2, 4, 5},
                                                   {3, 0, 1},
                                                   {3, 4, 5},
                                                   {4, 0, 5}}));
}

TEST(Raster, ATurnedWallThinnerThanACellHasNoGaps) {
  const CellSpans wall =
      covered_cells(Box{.center = {8, 5}, .half_x = 5, .half_z = 1e-6, .yaw = 0.5}, kFrame);
  for (std::size_t i = 1; i < wall.size(); ++i) {
    EXPECT_EQ(wall[i].y, wall[i - 1].y + 1);
    EXPECT_LT(wall[i].x0, wall[i - 1].x1)
        << "neighbouring rows share a column, so nothing slips through";
  }
  EXPECT_EQ(wall.size(), 5u + 1u);
}

TEST(Raster, AWallAlongCellEdgesCoversExactlyTheCellsInside) {
  EXPECT_EQ(covered_cells(Capsule{{2.5, 3.5}, {6.5, 3.5}, 0.5}, kFrame), block(2, 3, 7, 4));
  EXPECT_EQ(covered_cells(Capsule{{4.5, 7.5}, {4.5, 1.5}, 0.5}, kFrame), block(4, 1, 5, 8));
  EXPECT_EQ(covered_cells(Capsule{{2.5, 3.5}, {6.5, 3.5}, 0.500001}, kFrame).front(),
            (CellSpan{2, 2, 7}));
}

TEST(Raster, AThinDiagonalWallCoversAllCellsAroundTheCornersThatItMeets) {
  EXPECT_EQ(covered_cells(Capsule{{1, 1}, {4, 4}, 1e-6}, kFrame),
            (CellSpans{{0, 0, 2}, {1, 0, 3}, {2, 1, 4}, {3, 2, 5}, {4, 3, 5}}));
}

TEST(Raster, AWallIsFilledBetweenItsSides) {
  // Row 5 meets neither end, only the two long sides, which are 6 / cos(45 degrees) apart.
  const CellSpans wall = covered_cells(Capsule{{3, -2}, {17, 12}, 3}, kFrame);
  const auto row = std::ranges::find(wall, 5, &CellSpan::y);
  ASSERT_NE(row, wall.end());
  EXPECT_EQ(*row, (CellSpan{5, 5, 16}));
  EXPECT_EQ(wall.size(), 10u) << "one span a row";
}

TEST(Raster, AWallWithoutLengthIsACircle) {
  const Point center{7.3, 4.1};
  EXPECT_EQ(covered_cells(Capsule{center, center, 2.2}, kFrame),
            covered_cells(Circle{center, 2.2}, kFrame));
}

TEST(Raster, MeasuresInCells) {
  const RasterFrame half{.width = 20, .height = 10, .cell_size = 0.5};
  EXPECT_EQ(covered_cells(Box{.center = {2, 2.5}, .half_x = 1, .half_z = 0.5, .yaw = 0}, half),
            block(2, 4, 6, 6));
}

TEST(Raster, ShapesOffTheMapCoverNothing) {
  EXPECT_TRUE(covered_cells(Circle{.center = {-50, 1e9}, .radius = 3}, kFrame).empty());
  EXPECT_TRUE(
      covered_cells(Box{.center = {500, 5}, .half_x = 2, .half_z = 2, .yaw = 1}, kFrame).empty());
  EXPECT_TRUE(covered_cells(Polygon{{{-9, 0}, {-1, 3}, {-9, 5}}}, kFrame).empty());
  EXPECT_TRUE(covered_cells(Capsule{{-9, 0}, {-1, 9}, 0.9}, kFrame).empty());
  EXPECT_TRUE(covered_cells(Capsule{{-9, -3}, {30, -1}, 0.9}, kFrame).empty());
}

TEST(Raster, AShapeLargerThanTheMapCoversAll) {
  EXPECT_EQ(covered_cells(Circle{.center = {10, 5}, .radius = 1e6}, kFrame), block(0, 0, 20, 10));
  EXPECT_EQ(covered_cells(Box{.center = {10, 5}, .half_x = 1e6, .half_z = 1e6, .yaw = 1}, kFrame),
            block(0, 0, 20, 10));
  EXPECT_EQ(covered_cells(Capsule{{-1e4, -1e4}, {1e4, 1e4}, 1e4}, kFrame), block(0, 0, 20, 10));
}

TEST(Raster, TheRowsOfAnOutlineCountEachEdge) {
  // Two long edges over all ten rows, and two short ones over one row each; up to two rows too many
  // for each.
  const std::uint64_t wall =
      outline_rows(Box{.center = {8, 5}, .half_x = 0.25, .half_z = 9, .yaw = 0}, kFrame);
  EXPECT_GE(wall, 2u * 10);
  EXPECT_LE(wall, 2u * 10 + 2 * 3);
  Polygon needles;
  for (int i = 0; i < 100; ++i) needles.points.push_back({5 + i * 0.001, i % 2 == 0 ? 0.0 : 10.0});
  EXPECT_GE(outline_rows(needles, kFrame), 100u * 10);
  EXPECT_GE(outline_rows(Circle{.center = {8, 5}, .radius = 2}, kFrame), 4u);
  EXPECT_EQ(outline_rows(Capsule{{3, -20}, {8, 40}, 2}, kFrame), 10u) << "once, as a circle";
}

TEST(Raster, AnOutlineBesideTheMapHasNoRowsOnIt) {
  EXPECT_EQ(outline_rows(Polygon{{{-9, 0}, {-1, 3}, {-9, 5}}}, kFrame), 0u);
  EXPECT_EQ(outline_rows(Box{.center = {500, 5}, .half_x = 2, .half_z = 2, .yaw = 1}, kFrame), 0u);
  EXPECT_EQ(outline_rows(Circle{.center = {-50, 5}, .radius = 3}, kFrame), 0u);
  EXPECT_EQ(outline_rows(Circle{.center = {5, -50}, .radius = 3}, kFrame), 0u);
  EXPECT_EQ(outline_rows(Capsule{{-50, 5}, {-4, 5}, 3}, kFrame), 0u);
}

}  // namespace
}  // namespace repath
