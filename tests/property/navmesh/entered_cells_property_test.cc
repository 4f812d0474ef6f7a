// The places where a flow enters cells first, against a search to many points of each cell.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "navmesh/search/any_angle.h"
#include "navmesh/search/cells_within.h"
#include "navmesh/search/corridor.h"
#include "support/mesh_ends.h"
#include "support/random_meshes.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr double kNear = 1e-6;  // world units

// In world units; empty if there is no path.
std::optional<double> length_to(const NavMesh& mesh, const MeshPlace& from, const MeshPlace& to) {
  WithOwnCore<AnyAngleSearch> search;
  search.begin(mesh, from, to);
  std::uint32_t expansions = 1'000'000;
  const Progress progress = search.advance(&expansions);
  EXPECT_NE(progress, Progress::kOutOfBudget);
  if (progress != Progress::kPathFound) return std::nullopt;
  return search.path_length();
}

// Returns corners, points of edges, and one point inside.
std::vector<MeshPlace> points_of(Random* random, const NavMesh& mesh, std::uint32_t cell) {
  std::vector<MeshPlace> points;
  for (const NavMesh::Edge& e : mesh.edges_of(cell)) {
    const std::uint32_t here = mesh.cell(cell).first + e.place;
    const NavMesh::Edge& next = mesh.edge(mesh.next(here));
    const double share = random->unit();
    points.push_back(pull_into(mesh, cell, e.x, e.z));
    points.push_back(
        pull_into(mesh, cell, e.x + share * (next.x - e.x), e.z + share * (next.z - e.z)));
  }
  points.push_back(
      pull_into(mesh, cell, (points[0].x + points[3].x) / 2, (points[0].z + points[3].z) / 2));
  return points;
}

template <class Search>
void run_in_slices(Search* search) {
  Progress progress = Progress::kOutOfBudget;
  for (int i = 0; i < 1'000'000 && progress == Progress::kOutOfBudget; ++i) {
    std::uint32_t expansions = 7;
    progress = search->advance(&expansions);
  }
  ASSERT_EQ(progress, Progress::kNoPath);
}

TEST(EnteredCells, AreEnteredAtTheirNearestPoints) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WithOwnCore<CellsWithin> all;
  std::size_t near = 0;
  std::size_t far = 0;
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const MeshSource source = test::random_mesh(&random, 9);
    const NavMesh mesh = *NavMesh::build(source);
    const MeshPlace start = test::random_end(&random, source, mesh);
    const double limit = random.below(3) == 0 ? 1e6 : random.unit() * 10;
    all.begin(mesh, start, limit);
    run_in_slices(&all);
    const auto entered = [&](std::uint32_t cell) {
      return std::ranges::count(all.entered(), cell);
    };
    for (std::uint32_t cell = 0; cell < mesh.cells_end(); ++cell) {
      SCOPED_TRACE("cell " + std::to_string(cell));
      const bool is_entered = entered(cell) > 0;
      ASSERT_LE(entered(cell), 1);
      const CellsWithin::Entry* entry = is_entered ? &all.entry_of(cell) : nullptr;
      const double length = is_entered ? from_steps(entry->length) : limit;
      for (const MeshPlace& point : points_of(&random, mesh, cell)) {
        const auto there = length_to(mesh, start, point);
        ASSERT_GE(there.value_or(1e9), std::min(length, limit) - kNear);
      }
      if (!is_entered || length > limit) {
        ++far;
        continue;
      }
      ++near;
      const auto there = length_to(mesh, start, pull_into(mesh, cell, entry->x, entry->z));
      ASSERT_TRUE(there.has_value());
      ASSERT_NEAR(*there, length, kNear);
      if (entry->before == cell) {
        ASSERT_TRUE(holds(mesh, cell, start.x, start.z));
        continue;
      }
      ASSERT_LE(from_steps(all.entry_of(entry->before).length), length + kNear);
      const auto edges = mesh.edges_of(cell);
      ASSERT_TRUE(std::ranges::any_of(
          edges, [&](const NavMesh::Edge& e) { return e.neighbour == entry->before; }));
    }
    for (std::uint32_t cell : all.entered()) {  // does not run in a ring
      std::size_t steps = 0;
      for (; all.entry_of(cell).before != cell; cell = all.entry_of(cell).before)
        ASSERT_LE(++steps, mesh.cells_end());
    }
  }
  EXPECT_GT(near, 500u);
  EXPECT_GT(far, 500u);
}

// The paths that the other search finds are valid and seldom much longer.
TEST(EnteredCells, ByPortalsAreNeverNearerThanTheyAre) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  WithOwnCore<CellsWithin> exact;
  CorridorSearch quick;
  const NavFilter filter;
  double excess = 0;
  std::size_t counted = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const MeshSource source = test::random_mesh(&random, 9);
    const NavMesh mesh = *NavMesh::build(source);
    const MeshPlace start = test::random_end(&random, source, mesh);
    exact.begin(mesh, start, 1e6);
    run_in_slices(&exact);
    quick.begin_within(mesh, start, filter, 1e6, false);
    run_in_slices(&quick);
    ASSERT_EQ(quick.entered().size(), exact.entered().size());
    std::vector<std::uint32_t> before;
    for (const CorridorSearch::CellEntry& entry : quick.entered()) {
      ASSERT_TRUE(entry.before == entry.cell || std::ranges::count(before, entry.before) == 1);
      before.push_back(entry.cell);
      const double cost = quick.cost_to(entry);
      const double least = from_steps(exact.entry_of(entry.cell).length);
      ASSERT_GE(cost, least - kNear);
      if (least < 0.5) continue;
      excess += cost / least - 1;
      ++counted;
    }
  }
  ASSERT_GT(counted, 1000u);
  EXPECT_LT(excess / static_cast<double>(counted), 0.1);
}

}  // namespace
}  // namespace repath
