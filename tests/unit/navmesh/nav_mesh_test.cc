#include "navmesh/mesh/nav_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

using test::at;

NavMesh built(const MeshSource& source) {
  absl::StatusOr<NavMesh> mesh = NavMesh::build(source);
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  return *std::move(mesh);
}

std::size_t corners_at(const NavMesh& mesh, LatticePoint p) {
  std::size_t n = 0;
  for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v)
    n += mesh.vertex(v).at == p && mesh.vertex(v).is_corner;
  return n;
}

TEST(NavMesh, NeighboursShareWholeEdges) {
  const NavMesh mesh = built(test::squares({"..", ".#"}));
  ASSERT_EQ(mesh.cells_end(), 3u);
  std::size_t joined = 0;
  for (std::uint32_t e = 0; e < mesh.edges_end(); ++e) {
    if (mesh.edge(e).twin == kNoEdge) continue;
    ++joined;
    EXPECT_EQ(mesh.edge(mesh.edge(e).twin).twin, e);
    EXPECT_EQ(mesh.cell_of(mesh.edge(e).twin), mesh.edge(e).neighbour);
  }
  EXPECT_EQ(joined, 4u);
}

TEST(NavMesh, PathsBendOnlyWhereTheAngleIsReflex) {
  const NavMesh mesh = built(test::squares({"...", ".#.", "..."}));
  for (const double x : {0.0, 1.0, 2.0, 3.0})
    for (const double z : {0.0, 1.0, 2.0, 3.0})
      EXPECT_EQ(corners_at(mesh, at(x, z)), x > 0 && x < 3 && z > 0 && z < 3 ? 1u : 0u);
}

TEST(NavMesh, GroundThatTouchesAtAPointIsNotJoinedThere) {
  const NavMesh mesh = built(test::squares({".#", "#."}));
  EXPECT_NE(mesh.component_of(0), mesh.component_of(1));
  std::size_t there = 0;
  for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v) there += mesh.vertex(v).at == at(1, 1);
  EXPECT_EQ(there, 2u);
}

TEST(NavMesh, FloorsAreJoinedByVerticesAndNotByPlace) {
  MeshSource source = test::squares({"."});
  for (std::uint32_t v = 0; v < 4; ++v) source.vertices.push_back({source.vertices[v].at, 3.0});
  source.add_cell({4, 5, 6, 7});
  const NavMesh mesh = built(source);
  EXPECT_NE(mesh.component_of(0), mesh.component_of(1));
  EXPECT_EQ(mesh.height_at(0, 8000, 8000), 0);
  EXPECT_EQ(mesh.height_at(1, 8000, 8000), 3);
}

TEST(NavMesh, LinksUniteComponentsWhateverTheirDirection) {
  MeshSource source = test::squares({".#."});
  source.links.push_back({.id = 7,
                          .from_cell = 1,
                          .to_cell = 0,
                          .from = at(2, 0),
                          .to = at(1, 0),
                          .both_ways = false,
                          .enabled = false});
  const NavMesh mesh = built(source);
  EXPECT_EQ(mesh.component_of(0), mesh.component_of(1));
}

TEST(NavMesh, DeadEndsAreTreesThatHangOnTheRest) {
  // A ring of cells with a tail of two cells:
  //  012
  //  3#4..
  //  567
  const NavMesh mesh = built(test::squares({"...", ".#...", "..."}));
  std::vector<std::uint32_t> into;
  for (std::uint32_t e = 0; e < mesh.edges_end(); ++e)
    if (mesh.edge(e).leads_into_dead_end) into.push_back(mesh.edge(e).neighbour);
  EXPECT_EQ(into, (std::vector<std::uint32_t>{5, 6}));
}

TEST(NavMesh, HeightIsThatOfTheGroundsTriangles) {
  MeshSource source = test::squares({"."});
  source.vertices[1].y = 1;
  source.vertices[2].y = 1;
  const NavMesh mesh = built(source);
  EXPECT_DOUBLE_EQ(mesh.height_at(0, 4000, 12000), 0.25);
  EXPECT_DOUBLE_EQ(mesh.height_at(0, 12000, 4000), 0.75);
}

struct Refused {
  const char* reason;
  const char* field;
  void (*spoil)(MeshSource*);
};

TEST(NavMesh, BadSourcesAreRefusedByName) {
  const Refused all[] = {
      {"CELL_SIZE", "cells[1]", [](MeshSource* s) { s->cells[1].count = 2; }},
      {"CELL_SIZE", "cells[1]", [](MeshSource* s) { s->cells[1].first = 0xffffffff; }},
      {"CELL_VERTEX", "cells[0]", [](MeshSource* s) { s->corners[2] = 99; }},
      {"CELL_NOT_CONVEX", "cells[0]",
       [](MeshSource* s) { std::swap(s->corners[1], s->corners[2]); }},
      {"CELL_NOT_CONVEX", "cells[0]",
       [](MeshSource* s) { std::reverse(s->corners.begin(), s->corners.begin() + 4); }},
      {"EDGE_SHARED", "cells[2]",
       [](MeshSource* s) {
         s->add_cell({0, 1, 2});
       }},
      {"VERTEX_RANGE", "vertices[3]", [](MeshSource* s) { s->vertices[3].at.x = kLatticeMax + 1; }},
      {"VERTEX_RANGE", "vertices[0]", [](MeshSource* s) { s->vertices[0].y = 0.0 / 0.0; }},
      {"AREA_RANGE", "cells[1].area", [](MeshSource* s) { s->cells[1].area = AreaType{64}; }},
      {"LINK_CELL", "links[0]", [](MeshSource* s) { s->links[0].to_cell = 2; }},
      {"LINK_CELL", "links[0]", [](MeshSource* s) { s->links[0].to = at(5, 5); }},
      {"LINK_RANGE", "links[0]", [](MeshSource* s) { s->links[0].factor = 999; }},
      {"LINK_ID", "links", [](MeshSource* s) { s->links.push_back(s->links[0]); }},
  };
  for (const Refused& refused : all) {
    MeshSource source = test::squares({".."});
    source.links.push_back(
        {.id = 1, .from_cell = 0, .to_cell = 1, .from = at(0, 0), .to = at(2, 1)});
    ASSERT_TRUE(NavMesh::build(source).ok());
    refused.spoil(&source);
    const absl::StatusOr<NavMesh> mesh = NavMesh::build(source);
    ASSERT_FALSE(mesh.ok()) << refused.reason;
    EXPECT_EQ(error_reason(mesh.status()), refused.reason);
    EXPECT_EQ(error_field(mesh.status()), refused.field) << mesh.status();
  }
}

TEST(NavMesh, ConvexMeansOnceAround) {
  // A pentagram turns left at every corner and goes round twice.
  const std::vector<LatticePoint> star{{0, 100}, {-59, -81}, {95, 31}, {-95, 31}, {59, -81}};
  EXPECT_FALSE(is_convex_ring(star));
  const std::vector<LatticePoint> house{{0, 0}, {50, 0}, {100, 0}, {100, 100}, {0, 100}};
  EXPECT_TRUE(is_convex_ring(house));
  const std::vector<LatticePoint> spike{{0, 0}, {100, 0}, {50, 0}, {50, 50}};
  EXPECT_FALSE(is_convex_ring(spike));
  const std::vector<LatticePoint> line{{0, 0}, {50, 0}, {100, 0}};
  EXPECT_FALSE(is_convex_ring(line));
}

}  // namespace
}  // namespace repath
