// Profiles that may not use all ground of a mesh, and profiles for which all ground has one factor.
// Their ways are compared with the plain visibility graph of their ground, and with those in worlds
// without the other ground.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "routes/nav_world.h"
#include "support/mesh_model.h"
#include "support/plain_mesh.h"
#include "support/random_meshes.h"
#include "support/random_polygons.h"
#include "support/reach.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr double kSlack = 1e-6;
// Where a cell is left out its corners no longer attract obstacles: half a millimetre each.
constexpr double kCarved = 2e-3;
constexpr std::uint16_t kWater = 2;

// Gives about a third of the cells other flags, and all cells an area.
MeshSource mixed_ground(Random* random, std::uint32_t side_max) {
  MeshSource source = test::random_mesh(random, side_max);
  const std::uint32_t watery = random->below(60);
  for (MeshSource::Cell& cell : source.cells) {
    cell.flags = random->below(100) < watery ? kWater : 1;
    cell.area = AreaType(random->below(3));
  }
  source.cells[random->below(static_cast<std::uint32_t>(source.cells.size()))].flags = 1;
  return source;
}

// Returns the mesh without its water. Cells keep their order.
MeshSource dry_part(const MeshSource& source) {
  MeshSource dry;
  dry.vertices = source.vertices;
  for (const MeshSource::Cell& cell : source.cells) {
    if (cell.flags == kWater) continue;
    const std::vector<std::uint32_t> corners(source.corners.begin() + cell.first,
                                             source.corners.begin() + cell.first + cell.count);
    MeshSource::Cell& added = dry.add_cell(corners);
    added.area = cell.area;
    added.flags = cell.flags;
  }
  return dry;
}

Profile walker(double factor, double radius = 0) {
  return {.name = "walker",
          .radius = radius,
          .exclude = kWater,
          .areas = {{0, factor}, {1, factor}, {2, factor}}};
}

std::unique_ptr<NavWorld> world_of(const MeshSource& mesh, const Profile& profile, double side) {
  auto world = NavWorld::create(
      {.name = "w", .mesh = mesh, .profiles = {profile}, .cell_side = side, .base_radius = 100});
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

struct BoundedWay {
  Cost cost = kUnreachable;
  Cost bound = kUnreachable;
  std::vector<RoutePoint> route;
};

BoundedWay ask(const QueryGround& ground, const RoutePlace& from, const RoutePlace& to) {
  auto search = ground.search(from, {&to, 1});
  BoundedWay answer;
  std::uint32_t expansions = 1'000'000;
  if (search->advance(&expansions) != Progress::kPathFound) return answer;
  answer.cost = search->cost();
  answer.bound = search->lower_bound();
  search->append_route(&answer.route);
  return answer;
}

// A place in a dry cell, as the world and as the plain model know it.
struct DryEnd {
  RoutePlace place;
  test::PlainMesh::Spot spot;
};

std::optional<DryEnd> random_end(const MeshSource& dry, const test::PlainMesh& plain,
                                 const QueryGround& ground, Random* random) {
  const std::uint32_t cell = random->below(static_cast<std::uint32_t>(dry.cells.size()));
  double x = 0;
  double z = 0;
  for (std::uint32_t k = 0; k < dry.cells[cell].count; ++k) {
    const Point at = to_point(dry.vertices[dry.corners[dry.cells[cell].first + k]].at);
    x += at.x / dry.cells[cell].count;
    z += at.z / dry.cells[cell].count;
  }
  const std::optional<RoutePlace> place = ground.locate({x, 0, z});
  EXPECT_TRUE(place.has_value());
  if (!place) return std::nullopt;
  return DryEnd{*place, plain.spot(place->at.x, place->at.z, cell)};
}

TEST(NavAllowed, WaysAreThoseOfThePlainVisibilityGraph) {
  SCOPED_TRACE(test::seed_trace());
  int found = 0;
  int none = 0;
  for (std::uint64_t round = 0; round < 300; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Random random(test::seed() + 3000 * round);
    const MeshSource source = mixed_ground(&random, 6);
    const MeshSource dry = dry_part(source);
    const test::PlainMesh plain(dry);
    const double factor = random.below(2) == 0 ? 1 : 1 + random.below(5000) / 1000.0;
    const auto world = world_of(source, walker(factor), random.below(2) == 0 ? 8 : 0.7);
    const NavGround& ground = world->ground(*world->acquire_view("walker", TeamId{0}));
    test::expect_as_built(ground.mesh());
    if (testing::Test::HasFatalFailure()) return;
    for (int i = 0; i < 12; ++i) {
      const auto from = random_end(dry, plain, ground, &random);
      const auto to = random_end(dry, plain, ground, &random);
      ASSERT_TRUE(from && to);
      const double length = plain.shortest(from->spot, to->spot);
      const BoundedWay answer = ask(ground, from->place, to->place);
      ASSERT_EQ(answer.cost == kUnreachable, length == test::PlainMesh::kFar) << length;
      ASSERT_EQ(test::leads(test::reach_table(ground).get(), from->place, to->place),
                answer.cost != kUnreachable);
      ++(answer.cost == kUnreachable ? none : found);
      if (answer.cost == kUnreachable) continue;
      ASSERT_NEAR(units_from_route_cost(answer.cost), factor * length, kSlack * factor);
      ASSERT_EQ(answer.bound, answer.cost);
      ASSERT_EQ(ground.walk(answer.route).cost, answer.cost);
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(none, 300);
}

// Edits of obstacles 1 to 8, some of which change the ground's factor.
ChangeBatch random_batch(Random* random, double side) {
  ChangeBatch batch;
  for (std::uint64_t id = 1; id <= 8; ++id) {
    if (id > 1 && random->below(3) != 0) continue;
    const Point center{side * random->unit(), side * random->unit()};
    ObstacleSpec obstacle{
        .id = ObstacleId{id},
        .shape = test::random_star(random, center, 0.2 + random->unit(), 3 + random->below(5))};
    obstacle.enabled = random->below(4) != 0;
    if (random->below(3) == 0) obstacle.effect = {.blocked = false, .factor = 2.5};
    batch.upsert_obstacles.push_back(obstacle);
  }
  return batch;
}

TEST(NavAllowed, ObstaclesActAsInAWorldWithoutTheOtherGround) {
  SCOPED_TRACE(test::seed_trace());
  int found = 0;
  for (std::uint64_t round = 0; round < 400; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Random random(test::seed() + 5000 * round);
    const MeshSource source = mixed_ground(&random, 8);
    const MeshSource dry = dry_part(source);
    const Profile profile = walker(1, 0.3 * random.unit());
    const auto world = world_of(source, profile, 8);
    const auto other = world_of(dry, profile, 8);
    const RouteViewId view = *world->acquire_view("walker", TeamId{0});
    const RouteViewId other_view = *other->acquire_view("walker", TeamId{0});
    for (int step = 0; step < 6; ++step) {
      const ChangeBatch batch = random_batch(&random, 8);
      ASSERT_EQ(world->apply(batch).status(), absl::OkStatus());
      ASSERT_EQ(other->apply(batch).status(), absl::OkStatus());
      test::expect_as_built(world->mesh(view).mesh());
      if (testing::Test::HasFatalFailure()) return;
      for (int i = 0; i < 12; ++i) {
        const Spot spots[2] = {{8 * random.unit(), 0, 8 * random.unit()},
                               {8 * random.unit(), 0, 8 * random.unit()}};
        std::optional<RoutePlace> here[2];
        std::optional<RoutePlace> there[2];
        for (int k = 0; k < 2; ++k) {
          here[k] = world->ground(view).locate(spots[k]);
          there[k] = other->ground(other_view).locate(spots[k]);
          ASSERT_EQ(here[k].has_value(), there[k].has_value()) << spots[k].x << ", " << spots[k].z;
        }
        if (!here[0] || !here[1]) continue;
        const BoundedWay one = ask(world->ground(view), *here[0], *here[1]);
        const BoundedWay two = ask(other->ground(other_view), *there[0], *there[1]);
        ASSERT_EQ(one.cost == kUnreachable, two.cost == kUnreachable);
        if (one.cost == kUnreachable) continue;
        ++found;
        ASSERT_NEAR(units_from_route_cost(one.bound), units_from_route_cost(two.bound), kCarved);
      }
    }
  }
  EXPECT_GT(found, 500);
}

}  // namespace
}  // namespace repath
