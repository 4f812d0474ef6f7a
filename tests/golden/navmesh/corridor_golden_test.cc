// Golden numbers of the portals that corridor search expands, and a hash of its answers. A change
// here need not be wrong, but it is a change of the algorithm: the commit must explain it.
#include <gtest/gtest.h>

#include <ostream>

#include "base/hash.h"
#include "navmesh/search/corridor.h"
#include "support/random_meshes.h"
#include "support/totals.h"

namespace repath {
namespace {

using test::Totals;

// 40 queries on each of 30 meshes, with ground of three costs and a link on each.
Totals totals(bool has_costs) {
  Random random(20261122);
  Totals totals;
  Hasher paths;
  CorridorSearch search;
  NavFilter filter;
  if (has_costs) filter.factors[1] = 2000;
  for (int round = 0; round < 30; ++round) {
    MeshSource source = test::random_mesh(&random, 20);
    for (auto& cell : source.cells)
      cell.area = AreaType{static_cast<std::uint8_t>(random.below(3))};
    NavLink link{.id = 1};
    link.to_cell = random.below(static_cast<std::uint32_t>(source.cells.size()));
    link.from = source.vertices[source.corners[0]].at;
    link.to = source.vertices[source.corners[source.cells[link.to_cell].first]].at;
    link.flags = 1;
    source.links.push_back(link);
    const NavMesh mesh = *NavMesh::build(source);
    for (int query = 0; query < 40; ++query) {
      MeshPlace ends[2];
      for (MeshPlace& end : ends) {
        end.cell = random.below(mesh.cells_end());
        end.x = mesh.edges_of(end.cell)[0].x;
        end.z = mesh.edges_of(end.cell)[0].z;
      }
      search.begin(mesh, ends[0], ends[1], filter);
      std::uint32_t plenty = 1'000'000;
      const Progress progress = search.advance(&plenty);
      totals.expanded += search.expanded();
      totals.generated += search.generated();
      if (progress != Progress::kPathFound) continue;
      for (const CorridorCorner& corner : search.path()) paths.add(std::uint64_t{corner.vertex});
      paths.add(search.cost()).add(search.length()).add(search.weight());
    }
  }
  totals.paths = paths.value();
  return totals;
}

TEST(CorridorGolden, PlainGround) {
  EXPECT_EQ(totals(false), (Totals{17141u, 42134u, 16645618555191207886u}));
}

TEST(CorridorGolden, GroundOfUnequalCost) {
  EXPECT_EQ(totals(true), (Totals{27815u, 67855u, 2733500450581293229u}));
}

}  // namespace
}  // namespace repath
