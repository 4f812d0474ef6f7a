// Agents on sloping meshes, with obstacles that come and go beside them. An agent on free ground is
// never reported blocked, and its height is that of the ground without obstacles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "routes/nav_world.h"
#include "support/route_bed.h"
#include "support/seed.h"
#include "support/sloping_meshes.h"

namespace repath {
namespace {

TEST(FreeGroundProperty, WhoStandsOnFreeGroundIsNotBlocked) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t compared = 0;
  for (int round = 0; round < 150; ++round) {
    const MeshSource mesh = test::sloping_mesh(&random);
    double width = 0;
    double depth = 0;
    for (const auto& vertex : mesh.vertices) {
      width = std::max(width, to_point(vertex.at).x);
      depth = std::max(depth, to_point(vertex.at).z);
    }
    auto plain = *NavWorld::create({.name = "w", .mesh = mesh});
    const RouteGround& bare = plain->ground(*plain->acquire_view("default", TeamId{0}));
    auto made = *NavWorld::create({.name = "w", .mesh = mesh});
    const RouteViewId view = *made->acquire_view("default", TeamId{0});
    const RouteWorld& world = *made;
    test::RouteBed bed(std::move(made));
    const auto somewhere = [&] {
      return bare.nearest({random.unit() * width, 1, random.unit() * depth}, 100);
    };
    std::map<std::uint64_t, bool> known;
    for (int step = 0; step < 16; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      const auto here = somewhere();
      const auto there = somewhere();
      ASSERT_TRUE(here && there);
      if (step % 4 == 1)
        bed.put({here->at.x, here->at.z, here->at.y}, {there->at.x, there->at.z, there->at.y});
      const std::uint64_t id = 1 + random.below(4);
      if (known[id]) {
        bed.free(id);
      } else {
        bed.block(id, Box{{random.unit() * width, random.unit() * depth},
                          0.05 + random.unit(),
                          0.05 + random.unit(),
                          random.unit()});
      }
      known[id] = !known[id];
      if (step < 1) continue;
      bed.settle();
      const AgentView agent = bed.view();
      const Spot seen{agent.spec.position.x, agent.spec.position.height, agent.spec.position.y};
      if (!world.ground(view).nearest(seen, 0)) continue;
      ASSERT_TRUE(agent.has_verdict);
      ASSERT_NE(agent.verdict.type, EventType::kStartBlocked);
      ASSERT_NEAR(agent.spot.y, seen.y, 1e-3);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1'000u);
}

}  // namespace
}  // namespace repath
