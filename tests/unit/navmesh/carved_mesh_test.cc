#include "navmesh/carve/carved_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "navmesh/carve/carve_editor.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::at;

CarveShape box(double x0, double z0, double x1, double z1) {
  CarveShape shape;
  shape.pieces = {{at(x0, z0), at(x1, z0), at(x1, z1), at(x0, z1)}};
  return shape;
}

CarveEdit put(std::uint64_t id, CarveShape shape) {
  return {CarveEdit::Kind::kUpsert, ObstacleId{id}, std::move(shape)};
}

CarvedMesh carved(const std::vector<std::string>& rows, double side = 8) {
  return *CarvedMesh::make(test::squares(rows), side);
}

std::size_t live_cells(const NavMesh& mesh) {
  std::size_t n = 0;
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) n += mesh.is_live(c) ? 1 : 0;
  return n;
}

TEST(CarvedMesh, AWallDividesTheGroundAndItsRemovalJoinsIt) {
  CarvedMesh world = carved({"...", "..."});
  const std::uint64_t before = world.content_hash();
  const CarveEdit wall = put(7, box(1.25, -0.5, 1.5, 2.5));
  const absl::StatusOr<CarveDelta> delta = world.apply({&wall, 1});
  ASSERT_TRUE(delta.ok());
  EXPECT_EQ(delta->base_cells, (std::vector<std::uint32_t>{1, 4}));
  EXPECT_EQ(delta->gone.size(), 2u);
  EXPECT_EQ(delta->come.size(), 4u);
  EXPECT_TRUE(delta->closed);
  EXPECT_FALSE(delta->opened);
  EXPECT_FALSE(world.find_cell({1.3, 0.5}, 0, 1).has_value());
  const auto left = world.find_cell({0.5, 0.5}, 0, 1);
  const auto right = world.find_cell({2.5, 0.5}, 0, 1);
  EXPECT_NE(world.mesh().component_of(left->cell), world.mesh().component_of(right->cell));
  const auto near = world.find_nearest({1.3, 0.5}, 0, 1, 1, NavFilter{});
  ASSERT_TRUE(near.has_value());
  EXPECT_NEAR(near->distance, 0.05, 1e-9);
  const CarveEdit away{CarveEdit::Kind::kRemove, ObstacleId{7}, {}};
  const absl::StatusOr<CarveDelta> back = world.apply({&away, 1});
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(back->opened);
  EXPECT_EQ(world.content_hash(), before);
  EXPECT_EQ(world.mesh().component_of(left->cell), world.mesh().component_of(right->cell));
}

TEST(CarvedMesh, AnObstacleOnOneFloorLeavesTheOther) {
  MeshSource source = test::squares({"."});
  for (std::uint32_t v = 0; v < 4; ++v) source.vertices.push_back({source.vertices[v].at, 3.0});
  source.add_cell({4, 5, 6, 7});
  CarvedMesh world = *CarvedMesh::make(source);
  CarveShape shape = box(-1, -1, 2, 2);
  shape.y0 = 1;
  shape.y1 = 3;
  const CarveEdit edit = put(1, shape);
  ASSERT_TRUE(world.apply({&edit, 1}).ok());
  EXPECT_EQ(world.cells_of(0).size(), 1u);
  EXPECT_TRUE(world.cells_of(1).empty());
  EXPECT_FALSE(world.find_cell({0.5, 0.5}, 3, 1).has_value());
}

TEST(CarvedMesh, WhatIsSwitchedOffBlocksNothing) {
  CarvedMesh world = carved({"."});
  const std::uint64_t before = world.content_hash();
  CarveEdit edits[] = {put(1, box(0.25, 0.25, 0.5, 0.5))};
  ASSERT_TRUE(world.apply(edits).ok());
  EXPECT_NE(world.content_hash(), before);
  edits[0].kind = CarveEdit::Kind::kSwitch;
  edits[0].shape.enabled = false;
  ASSERT_TRUE(world.apply(edits)->opened);
  EXPECT_EQ(world.content_hash(), before);
  EXPECT_TRUE(world.apply(edits)->base_cells.empty());
  edits[0].shape.enabled = true;
  ASSERT_TRUE(world.apply(edits)->closed);
  EXPECT_NE(world.content_hash(), before);
}

TEST(CarvedMesh, LargeCellsAreCutAndSmallOnesAreNot) {
  MeshSource source;
  for (const LatticePoint p : {at(0, 0), at(20, 0), at(20, 10), at(0, 7), at(2, 0), at(2, -1)})
    source.vertices.push_back({p, 0});
  source.add_cell({0, 4, 1, 2, 3});
  source.add_cell({0, 5, 4});
  const absl::StatusOr<CarvedMesh> world = CarvedMesh::make(source, 8);
  ASSERT_TRUE(world.ok()) << world.status();
  const NavMesh& base = world->base();
  EXPECT_EQ(base.cells_end(), 7u);  // two rows of three, and the small one
  double twice = 0;
  for (std::uint32_t c = 0; c < base.cells_end(); ++c) {
    LatticeRing ring;
    for (const NavMesh::Edge& e : base.edges_of(c)) ring.push_back(base.vertex(e.vertex).at);
    const auto [x0, x1] = std::ranges::minmax(ring, {}, &LatticePoint::x);
    EXPECT_LE(x1.x - x0.x, 8 * kLatticePerUnit);
    EXPECT_EQ(base.component_of(c), 0u);
    twice += static_cast<double>(twice_area(ring));
  }
  EXPECT_NEAR(twice / kLatticePerUnit / kLatticePerUnit, 2 * 170 + 2, 0.01);
}

struct Bad {
  const char* reason;
  const char* field;
  void (*spoil)(std::vector<CarveEdit>*);
};

TEST(CarvedMesh, BadEditsAreRefusedByNameAndChangeNothing) {
  const Bad all[] = {
      {"EDIT_TWICE", "edits[1].id", [](auto* e) { (*e)[1].id = ObstacleId{1}; }},
      {"OBSTACLE_UNKNOWN", "edits[1].id", [](auto* e) { (*e)[1].kind = CarveEdit::Kind::kRemove; }},
      {"OBSTACLE_UNKNOWN", "edits[1].id", [](auto* e) { (*e)[1].kind = CarveEdit::Kind::kSwitch; }},
      {"HEIGHT_RANGE", "edits[1]", [](auto* e) { (*e)[1].shape.y1 = -1; }},
      {"HEIGHT_RANGE", "edits[1]", [](auto* e) { (*e)[1].shape.y0 = 0.0 / 0.0; }},
      {"PIECE_COUNT", "edits[1].pieces", [](auto* e) { (*e)[1].shape.pieces.clear(); }},
      {"PIECE_COUNT", "edits[1].pieces",
       [](auto* e) { (*e)[1].shape.pieces.resize(kCarvePiecesMax + 1); }},
      {"PIECE_SIZE", "edits[1].pieces[0]", [](auto* e) { (*e)[1].shape.pieces[0].resize(2); }},
      {"PIECE_RANGE", "edits[1].pieces[0]",
       [](auto* e) { (*e)[1].shape.pieces[0][1].x = kLatticeMax + 1; }},
      {"PIECE_NOT_CONVEX", "edits[1].pieces[0]",
       [](auto* e) { std::ranges::reverse((*e)[1].shape.pieces[0]); }},
  };
  for (const Bad& bad : all) {
    CarvedMesh world = carved({"..", ".."});
    const std::uint64_t before = world.content_hash();
    std::vector<CarveEdit> edits{put(1, box(0.25, 0.25, 0.5, 0.5)), put(2, box(1, 1, 1.5, 1.5))};
    bad.spoil(&edits);
    const absl::Status status = world.apply(edits).status();
    EXPECT_EQ(error_reason(status), bad.reason);
    EXPECT_EQ(error_field(status), bad.field);
    EXPECT_EQ(world.content_hash(), before);
    EXPECT_EQ(world.obstacles(), 0u);
    EXPECT_EQ(live_cells(world.mesh()), 4u);
  }
}

TEST(CarvedMesh, ACrowdedCellIsRefused) {
  CarvedMesh world = carved({"."});
  std::vector<CarveEdit> edits;
  for (std::uint64_t id = 0; id < kCarveObstaclesPerCell + 1; ++id)
    edits.push_back(put(id, box(0.25, 0.25, 0.5, 0.5)));
  EXPECT_EQ(error_reason(world.apply(edits).status()), "CELL_CROWDED");
  EXPECT_EQ(world.obstacles(), 0u);
}

// Bars over the whole of a cell, half of them along x.
std::vector<CarveEdit> lattice_of_bars(std::uint64_t bars) {
  std::vector<CarveEdit> edits;
  for (std::uint64_t i = 0; i < bars; ++i) {
    const double from = (2.0 * static_cast<double>(i / 2) + 1) / static_cast<double>(bars + 1);
    edits.push_back(
        put(i, i % 2 == 0 ? box(from, -1, from + 0.001, 2) : box(-1, from, 2, from + 0.001)));
  }
  return edits;
}

TEST(CarvedMesh, ACellWhoseObstaclesCrossInTooManyPlacesIsRefused) {
  CarvedMesh world = carved({"."});
  const std::uint64_t before = world.content_hash();
  EXPECT_EQ(error_reason(world.apply(lattice_of_bars(256)).status()), "CELL_CROWDED");
  EXPECT_EQ(world.obstacles(), 0u);
  EXPECT_EQ(world.content_hash(), before);
  ASSERT_TRUE(world.apply(lattice_of_bars(32)).ok());
  EXPECT_EQ(live_cells(world.mesh()), 17u * 17u);
}

TEST(CarvedMesh, ABatchThatNeedsTooMuchWorkIsRefused) {
  CarvedMesh world = carved({"."});
  const std::uint64_t before = world.content_hash();
  const std::vector<CarveEdit> edits = lattice_of_bars(32);
  {
    CarveEditor editor(&world);
    EXPECT_EQ(error_reason(editor.prepare(edits, 10'000)), "BATCH_TOO_LARGE");
  }
  EXPECT_EQ(world.content_hash(), before);
  CarveEditor editor(&world);
  ASSERT_TRUE(editor.prepare(edits).ok());
  editor.commit();
  EXPECT_EQ(live_cells(world.mesh()), 17u * 17u);
}

TEST(CarvedMesh, ALinkWhoseEndIsCoveredLeadsNowhere) {
  MeshSource source = test::squares({"....", "", "...."});
  source.links.push_back({.id = 9,
                          .from_cell = 3,
                          .to_cell = 5,
                          .from = at(3.5, 0.5),
                          .to = at(1, 2.25),
                          .both_ways = false});
  CarvedMesh world = *CarvedMesh::make(source, 0.75);
  const auto together = [&] {
    const auto above = world.find_cell({0.5, 0.5}, 0, 1);
    const auto below = world.find_cell({3.5, 2.5}, 0, 1);
    return world.mesh().component_of(above->cell) == world.mesh().component_of(below->cell);
  };
  const auto ends = [&] {
    std::size_t count = 0;
    for (std::uint32_t c = 0; c < world.mesh().cells_end(); ++c)
      if (world.mesh().is_live(c)) count += world.mesh().link_ends_of(c).size();
    return count;
  };
  EXPECT_TRUE(together());
  EXPECT_EQ(ends(), 1u);
  const CarveEdit beside = put(1, box(0.8, 2.4, 1.2, 2.6));
  ASSERT_TRUE(world.apply({&beside, 1}).ok());
  EXPECT_TRUE(together());
  const NavLink& link = world.mesh().links()[0];
  EXPECT_TRUE(holds(world.mesh(), link.to_cell, link.to.x, link.to.z));
  const CarveEdit cover = put(2, box(0.8, 1.5, 1.2, 2.6));
  ASSERT_TRUE(world.apply({&cover, 1}).ok());
  EXPECT_FALSE(together());
  EXPECT_EQ(ends(), 0u);
  EXPECT_EQ(world.mesh().links()[0].to_cell, kNoCell);
  const CarveEdit away{CarveEdit::Kind::kRemove, ObstacleId{2}, {}};
  ASSERT_TRUE(world.apply({&away, 1}).ok());
  EXPECT_TRUE(together());
  EXPECT_EQ(ends(), 1u);
}

TEST(CarvedMesh, ALinkUnitesWhatAWallElsewhereDivides) {
  MeshSource source = test::squares({"......"});
  source.links.push_back(
      {.id = 9, .from_cell = 0, .to_cell = 5, .from = at(0.5, 0.5), .to = at(5.5, 0.5)});
  CarvedMesh world = *CarvedMesh::make(source, 1);
  const auto component = [&](double x) {
    return world.mesh().component_of(world.find_cell({x, 0.5}, 0, 1)->cell);
  };
  const CarveEdit walls[] = {put(1, box(1.4, -1, 1.6, 2)), put(2, box(4.4, -1, 4.6, 2))};
  ASSERT_TRUE(world.apply({walls, 1}).ok());
  EXPECT_EQ(component(0.5), component(5.5));
  ASSERT_TRUE(world.apply({walls + 1, 1}).ok());
  EXPECT_EQ(component(0.5), component(5.5));
  EXPECT_NE(component(0.5), component(3.5));
}

TEST(CarvedMesh, CellsAreNotCutAtWill) {
  EXPECT_EQ(error_reason(CarvedMesh::make(test::squares({"."}), 0.1).status()), "CELL_SIDE");
}

}  // namespace
}  // namespace repath
