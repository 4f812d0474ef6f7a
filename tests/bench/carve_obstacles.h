// Obstacles for navmesh-carve, navmesh-query and navmesh-settle, 0.5 to 2 world units wide. Half of
// them are boxes at any angle, the others cylinders or 8-gons. Their middle lies on ground that is
// free when they are added.
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

// Default radius of the agents here, in world units: Recast's default.
inline constexpr double kWalkerRadius = RecastParameters{}.agent_radius;

struct BenchObstacle {
  std::variant<Box, Circle, Polygon> shape;  // not grown; a polygon is convex
  double radius = kWalkerRadius;             // radius of the agents that must keep clear of it
  double y = 0;                              // height of the ground in its middle
  Point middle() const;
};

// An obstacle reaches from this far below the ground in its middle to this far above it.
inline constexpr double kObstacleBelow = 1;
inline constexpr double kObstacleAbove = 2;

// Returns the edit that adds the obstacle, grown by its radius as the server does it.
absl::StatusOr<CarveEdit> upsert_of(ObstacleId id, const BenchObstacle& obstacle);
CarveEdit removal_of(ObstacleId id);

// The kind of obstacles beside boxes.
enum class Rounds : std::uint8_t { kCylinders, kOctagons };

class ObstacleMaker {
 public:
  explicit ObstacleMaker(std::uint64_t seed, double radius = kWalkerRadius,
                         Rounds rounds = Rounds::kCylinders)
      : random_(seed), radius_(radius), rounds_(rounds) {}
  // Keeps the place free: grown obstacles do not cover it.
  void keep_free(Point place) { free_.push_back(place); }
  // Returns the next obstacle; empty if a thousand tries found no place.
  std::optional<BenchObstacle> next(const CarvedGround& ground);
  // Returns an obstacle with its middle there, whatever else is there. `*half_diagonal`: of the box
  // that it is or might have been.
  BenchObstacle at(Point middle, double y, double* half_diagonal);
  // Returns a random point of the base, evenly by area, and its height; it may have been carved
  // away.
  Point random_point(const CarvedGround& ground, double* y);

 private:
  Random random_;
  double radius_;
  Rounds rounds_;
  std::vector<Point> free_;
};

}  // namespace repath::bench
