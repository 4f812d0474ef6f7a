// Floor plans cut by ANavMG with relaxed convexity: the ground and its shortest paths stay the
// same.
#include <gtest/gtest.h>

#include <string>

#include "navmesh/import/floor_plan.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/search/any_angle.h"
#include "support/hostile.h"
#include "support/random_polygons.h"
#include "support/seed.h"

namespace repath {
namespace {

// As a floor plan.
std::string text_of(const test::Region& region) {
  std::string text = R"({"outer":)";
  std::uint32_t begin = 0;
  for (const std::uint32_t end : region.loop_ends) {
    text += begin == 0 ? "" : begin == region.loop_ends[0] ? R"(,"holes":[)" : ",";
    text += "[";
    for (std::uint32_t i = begin; i < end; ++i) {
      const Point p = to_point(region.points[i]);
      text +=
          (i == begin ? "[" : ",[") + test::number_text(p.x) + "," + test::number_text(p.z) + "]";
    }
    text += "]";
    begin = end;
  }
  return text + (region.loop_ends.size() > 1 ? "]}" : "}");
}

struct Ground {
  NavMesh mesh;
  std::size_t cells = 0;
};

Ground import(const std::string& text, double tau) {
  const auto source = import_floor_plan(text, PlanMethod::kAnavmg, nullptr, tau);
  EXPECT_TRUE(source.ok()) << source.status();
  auto mesh = NavMesh::build(*source);
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  return {*std::move(mesh), source->cells.size()};
}

// Returns the length of the shortest path; below 0 if there is none.
double length(const NavMesh& mesh, const MeshPlace& from, const MeshPlace& to) {
  WithOwnCore<AnyAngleSearch> search;
  search.begin(mesh, from, to);
  std::uint32_t left = 1'000'000;
  const Progress progress = search.advance(&left);
  EXPECT_NE(progress, Progress::kOutOfBudget);
  return progress == Progress::kPathFound ? search.path_length() : -1;
}

TEST(PlanTau, ShortestPathsDoNotDependOnIt) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t cells[3] = {};
  int found = 0;
  for (int plan = 0; plan < 150; ++plan) {
    const std::string text = text_of(test::random_plan(&random, 4 + random.below(30), 6));
    const Ground exact = import(text, 0);
    const Ground relaxed[] = {import(text, 0.2), import(text, kTauMax)};
    if (HasFailure()) FAIL() << "plan " << plan;
    const CellFinder places(exact.mesh);
    cells[0] += exact.cells;
    for (std::size_t k = 0; k < 2; ++k) {
      cells[k + 1] += relaxed[k].cells;
      const CellFinder finder(relaxed[k].mesh);
      for (int query = 0; query < 8; ++query) {
        MeshPlace ends[2];
        std::optional<NearestPlace> there[2];
        for (int e = 0; e < 2; ++e) {
          ends[e] = places.random_place(&random);
          // A point made on a wall lies up to a step outside of it, in either mesh.
          there[e] = finder.find_nearest(ends[e].point(), 0, 0.001, 1, NavFilter{});
          ASSERT_TRUE(there[e]) << "plan " << plan;
        }
        const double one = length(exact.mesh, ends[0], ends[1]);
        ASSERT_NEAR(length(relaxed[k].mesh, there[0]->place, there[1]->place), one, 0.001)
            << "plan " << plan;
        found += one >= 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(found, 2000);
  EXPECT_NE(cells[0], cells[1]);  // it does something
  EXPECT_NE(cells[1], cells[2]);
}

}  // namespace
}  // namespace repath
