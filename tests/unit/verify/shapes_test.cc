#include "verify/shapes.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace repath::verify {
namespace {

// Returns the covered cells of a map as text, `#` for covered.
std::vector<std::string> drawn(const Shape& shape, int width, int height) {
  std::vector<std::string> rows(static_cast<std::size_t>(height),
                                std::string(static_cast<std::size_t>(width), '.'));
  for (const CellXY c : covered_cells(shape, width, height).cells) {
    rows[static_cast<std::size_t>(c.y)][static_cast<std::size_t>(c.x)] = '#';
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST(Shapes, ARectangleIsHalfOpenAndClipped) {
  EXPECT_EQ(drawn(Rect{1, 1, 3, 2}, 4, 3), (Rows{"....", ".##.", "...."}));
  EXPECT_EQ(drawn(Rect{-5, 2, 1, 9}, 4, 3), (Rows{"....", "....", "#..."}));
}

TEST(Shapes, TouchingAnEdgeDoesNotCover) {
  EXPECT_EQ(drawn(Box{{1.5, 1.5}, 0.5, 0.5, 0}, 3, 3), (Rows{"...", ".#.", "..."}));
  EXPECT_EQ(drawn(Circle{{1.5, 1.5}, 0.5}, 3, 3), (Rows{"...", ".#.", "..."}));
}

TEST(Shapes, TheSlightestOverlapCovers) {
  EXPECT_EQ(drawn(Box{{1.5, 1.5}, 0.51, 0.5, 0}, 3, 3), (Rows{"...", "###", "..."}));
  EXPECT_EQ(drawn(Circle{{1.5, 1.5}, 0.51}, 3, 3), (Rows{".#.", "###", ".#."}));
}

TEST(Shapes, ACircleReachesACellByItsNearestCorner) {
  EXPECT_EQ(drawn(Circle{{1.5, 1.5}, 0.70}, 3, 3), (Rows{".#.", "###", ".#."}));
  EXPECT_EQ(drawn(Circle{{1.5, 1.5}, 0.71}, 3, 3), (Rows{"###", "###", "###"}));
}

TEST(Shapes, YawTurnsTheFirstAxisTowardsTheSecond) {
  const Rows along{".....", ".....", "#####", ".....", "....."};
  const Rows down{"..#..", "..#..", "..#..", "..#..", "..#.."};
  EXPECT_EQ(drawn(Box{{2.5, 2.5}, 2.4, 0.4, 0}, 5, 5), along);
  EXPECT_EQ(drawn(Box{{2.5, 2.5}, 2.4, 0.4, std::numbers::pi / 2}, 5, 5), down);
  EXPECT_EQ(drawn(Box{{1.5, 1.5}, 1.3, 0.1, std::numbers::pi / 4}, 3, 3),
            (Rows{"##.", "###", ".##"}));
}

TEST(Shapes, AConcavePolygonLeavesItsBayFree) {
  const Polygon u{{{0, 0}, {1, 0}, {1, 2}, {2, 2}, {2, 0}, {3, 0}, {3, 3}, {0, 3}}};
  EXPECT_EQ(drawn(u, 4, 4), (Rows{"#.#.", "#.#.", "###.", "...."}));
  EXPECT_NEAR(overlap_area(u, 1, 1), 0, 1e-12);
  EXPECT_NEAR(overlap_area(u, 1, 2), 1, 1e-12);
}

TEST(Shapes, ACapsuleReachesCellsByItsSidesAndItsRoundEnds) {
  EXPECT_EQ(drawn(Capsule{{1.5, 1.5}, {3.5, 1.5}, 0.5}, 5, 3), (Rows{".....", ".###.", "....."}));
  EXPECT_EQ(drawn(Capsule{{1.5, 1.5}, {3.5, 1.5}, 0.51}, 5, 3), (Rows{".###.", "#####", ".###."}));
  EXPECT_EQ(drawn(Capsule{{2.5, 2.5}, {2.5, 2.5}, 0.71}, 5, 5),
            (Rows{".....", ".###.", ".###.", ".###.", "....."}));
  EXPECT_EQ(drawn(Capsule{{0.5, 0.5}, {3.5, 3.5}, 0.1}, 4, 4),
            (Rows{"##..", "###.", ".###", "..##"}));
  EXPECT_EQ(drawn(Capsule{{-5, 1.5}, {9, 1.5}, 0.2}, 3, 3), (Rows{"...", "###", "..."}));
  // Corners (2, 1) and (2, 2) are 0.3 away from the axis, one on each side of it.
  const auto slanting = [](double radius) {
    return Capsule{{2 + 0.24 - 0.6, 2 - 0.18 - 0.8}, {2 + 0.24 + 0.6, 2 - 0.18 + 0.8}, radius};
  };
  EXPECT_EQ(drawn(slanting(0.29), 4, 4), (Rows{".#..", ".##.", "..##", "...."}));
  EXPECT_EQ(drawn(slanting(0.31), 4, 4), (Rows{".##.", ".##.", ".###", "...."}));
}

TEST(Shapes, EitherOrientationCoversTheSame) {
  const Polygon one{{{0.2, 0.3}, {3.7, 0.9}, {1.1, 3.6}}};
  const Polygon other{{{1.1, 3.6}, {3.7, 0.9}, {0.2, 0.3}}};
  EXPECT_EQ(drawn(one, 4, 4), drawn(other, 4, 4));
}

TEST(Shapes, WhatRoundingDecidesIsAKnifeEdge) {
  EXPECT_FALSE(covered_cells(Box{{1.5, 1.5}, 0.5, 0.5, 0}, 3, 3).knife_edge) << "plain touch";
  const auto triangle = [](double tip) { return Polygon{{{0.1, 0.2}, {tip, tip}, {0.2, 0.1}}}; };
  EXPECT_TRUE(covered_cells(triangle(1 + 1e-8), 3, 3).knife_edge);
  EXPECT_TRUE(covered_cells(triangle(1 - 1e-8), 3, 3).knife_edge);
  EXPECT_FALSE(covered_cells(triangle(1.1), 3, 3).knife_edge);
  EXPECT_FALSE(covered_cells(triangle(0.9), 3, 3).knife_edge);
  EXPECT_TRUE(covered_cells(Circle{{1.5, 1.5}, 0.5 + 1e-11}, 3, 3).knife_edge);
  EXPECT_FALSE(covered_cells(Circle{{1.5, 1.5}, 0.6}, 3, 3).knife_edge);
  EXPECT_TRUE(covered_cells(Capsule{{0.5, 1.5}, {1.5, 1.5}, 0.5 + 1e-11}, 3, 3).knife_edge);
  EXPECT_FALSE(covered_cells(Capsule{{0.5, 1.5}, {1.5, 1.5}, 0.5}, 3, 3).knife_edge);
}

// Counts sample points within the polygon by crossing numbers, which is a different method.
TEST(Shapes, CoverageAgreesWithSampling) {
  const Polygon star{{{4.1, 0.3},
                      {5.0, 3.1},
                      {7.7, 3.2},
                      {5.6, 4.9},
                      {6.3, 7.6},
                      {4.0, 5.8},
                      {1.6, 7.4},
                      {2.5, 4.7},
                      {0.4, 3.0},
                      {3.2, 3.1}}};
  constexpr int kSamples = 40;
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      int within = 0;
      for (int i = 0; i < kSamples * kSamples; ++i) {
        const double px = x + (i % kSamples + 0.5) / kSamples;
        const double py = y + (i / kSamples + 0.5) / kSamples;
        bool in = false;
        for (std::size_t a = 0, b = star.corners.size() - 1; a < star.corners.size(); b = a++) {
          const Point p = star.corners[a];
          const Point q = star.corners[b];
          if ((p.y > py) != (q.y > py) && px < (q.x - p.x) * (py - p.y) / (q.y - p.y) + p.x)
            in = !in;
        }
        within += in ? 1 : 0;
      }
      EXPECT_NEAR(overlap_area(star, x, y), within / double{kSamples * kSamples}, 0.02)
          << "cell " << x << "," << y;
    }
  }
}

}  // namespace
}  // namespace repath::verify
