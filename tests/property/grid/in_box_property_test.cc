// Elements of a sorted list within a box of cells, against a look at each element.
#include "grid/cells/in_box.h"

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <vector>

#include "base/random.h"
#include "grid/cells/snap.h"
#include "support/random_layers.h"
#include "support/seed.h"

namespace repath {
namespace {

struct RandomCells {
  explicit RandomCells(Random* random)
      : layer(test::random_side(random), test::random_side(random)) {
    const std::uint32_t one_in = 1 + random->below(60);
    for (std::uint32_t n = 0; n < layer.node_count(); ++n)
      if (random->below(one_in) == 0) cells.push_back(NodeId{n});
  }
  // A coordinate of a cell, or of one a little beyond the layer.
  static std::int32_t coordinate(std::int32_t side, Random* random) {
    return static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(side) + 10)) - 5;
  }

  GridLayer layer;
  std::vector<NodeId> cells;
};

TEST(InBoxProperty, VisitsTheElementsInTheBoxInOrder) {
  Random random(test::seed() + 91);
  for (int round = 0; round < 300; ++round) {
    const RandomCells made(&random);
    for (int i = 0; i < 20; ++i) {
      PlaceBox box;
      for (int corner = 0; corner < 2; ++corner)
        box.add({RandomCells::coordinate(made.layer.width(), &random),
                 RandomCells::coordinate(made.layer.height(), &random)});
      std::vector<NodeId> expected;
      for (const NodeId cell : made.cells)
        if (box.contains(place_of(made.layer, cell))) expected.push_back(cell);
      std::vector<NodeId> visited;
      const bool found =
          any_in_box(made.layer, std::span(made.cells), box, std::identity{}, [&](NodeId cell) {
            visited.push_back(cell);
            return visited.size() == 5;
          });
      EXPECT_EQ(found, expected.size() >= 5);
      if (expected.size() > 5) expected.resize(5);
      ASSERT_EQ(visited, expected);
    }
  }
}

TEST(InBoxProperty, AFreedCellIsNearerIfOneOfAllIs) {
  Random random(test::seed() + 92);
  int nearer = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomCells made(&random);
    for (int i = 0; i < 20; ++i) {
      const MapPoint from{random.unit() * made.layer.width(), random.unit() * made.layer.height()};
      const auto origin = NodeId{random.below(made.layer.node_count())};
      const auto off = [&](NodeId cell) {
        return squared_distance(centre_of(place_of(made.layer, cell)), from);
      };
      bool expected = false;
      for (const NodeId cell : made.cells)
        expected |= off(cell) < off(origin) || (off(cell) == off(origin) && cell < origin);
      ASSERT_EQ(frees_nearer(made.layer, made.cells, from, origin), expected);
      nearer += expected ? 1 : 0;
    }
  }
  EXPECT_GT(nearer, 100);
  EXPECT_LT(nearer, 5900);
}

}  // namespace
}  // namespace repath
