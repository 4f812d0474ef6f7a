// The sweeps of carving, against the plain tests of all pairs.
#include "navmesh/carve/planarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "support/seed.h"

namespace repath {
namespace {

struct Link {
  std::uint32_t low;
  std::uint32_t high;
};

bool is_planar(const std::vector<LatticePoint>& nodes, const std::vector<Link>& links) {
  LatticePoint at;
  for (const Link& one : links) {
    for (const Link& other : links)
      if (cross(nodes[one.low], nodes[one.high], nodes[other.low], nodes[other.high], &at))
        return false;
    for (std::uint32_t n = one.low + 1; n < one.high; ++n)
      if (turn(nodes[one.low], nodes[one.high], nodes[n]) == 0) return false;
  }
  return true;
}

std::vector<LatticePoint> random_nodes(Random* random, std::uint32_t count, std::uint32_t side,
                                       std::int32_t scale) {
  const auto number = [&] {
    return (static_cast<std::int32_t>(random->below(side)) - static_cast<std::int32_t>(side / 2)) *
           scale;
  };
  std::set<LatticePoint> nodes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t x = number();
    nodes.insert({x, number()});
  }
  return {nodes.begin(), nodes.end()};
}

// Returns links between near nodes or any, in which a pair may come twice. With `keeps_planar` it
// leaves out links that would not be planar with the earlier ones.
std::vector<Link> random_links(Random* random, const std::vector<LatticePoint>& nodes,
                               bool keeps_planar) {
  std::vector<Link> links;
  const auto size = static_cast<std::uint32_t>(nodes.size());
  const std::uint32_t reach = random->below(2) == 0 ? size : 1 + size / 8;
  for (std::uint32_t tries = 2 * size; tries-- > 0;) {
    const std::uint32_t low = random->below(size);
    const std::uint32_t high = std::min(size - 1, low + 1 + random->below(reach));
    if (low >= high) continue;
    links.push_back({low, high});
    if (keeps_planar && !is_planar(nodes, links)) links.pop_back();
  }
  return links;
}

// On few places many nodes are in line, above each other, and links lie on each other.
TEST(Planarity, SaysWhatTheTestOfAllPairsSays) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WorkMeter endless(kNoWorkLimits);
  Planarity planarity;
  int planar = 0;
  int others = 0;
  for (int i = 0; i < 3'000; ++i) {
    const std::uint32_t side = 2 + random.below(random.below(2) == 0 ? 6 : 2'000);
    const std::int32_t scale = random.below(3) == 0 ? 500'000 : 1;
    const auto nodes = random_nodes(&random, 2 + random.below(30), side, scale);
    if (nodes.size() < 2) continue;
    auto links = random_links(&random, nodes, true);
    for (int more = 0; more < 2; ++more) {  // the second time perhaps with one link too many
      const bool expected = is_planar(nodes, links);
      ASSERT_EQ(planarity.test<Link>(nodes, links, &endless), expected) << "case " << i;
      ++(expected ? planar : others);
      const auto extra = random_links(&random, nodes, false);
      if (!extra.empty()) links.push_back(extra[0]);
    }
  }
  EXPECT_GT(planar, 2'000);
  EXPECT_GT(others, 500);
}

TEST(Planarity, GivesUpWhenTheWorkIsOver) {
  Random random(1);
  const auto nodes = random_nodes(&random, 200, 2'000, 1);
  const auto links = random_links(&random, nodes, true);
  WorkMeter work({.units = 100, .units_per_byte = 0});
  Planarity planarity;
  EXPECT_FALSE(planarity.test<Link>(nodes, links, &work));
  EXPECT_TRUE(work.is_over());
}

TEST(BoxSweep, FindsEachPairOfBoxesThatMeetOnce) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WorkMeter endless(kNoWorkLimits);
  BoxSweep sweep;
  for (int i = 0; i < 1'000; ++i) {
    const std::uint32_t side = 2 + random.below(100);
    std::vector<LatticeBox> boxes;
    for (std::uint32_t k = random.below(60); k-- > 0;) {
      const auto at = random_nodes(&random, 1, side, 1)[0];
      const auto w = static_cast<std::int32_t>(random.below(random.below(5) == 0 ? side : 4));
      const auto h = static_cast<std::int32_t>(random.below(random.below(5) == 0 ? side : 4));
      boxes.push_back({at, {at.x + w, at.z + h}});
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (std::uint32_t a = 0; a < boxes.size(); ++a)
      for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
        if (boxes[a].meets(boxes[b])) expected.emplace_back(a, b);
    ASSERT_TRUE(sweep.run(boxes, &endless, [&](std::uint32_t a, std::uint32_t b) {
      found.push_back(std::minmax(a, b));
      return true;
    }));
    std::ranges::sort(found);
    ASSERT_EQ(found, expected) << "case " << i;
  }
}

}  // namespace
}  // namespace repath
