// Walls that the checker grows for wide agents.
#include "verify/mesh_walls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "verify/mesh_model.h"

namespace repath::verify {
namespace {

// The hull of two 16-gons that are larger by `more`.
bool grow_capsule(const v1::Obstacle& obstacle, double more, std::vector<Ring>* rings) {
  const auto& capsule = obstacle.capsule();
  const double reach = (capsule.radius() + more) / std::cos(M_PI / 16);
  std::vector<Spot> points;
  for (const auto& end : {capsule.from(), capsule.to()})
    for (int i = 0; i < 16; ++i)
      points.push_back(
          {end.x() + reach * std::cos(M_PI * i / 8), 0, end.z() + reach * std::sin(M_PI * i / 8)});
  std::ranges::sort(points, {}, [](const Spot& p) { return std::pair(p.x, p.z); });
  Ring ring;
  for (int side = 0; side < 2; ++side) {
    const std::size_t begin = ring.corners.size();
    for (const Spot& p : points) {
      while (ring.corners.size() >= begin + 2 &&
             cross(ring.corners[ring.corners.size() - 2], ring.corners.back(), p) <= 1e-12)
        ring.corners.pop_back();
      ring.corners.push_back(p);
    }
    ring.corners.pop_back();
    std::ranges::reverse(points);
  }
  rings->push_back(std::move(ring));
  return true;
}

Grow grow_by(double more) {
  return
      [more](const v1::Obstacle& obstacle, double radius, std::vector<Ring>* rings, std::string*) {
        EXPECT_EQ(radius, 0);
        return grow_capsule(obstacle, more, rings);
      };
}

// Two rooms of 4 x 4 and a passage of 2 x 1 between; a floor straight above the left room.
std::vector<MeshCell> rooms() {
  return {{{{0, 0, 0}, {4, 0, 0}, {4, 0, 1.5}, {4, 0, 2.5}, {4, 0, 4}, {0, 0, 4}}, {}},
          {{{4, 0, 1.5}, {6, 0, 1.5}, {6, 0, 2.5}, {4, 0, 2.5}}, {}},
          {{{6, 0, 0}, {10, 0, 0}, {10, 0, 4}, {6, 0, 4}, {6, 0, 2.5}, {6, 0, 1.5}}, {}},
          {{{0, 1, 0}, {2, 1, 0}, {2, 1, 4}, {0, 1, 4}}, {}}};
}

MeshModel model_for(double radius, double base_radius) {
  MeshModel model(rooms(), {MeshView{}, MeshView{"wide", radius, 1}}, grow_by(0));
  std::string failure;
  EXPECT_TRUE(model.grow_walls(base_radius, &failure)) << failure;
  return model;
}

constexpr Spot kLeft{2.5, 0, 2};
constexpr Spot kRight{8, 0, 2};

TEST(MeshWalls, BarThePassageToTheWide) {
  for (const auto& [radius, base, passes] :
       {std::tuple{0.45, 0.0, true}, {0.6, 0.0, false}, {0.6, 0.3, true}, {0.3, 0.4, true}}) {
    MeshModel model = model_for(radius, base);
    EXPECT_EQ(model.cheapest(1, 1, kLeft, kRight, kNoWay).cost < kNoWay, passes) << radius;
    EXPECT_NEAR(model.cheapest(0, 1, kLeft, kRight, kNoWay).cost, 5.5, 1e-9);
    EXPECT_EQ(model.profile(1), "wide");
    EXPECT_EQ(model.team(1), 1u);
  }
}

TEST(MeshWalls, PathsTurnAtTheirCorners) {
  MeshModel model = model_for(0.3, 0);
  const Spot low{3, 0, 0.6};
  const Spot high{7, 0, 0.6};
  const Verdict bare = model.cheapest(0, 1, low, high, kNoWay);
  const Verdict wide = model.cheapest(1, 1, low, high, kNoWay);
  EXPECT_EQ(bare.by.size(), 2u);
  EXPECT_GT(wide.by.size(), 2u);
  EXPECT_GT(wide.cost, bare.cost + 0.05);
  Walk walk;
  walk.points = {low, {4, 0, 1.5}, {6, 0, 1.5}, high};
  EXPECT_FALSE(model.walk(0, 1, walk).broken);
  EXPECT_EQ(model.walk(1, 1, walk).broken, 1);
  EXPECT_FALSE(model.squeezes(1, 1, walk));
}

TEST(MeshWalls, CountOnTheirOwnFloor) {
  MeshModel model = model_for(0.5, 0);
  EXPECT_TRUE(model.stands(1, 1, {1.8, 0, 2}));
  EXPECT_FALSE(model.stands(1, 1, {1.8, 1, 2}));
  EXPECT_TRUE(model.stands(1, 1, {1, 1, 2}));
  EXPECT_FALSE(model.stands(1, 1, {3.8, 0, 3}));
  EXPECT_TRUE(model.stands(0, 1, {3.8, 0, 3}));
}

TEST(MeshWalls, ARingOfAnotherSizeIsADefect) {
  for (const double more : {-0.001, 0.003}) {
    MeshModel model(rooms(), {MeshView{"wide", 0.5, 0}}, grow_by(more));
    std::string failure;
    EXPECT_FALSE(model.grow_walls(0, &failure));
    EXPECT_EQ(failure, "a wall is grown to another size");
  }
  MeshModel model(rooms(), {MeshView{"wide", 0.5, 0}}, grow_by(0.001));
  std::string failure;
  EXPECT_TRUE(model.grow_walls(0, &failure));
}

}  // namespace
}  // namespace repath::verify
