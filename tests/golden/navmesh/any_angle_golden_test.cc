// Golden numbers of nodes of the any-angle search, and a hash of the paths found. A change here is
// not wrong by itself, but it is a change of the algorithm: the commit must say what changed and
// why.
#include <gtest/gtest.h>

#include <ostream>

#include "base/hash.h"
#include "navmesh/any_angle.h"
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
  EXPECT_EQ(totals(test::random_bars), (Totals{18504u, 29897u, 17870429765444402425u}));
}

TEST(AnyAngleGolden, Triangles) {
  EXPECT_EQ(totals(test::random_triangles), (Totals{28096u, 31756u, 13675768107468588161u}));
}

}  // namespace
}  // namespace repath
