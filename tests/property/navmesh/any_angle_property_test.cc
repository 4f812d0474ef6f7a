// Any-angle search against a plain visibility graph.
#include <gtest/gtest.h>

#include <cmath>

#include "navmesh/any_angle.h"
#include "support/mesh_ends.h"
#include "support/plain_mesh.h"
#include "support/seed.h"

namespace repath {
namespace {

// The path's bends are corners, its parts are on the ground, and they add up to its length.
void expect_path(const test::PlainMesh& plain, const AnyAngleSearch& search, double length) {
  std::vector<PathCorner> path;
  search.append_path(&path);
  ASSERT_GE(path.size(), 2u);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    sum += std::hypot(path[i + 1].at.x - path[i].at.x, path[i + 1].at.z - path[i].at.z);
  EXPECT_NEAR(sum, length, 1e-9 * (1 + length));
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    test::PlainMesh::Spot ends[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const Point p = path[i + k].at;
      ends[k] = {p.x, p.z, plain.holders(p.x, p.z)};
    }
    EXPECT_LT(plain.straight(ends[0], ends[1]), test::PlainMesh::kFar) << "part " << i;
  }
}

TEST(AnyAngle, EqualsThePlainVisibilityGraph) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  AnyAngleSearch search;
  int found = 0;
  int none = 0;
  for (int round = 0; round < 400; ++round) {
    const MeshSource source = test::random_mesh(&random, 6);
    const absl::StatusOr<NavMesh> mesh = NavMesh::build(source);
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    const test::PlainMesh plain(source);
    for (int query = 0; query < 12; ++query) {
      MeshPlace ends[2];
      test::PlainMesh::Spot spots[2];
      for (int k = 0; k < 2; ++k) {
        ends[k] = test::random_end(&random, source, *mesh);
        spots[k] = plain.spot(from_steps(ends[k].x), from_steps(ends[k].z), ends[k].cell);
      }
      search.begin(*mesh, ends[0], ends[1]);
      Progress progress = Progress::kOutOfBudget;
      while (progress == Progress::kOutOfBudget) {
        std::uint32_t slice = 1 + random.below(5);
        progress = search.advance(&slice);
      }
      const double best = plain.shortest(spots[0], spots[1]);
      const bool same_component =
          mesh->component_of(ends[0].cell) == mesh->component_of(ends[1].cell);
      ASSERT_EQ(progress == Progress::kPathFound, best < test::PlainMesh::kFar)
          << "round " << round << " query " << query;
      ASSERT_EQ(progress == Progress::kPathFound, same_component);
      if (progress != Progress::kPathFound) {
        ++none;
        continue;
      }
      ++found;
      ASSERT_NEAR(search.path_length(), best, 1e-9 * best)
          << "round " << round << " query " << query;
      expect_path(plain, search, search.path_length());
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(none, 100);
}

}  // namespace
}  // namespace repath
