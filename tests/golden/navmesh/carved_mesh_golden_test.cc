// Recorded worlds replay only if the same edits give the same fragments.
#include <gtest/gtest.h>

#include "navmesh/search/any_angle.h"
#include "support/carved_worlds.h"

namespace repath {
namespace {

TEST(CarvedMeshGolden, OneHistoryIsFixed) {
  Random random(5);
  CarvedMesh carved = *CarvedMesh::make(test::two_floors(&random, 6, 6), 1.5);
  std::map<ObstacleId, CarveShape> shapes;
  std::size_t gone = 0;
  for (int step = 0; step < 100; ++step) {
    const auto delta = carved.apply(test::random_edits(&random, 20, 8, &shapes));
    ASSERT_TRUE(delta.ok());
    gone += delta->gone.size();
  }
  EXPECT_EQ(gone, 704u);
  EXPECT_EQ(carved.mesh().edges_end(), 478u);
  EXPECT_EQ(carved.content_hash(), 15738472592737000161u);
}

}  // namespace
}  // namespace repath
