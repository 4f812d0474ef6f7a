// Tiles are made by Detour's own builder.
#include "navmesh/mset_import.h"

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "navmesh/nav_mesh.h"
#include "support/seed.h"
#include "support/spoil.h"

namespace repath {
namespace {

template <class T>
void append(std::string* bytes, const T& value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A tile of 4 x 4 at (4 x, 0): bands along z, each `depth` deep, all joined; at x = 0 an off-mesh
// connection leads from its middle to the next tile's.
std::string tile_at(int x, unsigned short depth) {
  constexpr unsigned short kNone = 0xffff;
  std::vector<unsigned short> vertices;
  std::vector<unsigned short> polygons;
  const auto bands = static_cast<unsigned short>(8 / depth);
  for (unsigned short i = 0; i <= bands; ++i)
    for (const unsigned short side : std::initializer_list<unsigned short>{0, 8})
      vertices.insert(vertices.end(), {side, static_cast<unsigned short>(1),
                                       static_cast<unsigned short>(i * depth)});
  for (unsigned short i = 0; i < bands; ++i) {
    const auto v = static_cast<unsigned short>(2 * i);
    const auto below = i > 0 ? static_cast<unsigned short>(i - 1) : kNone;
    const auto above = i + 1 < bands ? static_cast<unsigned short>(i + 1) : kNone;
    // Clockwise: low left, up, high right, down; the sides at x = 0 and 8 are portals.
    const unsigned short corners[6] = {v,
                                       static_cast<unsigned short>(v + 2),
                                       static_cast<unsigned short>(v + 3),
                                       static_cast<unsigned short>(v + 1),
                                       kNone,
                                       kNone};
    const unsigned short across[6] = {0x8000 | 0, above, 0x8000 | 2, below, kNone, kNone};
    polygons.insert(polygons.end(), corners, corners + 6);
    polygons.insert(polygons.end(), across, across + 6);
  }
  const std::vector<unsigned short> flags(bands, 1);
  const std::vector<unsigned char> areas(bands, 5);
  const float connection[6] = {2, 0.5F, 2, 6, 0.5F, 2};
  const float radius = 0.5F;
  const unsigned short connection_flags = 8;
  const unsigned char connection_area = 7;
  const unsigned char direction = 0;
  const unsigned int user = 99;
  dtNavMeshCreateParams params{};
  params.verts = vertices.data();
  params.vertCount = static_cast<int>(vertices.size() / 3);
  params.polys = polygons.data();
  params.polyFlags = flags.data();
  params.polyAreas = areas.data();
  params.polyCount = bands;
  params.nvp = 6;
  params.offMeshConVerts = connection;
  params.offMeshConRad = &radius;
  params.offMeshConFlags = &connection_flags;
  params.offMeshConAreas = &connection_area;
  params.offMeshConDir = &direction;
  params.offMeshConUserID = &user;
  params.offMeshConCount = x == 0 ? 1 : 0;
  params.tileX = x;
  params.bmin[0] = static_cast<float>(4 * x);
  params.bmax[0] = static_cast<float>(4 * x + 4);
  params.bmax[1] = 1;
  params.bmax[2] = 4;
  params.walkableHeight = 2;
  params.walkableClimb = 0.9F;
  params.cs = 0.5F;
  params.ch = 0.5F;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  EXPECT_TRUE(dtCreateNavMeshData(&params, &data, &size));
  std::string bytes(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  dtFree(data);
  return bytes;
}

// As a build with 64-bit references would have it: links of 16 bytes.
std::string widened(const std::string& tile) {
  std::int32_t counts[3];
  std::memcpy(counts, tile.data() + 24, sizeof counts);
  const auto after = 100 + static_cast<std::size_t>(counts[1] * 12 + counts[0] * 32);
  return tile.substr(0, after) + std::string(static_cast<std::size_t>(counts[2]) * 16, '\0') +
         tile.substr(after + static_cast<std::size_t>(counts[2]) * 12);
}

std::string tile_set(const std::vector<std::string>& tiles, bool is_wide) {
  std::string bytes;
  append(&bytes, std::int32_t{'M' << 24 | 'S' << 16 | 'E' << 8 | 'T'});
  append(&bytes, std::int32_t{1});
  append(&bytes, static_cast<std::int32_t>(tiles.size()));
  bytes.append(28, '\0');
  for (const std::string& tile : tiles) {
    const std::string data = is_wide ? widened(tile) : tile;
    if (is_wide) append(&bytes, std::uint64_t{1});
    if (!is_wide) append(&bytes, std::uint32_t{1});
    append(&bytes, static_cast<std::int32_t>(data.size()));
    if (is_wide) append(&bytes, std::int32_t{0});
    bytes += data;
  }
  return bytes;
}

std::string two_tiles(bool is_wide) { return tile_set({tile_at(0, 4), tile_at(1, 2)}, is_wide); }

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
      EXPECT_EQ(mesh->cell(c).origin, (Provenance{c < 2 ? 0u : 1u, c < 2 ? c : c - 2}));
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
    std::size_t byte;  // where an int32 is overwritten
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
