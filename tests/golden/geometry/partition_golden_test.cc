// The number of cells that the methods make of fixed plans, and which cells. A method that cuts
// more than needed must fail here.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "geometry/partition.h"
#include "support/random_polygons.h"

namespace repath {
namespace {

struct Counts {
  std::size_t cells = 0;
  std::uint64_t hash = 0;
  bool operator==(const Counts&) const = default;
};

Counts counts(PartitionMethod method, double tau = 0, Dents dents = Dents::kKept) {
  Random random(11);
  Partitioner partitioner;
  Partition p;
  Hasher hash;
  std::size_t cells = 0;
  for (int i = 0; i < 200; ++i) {
    const test::Region region = test::random_plan(&random, 4 + random.below(20), 6);
    EXPECT_TRUE(partitioner.run(region.points, region.loop_ends, method, &p, nullptr, tau, dents));
    cells += p.cell_ends.size();
    for (const PartitionEdge e : p.edges)
      hash.add(std::uint64_t{e.from}).add(std::uint64_t{e.source});
  }
  return {cells, hash.value()};
}

TEST(PartitionGolden, TheCellsOfTwoHundredPlansAreFixed) {
  const Counts shortest = counts(PartitionMethod::kShortestDiagonals);
  EXPECT_EQ(shortest.cells, 2258u);
  EXPECT_EQ(shortest.hash, 10534626943372447092u);
  const Counts delaunay = counts(PartitionMethod::kDelaunay);
  EXPECT_EQ(delaunay.cells, 2331u);
  EXPECT_EQ(delaunay.hash, 1836554767328642993u);
}

TEST(PartitionGolden, AnavmgNeedsFewerCellsAndFewerStillWhenRelaxed) {
  const Counts exact = counts(PartitionMethod::kAnavmg);
  EXPECT_EQ(exact.cells, 2179u);
  EXPECT_EQ(exact.hash, 5843021973007596879u);
  const Counts relaxed = counts(PartitionMethod::kAnavmg, 0.2);
  EXPECT_EQ(relaxed.cells, 1996u);
  EXPECT_EQ(relaxed.hash, 10896750792345558743u);
}

// Floor plans are cut so, because searches need convex cells.
TEST(PartitionGolden, DentsOfRelaxedCellsAreCut) {
  const Counts cut = counts(PartitionMethod::kAnavmg, 0.2, Dents::kCut);
  EXPECT_EQ(cut.cells, 2336u);
  EXPECT_EQ(cut.hash, 10273047761978298359u);
}

}  // namespace
}  // namespace repath
