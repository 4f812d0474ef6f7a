// Any-angle search against a plain visibility graph.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "navmesh/search/any_angle.h"
#include "support/mesh_ends.h"
#include "support/plain_mesh.h"
#include "support/seed.h"

namespace repath {
namespace {

// Expects that the path's bends are corners, its parts are on the ground, and they add up to its
// length.
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

struct Counts {
  int found = 0;
  int none = 0;
};

// Runs some queries of one mesh, in slices.
void compare(const MeshSource& source, int queries, Random* random, AnyAngleSearch* search,
             Counts* counts) {
  const absl::StatusOr<NavMesh> mesh = NavMesh::build(source);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  const test::PlainMesh plain(source);
  for (int query = 0; query < queries; ++query) {
    MeshPlace ends[2];
    test::PlainMesh::Spot spots[2];
    for (int k = 0; k < 2; ++k) {
      ends[k] = test::random_end(random, source, *mesh);
      spots[k] = plain.spot(ends[k].point().x, ends[k].point().z, ends[k].cell);
    }
    search->begin(*mesh, ends[0], ends[1]);
    Progress progress = Progress::kOutOfBudget;
    while (progress == Progress::kOutOfBudget) {
      std::uint32_t slice = 1 + random->below(5);
      progress = search->advance(&slice);
    }
    const double best = plain.shortest(spots[0], spots[1]);
    const bool is_found = progress == Progress::kPathFound;
    ASSERT_EQ(is_found, best < test::PlainMesh::kFar) << "query " << query;
    ASSERT_EQ(is_found, mesh->component_of(ends[0].cell) == mesh->component_of(ends[1].cell));
    (is_found ? counts->found : counts->none) += 1;
    if (!is_found) continue;
    ASSERT_NEAR(search->path_length(), best, 1e-9 * best) << "query " << query;
    expect_path(plain, *search, search->path_length());
  }
}

TEST(AnyAngle, EqualsThePlainVisibilityGraph) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WithOwnCore<AnyAngleSearch> search;
  Counts counts;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    search.compare_ends_after(round % 3 == 0 ? AnyAngleSearch::kConesUncompared : 0);
    compare(test::random_mesh(&random, 6), 12, &random, &search, &counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.found, 1000);
  EXPECT_GT(counts.none, 100);
}

TEST(AnyAngle, EqualsThePlainVisibilityGraphOnMeshesAsLargeAsTheyCome) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  WithOwnCore<AnyAngleSearch> search;
  Counts counts;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    search.compare_ends_after(round % 3 == 0 ? AnyAngleSearch::kConesUncompared : 0);
    MeshSource source = test::random_mesh(&random, 6);
    const auto part = [&random] { return 1 + static_cast<std::int32_t>(random.below(2600)); };
    test::stretch(part(), part(), &source);
    compare(source, 10, &random, &search, &counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.found, 500);
}

}  // namespace
}  // namespace repath
