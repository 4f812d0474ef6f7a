// A way back over uncut ground never overestimates what is left of a path. Searches that use it
// find the same as searches that do not, in any slices.
#include "navmesh/search/way_back.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "navmesh/carve/carved_mesh.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/lengths_from.h"
#include "support/carved_worlds.h"
#include "support/mesh_ends.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr std::uint32_t kEnough = 10'000'000;

// Returns the least bound of the cell's bends for the path from one of its points to the goal.
double said_by(WayBack& back, std::uint32_t cell, double x, double z) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t b = back.first_bend(cell); b != WayBack::kNone; b = back.bend(b).next) {
    const WayBack::Bend& bend = back.bend(b);
    least = std::min(least, bend.g + std::hypot(bend.x - x, bend.z - z));
  }
  return least;
}

MeshPlace place_among(Random* random, const NavMesh& mesh) {
  MeshPlace place;
  do place.cell = random->below(mesh.cells_end());
  while (!mesh.is_live(place.cell));
  double x = 0;
  double z = 0;
  double parts = 0;
  for (const NavMesh::Edge& e : mesh.edges_of(place.cell)) {
    const double part = 0.01 + random->unit();
    x += part * e.x;
    z += part * e.z;
    parts += part;
  }
  return pull_into(mesh, place.cell, x / parts, z / parts);
}

struct WayBackCounts {
  int bounded = 0;  // vertices on certain paths
  int exact = 0;    // vertices among them whose bound is exact
};

// At every vertex on certain paths, for every cell around it.
void expect_never_too_much(const CarvedGround& ground, const MeshPlace& start,
                           const MeshPlace& goal, WayBackCounts* counts) {
  const NavMesh& mesh = ground.mesh();
  const LandmarkView view = ground.landmarks();
  const auto on_uncut = [&](const MeshPlace& place) {
    return pull_into(*view.uncut, view.uncut_cell(place.cell), place.x, place.z);
  };
  WayBack back;
  back.begin(*view.uncut, on_uncut(goal), on_uncut(start), 0.5 * kLatticePerUnit);
  std::uint32_t plenty = kEnough;
  if (back.advance(&plenty) != Progress::kPathFound) return;
  WithOwnCore<LengthsFrom> from_goal;
  WithOwnCore<LengthsFrom> from_start;
  from_goal.begin(mesh, goal);
  ASSERT_EQ(from_goal.advance(&plenty), Progress::kNoPath);
  from_start.begin(mesh, start);
  ASSERT_EQ(from_start.advance(&plenty), Progress::kNoPath);
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c)
    for (const NavMesh::Edge& e : mesh.edges_of(c)) {
      const double truly = from_goal.length(e.vertex);
      const double way = truly + from_start.length(e.vertex);
      if (!(way <= back.certain() - LandmarkView::kSlack)) continue;
      const double said = said_by(back, view.uncut_cell(c), e.x, e.z);
      ASSERT_LE(said, truly + LandmarkView::kSlack) << "cell " << c;
      ++counts->bounded;
      counts->exact += said >= truly - LandmarkView::kSlack ? 1 : 0;
    }
}

TEST(WayBack, NeverSaysTooMuch) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WayBackCounts plain;
  WayBackCounts carved_away;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const MeshSource source =
        round % 3 == 0 ? test::two_floors(&random, 3, 3) : test::random_mesh(&random, 6);
    CarvedMesh carved = *CarvedMesh::make(source, 1.5, 2);
    if (carved.ground().landmarks().is_empty()) continue;
    std::map<ObstacleId, CarveShape> shapes;
    for (int step = 0; step < 3; ++step) {
      for (int query = 0; query < 4; ++query) {
        const MeshPlace start = place_among(&random, carved.mesh());
        const MeshPlace goal = place_among(&random, carved.mesh());
        expect_never_too_much(carved.ground(), start, goal, step == 0 ? &plain : &carved_away);
        if (HasFatalFailure()) return;
      }
      ASSERT_TRUE(carved.apply(test::random_edits(&random, 4, 5, &shapes)).ok());
    }
  }
  EXPECT_GT(plain.bounded, 5000);
  EXPECT_GT(plain.exact, plain.bounded * 9 / 10);
  EXPECT_GT(carved_away.bounded, 2000);
}

TEST(WayBack, SearchesThatAskItFindTheSameInWhateverSlices) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WithOwnCore<AnyAngleSearch> plain;
  WithOwnCore<AnyAngleSearch> asks;
  WithOwnCore<AnyAngleSearch> sliced;
  int found = 0;
  int none = 0;
  for (int round = 0; round < 8000; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    std::vector<std::string> rows = test::random_rows(&random, 16);
    CarvedMesh carved = *CarvedMesh::make(
        round % 3 == 0 ? test::squares(rows) : test::random_bars(&random, 16), 2, 2);
    std::map<ObstacleId, CarveShape> shapes;
    for (int step = 0; step < 3; ++step)
      ASSERT_TRUE(carved.apply(test::random_edits(&random, 16, 12, &shapes)).ok());
    LandmarkView view = carved.ground().landmarks();
    if (view.is_empty()) continue;
    view.nodes_before = random.below(8);
    view.nodes_before_way_back = random.below(30);
    if (round % 4 < 2) view.beyond = 0;  // otherwise half a unit
    for (int query = 0; query < 20; ++query) {
      const MeshPlace start = place_among(&random, carved.mesh());
      const MeshPlace goal = place_among(&random, carved.mesh());
      const std::uint32_t compare_after = random.below(60);
      for (AnyAngleSearch* one : {&plain, &asks, &sliced}) one->compare_ends_after(compare_after);
      std::uint32_t plenty = kEnough;
      plain.begin(carved.mesh(), start, goal);
      const Progress progress = plain.advance(&plenty);
      asks.begin(carved.mesh(), start, goal, view);
      ASSERT_EQ(asks.advance(&plenty), progress);
      sliced.begin(carved.mesh(), start, goal, view);
      const std::uint32_t slice = 1 + random.below(5);
      std::uint32_t left = slice;
      while (sliced.advance(&left) == Progress::kOutOfBudget) left = slice;
      ASSERT_EQ(sliced.expanded(), asks.expanded());
      ++(progress == Progress::kPathFound ? found : none);
      if (progress != Progress::kPathFound) continue;
      ASSERT_NEAR(asks.path_length(), plain.path_length(), 1e-9 * plain.path_length());
      ASSERT_EQ(sliced.path_length(), asks.path_length());
    }
  }
  EXPECT_GT(found, 40000);
  EXPECT_GT(none, 4000);
}

}  // namespace
}  // namespace repath
