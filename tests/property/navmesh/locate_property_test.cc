// Finding cells, nearest ground, rays and random points, against a look at every cell and against
// the plain model.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "navmesh/carve/carved_mesh.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/mesh/mesh_ray.h"
#include "support/mesh_ends.h"
#include "support/plain_mesh.h"
#include "support/seed.h"
#include "support/sloping_meshes.h"

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

// Returns the least distance in space to the ground, over points of all cells about `1 / parts` of
// a cell apart, of those within the radius and the reach.
double sampled_distance(const NavMesh& mesh, const NearestWish& wish, int parts) {
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](std::uint32_t cell, double x, double z) {
    const double dx = from_steps(x - wish.x);
    const double dz = from_steps(z - wish.z);
    const double dy = mesh.height_at(cell, x, z) - wish.y;
    if (std::hypot(dx, dz) > wish.radius || std::abs(dy) > wish.reach) return;
    least = std::min(least, std::sqrt(dx * dx + dz * dz + dy * dy));
  };
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    const auto edges = mesh.edges_of(c);
    for (std::size_t k = 1; k + 1 < edges.size(); ++k)
      for (int i = 0; i <= parts; ++i)
        for (int j = 0; i + j <= parts; ++j) {
          const double u = static_cast<double>(i) / parts;
          const double v = static_cast<double>(j) / parts;
          offer(c, edges[0].x + u * (edges[k].x - edges[0].x) + v * (edges[k + 1].x - edges[0].x),
                edges[0].z + u * (edges[k].z - edges[0].z) + v * (edges[k + 1].z - edges[0].z));
        }
  }
  return least;
}

TEST(CellFinder, FindsTheNearestGroundInSpaceOnSlopes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  constexpr int kParts = 60;
  constexpr double kApart = 0.35;  // no sample is farther from a point of its cell in space
  int compared = 0;
  for (int round = 0; round < 40; ++round) {
    const NavMesh mesh = *NavMesh::build(test::sloping_mesh(&random));
    const CellFinder finder(mesh);
    for (int i = 0; i < 6; ++i) {
      const Point at{random.unit() * 10 - 1, random.unit() * 10 - 1};
      const double y = random.unit() * 9 - 2;
      const double radius = random.below(2) == 0 ? 20 : 0.2 + random.unit() * 3;
      const double reach = random.below(2) == 0 ? 20 : 0.2 + random.unit() * 3;
      const NearestWish wish{to_fine_steps(at.x), to_fine_steps(at.z), y, radius, reach};
      const double least = sampled_distance(mesh, wish, kParts);
      const auto found = finder.find_nearest(at, y, radius, reach, NavFilter{});
      if (std::isinf(least)) continue;
      ASSERT_TRUE(found.has_value());
      const MeshPlace& place = found->place;
      EXPECT_TRUE(holds(mesh, place.cell, place.x, place.z));
      const double flat = std::hypot(from_steps(place.x) - at.x, from_steps(place.z) - at.z);
      EXPECT_LE(flat, radius + 1e-8);
      EXPECT_LE(std::abs(found->y - y), reach);
      EXPECT_NEAR(std::hypot(flat, mesh.height_at(place.cell, place.x, place.z) - y),
                  found->distance, 1e-3);
      ASSERT_LE(found->distance, least + 1e-9);
      if (radius < 20 || reach < 20) continue;  // samples just within the range may be rare
      EXPECT_GE(found->distance, least - kApart);
      ++compared;
    }
  }
  EXPECT_GT(compared, 40);
}

// A ramp, whole and cut into cells: only the rounding may differ.
TEST(CellFinder, FindsTheSamePlaceHoweverARampIsCut) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  const auto ramp = [](int columns) {
    MeshSource source;
    for (int i = 0; i <= columns; ++i)
      for (const double z : {0., 10.}) {
        const double x = 20. * i / columns;
        source.vertices.push_back({test::at(x, z), 0.3 * x});
      }
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(columns); ++i)
      source.add_cell({2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
    return *NavMesh::build(source);
  };
  const NavMesh whole = ramp(1);
  const NavMesh cut = ramp(16);
  const CellFinder in_whole(whole);
  const CellFinder in_cut(cut);
  int differ = 0;
  int compared = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Point at{random.unit() * 24 - 2, random.unit() * 14 - 2};
    const double y = random.unit() * 12 - 3;
    const double radius = random.below(2) == 0 ? 64 : random.unit() * 3;
    const double reach = random.below(2) == 0 ? 64 : random.unit() * 3;
    const bool is_free = radius == 64 && reach == 64;
    const auto one = in_whole.find_nearest(at, y, radius, reach, NavFilter{});
    const auto other = in_cut.find_nearest(at, y, radius, reach, NavFilter{});
    differ += one.has_value() != other.has_value() ? 1 : 0;  // the range ends at the ramp
    if (!one || !other) continue;
    ++compared;
    EXPECT_NEAR(one->distance, other->distance, is_free ? 1e-4 : 0.02);
    if (!is_free) continue;
    EXPECT_NEAR(one->place.point().x, other->place.point().x, 1e-4);
    EXPECT_NEAR(one->place.point().z, other->place.point().z, 1e-4);
    if (at.x < 5 || at.x > 15 || at.z < 0 || at.z > 10) continue;
    EXPECT_NEAR(one->distance, std::abs(y - 0.3 * at.x) / std::sqrt(1.09), 1e-4);
  }
  EXPECT_LE(differ, 1);
  EXPECT_GT(compared, 1'000);
}

// The place without obstacles stays the nearest one while no obstacle covers it.
TEST(CellFinder, FindsTheSamePlaceWhateverObstaclesCutElsewhere) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    MeshSource source;  // a ramp, or a saddle
    const double twist = random.below(2) == 0 ? 0 : 2;
    source.vertices = {{test::at(0, 0), 0},
                       {test::at(20, 0), 6},
                       {test::at(20, 10), 6 + twist},
                       {test::at(0, 10), twist}};
    source.vertices[random.below(4)].y += twist;
    source.add_cell({0, 1, 2, 3});
    const CarvedMesh bare = *CarvedMesh::make(source);
    CarvedMesh carved = bare.clone();
    for (std::uint64_t id = 1; id <= 8; ++id) {
      const double x = 0.1 * random.below(190);
      const double z = 0.1 * random.below(90);
      CarveEdit put{CarveEdit::Kind::kUpsert, ObstacleId{id}, {}};
      put.shape.pieces = {
          {test::at(x, z), test::at(x + 0.2, z), test::at(x + 0.2, z + 0.2), test::at(x, z + 0.2)}};
      put.shape.y1 = 20;
      ASSERT_TRUE(carved.apply({&put, 1}).ok());
      for (int i = 0; i < 20; ++i) {
        const Point at{0.5 * random.below(41), 0.5 * random.below(21)};
        const double y = 0.5 * random.below(25) - 3;
        const auto free = bare.find_nearest(at, y, 64, 64, NavFilter{});
        const auto found = carved.find_nearest(at, y, 64, 64, NavFilter{});
        ASSERT_TRUE(free && found);
        EXPECT_GE(found->distance, free->distance - 1e-4);
        if (!carved.find_cell(free->place.point(), free->y, 0.1)) continue;
        ++compared;
        EXPECT_NEAR(found->distance, free->distance, 1e-4);
      }
    }
  }
  EXPECT_GT(compared, 8'000);
}

TEST(CellFinder, MeasuresFromOutsideTheLattice) {
  MeshSource source;
  const double edge = 33'554;  // the lattice ends at 33,554.432
  source.vertices = {{test::at(edge - 54, 0), 0},
                     {test::at(edge, 0), 0},
                     {test::at(edge, 20), 0},
                     {test::at(edge - 54, 20), 0}};
  source.add_cell({0, 1, 2, 3});
  const NavMesh mesh = *NavMesh::build(source);
  const CellFinder finder(mesh);
  for (const double away : {0.3, 0.5, 6., 46., 199., 4'096., 100'000.}) {
    const auto found = finder.find_nearest({edge + away, 5}, 0, away + 1e-6, 1, NavFilter{});
    ASSERT_TRUE(found.has_value()) << away;
    EXPECT_NEAR(found->distance, away, 1e-9);
    EXPECT_NEAR(found->place.point().x, edge, 1e-9);
    EXPECT_NEAR(found->place.point().z, 5, 1e-9);
    EXPECT_FALSE(finder.find_nearest({edge + away, 5}, 0, away - 1e-6, 1, NavFilter{}));
  }
  EXPECT_FALSE(finder.find_nearest({1e300, 5}, 0, 1e300, 1, NavFilter{}));
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
