// A graph of streets: nodes on a square lattice, ten units apart, with an edge each way between
// neighbours that costs its length. Node ids are 1 + x + y * side.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "routes/graph_world.h"
#include "world/batch.h"

namespace repath::test {

struct StreetGraph {
  static constexpr double kApart = 10;
  std::uint32_t side = 20;

  std::uint64_t id(std::uint32_t x, std::uint32_t y) const { return 1 + x + y * side; }
  static MapPoint point(std::uint32_t x, std::uint32_t y) { return {kApart * x, kApart * y, 0}; }
  std::unique_ptr<RouteWorld> make(std::vector<Profile> profiles = {}) const {
    GraphWorld::Source source{"streets", {}, std::move(profiles)};
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t x = 0; x < side; ++x) {
        source.graph.nodes.push_back({.id = id(x, y), .x = kApart * x, .y = 0, .z = kApart * y});
        if (x > 0)
          source.graph.edges.push_back({.from = id(x - 1, y), .to = id(x, y), .both = true});
        if (y > 0)
          source.graph.edges.push_back({.from = id(x, y - 1), .to = id(x, y), .both = true});
      }
    auto world = GraphWorld::create(std::move(source));
    EXPECT_TRUE(world.ok()) << world.status();
    return *std::move(world);
  }
  static ChangeBatch edit(GraphEdit edit) {
    ChangeBatch batch;
    batch.graph_edits.push_back(edit);
    return batch;
  }
  ChangeBatch shut(std::uint32_t x, std::uint32_t y, bool opens = false) const {
    return edit(SwitchGraphNode{id(x, y), opens});
  }
};

inline AgentSpec agent_from(std::uint64_t id, MapPoint from, MapPoint to) {
  AgentSpec spec;
  spec.id = AgentId{id};
  spec.position = from;
  spec.goals = {to};
  return spec;
}

}  // namespace repath::test
