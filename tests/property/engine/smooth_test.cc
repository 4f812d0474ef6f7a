// Smoothed paths against the ground itself. Paths are sampled densely: every point must be in a
// free cell, and at least the agent's radius away from every blocked square. Costs are summed again
// from the samples.
#include "engine/smooth.h"

#include "property/engine/turn_radius.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "property/engine/plain_queries.h"
#include "support/seed.h"

namespace repath {
namespace {

using namespace test;

double plain_distance(MapPoint p, std::int32_t x, std::int32_t y) {
  return std::hypot(std::max({x - p.x, p.x - (x + 1), 0.0}),
                    std::max({y - p.y, p.y - (y + 1), 0.0}));
}

// Returns the distance from a point to the nearest blocked square of the ground, or to the map's
// rim.
double plain_room(const std::vector<std::string>& ground, MapPoint p) {
  const auto height = static_cast<std::int32_t>(ground.size());
  const auto width = static_cast<std::int32_t>(ground[0].size());
  double least = std::min({p.x, p.y, width - p.x, height - p.y});
  for (std::int32_t y = 0; y < height; ++y)
    for (std::int32_t x = 0; x < width; ++x)
      if (ground[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#')
        least = std::min(least, plain_distance(p, x, y));
  return least;
}

struct Walk {
  std::vector<std::string> ground;  // the ground for a point
  Snapshot world;
};

Walk random_walk(Random& random, bool weighted, double radius) {
  Walk walk;
  const std::uint32_t width = 6 + random.below(20);
  const std::uint32_t height = 6 + random.below(20);
  const std::uint32_t blocked_percent = random.below(radius > 0.5 ? 8 : 30);
  // Patches of one factor leave something to straighten.
  const std::uint32_t border = random.below(width);
  for (std::uint32_t y = 0; y < height; ++y) {
    std::string row(width, '.');
    for (std::uint32_t x = 0; x < width; ++x) {
      if (weighted && x > border) row[x] = '3';
      if (random.below(100) < blocked_percent) row[x] = '#';
    }
    walk.ground.push_back(row);
  }
  std::vector<std::string> grown = walk.ground;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      if (radius > 0.5 && plain_room(walk.ground, {x + 0.5, y + 0.5}) < radius - 1e-9)
        grown[y][x] = '#';
  walk.world.layer = draw_layer({grown.begin(), grown.end()});
  walk.world.ground = draw_layer({walk.ground.begin(), walk.ground.end()});
  walk.world.radius = radius;
  walk.world.topology = random.below(4) == 0 ? Topology::k4 : Topology::k8;
  walk.world.corner_rule = random.below(2) == 0 ? CornerRule::kNone : CornerRule::kOne;
  return walk;
}

bool is_whole(double v) { return std::abs(v - std::round(v)) < 1e-9; }

// Returns whether the line from a to b is a run of steps that the grid allows, or a piece of one
// that a curve has left.
bool is_steps(const Snapshot& world, MapPoint a, MapPoint b) {
  const bool along = std::abs(a.x - b.x) < 1e-9 || std::abs(a.y - b.y) < 1e-9;
  const bool falling = is_whole(a.x - a.y) && std::abs((a.x - a.y) - (b.x - b.y)) < 1e-9;
  const bool rising = is_whole(a.x + a.y) && std::abs((a.x + a.y) - (b.x + b.y)) < 1e-9;
  if (!along && !falling && !rising) return false;
  const auto near = [](MapPoint p, MapPoint q) {  // a curve may begin on a corner of cells
    return MapPoint{p.x + (q.x - p.x) * 1e-6, p.y + (q.y - p.y) * 1e-6};
  };
  return check_path(world, std::vector<NodeId>{cell_at(world.layer, near(a, b)),
                                               cell_at(world.layer, near(b, a))})
      .valid;
}

constexpr double kSample = 1.0 / 256;

// Adds up the cost of the line; fails if a sample is not on free ground.
void check_way(const Walk& walk, MapPoint a, MapPoint b, double* cost) {
  const Snapshot& world = walk.world;
  const bool steps = is_steps(world, a, b);
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const double samples = std::ceil(length / kSample);
  for (double i = 0; i < samples; ++i) {
    const double share = (i + 0.5) / samples;
    const MapPoint p{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    const NodeId cell = cell_at(world.layer, p);
    *cost += length / samples *
             from_factor(world.layer.factor(world.layer.x_of(cell), world.layer.y_of(cell)));
    if (steps) continue;  // allowed as it is, also round a corner
    const bool may_touch = world.corner_rule == CornerRule::kOne && world.topology == Topology::k8;
    if (!may_touch || !is_whole(p.x) || !is_whole(p.y)) {
      ASSERT_TRUE(world.layer.is_free(cell)) << p.x << ',' << p.y;
    }
    ASSERT_GE(plain_room(walk.ground, p), world.radius - 1e-6) << p.x << ',' << p.y;
  }
}

double straight_bound(const Snapshot& world, const PathAnswer& raw,
                      const std::vector<NodeId>& ends) {
  double least = 1e9;
  const auto centre = [&](NodeId n) {
    return MapPoint{world.layer.x_of(n) + 0.5, world.layer.y_of(n) + 0.5};
  };
  const MapPoint from = centre(raw.nodes.front());
  for (const NodeId end : ends)
    least = std::min(least, std::hypot(centre(end).x - from.x, centre(end).y - from.y));
  return least;
}

TEST(Smoothing, StaysOnFreeGroundAndIsNeverDearer) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int straightened = 0;
  int curved = 0;
  for (int round = 0; round < 240; ++round) {
    const double radius = std::array{0.0, 0.0, 0.3, 0.5, 0.8, 1.5}[random.below(6)];
    const Walk walk = random_walk(random, round % 3 == 0, radius);
    const Snapshot& world = walk.world;
    PathQuery query;
    query.from = random_point(random, world.layer);
    query.goals = {random_point(random, world.layer)};
    query.goal_radius = random.below(3) == 0 ? random.unit() * 3 : 0;
    query.allow_partial = random.below(2) == 0;
    const PathAnswer raw = find_path(world, query, QueryLimits{});
    Cost straight_cost = 0;
    for (const Smoothing smoothing : {Smoothing::kStraight, Smoothing::kCurves}) {
      query.smoothing = smoothing;
      const PathAnswer answer = find_path(world, query, QueryLimits{});
      ASSERT_EQ(answer.state, raw.state);
      ASSERT_EQ(answer.nodes, raw.nodes);
      ASSERT_EQ(answer.points.empty(), raw.nodes.empty());
      if (raw.nodes.empty()) continue;
      ASSERT_LE(answer.cost, raw.cost);
      ASSERT_EQ(cell_at(world.layer, answer.points.front()), raw.nodes.front());
      ASSERT_EQ(cell_at(world.layer, answer.points.back()), raw.nodes.back());
      double cost = 0;
      for (std::size_t i = 1; i < answer.points.size(); ++i) {
        check_way(walk, answer.points[i - 1], answer.points[i], &cost);
        if (testing::Test::HasFatalFailure()) {
          std::string way;
          for (const MapPoint& p : answer.points)
            way += std::to_string(p.x) + "," + std::to_string(p.y) + " ";
          ADD_FAILURE() << drawing(world.layer) << "round " << round << ", radius " << radius
                        << ": " << way;
          return;
        }
      }
      ASSERT_NEAR(cells_from_cost(answer.cost), cost, 2 * kSample * 3 * 40);
      std::vector<NodeId> ends{raw.nodes.back()};
      if (raw.state == QueryState::kComplete)
        ends = plain_goal_set(world.layer, query.goals, query.goal_radius);
      const double least = straight_bound(world, raw, ends);
      ASSERT_LE(cells_from_cost(answer.cost), answer.bound * least * (1 + 1e-6) + 1e-6);
      ASSERT_GE(answer.bound, 1);
      if (smoothing == Smoothing::kStraight) {
        straight_cost = answer.cost;
        if (answer.cost < raw.cost) ++straightened;
      } else {
        ASSERT_LE(answer.cost, straight_cost);
        if (answer.cost < straight_cost) ++curved;
      }
    }
  }
  EXPECT_GT(straightened, 30);
  EXPECT_GT(curved, 30);
}

// Returns the length of a path in cells, or fails if a sample is not on free ground.
double check_driven(const Walk& walk, const std::vector<MapPoint>& points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double leg = std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    const double samples = std::ceil(leg / kSample);
    for (double k = 0; k <= samples; ++k) {
      const double share = samples == 0 ? 0 : k / samples;
      const MapPoint p{points[i - 1].x + (points[i].x - points[i - 1].x) * share,
                       points[i - 1].y + (points[i].y - points[i - 1].y) * share};
      EXPECT_GE(plain_room(walk.ground, p), std::max(walk.world.radius, 1.0 / 64) - 1e-6)
          << p.x << ',' << p.y;
    }
    length += leg;
  }
  return length;
}

TEST(Driving, KeepsTheTurningRadiusOnFreeGround) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int driven = 0;
  int turned = 0;
  int tight = 0;
  for (int round = 0; round < 300; ++round) {
    const double radius = std::array{0.0, 0.0, 0.3, 0.5, 0.8}[random.below(5)];
    Walk walk = random_walk(random, round % 3 == 0, radius);
    walk.world.turning_radius = std::array{0.25, 0.7, 1.5, 3.0}[random.below(4)];
    PathQuery query;
    query.from = random_point(random, walk.world.layer);
    query.goals = {random_point(random, walk.world.layer)};
    query.smoothing = Smoothing::kStraight;
    const PathAnswer straight = find_path(walk.world, query, QueryLimits{});
    query.smoothing = Smoothing::kCurves;
    query.curve_deviation = std::array{0.001, 0.05, 0.3}[random.below(3)];
    const PathAnswer answer = find_path(walk.world, query, QueryLimits{});
    if (straight.state != QueryState::kComplete) {
      ASSERT_EQ(answer.state, straight.state);
      continue;
    }
    if (answer.state == QueryState::kTurnTooTight) {
      ++tight;
      ASSERT_TRUE(answer.points.empty() && answer.nodes.empty());
      continue;
    }
    ASSERT_EQ(answer.state, QueryState::kComplete);
    ++driven;
    if (answer.points.size() < 2) continue;
    ASSERT_EQ(answer.points.front(), straight.points.front());
    ASSERT_EQ(answer.points.back(), straight.points.back());
    if (answer.points.size() > 2) ++turned;
    for (std::size_t i = 2; i < answer.points.size(); ++i) {
      const double least = walk.world.turning_radius;
      ASSERT_GE(radius_through(answer.points[i - 2], answer.points[i - 1], answer.points[i]),
                least * (1 - 1e-6))
          << "round " << round << ", point " << i;
    }
    const double length = check_driven(walk, answer.points);
    ASSERT_FALSE(testing::Test::HasFailure()) << drawing(walk.world.layer) << "round " << round;
    // Factors are 1 to 3.
    ASSERT_GE(cells_from_cost(answer.cost), length * (1 - 1e-9));
    ASSERT_LE(cells_from_cost(answer.cost), 3 * length + 1e-6);
    const double least = straight_bound(walk.world, straight, {straight.nodes.back()});
    ASSERT_LE(cells_from_cost(answer.cost), answer.bound * least * (1 + 1e-6) + 1e-6);
  }
  EXPECT_GT(driven, 60);
  EXPECT_GT(turned, 30);
  EXPECT_GT(tight, 10);
}

}  // namespace
}  // namespace repath
