// The cost of routes over ground of several factors, against an integral over the very cells that a
// viewer of the ground gets: turned boxes, polygons and cylinders, whose borders carving rounds.
// Along a border the cheaper side counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "geometry/shapes.h"
#include "routes/nav_world.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr int kSlowSide = 12;
// Distances in world units. A bit of a leg on a cell's border surely counts as in the cell. One
// that lies a step and a half of the lattice beside the border may count so.
constexpr double kOnItsBorder = 1e-6;
constexpr double kBesideIt = 1.5 / 16'000;
const Profile kHiker{.name = "hiker", .areas = {{1, 3}, {2, 1.5}, {3, 10}}};

// The cells of a ground, each with what a unit of length in it costs.
class SeenCells {
 public:
  explicit SeenCells(const QueryGround& ground) {
    std::vector<GroundCell> seen;
    for (std::optional<std::uint32_t> at = 0; at;)
      at = ground.view()->append_cells(*at, 1'000, &seen);
    for (const GroundCell& cell : seen) {
      Cell& made = cells_.emplace_back();
      for (const Spot& corner : cell.corners) made.ring.push_back({corner.x, corner.z});
      made.factor = cell.factor;
      for (const AreaFactor& rule : kHiker.areas)
        if (rule.area == cell.area) made.factor = std::min(made.factor * rule.factor, 1000.0);
    }
  }

  // Returns the cost of a straight leg, with each bit of it in the cheapest cell within `near`.
  double cheapest_leg(Point a, Point b, double near) const {
    const double length = std::hypot(b.x - a.x, b.z - a.z);
    std::vector<double> cuts{0, 1};
    for (const Cell& cell : cells_) append_cuts(cell, a, b, near, &cuts);
    std::ranges::sort(cuts);
    double sum = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const double t = (cuts[i] + cuts[i - 1]) / 2;
      const Point middle{a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)};
      double least = 1e9;
      for (const Cell& cell : cells_)
        if (outside_of(cell, middle) <= near) least = std::min(least, cell.factor);
      if (cuts[i] > cuts[i - 1]) sum += (cuts[i] - cuts[i - 1]) * length * least;
    }
    return sum;
  }

 private:
  struct Cell {
    std::vector<Point> ring;  // counterclockwise
    double factor = 1;
    const Point& after(std::size_t i) const { return ring[i + 1 == ring.size() ? 0 : i + 1]; }
  };

  // How far p lies to the right of the line from a to b.
  static double right_of(Point a, Point b, Point p) {
    return ((p.x - a.x) * (b.z - a.z) - (p.z - a.z) * (b.x - a.x)) /
           std::hypot(b.x - a.x, b.z - a.z);
  }
  // At most the distance from the cell; negative inside.
  static double outside_of(const Cell& cell, Point p) {
    double most = -1e9;
    for (std::size_t i = 0; i < cell.ring.size(); ++i)
      most = std::max(most, right_of(cell.ring[i], cell.after(i), p));
    return most;
  }
  // Where the leg passes the lines `near` outside of the cell's edges.
  static void append_cuts(const Cell& cell, Point a, Point b, double near,
                          std::vector<double>* cuts) {
    for (std::size_t i = 0; i < cell.ring.size(); ++i) {
      const double here = right_of(cell.ring[i], cell.after(i), a) - near;
      const double there = right_of(cell.ring[i], cell.after(i), b) - near;
      if ((here < 0) != (there < 0)) cuts->push_back(here / (here - there));
    }
  }

  std::vector<Cell> cells_;
};

Shape slow_shape(Random* random) {
  const Point center{12 * random->unit(), 12 * random->unit()};
  const std::uint32_t kind = random->below(3);
  if (kind == 0) return Circle{center, 0.5 + 3 * random->unit()};
  if (kind == 1) {
    return Box{.center = center,
               .half_x = 0.5 + 3 * random->unit(),
               .half_z = 0.5 + 3 * random->unit(),
               .yaw = 3 * random->unit()};
  }
  Polygon polygon;
  const std::uint32_t corners = 3 + random->below(5);
  const double radius = 0.5 + 3 * random->unit();
  for (std::uint32_t i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.6 * random->unit()) / corners;
    polygon.points.push_back(
        {center.x + radius * std::cos(angle), center.z + radius * std::sin(angle)});
  }
  return polygon;
}

std::unique_ptr<NavWorld> world_with_slow_shapes(Random* random) {
  MeshSource mesh = test::squares(std::vector<std::string>(kSlowSide, std::string(kSlowSide, '.')));
  const std::uint32_t plain = random->below(11);  // out of ten squares
  for (MeshSource::Cell& cell : mesh.cells)
    if (random->below(10) >= plain) cell.area = AreaType(random->below(4));
  auto world = *NavWorld::create(
      {.name = "w", .mesh = mesh, .profiles = {kHiker}, .cell_side = 1.0 + random->below(8)});
  ChangeBatch batch;
  const std::uint64_t count = 1 + random->below(5);
  for (std::uint64_t id = 1; id <= count; ++id) {
    ObstacleSpec obstacle{.id = ObstacleId{id}, .shape = slow_shape(random)};
    obstacle.effect = {.blocked = false, .factor = 1 + 0.5 * random->below(8)};
    batch.upsert_obstacles.push_back(obstacle);
  }
  EXPECT_TRUE(world->apply(batch).ok());
  return world;
}

TEST(LegCells, ARouteCostsTheIntegralOverTheCellsThatAViewerSees) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 11);
  std::size_t compared = 0;
  for (int round = 0; round < 15 && !HasFailure(); ++round) {
    const std::unique_ptr<NavWorld> world = world_with_slow_shapes(&random);
    const QueryGround& ground = world->ground(*world->acquire_view("hiker", TeamId{0}));
    const SeenCells cells(ground);
    for (int i = 0; i < 15 && !HasFailure(); ++i) {
      SCOPED_TRACE("round " + std::to_string(round) + ", way " + std::to_string(i));
      const auto start = ground.locate({kSlowSide * random.unit(), 0, kSlowSide * random.unit()});
      const auto goal = ground.locate({kSlowSide * random.unit(), 0, kSlowSide * random.unit()});
      ASSERT_TRUE(start && goal);
      auto search = ground.search(*start, {&*goal, 1});
      std::uint32_t expansions = 1'000'000;
      ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
      std::vector<RoutePoint> route;
      search->append_route(&route);
      double most = 0;
      double least = 0;
      for (std::size_t k = 1; k < route.size(); ++k) {
        const Point a{route[k - 1].at.x, route[k - 1].at.z};
        const Point b{route[k].at.x, route[k].at.z};
        if (a == b) continue;
        most += cells.cheapest_leg(a, b, kOnItsBorder);
        least += cells.cheapest_leg(a, b, kBesideIt);
      }
      const double cost = units_from_route_cost(search->cost());
      EXPECT_LE(cost, most * 1.001 + 1e-3);
      EXPECT_GE(cost, least * 0.999 - 1e-3);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 225u);
}

}  // namespace
}  // namespace repath
