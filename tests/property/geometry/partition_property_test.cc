// Convex partitions: the cells cover the region, each place once, and know the origin of their
// edges.
#include "geometry/partition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "base/random.h"
#include "support/random_polygons.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::Region;

bool cross(LatticePoint a, LatticePoint b, LatticePoint c, LatticePoint d) {
  const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
  return sign(turn(a, b, c)) * sign(turn(a, b, d)) < 0 &&
         sign(turn(c, d, a)) * sign(turn(c, d, b)) < 0;
}

// Checks the properties that all methods share. Added points lie on the segments of their edges,
// within half a step.
void expect_partition(const Region& region, const Partition& p) {
  std::int64_t area = 0;
  std::map<std::uint32_t, std::vector<std::pair<LatticePoint, LatticePoint>>> diagonals;
  std::vector<std::vector<std::pair<LatticePoint, LatticePoint>>> pieces(region.points.size());
  std::vector<std::pair<LatticePoint, LatticePoint>> all;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : p.cell_ends) {
    LatticeRing ring;
    for (std::uint32_t e = begin; e < end; ++e) {
      const std::uint32_t next = e + 1 == end ? begin : e + 1;
      const std::pair edge{p.points[p.edges[e].from], p.points[p.edges[next].from]};
      ring.push_back(edge.first);
      all.push_back(edge);
      const std::uint32_t source = p.edges[e].source;
      if ((source & kDiagonalBit) != 0) {
        ASSERT_LT(source & ~kDiagonalBit, p.diagonals);
        diagonals[source].push_back(edge);
      } else {
        pieces[source].push_back(edge);
      }
    }
    begin = end;
    ASSERT_GT(twice_area(ring), 0);
    area += twice_area(ring);
  }
  ASSERT_EQ(diagonals.size(), p.diagonals);
  for (const auto& [number, sides] : diagonals) {
    ASSERT_EQ(sides.size(), 2u);
    ASSERT_EQ(sides[0].first, sides[1].second);
    ASSERT_EQ(sides[0].second, sides[1].first);
  }
  // The pieces of an input edge form that edge, in order. The area that a rounded point adds is
  // counted.
  std::uint32_t loop = 0;
  for (std::uint32_t i = 0; i < region.points.size(); ++i) {
    if (i == region.loop_ends[loop]) ++loop;
    const std::uint32_t first = loop == 0 ? 0 : region.loop_ends[loop - 1];
    const LatticePoint b = region.points[i + 1 == region.loop_ends[loop] ? first : i + 1];
    LatticePoint at = region.points[i];
    std::map<LatticePoint, LatticePoint> next;
    for (const auto& piece : pieces[i]) ASSERT_TRUE(next.insert(piece).second);
    for (std::size_t k = 0; k < pieces[i].size(); ++k) {
      ASSERT_TRUE(next.count(at));
      const LatticePoint to = next[at];
      area -= turn(region.points[i], at, to);
      at = to;
    }
    ASSERT_EQ(at, b);
  }
  ASSERT_EQ(area, region.twice_area());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      ASSERT_FALSE(cross(all[i].first, all[i].second, all[k].first, all[k].second));
}

void expect_convex(const Partition& p) {
  std::uint32_t begin = 0;
  for (const std::uint32_t end : p.cell_ends) {
    LatticeRing ring;
    for (std::uint32_t e = begin; e < end; ++e) ring.push_back(p.points[p.edges[e].from]);
    ASSERT_TRUE(is_convex_ring(ring));
    begin = end;
  }
}

std::size_t reflex_corners(const Region& region) {
  std::size_t reflex = 0;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : region.loop_ends) {
    const std::uint32_t n = end - begin;
    for (std::uint32_t i = 0; i < n; ++i)
      if (!is_convex_corner(region.points[begin + i], region.points[begin + (i + 1) % n],
                            region.points[begin + (i + 2) % n]))
        ++reflex;
    begin = end;
  }
  return reflex;
}

void expect_all(Partitioner* partitioner, const Region& region) {
  Partition p;
  for (const PartitionMethod method :
       {PartitionMethod::kShortestDiagonals, PartitionMethod::kDelaunay}) {
    ASSERT_TRUE(partitioner->run(region.points, region.loop_ends, method, &p));
    ASSERT_EQ(p.points, region.points);
    expect_partition(region, p);
    expect_convex(p);
    // Every remaining diagonal is needed at one end, and a reflex corner needs at most two.
    ASSERT_LE(p.diagonals, 2 * reflex_corners(region));
  }
}

// Inner angles, up to rounding.
double largest_excess(const Partition& p) {
  double most = 0;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : p.cell_ends) {
    const std::uint32_t n = end - begin;
    for (std::uint32_t i = 0; i < n; ++i) {
      const LatticePoint a = p.points[p.edges[begin + i].from];
      const LatticePoint b = p.points[p.edges[begin + (i + 1) % n].from];
      const LatticePoint c = p.points[p.edges[begin + (i + 2) % n].from];
      most = std::max(most, -std::atan2(static_cast<double>(turn(a, b, c)),
                                        static_cast<double>(onward(a, b, c))));
    }
    begin = end;
  }
  return most;
}

void expect_anavmg(Partitioner* partitioner, const Region& region) {
  Partition p;
  ASSERT_TRUE(
      partitioner->run(region.points, region.loop_ends, PartitionMethod::kAnavmg, &p, nullptr, 0));
  expect_partition(region, p);
  expect_convex(p);
  ASSERT_TRUE(partitioner->run(region.points, region.loop_ends, PartitionMethod::kAnavmg, &p,
                               nullptr, 0.2));
  expect_partition(region, p);
  ASSERT_LE(largest_excess(p), 0.2 + 1e-9);
  for (const double tau : {0.01, 0.2, kTauMax}) {
    ASSERT_TRUE(partitioner->run(region.points, region.loop_ends, PartitionMethod::kAnavmg, &p,
                                 nullptr, tau, Dents::kCut));
    expect_partition(region, p);
    expect_convex(p);
  }
}

TEST(PartitionModel, AnavmgMakesFewerCellsThanNotchesAndOne) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Partitioner partitioner;
  std::size_t cells = 0;
  std::size_t notches = 0;
  int over = 0;
  for (int i = 0; i < 300; ++i) {
    const Region region = test::random_plan(&random, 4 + random.below(20), 6);
    expect_anavmg(&partitioner, region);
    if (HasFatalFailure()) FAIL() << "plan " << i;
    Partition p;
    ASSERT_TRUE(
        partitioner.run(region.points, region.loop_ends, PartitionMethod::kAnavmg, &p, nullptr, 0));
    cells += p.cell_ends.size();
    notches += reflex_corners(region);
    over += p.cell_ends.size() > reflex_corners(region) + 1 ? 1 : 0;
  }
  EXPECT_LT(cells, notches);
  EXPECT_LE(over, 3);  // a notch with two portals, which no later portal made needless
  for (int i = 0; i < 600; ++i) {
    const int side = 2 + static_cast<int>(random.below(7));
    expect_anavmg(&partitioner, test::random_squares(&random, side, 30 + random.below(65)));
    if (HasFatalFailure()) FAIL() << "region " << i;
  }
}

// A round hole has no corner sharper than tau, and so no portal of its own.
Region hall_with_round_pillars(Random* random) {
  Region region;
  const auto add_round = [&region](std::int32_t x, std::int32_t z, double radius, std::uint32_t n,
                                   bool is_hole) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = 2 * std::acos(-1.0) * (is_hole ? n - i : i) / n;
      region.points.push_back({x + static_cast<std::int32_t>(radius * std::cos(angle)),
                               z + static_cast<std::int32_t>(radius * std::sin(angle))});
    }
    region.loop_ends.push_back(static_cast<std::uint32_t>(region.points.size()));
  };
  add_round(0, 0, 100'000, 8 + random->below(40), false);
  for (std::uint32_t k = 1 + random->below(5); k-- > 0;)
    add_round(-40'000 + 40'000 * static_cast<std::int32_t>(k % 3), k < 3 ? -20'000 : 20'000,
              5'000 + random->below(10'000), 13 + random->below(50), true);
  return region;
}

TEST(PartitionModel, RoundPillarsAreJoinedToTheWallsWhateverTau) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Partitioner partitioner;
  std::size_t exact = 0;
  std::size_t relaxed = 0;
  for (int i = 0; i < 200; ++i) {
    const Region region = hall_with_round_pillars(&random);
    Partition p;
    for (const double tau : {0.0, 0.05, 0.3, kTauMax}) {
      ASSERT_TRUE(partitioner.run(region.points, region.loop_ends, PartitionMethod::kAnavmg, &p,
                                  nullptr, tau, Dents::kCut));
      expect_partition(region, p);
      expect_convex(p);
      if (HasFatalFailure()) FAIL() << "hall " << i << ", tau " << tau;
      (tau == 0 ? exact : relaxed) += p.points.size() - region.points.size();
    }
  }
  EXPECT_GT(exact, relaxed);  // points that it makes on walls
}

TEST(PartitionModel, PlansWithHolesAreCutIntoConvexCells) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Partitioner partitioner;
  std::size_t holes = 0;
  for (int i = 0; i < 300; ++i) {
    const Region region = test::random_plan(&random, 4 + random.below(20), 6);
    holes += region.loop_ends.size() - 1;
    expect_all(&partitioner, region);
    if (HasFatalFailure()) FAIL() << "plan " << i;
  }
  EXPECT_GT(holes, 300u);
}

TEST(PartitionModel, RegionsThatTouchThemselvesAreCutIntoConvexCells) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Partitioner partitioner;
  for (int i = 0; i < 600; ++i) {
    const int side = 2 + static_cast<int>(random.below(7));
    const Region region = test::random_squares(&random, side, 30 + random.below(65));
    expect_all(&partitioner, region);
    if (HasFatalFailure()) FAIL() << "region " << i;
  }
}

}  // namespace
}  // namespace repath
