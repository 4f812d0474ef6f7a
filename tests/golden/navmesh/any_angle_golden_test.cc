// Golden numbers of nodes of the any-angle search, and a hash of the paths found. A change here is
// not wrong by itself, but it is a change of the algorithm: the commit must say what changed and
// why.
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "navmesh/any_angle.h"
#include "support/carved_worlds.h"
#include "support/random_meshes.h"
#include "support/totals.h"

namespace repath {
namespace {

using test::Totals;

// 50 queries between vertices on each of 30 meshes.
Totals totals(MeshSource (*make)(Random*, std::uint32_t)) {
  Random random(20261122);
  Totals totals;
  Hasher paths;
  AnyAngleSearch search;
  search.compare_ends_after(0);
  for (int round = 0; round < 30; ++round) {
    const NavMesh mesh = *NavMesh::build(make(&random, 24));
    for (int query = 0; query < 50; ++query) {
      MeshPlace ends[2];
      for (MeshPlace& end : ends) {
        end.cell = random.below(mesh.cells_end());
        const auto edges = mesh.edges_of(end.cell);
        const auto& corner = edges[random.below(static_cast<std::uint32_t>(edges.size()))];
        end.x = corner.x;
        end.z = corner.z;
      }
      search.begin(mesh, ends[0], ends[1]);
      std::uint32_t plenty = 1'000'000;
      const Progress progress = search.advance(&plenty);
      totals.expanded += search.expanded();
      totals.generated += search.generated();
      std::vector<PathCorner> path;
      if (progress == Progress::kPathFound) search.append_path(&path);
      for (const PathCorner& corner : path) paths.add(std::uint64_t{corner.vertex});
      if (!path.empty()) paths.add(search.path_length());
    }
  }
  totals.paths = paths.value();
  return totals;
}

TEST(AnyAngleGolden, Squares) {
  EXPECT_EQ(totals([](Random* random, std::uint32_t side) {
              return test::squares(test::random_rows(random, side));
            }),
            (Totals{27586u, 37563u, 9374451646258824141u}));
}

TEST(AnyAngleGolden, Bars) {
  EXPECT_EQ(totals(test::random_bars), (Totals{18499u, 29899u, 17870429765444402425u}));
}

// 200 queries across 40 by 40 squares, a quarter of them blocked, with obstacles carved out.
TEST(AnyAngleGolden, Landmarks) {
  Random random(20261122);
  std::vector<std::string> rows(40, std::string(40, '.'));
  for (std::string& row : rows)
    for (char& c : row) c = random.below(4) == 0 ? '#' : '.';
  CarvedMesh carved = *CarvedMesh::make(test::squares(rows), 8, 16);
  std::map<ObstacleId, CarveShape> shapes;
  for (int step = 0; step < 50; ++step)
    ASSERT_TRUE(carved.apply(test::random_edits(&random, 60, 40, &shapes)).ok());
  ASSERT_EQ(carved.ground().landmarks().count(), 16u);
  const NavMesh& mesh = carved.mesh();
  Totals with;
  Totals without;
  AnyAngleSearch search;
  search.compare_ends_after(0);
  for (int query = 0; query < 200; ++query) {
    MeshPlace ends[2];
    for (MeshPlace& end : ends) {
      do end.cell = random.below(mesh.cells_end());
      while (!mesh.is_live(end.cell));
      end.x = mesh.edges_of(end.cell)[0].x;
      end.z = mesh.edges_of(end.cell)[0].z;
    }
    std::uint32_t plenty = 1'000'000;
    search.begin(mesh, ends[0], ends[1]);
    const Progress progress = search.advance(&plenty);
    without.expanded += search.expanded();
    const double length = progress == Progress::kPathFound ? search.path_length() : 0;
    search.begin(mesh, ends[0], ends[1], carved.ground().landmarks());
    ASSERT_EQ(search.advance(&plenty), progress);
    with.expanded += search.expanded();
    if (progress != Progress::kPathFound) continue;
    ASSERT_NEAR(search.path_length(), length, 1e-9 * length);
  }
  EXPECT_EQ(without.expanded, 48344u);
  EXPECT_EQ(with.expanded, 38158u);
}

TEST(AnyAngleGolden, Triangles) {
  EXPECT_EQ(totals(test::random_triangles), (Totals{28096u, 31756u, 13675768107468588161u}));
}

}  // namespace
}  // namespace repath
