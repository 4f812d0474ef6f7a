#include "navmesh/search/any_angle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/small_meshes.h"

namespace repath {
namespace {

NavMesh drawn(const std::vector<std::string>& rows) { return *NavMesh::build(test::squares(rows)); }

double length(const NavMesh& mesh, const MeshPlace& from, const MeshPlace& to) {
  WithOwnCore<AnyAngleSearch> search;
  search.begin(mesh, from, to);
  std::uint32_t plenty = 10'000;
  return search.advance(&plenty) == Progress::kPathFound ? search.path_length() : -1;
}

TEST(AnyAngle, GoesStraightWhereItCan) {
  const NavMesh mesh = drawn({"....", "....", "...."});
  EXPECT_DOUBLE_EQ(length(mesh, place_in(0, {0.5, 0.5}), place_in(11, {3.5, 2.5})),
                   std::sqrt(13.0));
  EXPECT_EQ(length(mesh, place_in(0, {0.5, 0.5}), place_in(0, {0.5, 0.5})), 0);
}

TEST(AnyAngle, TurnsAtCornersOnly) {
  const NavMesh mesh = drawn({"...", ".#.", ".#."});
  WithOwnCore<AnyAngleSearch> search;
  search.begin(mesh, place_in(5, {0, 3}), place_in(6, {3, 3}));
  std::uint32_t plenty = 100;
  ASSERT_EQ(search.advance(&plenty), Progress::kPathFound);
  std::vector<PathCorner> path;
  search.append_path(&path);
  ASSERT_EQ(path.size(), 4u);
  EXPECT_EQ(path[0].at, (Point{0, 3}));
  EXPECT_EQ(path[1].at, (Point{1, 1}));
  EXPECT_EQ(path[2].at, (Point{2, 1}));
  EXPECT_EQ(path[3].at, (Point{3, 3}));
  EXPECT_DOUBLE_EQ(search.path_length(), 1 + 2 * std::sqrt(5.0));
}

TEST(AnyAngle, DoesNotSqueezeBetweenBlocksThatTouch) {
  const NavMesh mesh = drawn({".#", "#."});
  EXPECT_EQ(length(mesh, place_in(0, {0.5, 0.5}), place_in(1, {1.5, 1.5})), -1);
  EXPECT_EQ(length(mesh, place_in(0, {1, 1}), place_in(1, {1, 1})), -1);
}

TEST(AnyAngle, OutOfBudgetIsNotNoPath) {
  const NavMesh mesh = drawn({"....", "###.", "....", ".###", "...."});
  WithOwnCore<AnyAngleSearch> search;
  search.begin(mesh, place_in(0, {0, 0}), place_in(13, {3.5, 4.5}));
  int slices = 0;
  Progress progress = Progress::kOutOfBudget;
  while (progress == Progress::kOutOfBudget && slices < 1000) {
    std::uint32_t one = 1;
    progress = search.advance(&one);
    ++slices;
  }
  EXPECT_EQ(progress, Progress::kPathFound);
  EXPECT_GT(slices, 4);
  std::uint32_t none = 0;
  EXPECT_EQ(search.advance(&none), Progress::kPathFound);
}

// A ramp that winds once round a pillar and ends above its beginning.
TEST(AnyAngle, FloorsDoNotMix) {
  MeshSource source = test::squares({"...", ".#.", "..."});
  const std::vector<std::uint32_t> first(source.corners.begin(), source.corners.begin() + 4);
  const auto fresh = static_cast<std::uint32_t>(source.vertices.size());
  source.vertices.push_back({test::at(1, 1), 0});
  source.vertices.push_back({test::at(0, 1), 0});
  source.vertices.push_back({test::at(0, 0), 4});
  source.vertices.push_back({test::at(1, 0), 4});
  // (0, 0) and (1, 0) no longer share a corner with (0, 1).
  source.corners[2] = source.corners[4 + 3] = fresh;
  source.corners[3] = fresh + 1;
  source.add_cell({fresh + 2, fresh + 3, first[2], first[3]});
  const NavMesh mesh = *NavMesh::build(source);
  const double around = 2 * std::sqrt(2.5) + 2;
  EXPECT_DOUBLE_EQ(length(mesh, place_in(0, {0.5, 0.5}), place_in(8, {0.5, 0.5})), around);
  EXPECT_DOUBLE_EQ(length(mesh, place_in(8, {0.5, 0.5}), place_in(0, {0.5, 0.5})), around);
}

TEST(AnyAngle, TreesOfCellsAreNotEnteredInVain) {
  // The branch on the right leads towards the goal and then nowhere.
  const NavMesh mesh = drawn({"....", ".##.", ".#..", ".#.#", "##.#"});
  WithOwnCore<AnyAngleSearch> search;
  search.begin(mesh, place_in(3, {3.5, 0.5}), place_in(9, {0.5, 3.5}));
  std::uint32_t plenty = 1000;
  ASSERT_EQ(search.advance(&plenty), Progress::kPathFound);
  EXPECT_LE(search.expanded(), 6u);
}

TEST(AnyAngle, KeepsItsMemoryFromQueryToQuery) {
  const NavMesh mesh = drawn({"....", ".##.", "....", ".##.", "...."});
  WithOwnCore<AnyAngleSearch> search;
  std::size_t bytes = 0;
  for (int i = 0; i < 3; ++i) {
    search.begin(mesh, place_in(0, {0, 0}), place_in(15, {3.5, 4.5}));
    std::uint32_t plenty = 1000;
    ASSERT_EQ(search.advance(&plenty), Progress::kPathFound);
    if (i > 0) {
      EXPECT_EQ(search.bytes(), bytes);
    }
    bytes = search.bytes();
  }
}

}  // namespace
}  // namespace repath
