// Obstacles for navmesh-carve, navmesh-query and navmesh-settle: boxes turned anyhow, and cylinders
// or 8-gons, half of each, 0.5 to 2 world units across, whose middle lies on ground that is free
// when they are put there.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random.h"
#include "geometry/shapes.h"
#include "navmesh/carve/carved_mesh.h"
#include "navmesh/import/recast_build.h"

namespace repath::bench {

// Of what walks here unless said otherwise, world units: as Recast's defaults have it.
inline constexpr double kWalkerRadius = RecastParameters{}.agent_radius;

struct BenchObstacle {
  std::variant<Box, Circle, Polygon> shape;  // as it is, not grown; a polygon is convex
  double radius = kWalkerRadius;             // of who must keep clear of it
  double y = 0;                              // of the ground in its middle
  Point middle() const;
};

// From so far below the ground in the middle to so far above it.
inline constexpr double kObstacleBelow = 1;
inline constexpr double kObstacleAbove = 2;

// Grown by its radius, as the server does it.
absl::StatusOr<CarveEdit> upsert_of(ObstacleId id, const BenchObstacle& obstacle);
CarveEdit removal_of(ObstacleId id);

// What there is beside boxes.
enum class Rounds : std::uint8_t { kCylinders, kOctagons };

class ObstacleMaker {
 public:
  explicit ObstacleMaker(std::uint64_t seed, double radius = kWalkerRadius,
                         Rounds rounds = Rounds::kCylinders)
      : random_(seed), radius_(radius), rounds_(rounds) {}
  // What comes leaves the place free, grown as it is.
  void keep_free(Point place) { free_.push_back(place); }
  // Empty: a thousand tries found no place.
  std::optional<BenchObstacle> next(const CarvedGround& ground);
  // Its middle there, whatever else is. `*half_diagonal`: of the box that it is or might have been.
  BenchObstacle at(Point middle, double y, double* half_diagonal);
  // A point of the base, evenly, and its height there; it may have been carved away.
  Point random_point(const CarvedGround& ground, double* y);

 private:
  Random random_;
  double radius_;
  Rounds rounds_;
  std::vector<Point> free_;
};

}  // namespace repath::bench
