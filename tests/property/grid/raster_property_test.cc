// The rasteriser against the area of overlap, computed cell by cell without shared code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/random.h"
#include "grid/cells/raster.h"
#include "support/seed.h"

namespace repath {
namespace {

enum class Verdict { kCovered, kFree, kTooClose };

// Clips the polygon to one side of an axis-parallel line (Sutherland and Hodgman).
std::vector<Point> clip(const std::vector<Point>& polygon, bool by_x, double limit,
                        bool keep_below) {
  const auto inside = [&](Point p) {
    const double v = by_x ? p.x : p.z;
    return keep_below ? v <= limit : v >= limit;
  };
  std::vector<Point> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i];
    const Point b = polygon[(i + 1) % polygon.size()];
    if (inside(a)) kept.push_back(a);
    if (inside(a) == inside(b)) continue;
    const double t = by_x ? (limit - a.x) / (b.x - a.x) : (limit - a.z) / (b.z - a.z);
    kept.push_back({a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t});
  }
  return kept;
}

double area(const std::vector<Point>& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point b = p[(i + 1) % p.size()];
    twice += p[i].x * b.z - p[i].z * b.x;
  }
  return std::abs(twice) / 2;
}

Verdict by_area(std::vector<Point> polygon, int x, int y) {
  polygon = clip(polygon, true, x + 1, true);
  polygon = clip(polygon, true, x, false);
  polygon = clip(polygon, false, y + 1, true);
  polygon = clip(polygon, false, y, false);
  const double overlap = area(polygon);
  if (overlap > 1e-8) return Verdict::kCovered;
  return overlap < 1e-11 ? Verdict::kFree : Verdict::kTooClose;
}

Verdict by_distance(const Circle& circle, int x, int y) {
  const double dx = std::max({x - circle.center.x, 0.0, circle.center.x - (x + 1)});
  const double dz = std::max({y - circle.center.z, 0.0, circle.center.z - (y + 1)});
  const double depth = circle.radius - std::sqrt(dx * dx + dz * dz);
  if (depth > 1e-7) return Verdict::kCovered;
  return depth < 1e-12 ? Verdict::kFree : Verdict::kTooClose;
}

// Returns the distance of the point from the square of the cell.
double distance_from_cell(Point p, int x, int y) {
  const double dx = std::max({x - p.x, 0.0, p.x - (x + 1)});
  const double dz = std::max({y - p.z, 0.0, p.z - (y + 1)});
  return std::sqrt(dx * dx + dz * dz);
}

// Finds the nearest point of the axis by ternary search, as its distance from the square is convex.
Verdict by_distance(const Capsule& capsule, int x, int y) {
  const auto at = [&](double t) {
    const Point p{capsule.from.x + t * (capsule.to.x - capsule.from.x),
                  capsule.from.z + t * (capsule.to.z - capsule.from.z)};
    return distance_from_cell(p, x, y);
  };
  double low = 0;
  double high = 1;
  for (int i = 0; i < 90; ++i) {
    const double third = (high - low) / 3;
    (at(low + third) <= at(high - third) ? high : low) =
        at(low + third) <= at(high - third) ? high - third : low + third;
  }
  const double depth = capsule.radius - std::min({at(0), at(1), at(low), at(high)});
  if (depth > 1e-7) return Verdict::kCovered;
  return depth < 1e-12 ? Verdict::kFree : Verdict::kTooClose;
}

class RasterModel : public testing::Test {
 protected:
  static constexpr RasterFrame kFrame{.width = 24, .height = 17, .cell_size = 1};

  template <class Judge>
  void compare(const Shape& shape, const Judge& judge) {
    const CellSpans spans = covered_cells(shape, kFrame);
    for (std::size_t i = 1; i < spans.size(); ++i) {
      ASSERT_TRUE(spans[i - 1].y < spans[i].y ||
                  (spans[i - 1].y == spans[i].y && spans[i - 1].x1 < spans[i].x0));
    }
    for (int y = 0; y < kFrame.height; ++y) {
      for (int x = 0; x < kFrame.width; ++x) {
        const bool covered = std::any_of(spans.begin(), spans.end(), [&](const CellSpan& s) {
          return s.y == y && s.x0 <= x && x < s.x1;
        });
        const Verdict expected = judge(x, y);
        ++cells_;
        skipped_ += expected == Verdict::kTooClose ? 1 : 0;
        if (expected != Verdict::kTooClose) {
          ASSERT_EQ(covered, expected == Verdict::kCovered) << x << "," << y;
        }
      }
    }
  }
  void TearDown() override {
    EXPECT_LT(skipped_ * 1000, cells_) << "the model decides nearly always";
  }

  // Every second coordinate is on a whole or half cell, where shapes touch cells.
  double coordinate(double from, double to) {
    const double v = from + (to - from) * random_.unit();
    return random_.below(2) == 0 ? v : std::round(2 * v) / 2;
  }

  Random random_{test::seed()};
  std::uint64_t cells_ = 0;
  std::uint64_t skipped_ = 0;
};

TEST_F(RasterModel, AgreesOnPolygons) {
  SCOPED_TRACE(test::seed_trace());
  int compared = 0;
  for (int i = 0; i < 6000; ++i) {
    Polygon polygon;
    const std::uint32_t points = 3 + random_.below(5);
    for (std::uint32_t k = 0; k < points; ++k)
      polygon.points.push_back({coordinate(-4, 28), coordinate(-4, 21)});
    if (!check_polygon(polygon).ok()) continue;
    ++compared;
    compare(polygon, [&](int x, int y) { return by_area(polygon.points, x, y); });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, 1000);
}

// Needles from a ragged ring around a centre: many edges begin and end in one row.
TEST_F(RasterModel, AgreesOnPolygonsOfManyNeedles) {
  SCOPED_TRACE(test::seed_trace());
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    const Point center{coordinate(-2, 26), coordinate(-2, 19)};
    const std::uint32_t corners = 8 + random_.below(120);
    Polygon polygon;
    for (std::uint32_t k = 0; k < corners; ++k) {
      const double angle = 2 * std::acos(-1.0) * k / corners;
      const double radius = k % 2 == 0 ? 1 + random_.unit() : 2 + 12 * random_.unit();
      polygon.points.push_back(
          {center.x + radius * std::cos(angle), center.z + radius * std::sin(angle)});
    }
    if (!check_polygon(polygon).ok()) continue;
    ++compared;
    compare(polygon, [&](int x, int y) { return by_area(polygon.points, x, y); });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, 250);
}

TEST_F(RasterModel, AgreesOnTurnedBoxes) {
  SCOPED_TRACE(test::seed_trace());
  for (int i = 0; i < 1500; ++i) {
    Box box{{coordinate(-2, 26), coordinate(-2, 19)}, coordinate(0.5, 8), coordinate(0.5, 8), 0};
    if (random_.below(4) != 0) box.yaw = coordinate(-7, 7);
    const auto corners = box_corners(box);
    compare(box, [&](int x, int y) { return by_area({corners.begin(), corners.end()}, x, y); });
    if (HasFatalFailure()) return;
  }
}

TEST_F(RasterModel, AgreesOnCircles) {
  SCOPED_TRACE(test::seed_trace());
  for (int i = 0; i < 3000; ++i) {
    const Circle circle{{coordinate(-2, 26), coordinate(-2, 19)}, coordinate(0.5, 9)};
    compare(circle, [&](int x, int y) { return by_distance(circle, x, y); });
    if (HasFatalFailure()) return;
  }
}

TEST_F(RasterModel, AgreesOnCapsules) {
  SCOPED_TRACE(test::seed_trace());
  for (int i = 0; i < 1500; ++i) {
    Capsule capsule{{coordinate(-4, 28), coordinate(-4, 21)},
                    {coordinate(-4, 28), coordinate(-4, 21)},
                    coordinate(0.5, 5)};
    switch (random_.below(6)) {
      case 0:  // along the cells
        (random_.below(2) == 0 ? capsule.to.x : capsule.to.z) =
            random_.below(2) == 0 ? capsule.from.x : capsule.from.z;
        break;
      case 1:  // thin
        capsule.radius = 1e-5 + 0.01 * random_.unit();
        break;
      case 2:  // tiny, or without a length
        capsule.to = {capsule.from.x + 1e-4 * random_.below(3), capsule.from.z};
        capsule.radius = 1e-3;
        break;
      case 3:  // from far outside to far outside
        capsule.from.x -= 5000 * random_.unit();
        capsule.to.x += 5000 * random_.unit();
        break;
      default:
        break;
    }
    compare(capsule, [&](int x, int y) { return by_distance(capsule, x, y); });
    if (HasFatalFailure()) return;
  }
}

// Slanting walls whose side goes through a corner of a cell, and whose end touches one.
TEST_F(RasterModel, AgreesOnCapsulesThatTouchACorner) {
  SCOPED_TRACE(test::seed_trace());
  static constexpr Point kDirections[] = {{0.6, 0.8}, {-0.8, 0.6}, {5.0 / 13, -12.0 / 13}, {-1, 0}};
  for (int i = 0; i < 1000; ++i) {
    const Point corner{static_cast<double>(random_.below(25)),
                       static_cast<double>(random_.below(18))};
    const Point along = kDirections[random_.below(4)];
    const double radius = coordinate(0.5, 4);
    const double before = coordinate(0, 9);
    const double after = coordinate(0, 9);
    const bool by_end = random_.below(3) == 0;
    const Point foot = by_end ? Point{corner.x + radius * along.x, corner.z + radius * along.z}
                              : Point{corner.x - radius * along.z, corner.z + radius * along.x};
    const double back = by_end ? 0 : before;
    const Capsule capsule{{foot.x - back * along.x, foot.z - back * along.z},
                          {foot.x + after * along.x, foot.z + after * along.z},
                          radius};
    compare(capsule, [&](int x, int y) { return by_distance(capsule, x, y); });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace repath
