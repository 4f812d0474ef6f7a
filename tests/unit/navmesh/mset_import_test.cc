#include "navmesh/import/mset_import.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "navmesh/mesh/nav_mesh.h"
#include "support/detour_tiles.h"
#include "support/seed.h"
#include "support/spoil.h"

namespace repath {
namespace {

using test::two_tiles;

TEST(MsetImport, ReadsTilesOfEitherWidthAndJoinsThem) {
  for (const bool is_wide : {false, true}) {
    const auto source = import_mset(two_tiles(is_wide));
    ASSERT_TRUE(source.ok()) << source.status();
    const auto mesh = NavMesh::build(*source);
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    ASSERT_EQ(mesh->cells_end(), 6u);  // two bands of 2, four of 1
    for (std::uint32_t c = 0; c < 6; ++c) {
      EXPECT_EQ(index(mesh->cell(c).area), 5u);
      EXPECT_EQ(mesh->cell(c).flags, 1u);
    }
    std::size_t across = 0;
    for (const auto& e : mesh->edges_of(0)) across += e.neighbour != kNoCell && e.neighbour >= 2;
    EXPECT_EQ(across, 2u);
    EXPECT_EQ(mesh->height_at(0, 16'000, 16'000), 0.5);
    ASSERT_EQ(mesh->links().size(), 1u);
    const NavLink& link = mesh->links()[0];
    EXPECT_EQ(link.from, (LatticePoint{32'000, 32'000}));
    EXPECT_EQ(link.to, (LatticePoint{96'000, 32'000}));
    EXPECT_EQ(index(link.area), 7u);
    EXPECT_EQ(link.flags, 8u);
    EXPECT_FALSE(link.both_ways);
  }
}

TEST(MsetImport, ErrorsNameTileAndByte) {
  struct Case {
    const char* reason;
    std::size_t byte;  // offset of an int32 to overwrite
    std::int32_t value;
  };
  const std::size_t tile = 48;
  const Case cases[] = {
      {"MSET_SYNTAX", 0, 1},
      {"MSET_SYNTAX", 4, 2},
      {"MSET_SIZE", 8, 0},
      {"MSET_SIZE", 8, 0x7fffffff},
      {"MSET_SIZE", 44, -5},
      {"MSET_SIZE", 44, 0x7fffffff},
      {"MSET_SYNTAX", tile, 7},
      {"MSET_SYNTAX", tile + 4, 6},
      {"MSET_SIZE", tile + 24, 0x00ffffff},
      {"MSET_SIZE", tile + 28, -1},
      {"MSET_EXTENT", tile + 68, 0x7fc00000},   // climb: not a number
      {"MSET_EXTENT", tile + 72, 0x7f800000},   // box: infinite
      {"MSET_EXTENT", tile + 100, 0x7f800000},  // a corner
  };
  for (const Case& c : cases) {
    std::string bytes = two_tiles(false);
    std::memcpy(bytes.data() + c.byte, &c.value, sizeof c.value);
    const auto source = import_mset(bytes);
    ASSERT_FALSE(source.ok()) << c.byte;
    EXPECT_EQ(error_reason(source.status()), c.reason) << c.byte << " " << source.status();
  }
  std::string bytes = two_tiles(false);
  std::int32_t corners = 0;
  std::memcpy(&corners, bytes.data() + tile + 28, sizeof corners);
  const std::size_t polygon = tile + 100 + static_cast<std::size_t>(corners) * 12;
  bytes[polygon + 4] = '\xff';
  bytes[polygon + 5] = '\xff';
  EXPECT_EQ(error_reason(import_mset(bytes).status()), "MSET_INDEX");
}

TEST(MsetImport, SpoiledFilesAreReadOrRefused) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int good = 0;
  for (const bool is_wide : {false, true})
    test::for_each_spoiled(two_tiles(is_wide), 2000, &random, [&](const std::string& bytes) {
      const auto source = import_mset(bytes);
      if (!source.ok()) return;
      ++good;
      (void)NavMesh::build(*source).ok();
    });
  EXPECT_GT(good, 0);
  EXPECT_LT(good, 8000);
}

}  // namespace
}  // namespace repath
