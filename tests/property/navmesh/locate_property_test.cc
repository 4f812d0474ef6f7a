// Finding cells, nearest ground, rays and random points, against a look at every cell and against
// the plain model.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "navmesh/mesh/cell_finder.h"
#include "navmesh/mesh/mesh_ray.h"
#include "support/mesh_ends.h"
#include "support/plain_mesh.h"
#include "support/seed.h"

namespace repath {
namespace {

// Returns the mesh twice, the second copy 5 units above.
MeshSource two_floors(const MeshSource& one) {
  MeshSource source = one;
  const auto shift = static_cast<std::uint32_t>(one.vertices.size());
  for (const auto& vertex : one.vertices) source.vertices.push_back({vertex.at, vertex.y + 5});
  for (const auto& cell : one.cells) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t k = 0; k < cell.count; ++k)
      corners.push_back(one.corners[cell.first + k] + shift);
    source.add_cell(corners);
  }
  return source;
}

TEST(CellFinder, FindsTheCellOfTheFloor) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 60; ++round) {
    const MeshSource source = two_floors(test::random_mesh(&random, 12));
    const NavMesh mesh = *NavMesh::build(source);
    const CellFinder finder(mesh);
    for (int i = 0; i < 50; ++i) {
      const Point at{random.unit() * 14 - 1, random.unit() * 14 - 1};
      const double y = random.unit() * 9 - 2;
      const double reach = random.unit() * 4;
      std::uint32_t plain = kNoCell;
      double least = reach;
      for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
        const double x = to_fine_steps(at.x);
        const double z = to_fine_steps(at.z);
        if (!holds(mesh, c, x, z)) continue;
        const double away = std::abs(mesh.height_at(c, x, z) - y);
        if (away > least || (plain != kNoCell && away >= least)) continue;
        least = away;
        plain = c;
      }
      const auto found = finder.find_cell(at, y, reach);
      ASSERT_EQ(found ? found->cell : kNoCell, plain);
    }
  }
}

// Returns the distance in the plane from a point to the cell, by its edges.
double plain_distance(const NavMesh& mesh, std::uint32_t cell, Point at) {
  if (holds(mesh, cell, to_fine_steps(at.x), to_fine_steps(at.z))) return 0;
  double best = std::numeric_limits<double>::infinity();
  const auto edges = mesh.edges_of(cell);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto& a = edges[k];
    const auto& b = edges[(k + 1) % edges.size()];
    for (int i = 0; i <= 1; ++i)
      best = std::min(
          best, std::hypot(from_steps(i ? a.x : b.x) - at.x, from_steps(i ? a.z : b.z) - at.z));
    const double ex = from_steps(b.x - a.x);
    const double ez = from_steps(b.z - a.z);
    const double px = at.x - from_steps(a.x);
    const double pz = at.z - from_steps(a.z);
    const double along = (px * ex + pz * ez) / (ex * ex + ez * ez);
    if (along > 0 && along < 1)
      best = std::min(best, std::abs(ex * pz - ez * px) / std::hypot(ex, ez));
  }
  return best;
}

TEST(CellFinder, FindsTheNearestGround) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int none = 0;
  for (int round = 0; round < 60; ++round) {
    MeshSource source = test::random_mesh(&random, 12);
    for (auto& cell : source.cells) cell.flags = static_cast<std::uint16_t>(1 + random.below(3));
    const NavMesh mesh = *NavMesh::build(source);
    const CellFinder finder(mesh);
    NavFilter filter;
    filter.exclude = static_cast<std::uint16_t>(random.below(3));
    for (int i = 0; i < 30; ++i) {
      const Point at{random.unit() * 30 - 10, random.unit() * 30 - 10};
      const double radius = random.unit() * 8;
      double best = std::numeric_limits<double>::infinity();
      for (std::uint32_t c = 0; c < mesh.cells_end(); ++c)
        if (filter.allows(mesh.cell(c).flags)) best = std::min(best, plain_distance(mesh, c, at));
      const auto found = finder.find_nearest(at, 0, radius, 1, filter);
      ASSERT_EQ(found.has_value(), best <= radius) << best << " " << radius;
      none += !found;
      if (!found) continue;
      EXPECT_NEAR(found->distance, best, 1e-9);
      EXPECT_TRUE(holds(mesh, found->place.cell, found->place.x, found->place.z));
      EXPECT_NEAR(std::hypot(found->place.point().x - at.x, found->place.point().z - at.z), best,
                  1e-8);
    }
  }
  EXPECT_GT(none, 50);
}

TEST(CellFinder, RandomPointsAreEvenByArea) {
  MeshSource source = test::squares({"..", "##", "##"});
  source.vertices.push_back({test::at(4, 0), 0});
  source.vertices.push_back({test::at(4, 1), 0});
  source.vertices.push_back({test::at(10, 0), 0});
  source.vertices.push_back({test::at(10, 1), 0});
  source.add_cell({6, 8, 9, 7});  // six squares large
  const NavMesh mesh = *NavMesh::build(source);
  const CellFinder finder(mesh);
  Random random(1);
  int in_large = 0;
  double mean = 0;
  for (int i = 0; i < 8000; ++i) {
    const MeshPlace place = finder.random_place(&random);
    ASSERT_TRUE(holds(mesh, place.cell, place.x, place.z));
    in_large += place.cell == 2;
    if (place.cell == 2) mean += place.point().x;
  }
  EXPECT_NEAR(in_large, 6000, 150);
  EXPECT_NEAR(mean / in_large, 7, 0.1);
}

TEST(MeshRay, IsFreeWhereThePlainModelSeesStraight) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int free_rays = 0;
  int stopped = 0;
  for (int round = 0; round < 300; ++round) {
    const MeshSource source = test::random_mesh(&random, 6);
    const NavMesh mesh = *NavMesh::build(source);
    const test::PlainMesh plain(source);
    for (int i = 0; i < 20; ++i) {
      const MeshPlace a = test::random_end(&random, source, mesh);
      const MeshPlace b = test::random_end(&random, source, mesh);
      const auto spot = [&](const MeshPlace& p) {
        return plain.spot(p.point().x, p.point().z, p.cell);
      };
      test::PlainMesh::Spot to = spot(b);
      to.fan = plain.holders(to.x, to.z);  // a ray ends at a point, on any side of it
      const bool is_seen = plain.straight(spot(a), to) < test::PlainMesh::kFar;
      std::vector<std::uint32_t> cells;
      const RayResult ray = cast_ray(mesh, a, b.x, b.z, {}, &cells);
      ASSERT_EQ(ray.is_free, is_seen) << "round " << round << " ray " << i;
      (is_seen ? free_rays : stopped) += 1;
      ASSERT_TRUE(holds(mesh, ray.end.cell, ray.end.x, ray.end.z));
      const test::PlainMesh::Spot end{ray.end.point().x, ray.end.point().z,
                                      plain.holders(ray.end.point().x, ray.end.point().z)};
      EXPECT_LT(plain.straight(spot(a), end), test::PlainMesh::kFar);
    }
  }
  EXPECT_GT(free_rays, 1000);
  EXPECT_GT(stopped, 1000);
}

}  // namespace
}  // namespace repath
