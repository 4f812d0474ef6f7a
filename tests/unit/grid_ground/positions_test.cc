#include "grid_ground/positions.h"

#include <gtest/gtest.h>

#include "support/ascii_grid.h"

namespace repath {
namespace {

class PlaceOnPath : public ::testing::Test {
 protected:
  NodeId at(int x, int y) const { return layer_.node_at(x, y); }
  std::optional<std::uint32_t> place(double x, double y, std::uint32_t from = 0) const {
    return place_on_path(layer_, nodes_, from, {x, y});
  }
  GridLayer layer_ = test::draw_layer(std::vector<std::string_view>(12, "............"));
  // East along row 0, then down the diagonal.
  std::vector<NodeId> nodes_{at(0, 0), at(1, 0), at(2, 0), at(3, 0), at(4, 1), at(5, 2), at(6, 3)};
};

TEST_F(PlaceOnPath, IsTheNearerEndOfTheSegment) {
  EXPECT_EQ(place(0.5, 0.5), 0u);
  EXPECT_EQ(place(1.9, 0.5), 1u);
  EXPECT_EQ(place(2.1, 0.5), 2u);
  EXPECT_EQ(place(5.4, 2.4), 5u);
}

TEST_F(PlaceOnPath, ReachesHalfACellToEitherSide) {
  EXPECT_EQ(place(2.5, 1.0), 2u);
  EXPECT_EQ(place(1.5, 1.01), std::nullopt);
  EXPECT_EQ(place(5.0, 1.5), 4u) << "a flank's corner is within half a cell of the diagonal";
}

TEST_F(PlaceOnPath, LooksOnlyAhead) {
  EXPECT_EQ(place(1.5, 0.5, 1), 1u);
  EXPECT_EQ(place(0.5, 0.5, 2), std::nullopt);
}

TEST_F(PlaceOnPath, FindsTheEndFromFarAway) {
  EXPECT_EQ(place(6.5, 3.5), 6u);
  EXPECT_EQ(place(11.5, 11.5), std::nullopt);
}

TEST_F(PlaceOnPath, TakesAPathOfOneCell) {
  nodes_ = {at(3, 3)};
  EXPECT_EQ(place(3.5, 3.9), 0u);
  EXPECT_EQ(place(3.5, 4.1), std::nullopt);
}

}  // namespace
}  // namespace repath
