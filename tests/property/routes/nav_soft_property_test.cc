// Worlds in which obstacles make ground dearer or of another area type. Costs of routes and their
// bounds against plain geometry of the rings; reported changes against real ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "routes/nav_changes.h"
#include "routes/nav_world.h"
#include "support/random_polygons.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr double kFloorSide = 12;
constexpr double kFar = std::numeric_limits<double>::infinity();
// Carving moves an edge by at most this, plus half a step of the lattice for each edge that crosses
// it.
constexpr double kAside = 2e-4;
using Obstacles = std::map<ObstacleId, ObstacleSpec>;

// A profile with factor 3 on area 1 and 1.5 on area 2.
const Profile kCart{.name = "cart", .radius = 0.3, .areas = {{1, 3}, {2, 1.5}}};

MeshSource even_floor() {
  const auto n = static_cast<std::size_t>(kFloorSide);
  return test::squares(std::vector<std::string>(n, std::string(n, '.')));
}

Spot random_spot_on_floor(Random* random) {
  return {random->unit() * kFloorSide, 0, random->unit() * kFloorSide};
}

ObstacleSpec random_soft_obstacle(Random* random, std::uint64_t id) {
  const Point center{random->unit() * kFloorSide, random->unit() * kFloorSide};
  ObstacleSpec obstacle{.id = ObstacleId{id}};
  switch (random->below(3)) {
    case 0:
      obstacle.shape = Box{.center = center,
                           .half_x = 0.1 + random->unit(),
                           .half_z = 0.1 + (random->below(3) == 0 ? 8 : 2) * random->unit(),
                           .yaw = random->below(2) == 0 ? 0 : random->unit() * 3};
      break;
    case 1:
      obstacle.shape = Circle{center, 0.1 + 2 * random->unit()};
      break;
    default:
      obstacle.shape = test::random_star(random, center, 0.5 + 2 * random->unit(), 8);
  }
  const std::uint32_t kind = random->below(8);
  if (kind >= 6) obstacle.effect = {.blocked = false, .area = static_cast<std::uint8_t>(kind - 5)};
  if (kind >= 2 && kind < 6) obstacle.effect = {.blocked = false, .factor = 1 + 0.25 * kind};
  if (random->below(5) == 0) obstacle.teams = 2;
  obstacle.enabled = random->below(6) != 0;
  return obstacle;
}

ChangeBatch random_soft_batch(Random* random, std::uint32_t ids, Obstacles* known) {
  ChangeBatch batch;
  std::map<std::uint64_t, bool> taken;
  for (std::uint32_t k = 1 + random->below(3); k > 0; --k) {
    const std::uint64_t id = 1 + random->below(ids);
    if (std::exchange(taken[id], true)) continue;
    const auto before = known->find(ObstacleId{id});
    const std::uint32_t kind = before != known->end() ? random->below(5) : 0;
    if (kind <= 1) {
      batch.upsert_obstacles.push_back(random_soft_obstacle(random, id));
    } else if (kind == 2) {  // the same shape with another effect
      batch.upsert_obstacles.push_back(before->second);
      batch.upsert_obstacles.back().effect = random_soft_obstacle(random, id).effect;
    } else if (kind == 3) {
      batch.remove_obstacles.push_back(ObstacleId{id});
      known->erase(before);
    } else {
      const bool enabled = random->below(2) == 0;
      batch.switch_obstacles.push_back({ObstacleId{id}, enabled});
      before->second.enabled = enabled;
    }
  }
  for (const ObstacleSpec& obstacle : batch.upsert_obstacles) (*known)[obstacle.id] = obstacle;
  return batch;
}

// Rings, and the factors between them.
class PlainSoftGround {
 public:
  PlainSoftGround(const Obstacles& obstacles, const Profile& profile, TeamId team)
      : profile_(profile) {
    for (const auto& [id, obstacle] : obstacles) {
      if (!obstacle.enabled || !concerns(obstacle.teams, team)) continue;
      Over over{obstacle.effect, {}};
      for (const LatticeRing& piece : carve_shape(obstacle, profile.radius).pieces) {
        over.rings.emplace_back();
        for (const LatticePoint p : piece) over.rings.back().push_back(to_point(p));
        for (const Point p : over.rings.back())
          if (p.x >= 0 && p.x <= kFloorSide && p.z >= 0 && p.z <= kFloorSide) corners_.push_back(p);
      }
      all_.push_back(std::move(over));
    }
  }

  // kFar: blocked.
  double factor_at(Point p) const {
    double own = 1;
    std::uint8_t area = 0;
    for (const Over& over : all_) {
      if (!std::ranges::any_of(over.rings, [p](const auto& ring) { return depth(ring, p) > 0; }))
        continue;
      if (over.effect.blocked) return kFar;
      own = std::min(1000.0, std::ceil(own * over.effect.factor * 1000 - 1e-6) / 1000);
      if (over.effect.area) area = *over.effect.area;
    }
    for (const AreaFactor& rule : profile_.areas)
      if (rule.area == area) own *= rule.factor;
    return std::min(1000.0, own);
  }

  struct LegCost {
    // Each part on the cheaper side, because a path along a border may be on either.
    double least = 0;
    double most = 0;
  };
  // Returns the costs of the straight leg, moved by `aside` to the one side and to the other.
  LegCost cost_of_leg(Point a, Point b, double aside) const {
    const double length = distance(a, b);
    if (length == 0) return {};
    const double x = -(b.z - a.z) / length * aside;
    const double z = (b.x - a.x) / length * aside;
    std::vector<double> cuts{0, 1};
    append_cuts({a.x + x, a.z + z}, {b.x + x, b.z + z}, &cuts);
    append_cuts({a.x - x, a.z - z}, {b.x - x, b.z - z}, &cuts);
    std::ranges::sort(cuts);
    LegCost sum;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const double part = (cuts[i] - cuts[i - 1]) * length;
      if (part < 1e-9) continue;
      const double t = (cuts[i] + cuts[i - 1]) / 2;
      const Point p{a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)};
      const auto [least, most] =
          std::minmax({factor_at({p.x + x, p.z + z}), factor_at({p.x - x, p.z - z})});
      sum.least += part * least;
      sum.most += part * most;
    }
    return sum;
  }

  // Returns the cost of the cheapest path that bends at corners only. A cheapest path of all is at
  // most that dear.
  double cheapest(Point from, Point to) const {
    std::vector<Point> points = corners_;
    points.push_back(from);
    points.push_back(to);
    std::vector<double> known(points.size(), kFar);
    std::vector<bool> is_done(points.size(), false);
    known[points.size() - 2] = 0;
    for (;;) {
      std::size_t at = points.size();
      for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_done[i] && known[i] < kFar && (at == points.size() || known[i] < known[at])) at = i;
      if (at == points.size() || at + 1 == points.size()) return known.back();
      is_done[at] = true;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (is_done[i] || known[at] + distance(points[at], points[i]) >= known[i]) continue;
        const double cost = cost_of_leg(points[at], points[i], 1e-8).least;
        known[i] = std::min(known[i], known[at] + cost);
      }
    }
  }

 private:
  struct Over {
    Effect effect;
    std::vector<std::vector<Point>> rings;
  };
  static double distance(Point a, Point b) { return std::hypot(b.x - a.x, b.z - a.z); }
  static double left_of(Point a, Point b, Point p) {
    return ((b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x)) / distance(a, b);
  }
  // Appends where the line crosses the lines along the rings' sides.
  void append_cuts(Point a, Point b, std::vector<double>* cuts) const {
    for (const Over& over : all_)
      for (const auto& ring : over.rings)
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const double here = left_of(ring[i], ring[(i + 1) % ring.size()], a);
          const double there = left_of(ring[i], ring[(i + 1) % ring.size()], b);
          if ((here < 0) != (there < 0)) cuts->push_back(here / (here - there));
        }
  }
  static double depth(const std::vector<Point>& ring, Point p) {
    double least = kFar;
    for (std::size_t i = 0; i < ring.size(); ++i)
      least = std::min(least, left_of(ring[i], ring[(i + 1) % ring.size()], p));
    return least;
  }

  Profile profile_;
  std::vector<Over> all_;
  std::vector<Point> corners_;
};

struct FoundWay {
  Cost cost = kUnreachable;
  Cost lower = 0;
  std::vector<RoutePoint> route{};
};

std::optional<FoundWay> find_way(const QueryGround& ground, const Spot& from, const Spot& to) {
  const auto start = ground.locate(from);
  const auto goal = ground.locate(to);
  if (!start || !goal) return std::nullopt;
  auto search = ground.search(*start, {&*goal, 1});
  std::uint32_t expansions = 1'000'000;
  FoundWay found;
  if (search->advance(&expansions) != Progress::kPathFound) return found;
  found.cost = search->cost();
  found.lower = search->lower_bound();
  search->append_route(&found.route);
  EXPECT_LE(found.lower, found.cost);
  EXPECT_EQ(ground.walk(found.route).cost, found.cost);
  return found;
}

Point flat(const RoutePoint& point) { return {point.at.x, point.at.z}; }

std::unique_ptr<NavWorld> soft_world(Random* random) {
  return *NavWorld::create({.name = "w",
                            .mesh = even_floor(),
                            .profiles = {kCart},
                            .cell_side = 1.0 + random->below(8),
                            .base_radius = kCart.radius});
}

TEST(NavSoftProperty, RoutesCostWhatTheGroundUnderThemDoes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t dear = 0;
  std::size_t optimal = 0;
  std::size_t compared = 0;
  double excess = 0;
  for (int round = 0; round < 20; ++round) {
    auto world = soft_world(&random);
    const RouteViewId view = *world->acquire_view("cart", TeamId{0});
    Obstacles known;
    for (int step = 0; step < 5; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      ASSERT_TRUE(world->apply(random_soft_batch(&random, 14, &known)).ok());
      const PlainSoftGround plain(known, kCart, TeamId{0});
      Obstacles soft = known;
      std::erase_if(soft, [](const auto& entry) { return entry.second.effect.blocked; });
      const PlainSoftGround open(soft, kCart, TeamId{0});
      for (int i = 0; i < 4; ++i) {
        const auto found = find_way(world->ground(view), random_spot_on_floor(&random),
                                    random_spot_on_floor(&random));
        if (!found || found->cost == kUnreachable) continue;
        double least = 0;
        double most = 0;
        double length = 0;
        for (std::size_t k = 1; k < found->route.size(); ++k) {
          const Point a = flat(found->route[k - 1]);
          const Point b = flat(found->route[k]);
          const PlainSoftGround::LegCost cost_of_this = open.cost_of_leg(a, b, kAside);
          least += cost_of_this.least;
          most += cost_of_this.most;
          length += std::hypot(b.x - a.x, b.z - a.z);
        }
        const double cost = units_from_route_cost(found->cost);
        const double slack = 0.002 * static_cast<double>(1 + known.size());
        ASSERT_GE(cost, least - slack) << length;
        ASSERT_LE(cost, most + slack) << length;
        const bool is_optimal = found->lower + kRouteCostSlack >= found->cost;
        dear += cost > 1.001 * length ? 1 : 0;
        optimal += is_optimal ? 1 : 0;
        if (i > 0) continue;
        const double best = plain.cheapest(flat(found->route.front()), flat(found->route.back()));
        // Carving moves corners by up to half a millimetre.
        ASSERT_LE(units_from_route_cost(found->lower), best + 1e-3);
        ASSERT_TRUE(!is_optimal || cost <= best + 1e-3);
        ++compared;
        excess += cost / std::min(best, cost) - 1;
      }
    }
  }
  EXPECT_GT(dear, 15u);
  EXPECT_GT(optimal, 60u);
  EXPECT_GT(compared, 40u);
  EXPECT_LT(excess / static_cast<double>(compared), 0.05);
}

// Returns whether the leg from a to b meets the box.
bool leg_meets_box(const RouteBox& box, const Spot& a, const Spot& b) {
  double from = 0;
  double to = 1;
  const auto clip = [&](double start, double end, double low, double high) {
    const double d = end - start;
    if (d == 0) {
      if (start < low || start > high) to = -1;
      return;
    }
    const auto [first, last] = std::minmax({(low - start) / d, (high - start) / d});
    from = std::max(from, first);
    to = std::min(to, last);
  };
  clip(a.x, b.x, box.min_x, box.max_x);
  clip(a.z, b.z, box.min_z, box.max_z);
  return from <= to;
}

// Filter 1 and the summed cost rest on this: the cost of a held route changes only if a change
// meets the route, and the change gives the direction.
TEST(NavSoftProperty, WhatAHeldRouteCostsChangesOnlyByAChangeThatMeetsIt) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  std::size_t rose = 0;
  std::size_t fell = 0;
  for (int round = 0; round < 16; ++round) {
    auto world = soft_world(&random);
    const RouteViewId views[] = {*world->acquire_view("cart", TeamId{0}),
                                 *world->acquire_view("cart", TeamId{1}),
                                 *world->acquire_view("default", TeamId{1})};
    Obstacles known;
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      std::map<RouteViewId, std::vector<FoundWay>> held;
      for (const RouteViewId view : views)
        for (int i = 0; i < 8; ++i)
          if (const auto found = find_way(world->ground(view), random_spot_on_floor(&random),
                                          random_spot_on_floor(&random));
              found && found->cost != kUnreachable)
            held[view].push_back(*found);
      const auto commit = world->apply(random_soft_batch(&random, 12, &known));
      ASSERT_TRUE(commit.ok()) << commit.status();
      for (const RouteViewId view : views) {
        std::vector<RouteChange> changes;
        for (const RouteDelta& delta : commit->views)
          if (delta.view == view) changes = delta.changes;
        for (const FoundWay& way : held[view]) {
          const RouteWalk walk = world->ground(view).walk(way.route);
          const Cost apart = std::max(walk.cost, way.cost) - std::min(walk.cost, way.cost);
          if (apart <= kRouteCostSlack) continue;
          const bool is_dearer = walk.cost > way.cost;
          // By rounding: another obstacle's edge crosses an older one.
          const bool is_rounded = units_from_route_cost(apart) < 1e-2;
          if (!is_rounded) ++(is_dearer ? rose : fell);
          const bool is_told = std::ranges::any_of(changes, [&](const RouteChange& change) {
            if (!(is_rounded || (is_dearer ? change.rose : change.fell))) return false;
            for (std::size_t k = 1; k < way.route.size(); ++k)
              if (leg_meets_box(change.from, way.route[k - 1].at, way.route[k].at)) return true;
            return false;
          });
          ASSERT_TRUE(is_told) << units_from_route_cost(way.cost) << " to "
                               << units_from_route_cost(walk.cost);
        }
      }
    }
  }
  EXPECT_GT(rose, 60u);
  EXPECT_GT(fell, 40u);
}

// No path breaks because ground is made dearer or is no longer dearer, even along walls.
TEST(NavSoftProperty, OtherGroundBreaksNoRoute) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 3);
  std::size_t held = 0;
  for (int round = 0; round < 60; ++round) {
    auto world = soft_world(&random);
    const RouteViewId view = *world->acquire_view("cart", TeamId{0});
    Obstacles known;
    ChangeBatch hard;
    for (std::uint64_t id = 1; id < 8; ++id) {
      hard.upsert_obstacles.push_back(random_soft_obstacle(&random, id));
      hard.upsert_obstacles.back().effect = {};
    }
    ASSERT_TRUE(world->apply(hard).ok());
    for (int step = 0; step < 8; ++step) {
      std::vector<FoundWay> ways;
      for (int i = 0; i < 20; ++i) {
        const auto found = find_way(world->ground(view), random_spot_on_floor(&random),
                                    random_spot_on_floor(&random));
        if (found && found->cost != kUnreachable) ways.push_back(*found);
      }
      ChangeBatch soft;
      for (std::uint64_t id = 100; id < 106; ++id) {
        soft.upsert_obstacles.push_back(random_soft_obstacle(&random, id));
        if (soft.upsert_obstacles.back().effect.blocked)
          soft.upsert_obstacles.back().effect = {.blocked = false, .factor = 2};
      }
      ASSERT_TRUE(world->apply(soft).ok());
      for (const FoundWay& way : ways) {
        // Carving moves walls by half a step, so an agent at a wall may then stand in it.
        if (!world->ground(view).locate(way.route.front().at)) continue;
        ++held;
        ASSERT_NE(world->ground(view).walk(way.route).cost, kUnreachable)
            << "round " << round << ", step " << step;
      }
    }
  }
  EXPECT_GT(held, 4'000u);
}

TEST(NavSoftProperty, TheSameObstaclesGiveTheSameWorldAndNoneTheFirst) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    auto world = soft_world(&random);
    const RouteViewId view = *world->acquire_view("cart", TeamId{0});
    const std::uint64_t bare = world->mesh(view).content_hash();
    const Spot from = random_spot_on_floor(&random);
    const Spot to = random_spot_on_floor(&random);
    const Cost empty = find_way(world->ground(view), from, to)->cost;
    Obstacles known;
    for (int step = 0; step < 15; ++step)
      ASSERT_TRUE(world->apply(random_soft_batch(&random, 10, &known)).ok());
    auto other = *NavWorld::create({.name = "w",
                                    .mesh = even_floor(),
                                    .profiles = {kCart},
                                    .cell_side = 4,
                                    .base_radius = kCart.radius});
    auto same = world->clone();
    const RouteViewId late = *other->acquire_view("cart", TeamId{0});
    ChangeBatch all;
    for (const auto& [id, obstacle] : known) all.upsert_obstacles.push_back(obstacle);
    ASSERT_TRUE(other->apply(all).ok());
    ASSERT_EQ(same->state_hash(), world->state_hash());
    const auto here = find_way(world->ground(view), from, to);
    const auto there = find_way(other->ground(late), from, to);
    ASSERT_EQ(here.has_value(), there.has_value());
    ChangeBatch none;
    for (const auto& [id, obstacle] : known) none.remove_obstacles.push_back(id);
    ASSERT_TRUE(world->apply(none).ok());
    ASSERT_EQ(world->mesh(view).content_hash(), bare);
    const auto again = find_way(world->ground(view), from, to);
    ASSERT_EQ(again->cost, empty);
    ASSERT_EQ(again->lower, empty);
  }
}

}  // namespace
}  // namespace repath
