#include "navmesh/carve/carve_walls.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "navmesh/carve/carved_mesh.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

// Two squares side by side: six walls, and one edge that is none.
NavMesh pair() { return *NavMesh::build(test::squares({".."})); }

TEST(CarveWalls, EdgesWithACellBehindThemAreNoWalls) {
  WorkMeter work(kNoWorkLimits);
  const auto walls = CarveWalls::find(pair(), 0.1, &work);
  ASSERT_TRUE(walls.ok());
  // Each square sees its own three, and the ends of the neighbour's two beside it.
  EXPECT_EQ(walls->of_cell(0).size(), 5u);
  EXPECT_EQ(walls->of_cell(1).size(), 5u);
  EXPECT_GT(work.spent(), 0u);
}

// A strip of squares: where one wall covers a whole square, the square needs no other.
TEST(CarveWalls, WhatLiesInAnotherWallIsLeftOut) {
  WorkMeter work(kNoWorkLimits);
  const auto mesh = NavMesh::build(test::squares({"........"}));
  const auto walls = CarveWalls::find(*mesh, 3, &work);
  ASSERT_TRUE(walls.ok());
  for (std::uint32_t cell = 0; cell < 8; ++cell) EXPECT_EQ(walls->of_cell(cell).size(), 1u);
}

// Squares that touch at a corner do not hang together there.
TEST(CarveWalls, AWallCountsWhereGroundHangsTogetherWithIt) {
  WorkMeter work(kNoWorkLimits);
  const auto mesh = NavMesh::build(test::squares({".#", "#."}));
  const auto walls = CarveWalls::find(*mesh, 0.1, &work);
  ASSERT_TRUE(walls.ok());
  for (const std::uint32_t cell : {0u, 1u}) EXPECT_EQ(walls->of_cell(cell).size(), 4u);
}

TEST(CarveWalls, LimitsAreNamed) {
  WorkMeter endless(kNoWorkLimits);
  const absl::Status crowded = CarveWalls::find(pair(), 0.1, &endless, 4).status();
  EXPECT_EQ(error_reason(crowded), "CELL_CROWDED");
  EXPECT_EQ(error_field(crowded), "radius");
  WorkMeter little({.units = 1000, .units_per_byte = 0});
  EXPECT_EQ(error_reason(CarveWalls::find(pair(), 0.1, &little).status()), "IMPORT_TOO_LARGE");
  WorkMeter narrow({.memory_bytes = 100});
  const absl::Status memory = CarveWalls::find(pair(), 0.1, &narrow).status();
  EXPECT_EQ(error_reason(memory), "IMPORT_TOO_LARGE");
  EXPECT_EQ(error_field(memory), "radius");
  MeshSource far = test::squares({"."});
  for (MeshSource::Vertex& v : far.vertices) v.at.x += kLatticeMax - 2 * kLatticePerUnit;
  const absl::Status outside = CarveWalls::find(*NavMesh::build(far), 10, &endless).status();
  EXPECT_EQ(error_reason(outside), "OUTSIDE_LATTICE");
}

// The work is compared with the limit before the first cell is carved.
TEST(CarveWalls, AMeshIsWalledWithinItsLimit) {
  const auto bare = CarvedMesh::make(test::squares({"....", ".##.", "...."}), 8, 0);
  ASSERT_TRUE(bare.ok());
  WorkMeter endless(kNoWorkLimits);
  const auto walled = bare->with_walls(0.2, &endless);
  ASSERT_TRUE(walled.ok());
  EXPECT_NE(walled->content_hash(), bare->content_hash());
  EXPECT_GT(walled->bytes(), bare->bytes());
  WorkMeter little({.units = endless.spent() / 2, .units_per_byte = 0});
  const absl::Status status = bare->with_walls(0.2, &little).status();
  EXPECT_EQ(error_reason(status), "IMPORT_TOO_LARGE");
  EXPECT_EQ(error_field(status), "radius");
}

}  // namespace
}  // namespace repath
