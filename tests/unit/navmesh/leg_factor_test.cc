// The factor of a leg where several cells lie beside it.
#include "navmesh/mesh/leg_factor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "navmesh/mesh/mesh_ray.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr double kUnitSteps = kLatticePerUnit;

// Rectangles side by side in z, each from x = 0 to 1, with their far sides in lattice steps.
struct Layer {
  std::int32_t until;
  std::uint8_t area;
};

NavMesh layers(std::initializer_list<Layer> of) {
  MeshSource source;
  source.vertices = {{{0, 0}, 0}, {{kLatticePerUnit, 0}, 0}};
  for (const Layer& layer : of) {
    const auto last = static_cast<std::uint32_t>(source.vertices.size());
    source.vertices.push_back({{0, layer.until}, 0});
    source.vertices.push_back({{kLatticePerUnit, layer.until}, 0});
    source.add_cell({last - 2, last - 1, last + 1, last});
    source.cells.back().area = AreaType{layer.area};
  }
  return *NavMesh::build(source);
}

NavFilter by_area() {
  NavFilter filter;
  filter.factors[1] = 3000;
  filter.factors[2] = 10'000;
  return filter;
}

double factor(const NavMesh& mesh, std::uint32_t from_cell, Point from, Point to,
              const LegPart& part = {}) {
  const NavFilter filter = by_area();
  std::vector<std::uint32_t> cells;
  EXPECT_TRUE(cast_ray(mesh, {from_cell, from.x, from.z}, to.x, to.z, filter, &cells).is_free);
  return LegFactor(mesh, filter, from, to, cells).sum(part);
}

TEST(LegFactor, AlongABorderTheCheaperSideCountsWhicheverIsCrossed) {
  const NavMesh mesh = layers({{100, 1}, {200, 0}});
  EXPECT_EQ(factor(mesh, 0, {0, 100}, {kUnitSteps, 100}), 1);
  EXPECT_EQ(factor(mesh, 1, {0, 100}, {kUnitSteps, 100}), 1);
  EXPECT_EQ(factor(mesh, 0, {kUnitSteps, 100}, {0, 100}), 1);
  EXPECT_EQ(factor(mesh, 0, {0, 99}, {kUnitSteps, 99}), 1);
  EXPECT_EQ(factor(mesh, 0, {0, 98}, {kUnitSteps, 98}), 3);
}

// Both sides of a sliver are cheaper than the sliver, and that counts once.
TEST(LegFactor, ASliverCostsWhatLiesBesideItOnce) {
  const NavMesh mesh = layers({{100, 0}, {101, 2}, {201, 0}});
  EXPECT_EQ(factor(mesh, 1, {0, 100.5}, {kUnitSteps, 100.5}), 1);
  const NavMesh other = layers({{100, 1}, {101, 2}, {201, 1}});
  EXPECT_EQ(factor(other, 1, {0, 100.5}, {kUnitSteps, 100.5}), 3);
}

TEST(LegFactor, BehindASliverCheaperGroundCountsToo) {
  const NavMesh mesh = layers({{100, 1}, {101, 2}, {201, 0}});
  EXPECT_EQ(factor(mesh, 0, {0, 100}, {kUnitSteps, 100}), 1);
  EXPECT_EQ(factor(mesh, 0, {kUnitSteps, 100}, {0, 100}), 1);
}

TEST(LegFactor, PartsAddUpToTheWhole) {
  const NavMesh mesh = layers({{5000, 0}, {9000, 1}, {16'000, 2}});
  const Point from{1000, 1000};
  const Point to{9000, 15'000};
  const double whole = factor(mesh, 0, from, to);
  EXPECT_NEAR(whole, (4 + 3 * 4 + 10 * 6) / 14.0, 1e-6);
  double sum = 0;
  double done = 0;
  for (const double share : {0.1, 4 / 14.0, 0.5, 0.5, 0.9, 1.0}) {
    sum += factor(mesh, 0, from, to, {done, share});
    done = share;
  }
  EXPECT_NEAR(sum, whole, 1e-9);
  EXPECT_NEAR(factor(mesh, 0, from, to, {0, 0.1}), 0.1, 1e-9);
  EXPECT_NEAR(factor(mesh, 0, from, to, {0.9, 1}), 1, 1e-9);
  EXPECT_EQ(factor(mesh, 0, from, to, {0.3, 0.3}), 0);
}

}  // namespace
}  // namespace repath
