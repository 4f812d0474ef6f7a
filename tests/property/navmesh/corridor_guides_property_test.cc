// Corridor search by other guides than A*'s: each finds a path just where there is one, never
// shorter than the shortest. Breadth-first search passes the fewest borders, by a plain search over
// cells.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"
#include "support/mesh_ends.h"
#include "support/seed.h"

namespace repath {
namespace {

using Order = CorridorGuide::Order;
using Estimate = CorridorGuide::Estimate;

std::vector<CorridorGuide> guides(Random* random) {
  std::vector<CorridorGuide> all{{.order = Order::kDijkstra}, {.order = Order::kBfs}};
  for (const Estimate estimate : {Estimate::kEuclid, Estimate::kZero, Estimate::kManhattan,
                                  Estimate::kChebyshev, Estimate::kOctile})
    all.push_back({.estimate = estimate, .weight = 1.0 + random->below(3)});
  return all;
}

// The least number of borders between cells that hold the two places.
std::size_t fewest_borders(const NavMesh& mesh, const MeshPlace& from, const MeshPlace& to) {
  std::vector<std::uint32_t> ends;
  cells_around(mesh, to, &ends);
  std::vector<std::size_t> steps(mesh.cells_end(), ~std::size_t{0});
  std::vector<std::uint32_t> reached{from.cell};
  steps[from.cell] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t cell = reached[i];
    if (std::ranges::find(ends, cell) != ends.end()) return steps[cell];
    for (const NavMesh::Edge& e : mesh.edges_of(cell)) {
      if (e.neighbour == kNoCell || steps[e.neighbour] != ~std::size_t{0}) continue;
      steps[e.neighbour] = steps[cell] + 1;
      reached.push_back(e.neighbour);
    }
  }
  return ~std::size_t{0};
}

TEST(CorridorGuides, FindAPathJustWhereThereIsOneAndBfsPassesTheFewestBorders) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  CorridorSearch search;
  WithOwnCore<AnyAngleSearch> exact;
  const NavFilter filter;
  int found = 0;
  int longer = 0;
  std::uint64_t expanded[2] = {0, 0};  // by A* and by Dijkstra's search
  for (int round = 0; round < 150; ++round) {
    const MeshSource source = test::random_mesh(&random, 7);
    const NavMesh mesh = *NavMesh::build(source);
    for (int query = 0; query < 6; ++query) {
      const MeshPlace from = test::random_end(&random, source, mesh);
      const MeshPlace to = test::random_end(&random, source, mesh);
      exact.begin(mesh, from, to);
      std::uint32_t plenty = 1'000'000;
      const Progress expected = exact.advance(&plenty);
      for (const CorridorGuide& guide : guides(&random)) {
        search.begin(mesh, from, to, filter, guide);
        Progress progress = Progress::kOutOfBudget;
        while (progress == Progress::kOutOfBudget) {
          std::uint32_t slice = 1 + random.below(4);
          progress = search.advance(&slice);
        }
        ASSERT_EQ(progress, expected) << "round " << round << " query " << query;
        if (progress != Progress::kPathFound) continue;
        ++found;
        ASSERT_GE(search.cost(), exact.path_length() * (1 - 1e-9));
        ASSERT_LE(search.lower_bound(), exact.path_length() * (1 + 1e-9));
        longer += search.cost() > exact.path_length() * (1 + 1e-6);
        if (guide.order == Order::kDijkstra) expanded[1] += search.expanded();
        if (guide.order != Order::kBfs) continue;
        ASSERT_EQ(search.cells().size() - 1, fewest_borders(mesh, from, to));
        search.begin(mesh, from, to, filter);
        ASSERT_EQ(search.advance(&plenty), Progress::kPathFound);
        expanded[0] += search.expanded();
      }
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(longer, 10);
  EXPECT_LT(expanded[0], expanded[1]);
}

}  // namespace
}  // namespace repath
