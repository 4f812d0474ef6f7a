#include <gtest/gtest.h>

#include <string>

#include "support/seed.h"
#include "verify/field.h"
#include "verify/ground.h"

namespace repath::verify {
namespace {

// `.` is free, `#` blocked, a digit the factor.
Ground draw(const std::vector<std::string>& rows, Topology topology = Topology::k8,
            CornerRule corner = CornerRule::kNone) {
  Ground ground(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), topology, corner);
  for (int y = 0; y < ground.height; ++y) {
    for (int x = 0; x < ground.width; ++x) {
      const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
      ground.factor[static_cast<std::size_t>(ground.cell(x, y))] = c == '.'   ? 1
                                                                   : c == '#' ? 0
                                                                              : c - '0';
    }
  }
  return ground;
}

double distance(const Ground& ground, CellXY from, CellXY to) {
  return Field(ground, {ground.cell(to.x, to.y)}).distance_to(ground, ground.cell(from.x, from.y));
}

TEST(Ground, NoCornerIsCut) {
  const Ground none = draw({".#", ".."});
  EXPECT_DOUBLE_EQ(distance(none, {0, 0}, {1, 1}), 2);
  const Ground one = draw({".#", ".."}, Topology::k8, CornerRule::kOne);
  EXPECT_DOUBLE_EQ(distance(one, {0, 0}, {1, 1}), kDiagonal);
}

TEST(Ground, NothingPassesBetweenTwoCorners) {
  const Ground ground = draw({".#", "#."}, Topology::k8, CornerRule::kOne);
  EXPECT_EQ(distance(ground, {0, 0}, {1, 1}), kInfinity);
}

TEST(Ground, FourNeighboursKnowNoDiagonals) {
  EXPECT_DOUBLE_EQ(distance(draw({"..", ".."}, Topology::k4), {0, 0}, {1, 1}), 2);
}

TEST(Ground, HexagonsHaveSixNeighboursOddRowsBeingFurtherRight) {
  const Ground open = draw({"....", "....", "....", "...."}, Topology::kHex);
  int neighbours = 0;
  open.for_each_step(open.cell(1, 1), [&](Cell, double cost) {
    EXPECT_EQ(cost, 1);
    ++neighbours;
  });
  EXPECT_EQ(neighbours, 6);
  EXPECT_EQ(open.step(open.cell(1, 1), open.cell(2, 2)), 1);
  EXPECT_EQ(open.step(open.cell(1, 1), open.cell(0, 2)), kInfinity);
  EXPECT_EQ(open.step(open.cell(2, 2), open.cell(1, 1)), 1);
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      EXPECT_EQ(distance(open, {0, 3}, {x, y}), open.metric(open.cell(0, 3), open.cell(x, y)))
          << "on open ground nothing is nearer than by the measure";
    }
  }
}

TEST(Ground, AStepCostsTheMeanOfBothFactors) {
  EXPECT_DOUBLE_EQ(distance(draw({".3."}), {0, 0}, {2, 0}), 4);
  EXPECT_DOUBLE_EQ(draw({".3."}).step(1 * 5 + 1, 1 * 5 + 2), 2);
}

TEST(Field, TakesTheWayRoundTheMud) {
  EXPECT_DOUBLE_EQ(distance(draw({".99.", "...."}, Topology::k4), {0, 0}, {3, 0}), 5);
}

TEST(Field, SaysThatThereIsNoWay) {
  const Ground ground = draw({".#."});
  EXPECT_EQ(distance(ground, {0, 0}, {2, 0}), kInfinity);
  EXPECT_EQ(distance(ground, {0, 0}, {1, 0}), kInfinity) << "a blocked goal";
}

TEST(Field, CountsFromTheNearestGoal) {
  const Ground ground = draw({"......."});
  Field field(ground, {ground.cell(0, 0), ground.cell(6, 0)});
  EXPECT_DOUBLE_EQ(field.distance_to(ground, ground.cell(2, 0)), 2);
  EXPECT_DOUBLE_EQ(field.distance_to(ground, ground.cell(5, 0)), 1);
  EXPECT_DOUBLE_EQ(field.distance_to(ground, ground.cell(6, 0)), 0);
}

// Bellman-Ford: relaxes edges until nothing changes. Too plain to be wrong.
std::vector<double> relaxed(const Ground& ground, Cell goal) {
  std::vector<double> best(ground.factor.size(), kInfinity);
  if (ground.free(goal)) best[static_cast<std::size_t>(goal)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int y = 0; y < ground.height; ++y) {
      for (int x = 0; x < ground.width; ++x) {
        const Cell here = ground.cell(x, y);
        ground.for_each_step(here, [&](Cell next, double cost) {
          double& d = best[static_cast<std::size_t>(here)];
          if (best[static_cast<std::size_t>(next)] + cost < d - 1e-9) {
            d = best[static_cast<std::size_t>(next)] + cost;
            changed = true;
          }
        });
      }
    }
  }
  return best;
}

TEST(Field, AgreesWithRelaxationOnRandomGround) {
  SCOPED_TRACE(test::seed_trace());
  std::uint64_t state = test::seed();
  const auto below = [&](std::uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % n);
  };
  for (int world = 0; world < 40; ++world) {
    const Topology kinds[] = {Topology::k4, Topology::k8, Topology::kHex};
    Ground ground(3 + below(14), 3 + below(14), kinds[below(3)],
                  below(2) == 0 ? CornerRule::kNone : CornerRule::kOne);
    for (int y = 0; y < ground.height; ++y) {
      for (int x = 0; x < ground.width; ++x) {
        const double factor = below(3) == 0 ? 0 : below(4) == 0 ? 1 + below(1000) : 1;
        ground.factor[static_cast<std::size_t>(ground.cell(x, y))] = factor;
      }
    }
    const Cell goal = ground.cell(below(static_cast<std::uint64_t>(ground.width)),
                                  below(static_cast<std::uint64_t>(ground.height)));
    const std::vector<double> expected = relaxed(ground, goal);
    Field field(ground, {goal});
    for (int y = ground.height - 1; y >= 0; --y) {
      for (int x = 0; x < ground.width; ++x) {
        const Cell c = ground.cell(x, y);
        const double want = expected[static_cast<std::size_t>(c)];
        const double got = field.distance_to(ground, c);
        if (want == kInfinity) {
          ASSERT_EQ(got, kInfinity);
        } else {
          ASSERT_NEAR(got, want, 1e-6) << "world " << world;
        }
      }
    }
  }
}

TEST(Route, RunsStraightBetweenItsWaypoints) {
  const Ground ground = draw({".....", ".....", "....."});
  const auto route = expand(ground, {0, 0, 2, 2, 4, 2});
  ASSERT_TRUE(route);
  EXPECT_EQ(route->cells,
            (std::vector<Cell>{ground.cell(0, 0), ground.cell(1, 1), ground.cell(2, 2),
                               ground.cell(3, 2), ground.cell(4, 2)}));
  EXPECT_EQ(route->waypoint_at, (std::vector<int>{0, 2, 4}));
  EXPECT_DOUBLE_EQ(cost_of(ground, *route, 0), 2 * kDiagonal + 2);
  EXPECT_DOUBLE_EQ(cost_of(ground, *route, 3), 1);
}

TEST(Route, RefusesKnightsMovesRepeatsAndPlacesOffTheMap) {
  const Ground ground = draw({".....", ".....", "....."});
  EXPECT_FALSE(expand(ground, {0, 0, 2, 1}));
  EXPECT_FALSE(expand(ground, {0, 0, 0, 0}));
  EXPECT_FALSE(expand(ground, {0, 0, 5, 0}));
  EXPECT_FALSE(expand(ground, {}));
}

TEST(Route, TheFirstBrokenStepIsNamedByItsEnd) {
  Ground ground = draw({".....", "...#."});
  const auto route = expand(ground, {0, 0, 2, 0, 4, 0});
  ASSERT_TRUE(route);
  EXPECT_FALSE(first_broken(ground, *route, 0));
  ground.factor[static_cast<std::size_t>(ground.cell(3, 0))] = 0;
  EXPECT_EQ(first_broken(ground, *route, 0), 3);
  EXPECT_EQ(first_broken(ground, *route, 3), 4);
  EXPECT_EQ(first_broken(ground, *route, 4), std::nullopt);
  EXPECT_EQ(cost_of(ground, *route, 0), kInfinity);
}

}  // namespace
}  // namespace repath::verify
