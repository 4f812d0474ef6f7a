#include "routes/graph_world.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace repath {
namespace {

// 1 - 2 - 3 in a row and 4 beside 2; all edges lead both ways.
GraphSource row() {
  GraphSource source;
  source.nodes = {
      {.id = 1, .x = 0}, {.id = 2, .x = 10}, {.id = 3, .x = 20}, {.id = 4, .x = 10, .z = 5}};
  for (const auto& [from, to] : {std::pair{1, 2}, {2, 3}, {1, 4}, {4, 3}})
    source.edges.push_back({.from = static_cast<std::uint64_t>(from),
                            .to = static_cast<std::uint64_t>(to),
                            .both = true});
  return source;
}

std::unique_ptr<GraphWorld> world_of(GraphSource source) {
  return *GraphWorld::create({.name = "g", .graph = std::move(source), .profiles = {}});
}

std::vector<std::uint64_t> route_between(const QueryGround& ground, const Spot& from,
                                         const Spot& to) {
  const RoutePlace a = *ground.locate(from);
  const RoutePlace b = *ground.locate(to);
  auto search = ground.search(a, {&b, 1});
  std::uint32_t expansions = 1000;
  if (search->advance(&expansions) != Progress::kPathFound) return {};
  std::vector<RoutePoint> route;
  search->append_route(&route);
  EXPECT_EQ(ground.walk(route).cost, search->cost());
  std::vector<std::uint64_t> nodes;
  for (const RoutePoint& p : route) nodes.push_back(p.node);
  return nodes;
}

using Nodes = std::vector<std::uint64_t>;

TEST(GraphWorld, AClosedNodeIsWalkedAroundAndNoPlace) {
  auto world = world_of(row());
  const RouteViewId view = *world->acquire_view("default", TeamId{3});
  EXPECT_EQ(route_between(world->ground(view), {1, 0, 0}, {19, 0, 1}), (Nodes{1, 2, 3}));
  const auto before = world->keep(view);
  ChangeBatch batch;
  batch.graph_edits = {SwitchGraphNode{2, false}};
  const auto commit = world->apply(batch);
  ASSERT_TRUE(commit.ok()) << commit.status();
  ASSERT_EQ(commit->views.size(), 1u);
  EXPECT_EQ(commit->views[0].changes.size(), 5u);  // the node and four directed edges
  for (const RouteChange& change : commit->views[0].changes) EXPECT_TRUE(change.rose);
  EXPECT_EQ(route_between(world->ground(view), {1, 0, 0}, {19, 0, 1}), (Nodes{1, 4, 3}));
  EXPECT_EQ(route_between(*before, {1, 0, 0}, {19, 0, 1}), (Nodes{1, 2, 3}));
  EXPECT_EQ(world->ground(view).locate({10, 0, 0})->at, (Spot{10, 0, 5}));
}

TEST(GraphWorld, TheLegsOfARouteCostWhatEachCostsAlone) {
  auto world = world_of(row());
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const QueryGround& ground = world->ground(view);
  const std::vector<RoutePoint> route = {
      {.at = {0, 0, 0}, .node = 1}, {.at = {10, 0, 5}, .node = 4}, {.at = {20, 0, 0}, .node = 3}};
  std::vector<Cost> legs{7};
  ASSERT_TRUE(ground.append_legs(route, &legs));
  ASSERT_EQ(legs.size(), 3u);
  EXPECT_EQ(legs[1], ground.walk(std::span(route).first(2)).cost);
  EXPECT_EQ(legs[2], ground.walk(std::span(route).last(2)).cost);
  EXPECT_EQ(legs[1] + legs[2], ground.walk(route).cost);
  const std::vector<RoutePoint> broken = {route[0], route[2]};
  EXPECT_FALSE(ground.append_legs(broken, &legs));
  EXPECT_EQ(legs.size(), 3u);
}

TEST(GraphWorld, RefusedBatchesNameTheFieldAndChangeNothing) {
  auto world = world_of(row());
  const std::uint64_t hash = world->state_hash();
  const struct {
    const char* reason;
    const char* field;
    std::vector<GraphEdit> edits;
  } refusals[] = {
      {"NODE_EXISTS", "graph_edits[1].add_node.id", {RemoveGraphNode{1}, GraphNode{.id = 2}}},
      {"NODE_UNKNOWN", "graph_edits[1].switch_node.id", {RemoveGraphNode{1}, SwitchGraphNode{1}}},
      {"NODE_UNKNOWN", "graph_edits[0].remove_node", {RemoveGraphNode{9}}},
      {"EDGE_UNKNOWN", "graph_edits[1].set_cost", {RemoveGraphNode{2}, PriceGraphEdge{1, 2, 3}}},
      {"EDGE_UNKNOWN",
       "graph_edits[2].switch_edge",
       {RemoveGraphNode{2}, GraphNode{.id = 2}, SwitchGraphEdge{1, 2}}},
      {"EDGE_UNKNOWN",
       "graph_edits[1].remove_edge",
       {RemoveGraphEdge{1, 2}, RemoveGraphEdge{1, 2}}},
      {"OUT_OF_RANGE",
       "graph_edits[0].set_edge.cost",
       {GraphEdge{.from = 1, .to = 3, .cost = -1.0}}},
      {"OUT_OF_RANGE", "graph_edits[0].set_edge.to", {GraphEdge{.from = 1, .to = 1}}},
      {"EDGE_UNKNOWN", "graph_edits[0].remove_edge", {RemoveGraphEdge{1, 2, 3}}},
      {"OUT_OF_RANGE",
       "graph_edits[0].set_edge.width",
       {GraphEdge{.from = 1, .to = 3, .width = 10'001}}},
      {"OUT_OF_RANGE", "graph_edits[0].add_node.position.x", {GraphNode{.id = 7, .x = 4e4}}},
  };
  for (const auto& refusal : refusals) {
    ChangeBatch batch;
    batch.graph_edits = refusal.edits;
    const absl::Status status = world->apply(batch).status();
    EXPECT_EQ(error_reason(status), refusal.reason) << refusal.field;
    EXPECT_EQ(error_field(status), refusal.field);
    EXPECT_EQ(world->state_hash(), hash);
  }
  ChangeBatch obstacle;
  obstacle.upsert_obstacles.resize(1);
  EXPECT_EQ(error_reason(world->apply(obstacle).status()), "KIND_UNSUITED");
}

TEST(GraphWorld, ANodeMovedInOneBatchIsTwoChanges) {
  auto world = world_of(row());
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  ChangeBatch batch;
  batch.graph_edits = {RemoveGraphNode{2}, GraphNode{.id = 2, .x = 10, .z = -40},
                       GraphEdge{.from = 1, .to = 2, .both = true},
                       GraphEdge{.from = 2, .to = 3, .both = true}};
  const auto commit = world->apply(batch);
  ASSERT_TRUE(commit.ok()) << commit.status();
  std::size_t rose = 0;
  std::size_t fell = 0;
  for (const RouteChange& change : commit->views[0].changes) {
    const bool is_new = change.from.min_z == -40 || change.to.min_z == -40;
    EXPECT_EQ(change.fell, is_new);
    ++(change.rose ? rose : fell);
  }
  EXPECT_EQ(rose, 5u);
  EXPECT_EQ(fell, 5u);
  EXPECT_EQ(route_between(world->ground(view), {1, 0, 0}, {19, 0, 1}), (Nodes{1, 4, 3}));
}

TEST(GraphWorld, GraphsWhoseRoutesMightCostTooMuchAreRefused) {
  GraphSource source;
  for (std::uint64_t id = 0; id < 600; ++id) {
    source.nodes.push_back({.id = id, .x = static_cast<double>(id)});
    if (id > 0) source.edges.push_back({.from = id - 1, .to = id, .cost = kGraphCostMax});
  }
  EXPECT_EQ(error_reason(GraphWorld::create({.name = "g", .graph = source}).status()),
            "GRAPH_TOO_DEAR");
  source.edges.resize(400);
  auto world = *GraphWorld::create({.name = "g", .graph = source, .profiles = {}});
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  EXPECT_EQ(route_between(world->ground(view), {0, 0, 0}, {400, 0, 0}).size(), 401u);
  ChangeBatch dear;
  for (std::uint64_t id = 400; id < 550; ++id)
    dear.graph_edits.push_back(GraphEdge{.from = id, .to = id + 1, .cost = kGraphCostMax});
  EXPECT_EQ(error_reason(world->apply(dear).status()), "GRAPH_TOO_DEAR");
}

// Returns a row of 601 nodes whose edges cost as much.
std::unique_ptr<GraphWorld> row_of_cost(double cost) {
  GraphSource source;
  for (std::uint64_t id = 0; id <= 600; ++id) {
    source.nodes.push_back({.id = id, .x = static_cast<double>(id)});
    if (id > 0) source.edges.push_back({.from = id - 1, .to = id, .cost = cost, .both = false});
  }
  auto world = GraphWorld::create({.name = "g", .graph = source, .profiles = {}});
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

ChangeBatch with_factor(const std::string& profile, double factor) {
  ChangeBatch batch;
  batch.add_profiles = {{.name = profile, .areas = {{0, factor}}}};
  return batch;
}

TEST(GraphWorld, FactorsCountInWhatRoutesMightCost) {
  auto world = row_of_cost(4e5);
  const absl::Status refused = world->apply(with_factor("slow", 2.1)).status();
  EXPECT_EQ(error_reason(refused), "GRAPH_TOO_DEAR");
  EXPECT_EQ(error_field(refused), "add_profiles");
  EXPECT_TRUE(world->apply(with_factor("slow", 2)).ok());  // 4.8e8
  ChangeBatch dear;
  for (std::uint64_t id = 0; id < 21; ++id)  // 1e6 each
    dear.graph_edits.push_back(GraphEdge{.from = id + 1, .to = id, .cost = 6e5});
  const absl::Status brought = world->apply(dear).status();
  EXPECT_EQ(error_reason(brought), "GRAPH_TOO_DEAR");
  EXPECT_EQ(error_field(brought), "graph_edits");
  // Each edge brings 1e6. Once it is made, the sum is greater by 2e5.
  for (std::uint64_t id = 0; id < 100; ++id) {
    ChangeBatch one;
    one.graph_edits.push_back(PriceGraphEdge{id, id + 1, 6e5});
    EXPECT_EQ(world->apply(one).ok(), id <= 95) << id;
  }
}

// No walker pays more than kGraphCostMax for an edge, whatever its factor.
TEST(GraphWorld, EdgesCountForTheGreatestCostAtMost) {
  auto world = row_of_cost(1000);
  ChangeBatch dear;
  dear.graph_edits = {PriceGraphEdge{0, 1, kGraphCostMax}, PriceGraphEdge{1, 2, 2000}};
  EXPECT_TRUE(world->apply(dear).ok());
  EXPECT_TRUE(world->apply(with_factor("slow", 800)).ok());  // 2e6 + 598 * 8e5
  EXPECT_EQ(error_reason(world->apply(with_factor("slower", 1000)).status()), "GRAPH_TOO_DEAR");
  ChangeBatch again;
  again.graph_edits = {PriceGraphEdge{2, 3, kGraphCostMax}};
  EXPECT_TRUE(world->apply(again).ok());

  GraphSource source;
  source.nodes = {{.id = 1}, {.id = 2, .x = 5}};
  source.edges = {{.from = 1, .to = 2, .cost = kGraphCostMax}};
  EXPECT_TRUE(
      GraphWorld::create(
          {.name = "g", .graph = source, .profiles = {{.name = "slow", .areas = {{0, 1000}}}}})
          .ok());
}

TEST(GraphWorld, WhoCannotGetThereGetsAsNearAsPossible) {
  GraphSource source = row();
  source.nodes.push_back({.id = 9, .x = 30});
  auto world = world_of(source);
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  const QueryGround& ground = world->ground(view);
  const RoutePlace from = *ground.locate({0, 0, 0});
  const RoutePlace goal = *ground.locate({31, 0, 0});
  EXPECT_EQ(ground.node_id(goal), 9u);
  EXPECT_FALSE(ground.may_reach(from, goal));
  EXPECT_EQ(ground.node_id(ground.nearest_reachable(from, {&goal, 1})), 3u);
  EXPECT_EQ(ground.nearest({31, 0, 0}, 0.5), std::nullopt);
  EXPECT_EQ(ground.cast_ray(from, {1, 0, 0}), std::nullopt);
  Random random(3);
  std::vector<std::size_t> met(10);
  for (int i = 0; i < 500; ++i) ++met[ground.node_id(*ground.random_place({15, 0, 0}, 8, &random))];
  EXPECT_GT(met[2], 100u);
  EXPECT_GT(met[3], 100u);
  EXPECT_GT(met[4], 100u);
  EXPECT_EQ(met[1] + met[9], 0u);
}

// A ring of 2,001 nodes.
TEST(GraphWorld, StatesTheTableOfAllPairsOfOpenNodes) {
  GraphSource source;
  for (std::uint64_t id = 0; id < 2001; ++id) {
    source.nodes.push_back({.id = id, .x = static_cast<double>(id)});
    source.edges.push_back({.from = id, .to = (id + 1) % 2001, .cost = 3000.0});
  }
  auto world = world_of(std::move(source));
  const RouteViewId view = *world->acquire_view("default", TeamId{0});
  EXPECT_TRUE(world->ground(view).offers(RouteMethod::kFloydWarshall));
  EXPECT_TRUE(world->ground(view).offers(RouteMethod::kDijkstra));
  // All edges cost the same, so 4 bytes are enough for each pair.
  EXPECT_EQ(world->ground(view).pair_table_need().nodes, 2001u);
  EXPECT_GT(world->ground(view).pair_table_need().bytes, 2048u * 2048 * 4);
  EXPECT_LT(world->ground(view).pair_table_need().bytes, 2048u * 2048 * 5);
  ChangeBatch batch;
  batch.graph_edits = {SwitchGraphNode{7, false}};
  ASSERT_TRUE(world->apply(batch).ok());
  EXPECT_EQ(world->ground(view).pair_table_need().nodes, 2000u);
}

}  // namespace
}  // namespace repath
