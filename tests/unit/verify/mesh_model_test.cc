// Cases in which the checker finds a path on a mesh.
#include "verify/mesh_model.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace repath::verify {
namespace {

// A passage of one unit that opens into the middle of a hall's side. In doubles the middle of that
// side is a hair beside the straight line between its ends.
std::vector<MeshCell> passage_and_hall() {
  const std::vector<Spot> passage = {{2, 0, 6}, {4.4, 0, 9.2}, {3.6, 0, 9.8}, {1.2, 0, 6.6}};
  const std::vector<Spot> hall = {{5.2, 0, 8.6},  {5.8, 0, 9.4},  {5, 0, 10}, {4.2, 0, 10.6},
                                  {3.4, 0, 11.2}, {2.6, 0, 11.8}, {2, 0, 11}, {2.8, 0, 10.4},
                                  {3.6, 0, 9.8},  {4.4, 0, 9.2}};
  return {{passage, {}}, {hall, {}}};
}

// Covers the end of the passage except `gap` units beside its left corner, where the ring has no
// corner.
Ring ring_beside_corner(double gap) {
  const Spot a{3.706, 0, 9.958};
  const Spot b{3.506, 0, 9.659};
  const double length = plane_distance(a, b);
  const double off = left_of(a, b, {3.6, 0, 9.8}) + gap;  // to be moved to the left by this
  const double x = -(b.z - a.z) / length * off;
  const double z = (b.x - a.x) / length * off;
  return {{{a.x + x, 0, a.z + z}, {b.x + x, 0, b.z + z}, {4.3, 0, 8.6}, {5.2, 0, 9.3}}};
}

class NarrowGap : public ::testing::Test {
 protected:
  static constexpr Spot kFrom{2.2, 0, 7.1};
  static constexpr Spot kTo{3.4, 0, 10.6};

  static MeshModel model_with(double gap) {
    MeshModel model(passage_and_hall(), {MeshView{}},
                    [gap](const v1::Obstacle&, double, std::vector<Ring>* rings, std::string*) {
                      rings->push_back(ring_beside_corner(gap));
                      return true;
                    });
    v1::ChangeBatch batch;
    auto* obstacle = batch.add_upsert_obstacles();
    obstacle->set_id(1);
    obstacle->set_blocked(true);
    std::string failure;
    EXPECT_TRUE(model.take(batch, 2, &failure)) << failure;
    return model;
  }
};

TEST_F(NarrowGap, OfLessThanAMillimetreIsNoWayThatMustBeFound) {
  MeshModel model = model_with(0.0003);
  EXPECT_LT(model.cheapest(0, 1, kFrom, kTo, kNoWay).cost, 4);
  const Verdict verdict = model.cheapest(0, 2, kFrom, kTo, kNoWay);
  EXPECT_TRUE(verdict.is_known);
  EXPECT_EQ(verdict.cost, kNoWay);
}

TEST_F(NarrowGap, OfTwoMillimetresIsOne) {
  EXPECT_LT(model_with(0.002).cheapest(0, 2, kFrom, kTo, kNoWay).cost, 4);
}

TEST_F(NarrowGap, WhoPassesItSqueezes) {
  Walk walk;
  walk.points = {kFrom, {3.6, 0, 9.8}, kTo};
  EXPECT_TRUE(model_with(0.0003).squeezes(0, 2, walk));
  EXPECT_FALSE(model_with(0.002).squeezes(0, 2, walk));
  walk.points = {kFrom, {2, 0, 6.8}};
  EXPECT_FALSE(model_with(0.0003).squeezes(0, 2, walk));
}

// A gallery ends above a yard. What touches its wall leaves no way between, though the yard goes on
// below.
TEST(GalleryAboveAYard, WhoPassesWhatTouchesTheWallSqueezes) {
  const auto floor = [](double height, double depth) {
    const std::vector<Spot> corners = {
        {0, height, 0}, {10, height, 0}, {10, height, depth}, {0, height, depth}};
    return MeshCell{corners, {}};
  };
  const auto squeezes_beside = [&](double nearest) {
    MeshModel model({floor(4, 5), floor(0, 10)}, {MeshView{}},
                    [&](const v1::Obstacle&, double, std::vector<Ring>* rings, std::string*) {
                      rings->push_back({{{4, 0, 2}, {6, 0, 2}, {5, 0, nearest}}});
                      return true;
                    });
    v1::ChangeBatch batch;
    auto* obstacle = batch.add_upsert_obstacles();
    obstacle->set_id(1);
    obstacle->set_blocked(true);
    std::string failure;
    EXPECT_TRUE(model.take(batch, 2, &failure)) << failure;
    Walk along_the_wall;
    along_the_wall.points = {{9, 4, 5}, {1, 4, 5}};
    return model.squeezes(0, 2, along_the_wall);
  };
  EXPECT_TRUE(squeezes_beside(5));
  EXPECT_FALSE(squeezes_beside(4.99));
}

// Two halls with a room between them. The line from (0, 0) to (10, 0) has the first hall on its
// left and the second one on its right, and follows a wall of each.
std::vector<MeshCell> halls_beside_a_line() {
  const std::vector<Spot> first = {{0, 0, 0}, {4, 0, 0}, {4, 0, 2}, {0, 0, 2}};
  const std::vector<Spot> room = {{4, 0, -2}, {6, 0, -2}, {6, 0, 0},
                                  {6, 0, 2},  {4, 0, 2},  {4, 0, 0}};
  const std::vector<Spot> second = {{6, 0, -2}, {10, 0, -2}, {10, 0, 0}, {6, 0, 0}};
  return {{first, {}}, {room, {}}, {second, {}}};
}

class LegAlongWalls : public ::testing::Test {
 protected:
  // Walks from a place `off` units from the first hall's wall to the end of the second hall's.
  static bool is_open(double off, bool has_dearer_ground, bool must_be_clear = false) {
    MeshModel model(
        halls_beside_a_line(), {MeshView{}},
        [](const v1::Obstacle&, double, std::vector<Ring>*, std::string*) { return true; });
    if (has_dearer_ground) model.use_soft_obstacles();
    Walk walk;
    walk.points = {{0, 0, off}, {10, 0, 0}};
    walk.must_be_clear = must_be_clear;
    return !model.walk(0, 1, walk).broken;
  }
};

TEST_F(LegAlongWalls, IsOpen) {
  EXPECT_TRUE(is_open(0, false));
  EXPECT_TRUE(is_open(0, true, true));
}

// An agent that walked along the first hall's wall stands beside it, once a border of dearer ground
// that meets the wall has moved it.
TEST_F(LegAlongWalls, FromBesideARoundedWallIsOpen) {
  EXPECT_TRUE(is_open(1e-5, true));
  EXPECT_TRUE(is_open(2e-4, true));
}

TEST_F(LegAlongWalls, FromBesideAWallThatNothingRoundsIsBroken) {
  EXPECT_FALSE(is_open(1e-5, false));
}

TEST_F(LegAlongWalls, FromBesideARoundedWallMayBeCalledBroken) {
  EXPECT_FALSE(is_open(1e-5, true, true));
}

TEST_F(LegAlongWalls, FromFartherOffThanRoundingMovesIsBroken) {
  EXPECT_FALSE(is_open(1e-3, true));
}

}  // namespace
}  // namespace repath::verify
