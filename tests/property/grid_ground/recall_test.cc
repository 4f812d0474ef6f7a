// Paths that were proved once, recalled and mended after random changes, against a plain search.
#include "grid_ground/settlers/recaller.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/random.h"
#include "grid/cells/snap.h"
#include "grid_ground/settlers/detour.h"
#include "grid_ground/settling.h"
#include "search/classic/dijkstra.h"
#include "support/ascii_grid.h"
#include "support/seed.h"
#include "world/world.h"

namespace repath {
namespace {

constexpr TerrainId kGround{0};
constexpr TerrainId kWall{1};
constexpr std::int32_t kSide = 48;
constexpr Effect kSlow{false, 2.5};

struct Found {
  std::vector<NodeId> nodes;
  Cost cost = kUnreachable;
};

Found plain_path(const GridGraph& graph, NodeId from, NodeId to) {
  const Source source{from, 0};
  Dijkstra<GridGraph> search(graph, {&source, 1}, GoalSet{to});
  std::uint32_t expansions = ~std::uint32_t{0};
  Found found;
  if (search.advance(&expansions) != Progress::kPathFound) return found;
  search.append_path(to, &found.nodes);
  found.cost = search.path_cost();
  return found;
}

// A world with some walls, whose changes are logged, and a proved path in it.
class RecalledPaths : public testing::Test {
 protected:
  RecalledPaths() : random_(test::seed()) {}

  void begin(bool has_weights) {
    GridMap map = test::open_map(kSide, kSide);
    const std::uint32_t walls = random_.below(35);
    for (TerrainId& cell : map.cells) cell = random_.below(100) < walls ? kWall : kGround;
    world_ = *World::create({.name = "w", .map = std::move(map)}, WorldLimits{});
    view_ = *world_->acquire_view("default", TeamId{});
    world_->keep_jumps(view_);
    log_ = DeltaLog();
    log_.open(view_, world_->revision());
    has_weights_ = has_weights;
    last_.clear();
  }
  NodeId any_cell() { return NodeId{random_.below(kSide * kSide)}; }
  GridGraph graph() const { return world_->graph(view_); }
  Goals goals_at(NodeId goal) const {
    const MapPoint point = centre_of(place_of(graph().layer(), goal));
    return Goals(graph().layer(), Topology::k8, std::span(&point, 1), 0);
  }

  // Blocks or opens a few cells, adds or removes a slow area, undoes the last change, or makes it
  // slow instead of blocked or the other way round.
  void change() {
    ChangeBatch batch;
    const auto x = static_cast<std::int32_t>(random_.below(kSide));
    const auto y = static_cast<std::int32_t>(random_.below(kSide));
    const CellRect rect{x, y, x + 1 + static_cast<std::int32_t>(random_.below(4)),
                        y + 1 + static_cast<std::int32_t>(random_.below(4))};
    const std::uint32_t kind = random_.below(5);
    if (kind == 0 && !last_.empty()) {
      batch.remove_obstacles.push_back(last_.back().id);
      last_.pop_back();
    } else if (kind == 4 && has_weights_ && !last_.empty()) {
      ObstacleSpec& spec = last_.back();
      spec.effect = spec.effect.blocked ? kSlow : Effect{};
      batch.upsert_obstacles.push_back(spec);
    } else if (kind == 1) {
      batch.terrain_edits.push_back({rect, kGround});
    } else {
      ObstacleSpec spec{ObstacleId{++last_id_}, rect};
      if (has_weights_ && random_.below(2) == 0) spec.effect = kSlow;
      last_.push_back(spec);
      batch.upsert_obstacles.push_back(spec);
    }
    auto staged = world_->stage(batch);
    ASSERT_TRUE(staged.ok()) << staged.status();
    log_.append(world_->commit(*std::move(staged)), 0, 0);
  }

  // Checks that the claim about the path holds. Returns whether the path counts again.
  bool expect_true(const ProvedPath& path, const Goals& goals, NodeId goal) {
    const NodeId origin = path.nodes[random_.below(static_cast<std::uint32_t>(path.nodes.size()))];
    std::uint64_t tests = 0;
    const auto recalled = recaller_.recall(log_, view_, graph(), goals, path, origin, &tests);
    if (!recalled) return false;
    const Cost least = plain_path(graph(), origin, goal).cost;
    EXPECT_LE(recalled->lower, least);
    EXPECT_EQ(path.nodes[recalled->at], origin);
    const auto rest = std::span<const NodeId>(path.nodes).subspan(recalled->at);
    EXPECT_EQ(recalled->gap.has_value(), cost_of(graph(), rest) == kUnreachable);
    if (!recalled->gap) {
      EXPECT_EQ(recalled->held, cost_of(graph(), rest));
      return recalled->held <= recalled->lower;
    }
    const auto is_closed = [&](std::size_t step) {
      return graph().cost_between(path.nodes[step], path.nodes[step + 1]) == kUnreachable;
    };
    EXPECT_TRUE(is_closed(recalled->gap->first) && is_closed(recalled->gap->last));
    if (recalled->held == recalled->lower && graph().layer().is_uniform())
      mend(path, *recalled, least);
    return false;
  }
  void mend(const ProvedPath& path, const Recalled& recalled, Cost least) {
    WorkUnits units = 0;
    const std::vector<NodeId> nodes = find_detour(graph(), *world_->jumps(view_), idle_, path.nodes,
                                                  recalled.at, *recalled.gap, 1000, &units);
    if (nodes.empty()) return;
    ++mended_;
    EXPECT_EQ(nodes.front(), path.nodes[recalled.at]);
    EXPECT_EQ(nodes.back(), path.nodes.back());
    EXPECT_EQ(cost_of(graph(), nodes), recalled.held);
    EXPECT_EQ(recalled.held, least);
  }

  void play(bool has_weights) {
    SCOPED_TRACE(test::seed_trace());
    int counted = 0;
    for (int round = 0; round < 480; ++round) {
      begin(has_weights);
      for (int i = 0; i < 3; ++i) change();
      const NodeId start = any_cell();
      const NodeId goal = any_cell();
      if (!graph().layer().is_free(start) || !graph().layer().is_free(goal)) continue;
      const Found found = plain_path(graph(), start, goal);
      if (found.cost == kUnreachable) continue;
      const ProvedPath path{found.nodes, found.cost, found.cost, world_->revision()};
      const Goals goals = goals_at(goal);
      for (int i = 0; i < 12; ++i) {
        counted += expect_true(path, goals, goal) ? 1 : 0;
        change();
        if (HasFatalFailure()) return;
      }
    }
    EXPECT_GT(counted, 100);
  }

  Random random_;
  std::unique_ptr<World> world_;
  IdleJumps idle_;
  ViewId view_{};
  DeltaLog log_;
  Recaller recaller_;
  bool has_weights_ = false;
  std::uint64_t last_id_ = 0;
  std::vector<ObstacleSpec> last_;
  int mended_ = 0;
};

TEST_F(RecalledPaths, SayWhatHoldsOnUniformGround) {
  play(false);
  EXPECT_GT(mended_, 10);
}

TEST_F(RecalledPaths, SayWhatHoldsOnWeightedGround) { play(true); }

TEST_F(RecalledPaths, CountAgainOnceADoorThatShutIsOpen) {
  world_ = *World::create({.name = "w", .map = test::open_map(9, 3)}, WorldLimits{});
  view_ = *world_->acquire_view("default", TeamId{});
  log_.open(view_, world_->revision());
  const NodeId goal{9 + 8};
  const Goals goals = goals_at(goal);
  const Found found = plain_path(graph(), NodeId{9}, goal);
  ProvedPath path{found.nodes, found.cost, found.cost, world_->revision()};
  const auto commit = [&](const ChangeBatch& batch) {
    log_.append(world_->commit(*world_->stage(batch)), 0, 0);
  };
  const auto recalled = [&] {
    std::uint64_t tests = 0;
    return *recaller_.recall(log_, view_, graph(), goals, path, NodeId{9}, &tests);
  };
  ChangeBatch shut;
  shut.upsert_obstacles.push_back({ObstacleId{1}, CellRect{4, 0, 5, 3}});
  commit(shut);
  EXPECT_TRUE(recalled().gap.has_value());
  EXPECT_EQ(recalled().lower, found.cost);
  path.spoiled = ProvedPath::Spoiled::kClosed;
  path.looked_at = world_->revision();
  EXPECT_FALSE(may_count_again(log_, view_, path));
  ChangeBatch open;
  open.remove_obstacles.push_back(ObstacleId{1});
  commit(open);
  EXPECT_TRUE(may_count_again(log_, view_, path));
  EXPECT_FALSE(recalled().gap.has_value());
  EXPECT_EQ(recalled().held, found.cost);
  EXPECT_EQ(recalled().lower, found.cost);
}

}  // namespace
}  // namespace repath
