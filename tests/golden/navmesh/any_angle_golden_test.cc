// Golden numbers of nodes of the any-angle search, and a hash of the paths. A change here need not
// be wrong, but it is a change of the algorithm: the commit must explain it.
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "navmesh/search/any_angle.h"
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
  WithOwnCore<AnyAngleSearch> search;
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

struct Expanded {
  std::uint64_t without = 0;
  std::uint64_t with = 0;  // with the bounds of the base
  bool operator==(const Expanded&) const = default;
};

// Sums over 200 queries between corners, each with and without the bounds of the base.
Expanded expanded_by(const CarvedMesh& carved, const LandmarkView& view, Random* random) {
  const NavMesh& mesh = carved.mesh();
  Expanded expanded;
  WithOwnCore<AnyAngleSearch> search;
  search.compare_ends_after(0);
  for (int query = 0; query < 200; ++query) {
    MeshPlace ends[2];
    for (MeshPlace& end : ends) {
      do end.cell = random->below(mesh.cells_end());
      while (!mesh.is_live(end.cell));
      end.x = mesh.edges_of(end.cell)[0].x;
      end.z = mesh.edges_of(end.cell)[0].z;
    }
    std::uint32_t plenty = 1'000'000;
    search.begin(mesh, ends[0], ends[1]);
    const Progress progress = search.advance(&plenty);
    expanded.without += search.expanded();
    const double length = progress == Progress::kPathFound ? search.path_length() : 0;
    search.begin(mesh, ends[0], ends[1], view);
    EXPECT_EQ(search.advance(&plenty), progress);
    expanded.with += search.expanded();
    if (progress != Progress::kPathFound) continue;
    EXPECT_NEAR(search.path_length(), length, 1e-9 * length);
  }
  return expanded;
}

void carve_at_random(CarvedMesh* carved, std::uint32_t side, Random* random) {
  std::map<ObstacleId, CarveShape> shapes;
  for (int step = 0; step < 50; ++step)
    ASSERT_TRUE(carved->apply(test::random_edits(random, 60, side, &shapes)).ok());
}

// A quarter of the cells is blocked.
MeshSource squares_with_holes(std::uint32_t side, Random* random) {
  std::vector<std::string> rows(side, std::string(side, '.'));
  for (std::string& row : rows)
    for (char& c : row) c = random->below(4) == 0 ? '#' : '.';
  return test::squares(rows);
}

TEST(AnyAngleGolden, Landmarks) {
  Random random(20261122);
  CarvedMesh carved = *CarvedMesh::make(squares_with_holes(40, &random), 8, 16);
  carve_at_random(&carved, 40, &random);
  LandmarkView view = carved.ground().landmarks();
  ASSERT_EQ(view.count(), 16u);
  view.uncut = nullptr;
  EXPECT_EQ(expanded_by(carved, view, &random), (Expanded{48344u, 38158u}));
}

// Squares of 6 units, cut into nine for carving.
TEST(AnyAngleGolden, WayBack) {
  Random random(20261124);
  MeshSource source = squares_with_holes(30, &random);
  test::stretch(6, 0, &source);
  CarvedMesh carved = *CarvedMesh::make(source, 2, 16);
  carve_at_random(&carved, 180, &random);
  const LandmarkView view = carved.ground().landmarks();
  ASSERT_NE(view.uncut, nullptr);
  LandmarkView landmarks_alone = view;
  landmarks_alone.uncut = nullptr;
  Random again = random;
  EXPECT_EQ(expanded_by(carved, landmarks_alone, &again), (Expanded{733912u, 274137u}));
  EXPECT_EQ(expanded_by(carved, view, &random), (Expanded{733912u, 195912u}));
}

TEST(AnyAngleGolden, Triangles) {
  EXPECT_EQ(totals(test::random_triangles), (Totals{28096u, 31756u, 13675768107468588161u}));
}

}  // namespace
}  // namespace repath
