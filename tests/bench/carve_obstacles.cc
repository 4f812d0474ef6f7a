#include "bench/carve_obstacles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/grow.h"

namespace repath::bench {
namespace {

constexpr int kPlaceTries = 1000;
constexpr double kHalfLeast = 0.25;  // half of an obstacle's width
constexpr double kHalfMost = 1.0;
// Heights of a base cell and of its fragments may differ by this.
constexpr double kMiddleReach = 0.5;

absl::StatusOr<LatticeRing> grown(const Shape& convex, double radius) {
  const absl::StatusOr<std::vector<LatticeRing>> rings = grow(convex, radius);
  if (!rings.ok()) return rings.status();
  return rings->front();
}

// Makes a regular 8-gon with a corner in direction `yaw`.
Polygon octagon(Point middle, double radius, double yaw) {
  constexpr int kCorners = 8;
  Polygon polygon;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = yaw + 2 * std::numbers::pi * i / kCorners;
    polygon.points.push_back(
        {middle.x + radius * std::cos(angle), middle.z + radius * std::sin(angle)});
  }
  return polygon;
}

}  // namespace

Point BenchObstacle::middle() const {
  if (const Box* box = std::get_if<Box>(&shape)) return box->center;
  if (const Circle* circle = std::get_if<Circle>(&shape)) return circle->center;
  const std::vector<Point>& points = std::get<Polygon>(shape).points;
  const Point a = points.front();
  const Point b = points[points.size() / 2];
  return {(a.x + b.x) / 2, (a.z + b.z) / 2};
}

absl::StatusOr<CarveEdit> upsert_of(ObstacleId id, const BenchObstacle& obstacle) {
  const absl::StatusOr<LatticeRing> ring =
      std::visit([&](const auto& shape) { return grown(shape, obstacle.radius); }, obstacle.shape);
  if (!ring.ok()) return ring.status();
  CarveEdit edit{CarveEdit::Kind::kUpsert, id, {}};
  edit.shape.pieces.push_back(*ring);
  edit.shape.y0 = obstacle.y - kObstacleBelow;
  edit.shape.y1 = obstacle.y + kObstacleAbove;
  return edit;
}

CarveEdit removal_of(ObstacleId id) { return {CarveEdit::Kind::kRemove, id, {}}; }

Point ObstacleMaker::random_point(const CarvedGround& ground, double* y) {
  const MeshPlace place = ground.finder().random_place(&random_);
  *y = ground.base().height_at(place.cell, place.x, place.z);
  return place.point();
}

BenchObstacle ObstacleMaker::at(Point middle, double y, double* half_diagonal) {
  BenchObstacle made;
  made.radius = radius_;
  made.y = y;
  const double half_x = kHalfLeast + (kHalfMost - kHalfLeast) * random_.unit();
  const double half_z = kHalfLeast + (kHalfMost - kHalfLeast) * random_.unit();
  *half_diagonal = std::hypot(half_x, half_z);
  const double yaw = std::numbers::pi * random_.unit();
  if (random_.below(2) == 0) {
    made.shape = Box{middle, half_x, half_z, yaw};
  } else if (rounds_ == Rounds::kCylinders) {
    made.shape = Circle{middle, half_x};
  } else {
    made.shape = octagon(middle, half_x, yaw);
  }
  return made;
}

std::optional<BenchObstacle> ObstacleMaker::next(const CarvedGround& ground) {
  for (int tries = 0; tries < kPlaceTries; ++tries) {
    double y = 0;
    const Point middle = random_point(ground, &y);
    double half_diagonal = 0;
    const BenchObstacle made = at(middle, y, &half_diagonal);
    const double clear = 2 * (half_diagonal + radius_);
    const bool is_kept_free = std::ranges::any_of(
        free_, [&](Point p) { return std::hypot(p.x - middle.x, p.z - middle.z) < clear; });
    if (!is_kept_free && ground.find_cell(middle, made.y, kMiddleReach)) return made;
  }
  return std::nullopt;
}

}  // namespace repath::bench
