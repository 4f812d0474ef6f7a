// Where floors lie above each other and meet in a corner.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "routes/nav_world.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

// A ramp up from x = 2 to x = 4 along z in [0, 1]. Ground at height 4 lies around its upper end;
// some of it lies beside the ramp and shares the corner (4, 1) with it.
MeshSource ramp() {
  MeshSource source;
  const auto corner = [&](double x, double z, double y) {
    source.vertices.push_back({test::at(x, z), y});
    return static_cast<std::uint32_t>(source.vertices.size() - 1);
  };
  const std::uint32_t shared = corner(4, 1, 4);
  const std::uint32_t top = corner(4, 0, 4);
  const std::uint32_t right = corner(5, 1, 4);
  const std::uint32_t below = corner(4, 2, 4);
  source.add_cell({corner(2, 0, 0), top, shared, corner(2, 1, 0)});
  source.add_cell({top, corner(5, 0, 4), right, shared});
  source.add_cell({shared, right, corner(5, 2, 4), below});
  source.add_cell({corner(2, 1, 4), shared, below, corner(2, 2, 4)});
  return source;
}

TEST(Floors, AWalkTakesTheFloorThatARouteWasFoundOn) {
  NavWorld::Source source;
  source.name = "ramp";
  source.mesh = ramp();
  auto world = NavWorld::create(std::move(source));
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteGround& ground = (*world)->ground(*(*world)->acquire_view("default", TeamId{0}));
  const Spot on_ramp{2.5, 1, 0.5};
  const Spot foot{2, 0, 1};
  const Spot beside{2, 4, 1};  // straight above the foot of the ramp
  const Spot beyond{4.5, 4, 1.5};
  for (const auto& [from, to] : {std::pair{on_ramp, beside},
                                 {beyond, foot},
                                 {beside, foot},
                                 {foot, beside},
                                 {beyond, beside}}) {
    const RoutePlace start = *ground.locate(from);
    const RoutePlace goal = *ground.locate(to);
    const auto search = ground.search(start, std::span(&goal, 1));
    std::uint32_t expansions = 1000;
    ASSERT_EQ(search->advance(&expansions), Progress::kPathFound);
    std::vector<RoutePoint> route;
    search->append_route(&route);
    const RouteWalk walk = ground.walk(route);
    EXPECT_EQ(walk.cost, search->cost()) << from.y << " to " << to.y;
  }
}

// The floor beside the ramp is less than one unit above it there.
TEST(Floors, ALegAlongTheLineBetweenTwoFloorsEndsOnTheOneThatItsHeightNames) {
  auto world = NavWorld::create({.name = "ramp", .mesh = ramp(), .profiles = {}});
  ASSERT_TRUE(world.ok()) << world.status();
  const RouteGround& ground = (*world)->ground(*(*world)->acquire_view("default", TeamId{0}));
  const RoutePoint above{{4.5, 4, 1.5}};
  const RoutePoint corner{{4, 4, 1}};
  const RoutePoint on_ramp{{3.75, 3.5, 1}};
  const RoutePoint beside{{3.75, 4, 1}};
  const RoutePoint down{{3.25, 2.5, 0.5}};
  const RoutePoint along{{3.25, 4, 1.5}};
  for (const std::vector<RoutePoint>& route :
       {std::vector{above, corner, on_ramp, down}, {above, corner, beside, along}}) {
    const RouteWalk walk = ground.walk(route);
    EXPECT_EQ(walk.broken, 0u);
    EXPECT_NEAR(units_from_route_cost(walk.cost), std::sqrt(0.5) * 2 + 0.25, 1e-6);
  }
  for (const std::vector<RoutePoint>& route :
       {std::vector{above, corner, on_ramp, along}, {above, corner, beside, down}}) {
    EXPECT_EQ(ground.walk(route).broken, 3u);
  }
}

}  // namespace
}  // namespace repath
