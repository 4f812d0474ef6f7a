// Links under random obstacles and switches: reachable places against a plain flood over stretches
// of ground, and against a world made from scratch.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "routes/nav_world.h"
#include "support/reach.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr int kFloors = 3;
constexpr double kSide = 8;

// Floors above each other, 5 units apart, joined only by links.
MeshSource tower(Random* random) {
  const std::string row(static_cast<std::size_t>(kSide), '.');
  const MeshSource one = test::squares({row, row, row, row, row, row, row, row});
  MeshSource source;
  for (int floor = 0; floor < kFloors; ++floor) {
    const auto first = static_cast<std::uint32_t>(source.vertices.size());
    for (const MeshSource::Vertex& v : one.vertices) source.vertices.push_back({v.at, 5.0 * floor});
    for (const MeshSource::Cell& cell : one.cells) {
      std::vector<std::uint32_t> corners;
      for (std::uint32_t k = 0; k < cell.count; ++k)
        corners.push_back(one.corners[cell.first + k] + first);
      source.add_cell(corners);
    }
  }
  const auto cells = static_cast<std::uint32_t>(one.cells.size());
  for (std::uint64_t id = 1; id <= 8; ++id) {
    const auto end = [&](std::uint32_t* cell, LatticePoint* at, double* y) {
      const std::uint32_t floor = random->below(kFloors);
      const double x = random->below(32) * 0.25;
      const double z = random->below(32) * 0.25;
      *at = test::at(x, z);
      *y = 5.0 * floor;
      *cell = floor * cells + static_cast<std::uint32_t>(z) * static_cast<std::uint32_t>(kSide) +
              static_cast<std::uint32_t>(x);
    };
    NavLink link{.id = id,
                 .factor = 1000 + random->below(3) * 700,
                 .flags = 1,
                 .both_ways = random->below(2) == 0};
    end(&link.from_cell, &link.from, &link.from_y);
    end(&link.to_cell, &link.to, &link.to_y);
    source.links.push_back(link);
  }
  return source;
}

ChangeBatch random_change(Random* random) {
  ChangeBatch batch;
  const std::uint64_t id = 1 + random->below(8);
  if (random->below(3) == 0) {
    batch.switch_links = {{id, random->below(2) == 0}};
    return batch;
  }
  const Point center{random->unit() * kSide, random->unit() * kSide};
  ObstacleSpec obstacle{
      .id = ObstacleId{id},
      .shape = Box{center, 0.2 + random->unit(), random->below(4) == 0 ? 20 : random->unit() + 0.1,
                   random->unit() * 3}};
  obstacle.bottom = 5.0 * random->below(kFloors) - 1;
  obstacle.top = obstacle.bottom + 2;
  obstacle.enabled = random->below(4) != 0;
  batch.upsert_obstacles = {obstacle};
  return batch;
}

// Returns the stretches of ground that can be reached from one of them.
std::set<std::uint32_t> flood(const QueryGround& ground, const NavMesh& mesh, std::uint32_t from) {
  const auto stretch = [&](const Spot& at) -> std::optional<std::uint32_t> {
    const auto place = ground.locate(at);
    if (!place) return std::nullopt;
    return mesh.cell(place->cell).component;
  };
  std::set<std::uint32_t> met{from};
  for (bool grows = true; grows;) {
    grows = false;
    for (const GroundLink& link : ground.view()->links()) {
      const auto a = stretch(link.from);
      const auto b = stretch(link.to);
      if (!link.enabled || !a || !b) continue;
      if (met.contains(*a)) grows = met.insert(*b).second || grows;
      if (link.both_ways && met.contains(*b)) grows = met.insert(*a).second || grows;
    }
  }
  return met;
}

Cost expect_route(const QueryGround& ground, const RoutePlace& from, const RoutePlace& to) {
  auto search = ground.search(from, {&to, 1});
  std::uint32_t expansions = 1'000'000;
  const Progress progress = search->advance(&expansions);
  EXPECT_NE(progress, Progress::kOutOfBudget);
  if (progress == Progress::kNoPath) return kUnreachable;
  EXPECT_LE(search->lower_bound(), search->cost());
  EXPECT_TRUE(ground.may_reach(from, to));
  std::vector<RoutePoint> route;
  search->append_route(&route);
  EXPECT_EQ(ground.walk(route).cost, search->cost());
  bool takes_links = false;
  for (const RoutePoint& point : route) takes_links = takes_links || point.link;
  if (!takes_links && search->lower_bound() == search->cost()) return search->cost();
  auto quick = ground.search_by({RouteMethod::kAStar}, from, {&to, 1});
  expansions = 1'000'000;
  EXPECT_EQ(quick->advance(&expansions), Progress::kPathFound);
  EXPECT_LE(search->cost(), quick->cost());
  EXPECT_GE(quick->cost(), search->lower_bound());
  return search->cost();
}

TEST(NavLinksProperty, LinksLeadWhereBothEndsAreFree) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t found = 0;
  std::size_t cut_off = 0;
  for (int round = 0; round < 12; ++round) {
    const MeshSource mesh = tower(&random);
    auto world = *NavWorld::create({.name = "w", .mesh = mesh, .cell_side = 1.0 + random.below(5)});
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    for (int step = 0; step < 25; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      ASSERT_TRUE(world->apply(random_change(&random)).ok());
      const QueryGround& ground = world->ground(view);
      const NavMesh& now = world->mesh(view).mesh();
      for (int i = 0; i < 6; ++i) {
        const auto spot = [&] {
          return Spot{random.unit() * kSide, 5.0 * random.below(kFloors), random.unit() * kSide};
        };
        const auto from = ground.locate(spot());
        const auto to = ground.locate(spot());
        if (!from || !to) continue;
        const auto met = flood(ground, now, now.cell(from->cell).component);
        const bool is_reachable = met.contains(now.cell(to->cell).component);
        const Cost cost = expect_route(ground, *from, *to);
        ASSERT_EQ(cost != kUnreachable, is_reachable);
        ASSERT_EQ(test::leads(test::reach_table(ground).get(), *from, *to), is_reachable);
        ++(is_reachable ? found : cut_off);
        if (is_reachable) continue;
        const RoutePlace near = ground.nearest_reachable(*from, {&*to, 1});
        ASSERT_TRUE(met.contains(now.cell(near.cell).component));
      }
    }
    // Links that an obstacle covered are back when it is gone.
    ChangeBatch open;
    for (const auto& [id, obstacle] : world->obstacles()) open.remove_obstacles.push_back(id);
    for (const NavLink& link : mesh.links) open.switch_links.push_back({link.id, true});
    ASSERT_TRUE(world->apply(open).ok());
    const NavMesh& now = world->mesh(view).mesh();
    for (std::uint32_t i = 0; i < mesh.links.size(); ++i) {
      const NavLink& link = now.links()[i];
      ASSERT_TRUE(now.is_live(link.from_cell) && now.is_live(link.to_cell));
      ASSERT_TRUE(holds(now, link.from_cell, link.from.x, link.from.z));
      ASSERT_TRUE(holds(now, link.to_cell, link.to.x, link.to.z));
    }
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(cut_off, 50u);
}

}  // namespace
}  // namespace repath
