// Detours of agents in random crowds, against a plain count of agents in each place and a plain
// search.
#include "grid_ground/aside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/random.h"
#include "grid/cells/snap.h"
#include "grid_ground/settling.h"
#include "search/classic/dijkstra.h"
#include "support/ascii_grid.h"
#include "support/seed.h"
#include "world/world.h"

namespace repath {
namespace {

constexpr std::int32_t kAsideMapSide = 40;
constexpr std::uint32_t kWalkers = 40;

// A world with some walls and slow ground, and agents on their paths in it.
class WaysAside : public testing::Test {
 protected:
  void begin() {
    GridMap map = test::open_map(kAsideMapSide, kAsideMapSide);
    const std::uint32_t walls = random_.below(30);
    const bool has_weights = random_.below(2) == 0;
    for (TerrainId& cell : map.cells) {
      if (random_.below(100) < walls) cell = TerrainId{1};
      if (has_weights && random_.below(5) == 0) cell = TerrainId{8};
    }
    Profile profile;
    if (random_.below(3) == 0) profile.topology = Topology::kHex;
    world_ = *World::create({.name = "w", .map = std::move(map), .profiles = {profile}}, {});
    state_ = std::make_unique<ReplanState>(*world_, ReplanOptions{});
    for (std::uint64_t id = 1; id <= kWalkers; ++id) add(AgentId{id});
  }

  void add(AgentId id) {
    const Slot slot = state_->agents.add(id);
    AgentSpec& spec = state_->agents[slot].spec;
    // Near each other, so that the agents meet.
    spec.position = centre(random_.below(14), random_.below(14));
    for (std::uint32_t goals = 1 + random_.below(2); goals > 0; --goals)
      spec.goals.push_back(centre(random_.below(kAsideMapSide), random_.below(kAsideMapSide)));
    spec.goal_radius = random_.below(3) == 0 ? 1.5 : 0;
    spec.crowd = CrowdSpec{(1 + random_.below(32)) / 2.0, (2 + random_.below(24)) / 2.0,
                           (1 + random_.below(10)) / 10.0};
    AgentRow& row = state_->agents.row(slot);
    row.goals = *state_->goals.acquire(spec);
    row.view = state_->goals[row.goals].view;
    row.origin = place_of(spec.position);
    hold(slot);
  }

  // Gives the agent its optimal path, partly walked; some paths are broken ahead.
  void hold(Slot slot) {
    Agent& agent = state_->agents[slot];
    agent.path.points = optimal_path(slot);
    if (agent.path.points.empty()) return;
    AgentRow& row = state_->agents.row(slot);
    row.standing = Standing::kPath;
    const auto size = static_cast<std::uint32_t>(agent.path.points.size());
    agent.path.at = random_.below(std::min(size, 6u));
    row.origin = place_of(layer(), agent.path.points[agent.path.at]);
    if (random_.below(8) == 0 && agent.path.at + 1 < size)
      agent.broken_at = agent.path.at + 1 + random_.below(size - agent.path.at - 1);
    state_->index.add(layer(), slot, 0);
  }

  static MapPoint centre(std::uint32_t x, std::uint32_t y) { return {x + 0.5, y + 0.5}; }
  GridGraph graph() const { return world_->graph(state_->agents.row(0).view); }
  const GridLayer& layer() const { return world_->layer(state_->agents.row(0).view); }
  const GoalSet& goals(Slot slot) const { return state_->goals_of(slot).goals.nodes(); }

  std::vector<NodeId> optimal_path(Slot slot) const {
    const Place at = state_->agents.row(slot).origin;
    const Source source{layer().node_at(at.x, at.y), 0};
    const GridGraph all = graph();
    Dijkstra<GridGraph> search(all, {&source, 1}, goals(slot));
    std::uint32_t expansions = ~std::uint32_t{0};
    std::vector<NodeId> nodes;
    if (!layer().is_free(source.node) || search.advance(&expansions) != Progress::kPathFound)
      return nodes;
    search.append_path(search.goal(), &nodes);
    return nodes;
  }

  // Returns how many other agents are about to use each cell near the agent.
  std::map<NodeId, std::uint32_t> plain_uses(Slot slot) const {
    const Place here = state_->agents.row(slot).origin;
    const double radius = state_->agents[slot].spec.crowd->radius;
    const auto apart = [&](Place p) { return std::hypot(p.x - here.x, p.y - here.y); };
    std::map<NodeId, std::uint32_t> uses;
    for (Slot other = 0; other < kWalkers; ++other) {
      const Agent& agent = state_->agents[other];
      const Place at = state_->agents.row(other).origin;
      const bool is_near = std::max(std::abs(at.x - here.x), std::abs(at.y - here.y)) <=
                           static_cast<std::int32_t>(std::ceil(radius));
      if (other == slot || !is_near || agent.path.at + 1 >= agent.path.points.size()) continue;
      for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(2 * std::ceil(radius)); ++i) {
        const std::size_t step = agent.path.at + i;
        if (step >= agent.broken_at.value_or(agent.path.points.size())) break;
        if (apart(place_of(layer(), agent.path.points[step])) <= radius)
          ++uses[agent.path.points[step]];
      }
    }
    return uses;
  }

  // Returns the least sum of cost and penalties between two cells.
  Cost plain_least(NodeId from, NodeId to, const std::map<NodeId, std::uint32_t>& uses,
                   Cost penalty) const {
    std::map<NodeId, Cost> least{{from, 0}};
    std::set<std::pair<Cost, NodeId>> open{{0, from}};
    while (!open.empty()) {
      const auto [cost, node] = *open.begin();
      if (node == to) return cost;
      open.erase(open.begin());
      graph().for_each_successor(node, [&](NodeId next, Cost step) {
        const Cost sum = cost + step + (uses.contains(next) ? uses.at(next) * penalty : 0);
        const auto [known, is_new] = least.emplace(next, sum);
        if (!is_new && known->second <= sum) return;
        open.erase({known->second, next});
        known->second = sum;
        open.emplace(sum, next);
      });
    }
    return kUnreachable;
  }

  Random random_{test::seed()};
  std::unique_ptr<World> world_;
  std::unique_ptr<ReplanState> state_;
};

std::uint64_t uses_on(const std::map<NodeId, std::uint32_t>& uses, std::span<const NodeId> nodes) {
  std::uint64_t sum = 0;
  for (const NodeId node : nodes.subspan(1)) sum += uses.contains(node) ? uses.at(node) : 0;
  return sum;
}

TEST_F(WaysAside, AreOpenWithinTheirLimitAndLessInTheWay) {
  SCOPED_TRACE(test::seed_trace());
  int asked = 0;
  int found = 0;
  for (int round = 0; round < 60; ++round) {
    begin();
    for (Slot slot = 0; slot < kWalkers; ++slot) {
      const std::vector<NodeId> optimal = optimal_path(slot);
      if (optimal.size() < 2) continue;
      const auto uses = plain_uses(slot);
      const Cost cost = cost_of(graph(), optimal);
      const double share = state_->agents[slot].spec.crowd->max_detour;
      const Cost most = cost + static_cast<Cost>(share * static_cast<double>(cost));
      WorkUnits units = 0;
      const auto aside = step_aside(*state_, slot, optimal, cost, most, &units);
      ASSERT_LE(units, kAsideExpansionsMax + 1000);
      ++asked;
      if (!aside) continue;
      ++found;
      ASSERT_EQ(aside->cost, cost_of(graph(), aside->nodes));
      ASSERT_LE(aside->cost, most);
      ASSERT_GE(aside->cost, cost);
      ASSERT_LT(uses_on(uses, aside->nodes), uses_on(uses, optimal));
      ASSERT_EQ(aside->nodes.front(), optimal.front());
      ASSERT_EQ(std::set(aside->nodes.begin(), aside->nodes.end()).size(), aside->nodes.size());
      const auto goal = std::ranges::find_if(
          aside->nodes, [&](NodeId node) { return goals(slot).contains(node); });
      ASSERT_EQ(goal + 1, aside->nodes.end()) << "it ends at the first goal it comes to";
      ASSERT_GT(aside->joins, 0u);
      const auto rest = std::span<const NodeId>(aside->nodes).subspan(aside->joins);
      ASSERT_EQ(aside->rest, cost_of(graph(), rest));
      ASSERT_TRUE(rest.size() == 1 || std::equal(rest.rbegin(), rest.rend(), optimal.rbegin()));
    }
  }
  EXPECT_GT(found, asked / 10);
  EXPECT_LT(found, asked);
}

// All of the map is near, and no limit matters.
TEST_F(WaysAside, CostTheLeastWithTheirPenalties) {
  SCOPED_TRACE(test::seed_trace());
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    begin();
    for (Slot slot = 0; slot < kWalkers; ++slot) {
      const std::vector<NodeId> optimal = optimal_path(slot);
      state_->agents[slot].spec.crowd->radius = 64;
      if (optimal.size() < 2 || goals(slot).nodes().size() > 1) continue;
      const auto uses = plain_uses(slot);
      const Cost cost = cost_of(graph(), optimal);
      const Cost penalty =
          static_cast<Cost>(state_->agents[slot].spec.crowd->penalty * kStraightStep);
      WorkUnits units = 0;
      const auto aside = step_aside(*state_, slot, optimal, cost, 1000 * cost, &units);
      const auto& nodes = aside ? aside->nodes : optimal;
      const Cost told = cost_of(graph(), nodes) + penalty * uses_on(uses, nodes);
      ASSERT_EQ(told, plain_least(optimal.front(), optimal.back(), uses, penalty));
      compared += aside ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace repath
