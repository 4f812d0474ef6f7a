#include "navmesh/import/polyanya_import.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "navmesh/mesh/nav_mesh.h"
#include "support/seed.h"
#include "support/spoil.h"

namespace repath {
namespace {

// Two squares side by side, and a triangle on the second.
constexpr const char* kSmall =
    "mesh\n2\n7 3\n"
    "0 0 2 0 -1\n2 0 3 1 0 -1\n2 2 4 -1 0 1 2\n0 2 2 -1 0\n4 0 2 1 -1\n4 2 3 2 1 -1\n3 3.5 2 2 -1\n"
    "4 0 1 2 3 -1 -1 1 -1\n4 1 4 5 2 0 -1 -1 2\n3 2 5 6 -1 1 -1\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

TEST(PolyanyaImport, ReadsCellsAndNeighbours) {
  const auto source = import_polyanya(kSmall);
  ASSERT_TRUE(source.ok()) << source.status();
  const auto mesh = NavMesh::build(*source);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->cells_end(), 3u);
  EXPECT_EQ(mesh->vertex(6).at, (LatticePoint{48'000, 56'000}));
  EXPECT_EQ(mesh->component_of(0), mesh->component_of(2));
}

TEST(PolyanyaImport, TakesCarriageReturns) {
  std::string text;
  for (const char c : std::string(kSmall))
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(import_polyanya(text).ok());
}

TEST(PolyanyaImport, DentsOfRoundingAreCutAway) {
  // The third corner lies a hundredth of a step inside the line and rounds to half a step.
  const std::string dented =
      "mesh\n2\n5 1\n0 0 2 0 -1\n1 0 2 0 -1\n1 1 2 0 -1\n0.5 0.99996 2 0 -1\n0 1 2 0 -1\n"
      "5 0 1 2 3 4 -1 -1 -1 -1 -1\n";
  const auto source = import_polyanya(dented);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->cells.size(), 2u);
  EXPECT_TRUE(NavMesh::build(*source).ok());
}

TEST(PolyanyaImport, ErrorsNameTheLine) {
  struct Case {
    std::string text;
    const char* reason;
    const char* line;
  };
  const Case cases[] = {
      {"map\n2\n", "MESH_SYNTAX", "line 1:"},
      {"mesh\n3\n", "MESH_SYNTAX", "line 2:"},
      {with(kSmall, "7 3", "7 x"), "MESH_SYNTAX", "line 3:"},
      {with(kSmall, "7 3", "700 3"), "MESH_SYNTAX", "line 3:"},
      {with(kSmall, "7 3", "99999999 3"), "MESH_TOO_LARGE", "line 3:"},
      {with(kSmall, "2 2 4", "2 nan 4"), "MESH_EXTENT", "line 6:"},
      {with(kSmall, "2 2 4", "2 1e9 4"), "MESH_EXTENT", "line 6:"},
      {with(kSmall, "2 2 4 -1", "2 2 4 3"), "MESH_INDEX", "line 6:"},
      {with(kSmall, "4 0 1 2 3", "4 0 1 7 3"), "MESH_INDEX", "line 11:"},
      {with(kSmall, "4 0 1 2 3", "4 0 1 -1 3"), "MESH_INDEX", "line 11:"},
      {with(kSmall, "4 0 1 2 3", "2 0 1 2 3"), "MESH_SYNTAX", "line 11:"},
      {with(kSmall, "3 2 5 6 -1 1 -1", "3 2 5 6 -1 0 -1"), "MESH_NEIGHBOUR", "line 13:"},
      {with(kSmall, "3 2 5 6 -1 1 -1", "3 2 5 6 -1 1"), "MESH_SYNTAX", "line 14:"},
      {std::string(kSmall) + "1\n", "MESH_SYNTAX", "line 14:"},
      {with(kSmall, "0 0 2 0", "5 1 2 0"), "MESH_POLYGON", "line 11:"},
  };
  for (const Case& c : cases) {
    const auto source = import_polyanya(c.text);
    ASSERT_FALSE(source.ok()) << c.line << c.reason;
    EXPECT_EQ(error_reason(source.status()), c.reason) << source.status();
    EXPECT_NE(std::string(source.status().message()).find(c.line), std::string::npos)
        << source.status();
  }
}

TEST(PolyanyaImport, SpoiledFilesAreReadOrRefused) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int good = 0;
  test::for_each_spoiled(kSmall, 3000, &random, [&](const std::string& text) {
    const auto source = import_polyanya(text);
    if (source.ok() && NavMesh::build(*source).ok()) ++good;
  });
  EXPECT_GT(good, 0);
  EXPECT_LT(good, 3000);
}

}  // namespace
}  // namespace repath
