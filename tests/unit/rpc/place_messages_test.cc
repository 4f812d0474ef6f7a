#include "rpc/place_messages.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace repath {
namespace {

constexpr MapUnits kMap{10, 4, 2.0};

std::vector<NodeId> nodes(std::initializer_list<std::uint32_t> ids) {
  std::vector<NodeId> list;
  for (const std::uint32_t id : ids) list.push_back(NodeId{id});
  return list;
}

v1::Location at(double x, double z) {
  v1::Location location;
  location.mutable_position()->set_x(x);
  location.mutable_position()->set_z(z);
  return location;
}

TEST(Places, WorldUnitsBecomeCells) {
  const auto point = to_map_point(at(5, 3), kMap, Field() / "from");
  ASSERT_TRUE(point.ok());
  EXPECT_EQ(*point, (MapPoint{2.5, 1.5}));
  EXPECT_EQ(kMap.node_at(*point), NodeId{12});
}

TEST(Places, TheFarEdgeIsOffTheMap) {
  EXPECT_TRUE(to_map_point(at(19.999, 7.999), kMap, Field() / "from").ok());
  for (const auto& location : {at(20, 3), at(3, 8), at(-0.001, 3)}) {
    const absl::Status status = to_map_point(location, kMap, Field() / "from").status();
    EXPECT_EQ(error_reason(status), "OUT_OF_MAP");
    EXPECT_EQ(error_field(status), "from.position");
  }
}

TEST(Places, AMissingChoiceAndNumbersThatAreNoneAreRefused) {
  EXPECT_EQ(error_reason(to_map_point({}, kMap, Field() / "from").status()), "PLACE_MISSING");
  const absl::Status status = to_map_point(at(0.0 / 0.0, 1), kMap, Field() / "from").status();
  EXPECT_EQ(error_field(status), "from.position.x");
}

TEST(Places, WaypointsStandAtTurns) {
  // Right, right, down, down-right.
  const auto path = nodes({0, 1, 2, 12, 23});
  const auto turns = nodes({0, 2, 12, 23});
  EXPECT_EQ(waypoints_of(path, kMap, false), waypoints_of(turns, kMap, true));
  EXPECT_EQ(waypoints_of(path, kMap, true).size(), 5u);
  EXPECT_EQ(waypoints_of(nodes({7}), kMap, false).size(), 1u);
}

void fill(const std::vector<NodeId>& path, bool every_cell, std::size_t most, v1::Path* out) {
  fill_points(waypoints_of(path, kMap, every_cell), path, kMap, most, out);
}

TEST(Places, OfALongPathTheFirstWaypointsAreGivenAndTheOthersCounted) {
  v1::Path whole, first;
  fill(nodes({0, 1, 2, 12, 23}), false, 4, &whole);
  fill(nodes({0, 1, 2, 12, 23}), false, 3, &first);
  EXPECT_EQ(whole.waypoints_left_out(), 0u);
  EXPECT_EQ(first.waypoints_left_out(), 1u);
  EXPECT_EQ(first.cells_size(), 2 * 3);
  EXPECT_EQ(first.positions_size(), 3 * 3);
  EXPECT_EQ(first.digest(), whole.digest());
}

TEST(Places, APathsDigestTellsRoutesApartNotTheirWaypoints) {
  v1::Path turns, cells, other;
  fill(nodes({0, 1, 2, 12}), false, 100, &turns);
  fill(nodes({0, 1, 2, 12}), true, 100, &cells);
  fill(nodes({0, 1, 11, 12}), false, 100, &other);
  EXPECT_EQ(turns.digest(), cells.digest());
  EXPECT_NE(turns.digest(), other.digest());
  EXPECT_EQ(turns.positions(0), 1);  // centre of cell (0, 0), two units wide
}

TEST(Places, ACostReadOffAnAnswerIncludesWhatItWasReadOff) {
  for (Cost cost = 0; cost < 200 * kDiagonalStep; cost += kDiagonalStep) {
    EXPECT_EQ(kMap.cost_of(kMap.world_cost(cost)), cost);
  }
  EXPECT_EQ(kMap.cost_of(1e300), kUnreachable - 1);
}

}  // namespace
}  // namespace repath
