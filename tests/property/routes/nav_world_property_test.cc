// Worlds of carved navmeshes under random batches: against a plain visibility graph around the
// grown shapes and against other histories; reported changes against real ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "geometry/grow.h"
#include "routes/nav_changes.h"
#include "routes/nav_world.h"
#include "support/carved_worlds.h"
#include "support/random_polygons.h"
#include "support/reach.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr double kSide = 12;
constexpr double kTolerance = 1e-6;
// Where the edge of a shape comes within half a millimetre of a corner of the base, carving makes
// them meet. A route that bends exactly there differs more, which is rare.
constexpr double kCarved = 1e-3;
using Obstacles = std::map<ObstacleId, ObstacleSpec>;

MeshSource floor_of(int side) {
  const auto n = static_cast<std::size_t>(side);
  return test::squares(std::vector<std::string>(n, std::string(n, '.')));
}

Shape random_shape(Random* random) {
  const Point center{random->unit() * kSide, random->unit() * kSide};
  switch (random->below(4)) {
    case 0:
      return Box{.center = center,
                 .half_x = 0.1 + random->unit(),
                 .half_z = 0.1 + (random->below(3) == 0 ? 8 : 2) * random->unit(),
                 .yaw = random->below(2) == 0 ? 0 : random->unit() * 3};
    case 1:
      return Circle{center, 0.1 + random->unit()};
    case 2:
      return Capsule{center,
                     {center.x + 4 * random->unit() - 2, center.z + 4 * random->unit() - 2},
                     0.05 + 0.5 * random->unit()};
    default:
      return test::random_star(random, center, 0.3 + 1.5 * random->unit(), 3 + random->below(6));
  }
}

ObstacleSpec random_route_obstacle(Random* random, std::uint64_t id, bool has_heights) {
  ObstacleSpec obstacle{.id = ObstacleId{id}, .shape = random_shape(random)};
  if (has_heights && random->below(2) == 0) {
    obstacle.bottom = random->below(3) * 1.5;
    obstacle.top = obstacle.bottom + random->below(3);
  }
  if (random->below(5) == 0) obstacle.teams = 2;
  obstacle.enabled = random->below(6) != 0;
  return obstacle;
}

// Makes some edits of obstacles 1 to `ids`; `known` holds the present obstacles and is updated.
ChangeBatch random_batch(Random* random, std::uint32_t ids, bool has_heights, Obstacles* known) {
  ChangeBatch batch;
  std::map<std::uint64_t, bool> taken;
  for (std::uint32_t k = 1 + random->below(3); k > 0; --k) {
    const std::uint64_t id = 1 + random->below(ids);
    if (std::exchange(taken[id], true)) continue;
    const bool is_known = known->contains(ObstacleId{id});
    const std::uint32_t kind = is_known ? random->below(4) : 0;
    if (kind <= 1) {
      batch.upsert_obstacles.push_back(random_route_obstacle(random, id, has_heights));
      (*known)[ObstacleId{id}] = batch.upsert_obstacles.back();
    } else if (kind == 2) {
      batch.remove_obstacles.push_back(ObstacleId{id});
      known->erase(ObstacleId{id});
    } else {
      const bool enabled = random->below(2) == 0;
      batch.switch_obstacles.push_back({ObstacleId{id}, enabled});
      (*known)[ObstacleId{id}].enabled = enabled;
    }
  }
  return batch;
}

struct Found {
  Cost cost = kUnreachable;
  std::vector<RoutePoint> route{};
  bool operator==(const Found&) const = default;
};

// Empty if one end is not a place on the ground.
std::optional<Found> find_route(const QueryGround& ground, const Spot& from, const Spot& to) {
  const auto start = ground.locate(from);
  const auto goal = ground.locate(to);
  if (!start || !goal) return std::nullopt;
  auto search = ground.search(*start, {&*goal, 1});
  Found found;
  std::uint32_t expansions = 0;
  Progress progress = Progress::kOutOfBudget;
  for (int i = 0; i < 100'000 && progress == Progress::kOutOfBudget; ++i) {
    expansions = 3;
    progress = search->advance(&expansions);
  }
  if (progress != Progress::kPathFound) return found;
  found.cost = search->cost();
  EXPECT_LE(search->lower_bound(), found.cost);
  search->append_route(&found.route);
  EXPECT_EQ(ground.walk(found.route).cost, found.cost);
  EXPECT_EQ(found.route.front().at, start->at);
  EXPECT_EQ(found.route.back().at, goal->at);
  EXPECT_TRUE(ground.may_reach(*start, *goal));
  EXPECT_LE(ground.least_cost({from.x, from.z, from.x, from.z}, {to.x, to.z, to.x, to.z}),
            found.cost);
  return found;
}

// `found` is the result of find_route().
void expect_reach(const QueryGround& ground, const Spot& from, const Spot& to,
                  const std::optional<Found>& found) {
  if (!found) return;
  EXPECT_EQ(test::leads(test::reach_table(ground).get(), *ground.locate(from), *ground.locate(to)),
            found->cost != kUnreachable);
}

// Straight lines between corners of convex rings that pass through none of them.
class PlainGround {
 public:
  PlainGround(const Obstacles& obstacles, double radius, TeamId team) {
    for (const auto& [id, obstacle] : obstacles) {
      if (!obstacle.enabled || !concerns(obstacle.teams, team)) continue;
      for (const LatticeRing& ring : carve_shape(obstacle, radius).pieces) {
        rings_.emplace_back();
        for (const LatticePoint p : ring) rings_.back().push_back(to_point(p));
      }
    }
    for (const auto& ring : rings_)
      for (const Point p : ring)
        if (p.x >= 0 && p.x <= kSide && p.z >= 0 && p.z <= kSide && depth(p) < 1e-9)
          corners_.push_back(p);
  }

  // Returns how deep inside a ring the point lies; at most 0 if it is outside all rings.
  double depth(Point p) const {
    double deepest = -1e9;
    for (const auto& ring : rings_) {
      double least = 1e9;
      for (std::size_t i = 0; i < ring.size(); ++i)
        least = std::min(least, left_of(ring[i], ring[(i + 1) % ring.size()], p));
      deepest = std::max(deepest, least);
    }
    return deepest;
  }

  double shortest(Point from, Point to) const {
    std::vector<Point> points = corners_;
    points.push_back(from);
    points.push_back(to);
    std::vector<double> known(points.size(), std::numeric_limits<double>::infinity());
    std::vector<bool> is_done(points.size(), false);
    known[points.size() - 2] = 0;
    for (;;) {
      std::size_t at = points.size();
      for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_done[i] && std::isfinite(known[i]) && (at == points.size() || known[i] < known[at]))
          at = i;
      if (at == points.size() || at + 1 == points.size()) return known.back();
      is_done[at] = true;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double whole = known[at] + distance(points[at], points[i]);
        if (!is_done[i] && whole < known[i] && sees(points[at], points[i])) known[i] = whole;
      }
    }
  }

 private:
  static double distance(Point a, Point b) {
    return std::sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
  }
  static double left_of(Point a, Point b, Point p) {
    return ((b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x)) / distance(a, b);
  }
  bool sees(Point a, Point b) const {
    for (const auto& ring : rings_) {
      double from = 0;
      double to = 1;
      for (std::size_t i = 0; i < ring.size() && from < to; ++i) {
        const double here = left_of(ring[i], ring[(i + 1) % ring.size()], a) - 1e-9;
        const double there = left_of(ring[i], ring[(i + 1) % ring.size()], b) - 1e-9;
        if (here <= 0 && there <= 0) {
          to = from;
        } else if (here < 0) {
          from = std::max(from, here / (here - there));
        } else if (there < 0) {
          to = std::min(to, here / (here - there));
        }
      }
      if (to > from) return false;
    }
    return true;
  }

  std::vector<std::vector<Point>> rings_;
  std::vector<Point> corners_;
};

Spot random_spot(Random* random) { return {random->unit() * kSide, 0, random->unit() * kSide}; }

TEST(NavWorldProperty, RoutesAreThoseOfThePlainVisibilityGraph) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t compared = 0;
  std::size_t cut_off = 0;
  std::size_t attracted = 0;
  for (int round = 0; round < 25; ++round) {
    const double radius = 0.2 + 0.3 * random.unit();
    auto world = *NavWorld::create({.name = "w",
                                    .mesh = floor_of(static_cast<int>(kSide)),
                                    .profiles = {{.name = "wide", .radius = radius}},
                                    .cell_side = 1.0 + random.below(8),
                                    .base_radius = radius});
    const RouteViewId view = *world->acquire_view("wide", TeamId{0});
    Obstacles known;
    for (int step = 0; step < 8; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      ChangeBatch batch = random_batch(&random, 14, false, &known);
      if (step == 0 && round % 4 == 0) {  // from side to side
        const Box wall{{6, 6}, 0.1, 9, random.unit() * 3};
        batch.upsert_obstacles.push_back({.id = ObstacleId{99}, .shape = wall});
        known[ObstacleId{99}] = batch.upsert_obstacles.back();
      }
      ASSERT_TRUE(world->apply(batch).ok());
      const PlainGround plain(known, radius, TeamId{0});
      for (int i = 0; i < 4; ++i) {
        const Spot p = random_spot(&random);
        const Spot q = random_spot(&random);
        const double deepest = std::max(plain.depth({p.x, p.z}), plain.depth({q.x, q.z}));
        const auto found = find_route(world->ground(view), p, q);
        if (std::abs(deepest) < 1e-3) continue;
        ASSERT_EQ(found.has_value(), deepest < 0);
        if (!found) continue;
        const double length = plain.shortest({p.x, p.z}, {q.x, q.z});
        ASSERT_EQ(found->cost == kUnreachable, std::isinf(length)) << length;
        ++(found->cost == kUnreachable ? cut_off : compared);
        if (found->cost == kUnreachable) continue;
        const double off = std::abs(units_from_route_cost(found->cost) - length);
        ASSERT_LE(off, kCarved) << length;
        attracted += off > kTolerance ? 1 : 0;
      }
    }
  }
  EXPECT_GT(compared, 100u);
  EXPECT_GT(cut_off, 10u);
  EXPECT_LE(attracted, 1u);
}

std::vector<Found> routes_of(const QueryGround& ground,
                             std::span<const std::pair<Spot, Spot>> pairs) {
  std::vector<Found> all;
  for (const auto& [from, to] : pairs)
    all.push_back(find_route(ground, from, to).value_or(Found{}));
  return all;
}

std::vector<std::pair<Spot, Spot>> random_pairs(Random* random, int count, double height) {
  std::vector<std::pair<Spot, Spot>> pairs;
  for (int i = 0; i < count; ++i) {
    pairs.emplace_back(random_spot(random), random_spot(random));
    if (random->below(2) == 0) pairs.back().second.y = height;
  }
  return pairs;
}

// Returns whether the straight part from a to b meets the box.
bool meets(const RouteBox& box, const Spot& a, const Spot& b) {
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

bool meets(const RouteBox& box, const std::vector<RoutePoint>& route) {
  for (std::size_t i = 1; i < route.size(); ++i)
    if (meets(box, route[i - 1].at, route[i].at)) return true;
  return false;
}

void expect_changes_explained(const std::vector<Found>& before, const std::vector<Found>& after,
                              std::span<const RouteChange> changes) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    // An agent inside an obstacle has no route; another change put the obstacle there.
    if (before[i].route.empty() && after[i].route.empty()) continue;
    const double was = before[i].route.empty() ? 1e9 : units_from_route_cost(before[i].cost);
    const double is = after[i].route.empty() ? 1e9 : units_from_route_cost(after[i].cost);
    if (std::abs(was - is) <= kTolerance) continue;
    const bool fell = is < was;
    const std::vector<RoutePoint>& route = fell ? after[i].route : before[i].route;
    bool is_explained = false;
    for (const RouteChange& change : changes)
      is_explained =
          is_explained || ((fell ? change.fell : change.rose) && meets(change.from, route));
    ASSERT_TRUE(is_explained) << "pair " << i << ": " << was << " to " << is;
  }
}

TEST(NavWorldProperty, EveryRouteThatChangesMeetsAChange) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  std::size_t different = 0;
  for (int round = 0; round < 16; ++round) {
    auto world = *NavWorld::create({.name = "w",
                                    .mesh = round % 2 == 0 ? floor_of(static_cast<int>(kSide))
                                                           : test::two_floors(&random, 10, 12),
                                    .profiles = {{.name = "wide", .radius = 0.3}},
                                    .cell_side = 2.0 + random.below(7)});
    const RouteViewId views[] = {*world->acquire_view("wide", TeamId{0}),
                                 *world->acquire_view("wide", TeamId{1}),
                                 *world->acquire_view("default", TeamId{1})};
    const auto pairs = random_pairs(&random, 25, 4);
    Obstacles known;
    std::map<RouteViewId, std::vector<Found>> before;
    for (const RouteViewId view : views) before[view] = routes_of(world->ground(view), pairs);
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      const auto commit = world->apply(random_batch(&random, 12, round % 2 != 0, &known));
      ASSERT_TRUE(commit.ok()) << commit.status();
      for (const RouteViewId view : views) {
        std::vector<Found> after = routes_of(world->ground(view), pairs);
        std::vector<RouteChange> changes;
        for (const RouteDelta& delta : commit->views)
          if (delta.view == view) changes = delta.changes;
        expect_changes_explained(before[view], after, changes);
        if (testing::Test::HasFatalFailure()) return;
        different += after != before[view] ? 1 : 0;
        before[view] = std::move(after);
      }
    }
  }
  EXPECT_GT(different, 50u);
}

TEST(NavWorldProperty, RoutesAcrossAreasCostWhatTheirWalkDoes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 3);
  std::size_t found = 0;
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    MeshSource mesh = floor_of(static_cast<int>(kSide));
    for (MeshSource::Cell& cell : mesh.cells) {
      cell.area = AreaType(random.below(4));
      cell.flags = random.below(6) == 0 ? 2 : 1;
    }
    const Profile picky{.name = "picky", .exclude = 2, .areas = {{1, 1.5}, {2, 4}, {3, 1.001}}};
    auto world = *NavWorld::create(
        {.name = "w", .mesh = mesh, .profiles = {picky}, .cell_side = 1.0 + random.below(4)});
    const RouteViewId view = *world->acquire_view("picky", TeamId{0});
    const RouteViewId plain = *world->acquire_view("default", TeamId{0});
    Obstacles known;
    for (int step = 0; step < 6; ++step) {
      ASSERT_TRUE(world->apply(random_batch(&random, 10, false, &known)).ok());
      for (const auto& [from, to] : random_pairs(&random, 20, 0)) {
        const auto route = find_route(world->ground(view), from, to);
        const auto least = find_route(world->ground(plain), from, to);
        expect_reach(world->ground(view), from, to, route);
        expect_reach(world->ground(plain), from, to, least);
        if (!route || route->cost == kUnreachable) continue;
        ++found;
        ASSERT_TRUE(least.has_value());
        ASSERT_GE(route->cost + 1000, least->cost);
      }
    }
  }
  EXPECT_GT(found, 100u);
}

ChangeBatch all_of(const Obstacles& obstacles) {
  ChangeBatch batch;
  for (const auto& [id, obstacle] : obstacles) batch.upsert_obstacles.push_back(obstacle);
  return batch;
}

// Applies batches that change nothing, up to the revision.
void advance_to(Revision revision, RouteWorld* world) {
  ChangeBatch nothing;
  nothing.add_profiles = {world->profiles().front()};
  for (int i = 0; i < 1000 && world->revision() != revision; ++i)
    ASSERT_TRUE(world->apply(nothing).ok());
}

TEST(NavWorldProperty, TheSameObstaclesGiveTheSameWorldWhateverCameBefore) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 2);
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const MeshSource mesh = test::two_floors(&random, 10, 12);
    const auto make = [&] {
      return *NavWorld::create({.name = "w", .mesh = mesh, .profiles = {}, .cell_side = 4});
    };
    const auto pairs = random_pairs(&random, 30, 4);
    auto world = make();
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    const std::vector<Found> bare = routes_of(world->ground(view), pairs);
    Obstacles known;
    for (int step = 0; step < 15; ++step)
      ASSERT_TRUE(world->apply(random_batch(&random, 10, true, &known)).ok());
    ASSERT_FALSE(known.empty());
    auto other = make();
    if (round % 2 == 0) {
      EXPECT_TRUE(other->acquire_view("default", TeamId{0}).ok());
    }
    ASSERT_TRUE(other->apply(all_of(known)).ok());
    advance_to(world->revision(), other.get());
    EXPECT_EQ(other->state_hash(), world->state_hash());
    const RouteViewId same = *other->acquire_view("default", TeamId{0});
    EXPECT_EQ(other->mesh(same).content_hash(), world->mesh(view).content_hash());
    EXPECT_TRUE(routes_of(world->ground(view), pairs) == routes_of(other->ground(same), pairs));
    const auto kept = world->keep(view);
    EXPECT_TRUE(routes_of(*kept, pairs) == routes_of(other->ground(same), pairs));
    ChangeBatch away;
    for (const auto& [id, obstacle] : known) away.remove_obstacles.push_back(id);
    ASSERT_TRUE(world->apply(away).ok());
    EXPECT_TRUE(routes_of(world->ground(view), pairs) == bare);
    EXPECT_TRUE(routes_of(*kept, pairs) == routes_of(other->ground(same), pairs));
    auto fresh = make();
    advance_to(world->revision(), fresh.get());
    EXPECT_EQ(fresh->state_hash(), world->state_hash());
  }
}

}  // namespace
}  // namespace repath
