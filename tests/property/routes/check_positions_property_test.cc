// The positions of a route are enough to walk it again. On every kind of world a route that was
// just found walks at its own cost, and one that was held over edits breaks at the same place.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "routes/graph_world.h"
#include "support/query_ground.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

// A grid of nodes, some of which share their place.
class CrowdedGraphKind final : public test::RouteKind {
 public:
  std::unique_ptr<RouteWorld> make(Random* random) override {
    GraphWorld::Source source{"graph", {}, {}};
    for (std::uint64_t id = 0; id < kNodes; ++id) {
      GraphNode node{.id = id};
      node.x = random->below(4);
      node.z = random->below(4);
      source.graph.nodes.push_back(node);
    }
    for (std::uint64_t from = 0; from < kNodes; ++from)
      for (std::uint64_t to = 0; to < kNodes; ++to)
        if (from != to && random->below(5) == 0)
          source.graph.edges.push_back(
              {.from = from, .to = to, .cost = 6.0 + random->below(5), .both = false});
    edges_ = source.graph.edges;
    auto world = GraphWorld::create(std::move(source));
    EXPECT_TRUE(world.ok()) << world.status();
    return *std::move(world);
  }
  ChangeBatch batch(Random* random) override {
    ChangeBatch batch;
    const GraphEdge& edge = edges_[random->below(static_cast<std::uint32_t>(edges_.size()))];
    if (random->below(2) == 0) {
      batch.graph_edits.push_back(SwitchGraphNode{random->below(kNodes), random->below(3) != 0});
    } else {
      batch.graph_edits.push_back(SwitchGraphEdge{edge.from, edge.to, random->below(2) == 0});
    }
    return batch;
  }
  MapPoint point(Random* random) override {
    return {test::between(random, -1, 4), test::between(random, -1, 4), 0};
  }

 private:
  static constexpr std::uint32_t kNodes = 24;
  std::vector<GraphEdge> edges_;
};

struct PositionsTally {
  std::size_t found = 0;
  std::size_t broken = 0;
};

// `is_exact`: each position belongs to one node, so the position identifies the node.
template <class Kind>
void check_positions(bool is_exact, int salt, PositionsTally* tally) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + static_cast<std::uint64_t>(salt));
  for (int round = 0; round < 30; ++round) {
    Kind kind;
    const std::unique_ptr<RouteWorld> world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    std::vector<std::vector<RoutePoint>> held;
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      ASSERT_TRUE(world->apply(kind.batch(&random)).ok());
      const QueryGround& ground = test::query_ground(*world, view);
      const auto bare = [](std::vector<RoutePoint> route) {
        for (RoutePoint& point : route) point = {.at = point.at, .link = point.link};
        return route;
      };
      for (const auto& route : held) {
        const RouteWalk known = ground.walk(route);
        const RouteWalk walk = ground.walk_positions(bare(route));
        tally->broken += known.cost == kUnreachable ? 1 : 0;
        if (!is_exact) continue;
        ASSERT_EQ(walk.cost, known.cost);
        ASSERT_EQ(walk.broken, known.broken);
      }
      for (int i = 0; i < 6; ++i) {
        const MapPoint a = kind.point(&random);
        const MapPoint b = kind.point(&random);
        const auto start = ground.locate({a.x, a.height, a.y});
        const auto goal = ground.locate({b.x, b.height, b.y});
        if (!start || !goal) continue;
        const auto search = ground.search(*start, {&*goal, 1});
        std::uint32_t expansions = 1'000'000;
        if (search->advance(&expansions) != Progress::kPathFound) continue;
        std::vector<RoutePoint> route;
        search->append_route(&route);
        const RouteWalk walk = ground.walk_positions(bare(route));
        ASSERT_EQ(walk.cost, search->cost());
        ++tally->found;
        held.push_back(std::move(route));
      }
    }
  }
}

TEST(CheckPositionsProperty, OnGraphsTheyAreWorthTheNodes) {
  PositionsTally tally;
  check_positions<test::GraphKind>(true, 11, &tally);
  EXPECT_GT(tally.found, 500u);
  EXPECT_GT(tally.broken, 500u);
}

TEST(CheckPositionsProperty, WhereNodesShareAPlaceARouteCostsTheSame) {
  PositionsTally tally;
  check_positions<CrowdedGraphKind>(false, 12, &tally);
  EXPECT_GT(tally.found, 300u);
  EXPECT_GT(tally.broken, 300u);
}

TEST(CheckPositionsProperty, OnMeshesTheyAreTheRoute) {
  PositionsTally tally;
  check_positions<test::NavKind>(true, 13, &tally);
  EXPECT_GT(tally.found, 500u);
}

}  // namespace
}  // namespace repath
