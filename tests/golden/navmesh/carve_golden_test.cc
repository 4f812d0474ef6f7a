// Recorded worlds replay only if the same obstacles leave the same fragments.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "support/carve_scenes.h"

namespace repath {
namespace {

TEST(CarveGolden, FragmentsOfFiveHundredScenesAreFixed) {
  Random random(3);
  Carver carver;
  Carving out;
  Hasher hash;
  std::size_t fragments = 0;
  for (int i = 0; i < 500; ++i) {
    const LatticeRing cell = test::random_convex(&random, 6 * kLatticePerUnit, 3 + random.below(6));
    std::vector<LatticeRing> rings;
    for (std::uint32_t k = random.below(6); k-- > 0;)
      rings.push_back(test::random_obstacle(&random, 6, 0.5 * random.below(2)));
    carver.carve(cell, test::as_obstacles(rings), &out);
    fragments += out.fragment_ends.size();
    for (const FragmentEdge& e : out.edges)
      hash.add(static_cast<std::uint64_t>(e.from.x))
          .add(static_cast<std::uint64_t>(e.from.z))
          .add(static_cast<std::uint64_t>(e.kind))
          .add(std::uint64_t{e.number})
          .add(value(e.obstacle));
  }
  EXPECT_EQ(fragments, 3173u);
  EXPECT_EQ(hash.value(), 8661390660488585605u);
}

}  // namespace
}  // namespace repath
