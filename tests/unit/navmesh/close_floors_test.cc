// Which floor a position means where floors lie close above each other: the nearest one of the
// base, whether something covers it or not.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "base/work_meter.h"
#include "navmesh/carve/carved_mesh.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::at;

constexpr double kReach = 2;
constexpr Point kMiddle{5, 5};

void add_floor(double x0, double x1, double y, MeshSource* source, std::uint16_t flags = 1) {
  std::vector<std::uint32_t> corners;
  for (const auto& [x, z] : {std::pair{x0, 0.}, {x1, 0.}, {x1, 10.}, {x0, 10.}}) {
    corners.push_back(static_cast<std::uint32_t>(source->vertices.size()));
    source->vertices.push_back({at(x, z), y});
  }
  source->add_cell(corners).flags = flags;
}

// Two floors of 10 x 10 in cells of 4, the upper one at this height.
CarvedMesh storeys(double height) {
  MeshSource source;
  add_floor(0, 10, 0, &source);
  add_floor(0, 10, height, &source);
  return *CarvedMesh::make(source, 4);
}

// Covers [4, 6] x [4, 6] on the floor at this height.
void cover(double y, CarvedMesh* mesh) {
  CarveEdit edit{CarveEdit::Kind::kUpsert, ObstacleId{1}, {}};
  edit.shape.pieces = {{at(4, 4), at(6, 4), at(6, 6), at(4, 6)}};
  edit.shape.y0 = y - 0.1;
  edit.shape.y1 = y + 0.1;
  ASSERT_TRUE(mesh->apply({&edit, 1}).ok());
}

std::optional<double> height_at(const CarvedMesh& mesh, Point p, double y) {
  const auto place = mesh.find_cell(p, y, kReach);
  if (!place) return std::nullopt;
  return mesh.ground().height_at(place->cell, place->x, place->z);
}

TEST(CloseFloors, APositionOnACoveredFloorHasNoPlaceOnAnother) {
  for (const double height : {0.5, 1.5, 2.5}) {
    SCOPED_TRACE(height);
    CarvedMesh mesh = storeys(height);
    cover(height, &mesh);
    const double near_upper = height / 2 + 0.1;
    const double near_lower = height / 2 - 0.1;
    for (const double y : {height, near_upper, height + 0.5}) {
      EXPECT_EQ(height_at(mesh, kMiddle, y), std::nullopt) << y;
      EXPECT_EQ(mesh.ground().find_floor(kMiddle, y, kReach), height) << y;
      EXPECT_EQ(height_at(mesh, {3, 5}, y), height) << y;
    }
    for (const double y : {0.0, near_lower, -0.5}) {
      EXPECT_EQ(height_at(mesh, kMiddle, y), 0) << y;
      EXPECT_EQ(mesh.ground().find_floor(kMiddle, y, kReach), 0) << y;
    }
    EXPECT_EQ(height_at(mesh, kMiddle, height + 2.1), std::nullopt);
    EXPECT_EQ(mesh.ground().find_floor(kMiddle, height + 2.1, kReach), std::nullopt);
  }
}

TEST(CloseFloors, TheFirstOfTwoFloorsAsNearIsMeantCoveredOrNot) {
  CarvedMesh mesh = storeys(1.5);
  EXPECT_EQ(height_at(mesh, kMiddle, 0.75), 0);
  cover(0, &mesh);
  EXPECT_EQ(height_at(mesh, kMiddle, 0.75), std::nullopt);
  cover(1.5, &mesh);  // in its place
  EXPECT_EQ(height_at(mesh, kMiddle, 0.75), 0);
}

TEST(CloseFloors, APlaceBesideAPositionIsOnTheSameFloor) {
  CarvedMesh mesh = storeys(1.5);
  cover(1.5, &mesh);
  const auto beside = [&](Point p, double y) -> std::optional<double> {
    const auto found = mesh.ground().find_beside(p, y, 0.001, kReach, NavFilter{});
    if (!found) return std::nullopt;
    return found->y;
  };
  EXPECT_EQ(beside({4.0005, 5}, 1.5), 1.5);
  EXPECT_EQ(beside({4.002, 5}, 1.5), std::nullopt);
  EXPECT_EQ(beside({4.002, 5}, 0), 0);
  EXPECT_EQ(beside({-0.0005, 2}, 1.2), 1.5);  // beside both floors
  EXPECT_EQ(beside({-0.0005, 5}, 0.3), 0);
  CarveEdit edit{CarveEdit::Kind::kUpsert, ObstacleId{2}, {}};
  edit.shape.pieces = {{at(-1, 4), at(2, 4), at(2, 6), at(-1, 6)}};
  edit.shape.y0 = 1;
  edit.shape.y1 = 2;
  ASSERT_TRUE(mesh.apply({&edit, 1}).ok());
  EXPECT_EQ(beside({-0.0005, 5}, 1.2), std::nullopt);
}

TEST(CloseFloors, GroundThatIsNotAllowedIsNoFloor) {
  MeshSource source;
  add_floor(0, 10, 0, &source);
  add_floor(0, 10, 1.5, &source, 2);
  const CarvedMesh all = *CarvedMesh::make(source, 4);
  NavFilter filter;
  filter.exclude = 2;
  WorkMeter endless(kNoWorkLimits);
  const CarvedMesh allowed = *all.only_allowed(filter, &endless);
  const auto place = allowed.ground().find_cell(kMiddle, 1.5, kReach, &filter);
  ASSERT_TRUE(place);
  EXPECT_EQ(allowed.ground().height_at(place->cell, place->x, place->z), 0);
  EXPECT_EQ(allowed.ground().find_floor(kMiddle, 1.5, kReach, &filter), 0);
}

TEST(CloseFloors, GroundInsideAGrownWallIsCovered) {
  MeshSource source;
  add_floor(0, 10, 0, &source);
  add_floor(0, 6, 1.5, &source);
  const CarvedMesh mesh = *CarvedMesh::make(source, 4);
  WorkMeter endless(kNoWorkLimits);
  const CarvedMesh wide = *mesh.with_walls(0.5, &endless);
  EXPECT_EQ(height_at(mesh, {5.75, 5}, 1.5), 1.5);
  EXPECT_EQ(height_at(wide, {5.75, 5}, 1.5), std::nullopt);
  EXPECT_EQ(height_at(wide, {5.75, 5}, 0), 0);
  EXPECT_EQ(height_at(wide, {5.25, 5}, 1.5), 1.5);
  EXPECT_EQ(height_at(wide, {6.25, 5}, 1.5), 0);  // no floor is nearer
}

TEST(CloseFloors, FloorsOfOneHeightAreOne) {
  MeshSource source;
  add_floor(0, 6, 1, &source);
  add_floor(4, 10, 1, &source);
  CarvedMesh mesh = *CarvedMesh::make(source, 4);
  for (const double x : {1.0, 5.0, 9.0}) EXPECT_EQ(height_at(mesh, {x, 5}, 0), 1) << x;
}

}  // namespace
}  // namespace repath
