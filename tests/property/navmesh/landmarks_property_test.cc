// Landmarks never overestimate, neither on the mesh they were made for nor on what is left of it.
#include "navmesh/search/landmarks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "navmesh/search/any_angle.h"
#include "navmesh/search/lengths_from.h"
#include "support/carved_worlds.h"
#include "support/mesh_ends.h"
#include "support/mesh_model.h"
#include "support/plain_mesh.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr std::uint32_t kPlenty = 1'000'000;

template <class Search>
void search_to_end(Search* search) {
  std::uint32_t plenty = kPlenty;
  ASSERT_NE(search->advance(&plenty), Progress::kOutOfBudget);
}

TEST(AnyAngle, SeesEveryVertexAsFarAwayAsASearchForItDoes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WithOwnCore<LengthsFrom> all;
  WithOwnCore<AnyAngleSearch> one;
  int found = 0;
  int none = 0;
  for (int round = 0; round < 150; ++round) {
    const MeshSource source = test::random_mesh(&random, 7);
    const NavMesh mesh = *NavMesh::build(source);
    const MeshPlace start = test::random_end(&random, source, mesh);
    all.begin(mesh, start);
    search_to_end(&all);
    for (std::uint32_t c = 0; c < mesh.cells_end(); ++c)
      for (const NavMesh::Edge& e : mesh.edges_of(c)) {
        if (e.x == start.x && e.z == start.z) continue;
        one.begin(mesh, start, {c, e.x, e.z});
        search_to_end(&one);
        const double all_says = from_steps(all.length(e.vertex));
        const bool is_found = mesh.component_of(c) == mesh.component_of(start.cell);
        ASSERT_EQ(std::isfinite(all_says), is_found) << "round " << round;
        ++(is_found ? found : none);
        if (!is_found) continue;
        ASSERT_NEAR(all_says, one.path_length(), 1e-9 * (1 + all_says)) << "round " << round;
      }
  }
  EXPECT_GT(found, 5000);
  EXPECT_GT(none, 500);
}

// Compares the bound at every vertex, and spans of a box around the places, with true lengths.
void expect_no_more(const CarvedMesh& carved, const LandmarkView& view, const MeshPlace& start,
                    const MeshPlace& goal, LengthsFrom* lengths) {
  const NavMesh& mesh = carved.mesh();
  lengths->begin(mesh, goal);
  search_to_end(lengths);
  const GoalBound bound(view, start, goal);
  const Point at = goal.point();
  std::vector<LandmarkSpan> at_goal;
  ASSERT_TRUE(carved.ground().append_spans({at.x - 0.3, at.z}, {at.x, at.z + 0.2}, &at_goal));
  ASSERT_FALSE(at_goal.empty());
  std::vector<LandmarkSpan> here;
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c)
    for (const NavMesh::Edge& e : mesh.edges_of(c)) {
      if (e.x == goal.x && e.z == goal.z) continue;
      const double truly = lengths->length(e.vertex) * (1 + 1e-12);
      if (!std::isfinite(truly)) continue;
      ASSERT_LE(bound.at(c, e.x, e.z), truly);
      here.clear();
      const Point p{from_steps(e.x), from_steps(e.z)};
      ASSERT_TRUE(carved.ground().append_spans(p, p, &here));
      ASSERT_FALSE(here.empty());
      double least = std::numeric_limits<double>::infinity();
      for (const LandmarkSpan& a : here)
        for (const LandmarkSpan& b : at_goal) least = std::min(least, view.least(a, b));
      ASSERT_LE(least, truly);
    }
}

TEST(Landmarks, SearchesThatAskThemFindWhatThePlainVisibilityGraphDoes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WithOwnCore<AnyAngleSearch> search;
  WithOwnCore<LengthsFrom> lengths;
  search.compare_ends_after(0);
  int found = 0;
  int bounded = 0;
  for (int round = 0; round < 60; ++round) {
    const MeshSource source =
        round % 2 == 0 ? test::random_mesh(&random, 6) : test::two_floors(&random, 3, 3);
    CarvedMesh carved = *CarvedMesh::make(source, 1.5, 1 + random.below(Landmarks::kMost));
    std::map<ObstacleId, CarveShape> shapes;
    for (int step = 0; step < 3; ++step) {
      ASSERT_TRUE(carved.apply(test::random_edits(&random, 4, 5, &shapes)).ok());
      LandmarkView view = carved.ground().landmarks();
      view.nodes_before = 0;
      if (round % 4 < 2) view.nodes_before_way_back = 0;
      if (round % 8 < 4) view.beyond = 0.5 * random.unit();
      if (view.is_empty()) continue;
      std::vector<std::uint32_t> indices;
      const MeshSource left = test::source_of(carved.mesh(), &indices);
      const test::PlainMesh plain(left);
      for (int query = 0; query < 5; ++query) {
        SCOPED_TRACE("round " + std::to_string(round) + " query " + std::to_string(query));
        MeshPlace ends[2];
        test::PlainMesh::Spot spots[2];
        for (int k = 0; k < 2; ++k) {
          std::uint32_t cell = 0;
          test::random_point_of(&random, left, &cell, &ends[k].x, &ends[k].z);
          ends[k] = pull_into(carved.mesh(), indices[cell], ends[k].x, ends[k].z);
          spots[k] = plain.spot(ends[k].point().x, ends[k].point().z, cell);
        }
        search.begin(carved.mesh(), ends[0], ends[1], view);
        search_to_end(&search);
        const double best = plain.shortest(spots[0], spots[1]);
        if (best >= test::PlainMesh::kFar) continue;
        ++found;
        bounded += GoalBound(view, ends[0], ends[1]).is_empty() ? 0 : 1;
        ASSERT_NEAR(search.path_length(), best, 1e-7 * (1 + best));
        expect_no_more(carved, view, ends[0], ends[1], &lengths);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(bounded, 100);
}

}  // namespace
}  // namespace repath
