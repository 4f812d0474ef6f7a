// Corridor search: it finds a path if there is one; the path is valid and at least as long as the
// shortest, and its cost is the sum of its parts. With costs and links it is compared with a fine
// plain grid.
#include <gtest/gtest.h>

#include <cmath>

#include "navmesh/mesh/mesh_ray.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"
#include "support/mesh_ends.h"
#include "support/plain_mesh.h"
#include "support/seed.h"

namespace repath {
namespace {

// Computes the cost of the path by casting a ray along each part and cutting it where it leaves
// cells.
void expect_parts(const NavMesh& mesh, const test::PlainMesh& plain, const CorridorSearch& search) {
  double length = 0;
  const std::vector<CorridorCorner>& path = search.path();
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    length += std::hypot(path[i + 1].at.x - path[i].at.x, path[i + 1].at.z - path[i].at.z);
    if (path[i].link != kNoLink) {
      const NavLink& link = mesh.links()[path[i].link];
      EXPECT_TRUE((path[i].at == to_point(link.from) && path[i + 1].at == to_point(link.to)) ||
                  (link.both_ways && path[i].at == to_point(link.to) &&
                   path[i + 1].at == to_point(link.from)));
      EXPECT_TRUE(link.enabled);
      continue;
    }
    test::PlainMesh::Spot ends[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const Point p = path[i + k].at;
      ends[k] = {p.x, p.z, plain.holders(p.x, p.z)};
    }
    EXPECT_LT(plain.straight(ends[0], ends[1]), test::PlainMesh::kFar) << "part " << i;
  }
  EXPECT_NEAR(length, search.length(), 1e-9 * (1 + length));
}

TEST(Corridor, FindsAPathWhereThereIsOneNeverShorterThanTheShortest) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  CorridorSearch search;
  WithOwnCore<AnyAngleSearch> exact;
  const NavFilter filter;
  int found = 0;
  double excess = 0;
  for (int round = 0; round < 300; ++round) {
    const MeshSource source = test::random_mesh(&random, 7);
    const NavMesh mesh = *NavMesh::build(source);
    const test::PlainMesh plain(source);
    for (int query = 0; query < 10; ++query) {
      const MeshPlace from = test::random_end(&random, source, mesh);
      const MeshPlace to = test::random_end(&random, source, mesh);
      exact.begin(mesh, from, to);
      std::uint32_t plenty = 1'000'000;
      const Progress expected = exact.advance(&plenty);
      search.begin(mesh, from, to, filter);
      Progress progress = Progress::kOutOfBudget;
      while (progress == Progress::kOutOfBudget) {
        std::uint32_t slice = 1 + random.below(4);
        progress = search.advance(&slice);
      }
      ASSERT_EQ(progress, expected) << "round " << round << " query " << query;
      if (progress != Progress::kPathFound) continue;
      ++found;
      ASSERT_GE(search.cost(), exact.path_length() * (1 - 1e-9));
      ASSERT_NEAR(search.cost(), search.length(), 1e-9 * (1 + search.length()));
      EXPECT_GE(exact.path_length(), search.lower_bound() * (1 - 1e-9));
      EXPECT_EQ(search.cells().front(), from.cell);
      expect_parts(mesh, plain, search);
      excess += exact.path_length() > 0 ? search.cost() / exact.path_length() - 1 : 0;
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_LT(excess / found, 0.03);
}

TEST(Corridor, FlagsLinksAndCostsAreKept) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  CorridorSearch search;
  int over_links = 0;
  int blocked = 0;
  for (int round = 0; round < 200; ++round) {
    MeshSource source = test::random_mesh(&random, 6);
    for (auto& cell : source.cells) {
      cell.flags = random.below(8) == 0 ? 2 : 1;
      cell.area = AreaType{static_cast<std::uint8_t>(random.below(3))};
    }
    for (std::uint64_t id = random.below(4); id > 0; --id) {
      NavLink link{.id = id};
      link.from_cell = random.below(static_cast<std::uint32_t>(source.cells.size()));
      link.to_cell = random.below(static_cast<std::uint32_t>(source.cells.size()));
      link.from = source.vertices[source.corners[source.cells[link.from_cell].first]].at;
      link.to = source.vertices[source.corners[source.cells[link.to_cell].first]].at;
      link.flags = 1;
      link.both_ways = random.below(2) == 0;
      link.enabled = random.below(4) != 0;
      source.links.push_back(link);
    }
    const NavMesh mesh = *NavMesh::build(source);
    const test::PlainMesh plain(source);
    NavFilter filter;
    filter.exclude = 2;
    filter.factors[1] = 1000 + random.below(3000);
    filter.factors[2] = 1000 + random.below(500);
    for (int query = 0; query < 8; ++query) {
      const MeshPlace from = test::random_end(&random, source, mesh);
      const MeshPlace to = test::random_end(&random, source, mesh);
      search.begin(mesh, from, to, filter);
      std::uint32_t plenty = 1'000'000;
      if (search.advance(&plenty) != Progress::kPathFound) {
        ++blocked;
        continue;
      }
      expect_parts(mesh, plain, search);
      for (const std::uint32_t cell : search.cells()) EXPECT_EQ(mesh.cell(cell).flags, 1u);
      for (const CorridorCorner& corner : search.path()) over_links += corner.link != kNoLink;
      EXPECT_GE(search.cost(), search.length() * (1 - 1e-9));
      EXPECT_LE(search.cost(), 4 * search.length() * (1 + 1e-9));
    }
  }
  EXPECT_GT(over_links, 20);
  EXPECT_GT(blocked, 100);
}

// Reaches the same ground as a flood over cells.
TEST(Corridor, UnreachableIsExactUnderFiltersAndOneWayLinks) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  CorridorSearch search;
  for (int round = 0; round < 200; ++round) {
    MeshSource source = test::squares(test::random_rows(&random, 8));
    for (auto& cell : source.cells) cell.flags = random.below(4) == 0 ? 2 : 1;
    const auto n = static_cast<std::uint32_t>(source.cells.size());
    for (std::uint64_t id = random.below(3); id > 0; --id) {
      NavLink link{.id = id, .from_cell = random.below(n), .to_cell = random.below(n)};
      link.from = source.vertices[source.corners[source.cells[link.from_cell].first]].at;
      link.to = source.vertices[source.corners[source.cells[link.to_cell].first]].at;
      link.flags = 1;
      link.both_ways = false;
      source.links.push_back(link);
    }
    const NavMesh mesh = *NavMesh::build(source);
    NavFilter filter;
    filter.exclude = 2;
    const std::uint32_t first = random.below(n);
    std::vector<std::uint32_t> reached{first};
    std::vector<bool> is_reached(n, false);
    is_reached[first] = true;
    const auto reach = [&](std::uint32_t c) {
      if (c == kNoCell || mesh.cell(c).flags == 2 || is_reached[c]) return;
      is_reached[c] = true;
      reached.push_back(c);
    };
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const auto& e : mesh.edges_of(reached[i])) reach(e.neighbour);
      for (const NavLink& link : mesh.links())
        if (link.from_cell == reached[i]) reach(link.to_cell);
    }
    for (std::uint32_t c = 0; c < n; ++c) {
      const auto middle = [&](std::uint32_t cell) {
        const auto e = mesh.edges_of(cell);
        return MeshPlace{cell, e[0].x + 8000, e[0].z + 8000};
      };
      search.begin(mesh, middle(first), middle(c), filter);
      std::uint32_t plenty = 1'000'000;
      const bool is_found = search.advance(&plenty) == Progress::kPathFound;
      const bool expected = is_reached[c] && mesh.cell(c).flags == 1 && mesh.cell(first).flags == 1;
      ASSERT_EQ(is_found, expected) << "round " << round << " cell " << c;
    }
  }
}

}  // namespace
}  // namespace repath
