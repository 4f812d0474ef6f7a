#include "navmesh/search/landmarks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "navmesh/carve/carved_mesh.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

// A square with sides of 24 cells and a wall across it, open only at the right end.
MeshSource two_halls() {
  std::vector<std::string> rows(24, std::string(24, '.'));
  rows[12] = std::string(23, '#') + ".";
  return test::squares(rows);
}

TEST(Landmarks, AreAsFarApartAsTheMeshAllows) {
  const NavMesh mesh = *NavMesh::build(two_halls());
  const Landmarks landmarks(mesh, 2);
  ASSERT_EQ(landmarks.count(), 2u);
  float most = 0;
  for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v) most = std::max(most, landmarks.to(v)[0]);
  bool is_farthest = false;
  for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v)
    is_farthest = is_farthest || (landmarks.to(v)[1] == 0 && landmarks.to(v)[0] == most);
  EXPECT_TRUE(is_farthest);
}

TEST(Landmarks, AreTheSameForTheSameMesh) {
  const NavMesh mesh = *NavMesh::build(two_halls());
  const Landmarks a(mesh, 8);
  const Landmarks b(mesh, 8);
  ASSERT_EQ(a.count(), 8u);
  EXPECT_EQ(a.bytes(), mesh.vertices_end() * 8 * sizeof(float));
  EXPECT_TRUE(std::equal(a.to(0), a.to(0) + mesh.vertices_end() * 8, b.to(0)));
}

TEST(Landmarks, AnOpenFieldHasNone) {
  const NavMesh mesh = *NavMesh::build(test::squares(std::vector(30, std::string(30, '.'))));
  EXPECT_EQ(Landmarks(mesh, 8).count(), 0u);
}

TEST(Landmarks, SmallMeshesHaveNoneUnlessAsked) {
  EXPECT_TRUE(CarvedMesh::make(two_halls())->ground().landmarks().is_empty());
  const CarvedMesh asked = *CarvedMesh::make(two_halls(), 8, 4);
  EXPECT_EQ(asked.ground().landmarks().count(), 4u);
  EXPECT_GT(asked.bytes(), CarvedMesh::make(two_halls())->bytes());
}

TEST(Landmarks, EveryLargeComponentHasOneAndNoSmallOne) {
  std::vector<std::string> rows(24, std::string(24, '.'));
  rows[12] = std::string(24, '#');
  rows[8] = rows[16] = std::string(23, '#') + ".";
  rows[3] = "...#####" + std::string(16, '.');
  rows[4] = "...#.###" + std::string(16, '.');  // a single cell
  rows[5] = "...#####" + std::string(16, '.');
  const NavMesh mesh = *NavMesh::build(test::squares(rows));
  const Landmarks landmarks(mesh, 8);
  ASSERT_EQ(landmarks.count(), 8u);
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    std::uint32_t in_component = 0;
    for (std::uint32_t other = 0; other < mesh.cells_end(); ++other)
      in_component += mesh.component_of(other) == mesh.component_of(c) ? 1 : 0;
    for (const NavMesh::Edge& e : mesh.edges_of(c)) {
      const float* d = landmarks.to(e.vertex);
      const bool is_reached = std::any_of(d, d + 8, [](float x) { return std::isfinite(x); });
      EXPECT_EQ(is_reached, in_component > 1) << "cell " << c;
    }
  }
}

TEST(GoalBound, KnowsOfTheWayAroundAWall) {
  const CarvedMesh carved = *CarvedMesh::make(two_halls(), 8, 16);
  const MeshPlace start = *carved.find_cell({1.5, 11.5}, 0, 1);
  const MeshPlace goal = *carved.find_cell({1.5, 13.5}, 0, 1);
  const GoalBound bound(carved.ground().landmarks(), start, goal);
  const double says = from_steps(bound.at(start.cell, start.x, start.z));
  EXPECT_GT(says, 40);  // two units apart, and 43.06 through the gap
  EXPECT_LT(says, 43.1);
}

TEST(GoalBound, SaysNothingWithoutLandmarks) {
  const CarvedMesh carved = *CarvedMesh::make(two_halls());
  const MeshPlace place = *carved.find_cell({1.5, 11.5}, 0, 1);
  EXPECT_TRUE(GoalBound(carved.ground().landmarks(), place, place).is_empty());
}

}  // namespace
}  // namespace repath
