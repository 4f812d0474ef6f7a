// Goals, the fall filter and snapping, against the plainest code with the same results.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/random.h"
#include "grid/cells/goals.h"
#include "grid/cells/snap.h"
#include "grid_ground/fall_filter.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::int32_t below(std::int32_t n) {
    return static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(n)));
  }
  Place place(const GridLayer& layer) { return {below(layer.width()), below(layer.height())}; }
  MapPoint point(const GridLayer& layer) {
    return {random_.unit() * layer.width(), random_.unit() * layer.height()};
  }
  double unit() { return random_.unit(); }

 private:
  Random random_;
};

GridLayer random_layer(Dice* dice) {
  const int width = 3 + dice->below(40);
  const int walls = dice->below(100);
  std::vector<std::string> rows(static_cast<std::size_t>(3 + dice->below(40)));
  for (std::string& row : rows)
    for (int x = 0; x < width; ++x) row += dice->below(100) < walls ? '#' : '.';
  return test::draw_layer({rows.begin(), rows.end()});
}

TEST(Goals, TheBoundNeverExceedsTheMetricToAnyNodeOfTheSet) {
  SCOPED_TRACE(test::seed_trace());
  Dice dice(test::seed());
  for (int world = 0; world < 60; ++world) {
    const GridLayer layer = random_layer(&dice);
    const Topology topology = std::array{Topology::k4, Topology::k8,
                                         Topology::kHex}[static_cast<std::size_t>(dice.below(3))];
    std::vector<MapPoint> points;
    for (int i = 1 + dice.below(4); i > 0; --i) points.push_back(dice.point(layer));
    const Goals goals(layer, topology, points, dice.below(3) == 0 ? 0 : dice.unit() * 6);
    for (int i = 0; i < 40; ++i) {
      const Place p = dice.place(layer);
      Cost least = kUnreachable;
      for (const NodeId n : goals.nodes().nodes())
        least = std::min(least, goals.metric().between(p, place_of(layer, n)));
      ASSERT_LE(goals.bound(p), least);
      PlaceBox box;
      box.add(p);
      box.add(dice.place(layer));
      ASSERT_LE(goals.bound(box), goals.bound(p));
    }
  }
}

TEST(FallFilter, FindsTheCheapestRivalOfAll) {
  SCOPED_TRACE(test::seed_trace());
  Dice dice(test::seed());
  for (int world = 0; world < 60; ++world) {
    const GridLayer layer = random_layer(&dice);
    std::vector<EdgeChange> fallen;
    for (int i = dice.below(120); i > 0; --i) {
      const Place from = dice.place(layer);
      const Place to{std::min(from.x + 1, layer.width() - 1), from.y};
      fallen.push_back({layer.node_at(from.x, from.y), layer.node_at(to.x, to.y), kUnreachable,
                        kStraightStep * static_cast<Cost>(1 + dice.below(4))});
    }
    std::ranges::sort(fallen, {}, [](const EdgeChange& e) { return std::pair(e.from, e.to); });
    const std::vector<MapPoint> points{dice.point(layer), dice.point(layer)};
    const Goals goals(layer, Topology::k8, points, dice.unit() * 3);
    const FallFilter filter(layer, goals.metric(), fallen);
    for (int i = 0; i < 40; ++i) {
      const Place p = dice.place(layer);
      Cost least = kUnreachable;
      for (const EdgeChange& e : fallen)
        least = std::min(least, goals.metric().between(p, place_of(layer, e.from)) + e.after +
                                    goals.bound(place_of(layer, e.to)));
      const Cost limit = kStraightStep * static_cast<Cost>(dice.below(60));
      std::uint64_t tests = 0;
      const Rival rival = filter.to_goals(p, goals, limit, &tests);
      ASSERT_EQ(rival.edge != nullptr, least < limit);
      ASSERT_EQ(rival.cost, rival.edge != nullptr ? least : kUnreachable);
    }
  }
}

TEST(Snap, FindsTheFreeCellThatIsNearest) {
  SCOPED_TRACE(test::seed_trace());
  Dice dice(test::seed());
  for (int world = 0; world < 120; ++world) {
    const GridLayer layer = random_layer(&dice);
    const MapPoint from = dice.point(layer);
    const double most = dice.below(8);
    std::optional<NodeId> best;
    double best_squared = most * most;
    for (std::uint32_t i = 0; i < layer.node_count(); ++i) {
      if (!layer.is_free(NodeId{i})) continue;
      const MapPoint c = centre_of(place_of(layer, NodeId{i}));
      const double squared = (c.x - from.x) * (c.x - from.x) + (c.y - from.y) * (c.y - from.y);
      if (squared < best_squared || (squared == best_squared && !best)) {
        best = NodeId{i};
        best_squared = squared;
      }
    }
    std::uint64_t cells = 0;
    ASSERT_EQ(nearest_free_cell(layer, from, most, &cells), best);
  }
}

}  // namespace
}  // namespace repath
