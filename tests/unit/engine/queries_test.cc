#include "engine/queries.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/ascii_grid.h"

namespace repath {
namespace {

Snapshot world_of(const std::vector<std::string_view>& rows, CornerRule rule = CornerRule::kNone) {
  Snapshot world;
  world.layer = test::draw_layer(rows);
  world.topology = Topology::k8;
  world.corner_rule = rule;
  return world;
}

MapPoint middle(int x, int y) { return {x + 0.5, y + 0.5}; }

PathQuery query_of(MapPoint from, MapPoint to) {
  PathQuery query;
  query.from = from;
  query.goals = {to};
  return query;
}

TEST(FindPath, OutOfBudgetIsNotNoPath) {
  const Snapshot world = world_of({"..........", "..........", ".........."});
  PathQuery query = query_of(middle(0, 0), middle(9, 2));
  query.algorithm = QueryAlgorithm::kDijkstra;
  QueryLimits limits;
  limits.max_expansions = 5;
  const PathAnswer answer = find_path(world, query, limits);
  EXPECT_EQ(answer.state, QueryState::kOutOfBudget);
  EXPECT_EQ(answer.expanded, 5u);
  EXPECT_TRUE(answer.nodes.empty());
}

class Stopped final : public StopToken {
 public:
  bool stop_requested() const override { return true; }
};

TEST(FindPath, StopsWhenToldTo) {
  const std::string row(200, '.');
  const Snapshot world = world_of(std::vector<std::string_view>(200, row));
  PathQuery query = query_of(middle(0, 0), middle(199, 199));
  query.algorithm = QueryAlgorithm::kDijkstra;
  const Stopped stop;
  QueryLimits limits;
  limits.stop = &stop;
  const PathAnswer answer = find_path(world, query, limits);
  EXPECT_EQ(answer.state, QueryState::kOutOfBudget);
  EXPECT_LE(answer.expanded, 4096u);
}

TEST(FindPath, ABlockedStartIsSnappedOnlyIfAsked) {
  const Snapshot world = world_of({"##...", "##...", "....."});
  PathQuery query = query_of(middle(0, 0), middle(4, 0));
  EXPECT_EQ(find_path(world, query, QueryLimits{}).state, QueryState::kStartBlocked);
  EXPECT_TRUE(find_path(world, query, QueryLimits{}).nodes.empty());
  query.snap_start = true;
  const PathAnswer answer = find_path(world, query, QueryLimits{});
  EXPECT_EQ(answer.state, QueryState::kStartBlocked);
  EXPECT_EQ(answer.nodes.front(), world.layer.node_at(2, 0));
  EXPECT_EQ(answer.nodes.back(), world.layer.node_at(4, 0));
}

TEST(FindPath, BfsTakesTheFewestStepsWhateverTheyCost) {
  const Snapshot world = world_of({"...", "999", "..."});
  PathQuery query = query_of(middle(0, 1), middle(2, 1));
  query.algorithm = QueryAlgorithm::kBfs;
  EXPECT_EQ(find_path(world, query, QueryLimits{}).nodes.size(), 3u);
  query.algorithm = QueryAlgorithm::kAStar;
  EXPECT_EQ(find_path(world, query, QueryLimits{}).cost, 12 * kStraightStep);
}

TEST(FindPath, JumpPointsWantAUniformLayerAndItsJumpMap) {
  Snapshot world = world_of({"...", "...", "..."});
  EXPECT_FALSE(suits(QueryAlgorithm::kJps, world));
  world.jumps.emplace(world.layer, world.corner_rule);
  EXPECT_TRUE(suits(QueryAlgorithm::kJps, world));
  PathQuery query = query_of(middle(0, 0), middle(2, 2));
  // A* also expands the cell in between.
  EXPECT_LT(find_path(world, query, QueryLimits{}).expanded, 3u);
  world = world_of({"...", ".9.", "..."});
  world.jumps.emplace(world.layer, world.corner_rule);
  EXPECT_FALSE(suits(QueryAlgorithm::kJps, world));
  EXPECT_EQ(find_path(world, query, QueryLimits{}).cost, 2 * kStraightStep + kDiagonalStep);
}

TEST(FindPath, ClustersSayWhatTheirPathMayBeDearer) {
  Snapshot world = world_of({".....", ".###.", "....."});
  EXPECT_FALSE(suits(QueryAlgorithm::kHpa, world));
  world.clusters.emplace(world.layer, world.topology, world.corner_rule, HpaShape{.side = 2});
  PathQuery query = query_of(middle(2, 0), middle(2, 2));
  query.algorithm = QueryAlgorithm::kHpa;
  const PathAnswer around = find_path(world, query, QueryLimits{});
  EXPECT_EQ(around.cost, 6 * kStraightStep);
  EXPECT_EQ(around.bound, 3);  // the goal is two cells away
  query = query_of(middle(0, 0), middle(4, 0));
  query.algorithm = QueryAlgorithm::kHpa;
  EXPECT_EQ(find_path(world, query, QueryLimits{}).bound, 1);
}

// The clusters of the start and the goal are searched at once; that counts, too.
TEST(FindPath, ClustersKeepToTheLimitOfExpansions) {
  const std::string row(64, '.');
  Snapshot world = world_of(std::vector<std::string_view>(64, row));
  world.clusters.emplace(world.layer, world.topology, world.corner_rule, HpaShape{.side = 16});
  for (const std::int32_t side : {0, 8, 64}) {
    PathQuery query = query_of(middle(1, 1), middle(62, 40));
    query.algorithm = QueryAlgorithm::kHpa;
    query.cluster_side = side;
    const PathAnswer all = find_path(world, query, QueryLimits{});
    ASSERT_EQ(all.state, QueryState::kComplete);
    std::uint64_t counted = 0;
    QueryLimits limits;
    limits.work = &counted;
    for (const std::uint64_t most : {std::uint64_t{1}, all.expanded / 2, all.expanded - 1}) {
      limits.max_expansions = most;
      counted = 0;
      const PathAnswer answer = find_path(world, query, limits);
      EXPECT_EQ(answer.state, QueryState::kOutOfBudget) << side << ", " << most;
      EXPECT_TRUE(answer.nodes.empty());
      EXPECT_EQ(counted, most);
    }
    limits.max_expansions = all.expanded + 1;
    counted = 0;
    const PathAnswer just = find_path(world, query, limits);
    EXPECT_EQ(just.state, QueryState::kComplete) << side;
    EXPECT_EQ(just.expanded, all.expanded);
    EXPECT_EQ(just.nodes, all.nodes);
    EXPECT_EQ(counted, all.expanded);
  }
}

TEST(FindPath, ClustersOfTheQuerysOwnShape) {
  const std::string row(70, '.');
  std::vector<std::string> rows(40, row);
  for (std::size_t y = 0; y < 39; ++y) rows[y][33] = '#';
  Snapshot world = world_of(std::vector<std::string_view>(rows.begin(), rows.end()));
  world.clusters.emplace(world.layer, world.topology, world.corner_rule, HpaShape{});
  PathQuery query = query_of(middle(1, 1), middle(60, 1));
  query.algorithm = QueryAlgorithm::kHpa;
  const PathAnswer usual = find_path(world, query, QueryLimits{});
  query.cluster_side = 16;
  query.cluster_levels = 1;
  const PathAnswer same = find_path(world, query, QueryLimits{});
  EXPECT_EQ(same.nodes, usual.nodes);
  EXPECT_EQ(same.expanded, usual.expanded);
  for (const int levels : {1, 2, 3}) {
    query.cluster_side = 10;
    query.cluster_levels = levels;
    const PathAnswer own = find_path(world, query, QueryLimits{});
    EXPECT_EQ(own.state, QueryState::kComplete);
    EXPECT_GE(own.bound, 1);
    EXPECT_GT(own.expanded, usual.expanded);  // the clusters count
    EXPECT_EQ(find_path(world, query, QueryLimits{}).expanded, own.expanded);
    QueryLimits short_of;
    short_of.max_expansions = own.expanded / 2;
    EXPECT_EQ(find_path(world, query, short_of).state, QueryState::kOutOfBudget);
  }
  EXPECT_EQ(cluster_count(query, world), 7u * 4);
}

// A deadline that passes after some questions.
class StopAfter final : public StopToken {
 public:
  explicit StopAfter(int questions) : left_(questions) {}
  bool stop_requested() const override { return --left_ < 0; }

 private:
  mutable int left_;
};

TEST(FindPath, AStopEndsTheMakingOfClusters) {
  // Pillars, because facts of open ground are found without a search.
  const std::string open(300, '.');
  std::string pillars = open;
  for (std::size_t x = 2; x < 300; x += 3) pillars[x] = '#';
  std::vector<std::string_view> rows;
  for (int y = 0; y < 300; ++y) rows.push_back(y % 3 == 2 ? pillars : open);
  Snapshot world = world_of(rows);
  world.clusters.emplace(world.layer, world.topology, world.corner_rule, HpaShape{});
  PathQuery query = query_of(middle(0, 0), middle(291, 291));
  query.algorithm = QueryAlgorithm::kHpa;
  query.cluster_side = 8;
  query.cluster_levels = 2;
  const std::uint64_t whole = find_path(world, query, QueryLimits{}).expanded;
  const StopAfter stop(3);
  QueryLimits limits;
  limits.stop = &stop;
  const PathAnswer cut = find_path(world, query, limits);
  EXPECT_EQ(cut.state, QueryState::kOutOfBudget);
  EXPECT_LT(cut.expanded, whole / 4);
}

TEST(FindPath, AllPairsKeepToTheirMemory) {
  const std::string row(63, '.');
  const Snapshot large = world_of(std::vector<std::string_view>(32, row));
  PathQuery far = query_of(middle(0, 0), middle(62, 0));
  far.algorithm = QueryAlgorithm::kFloydWarshall;
  const PairTableNeed need = pair_table_need(large);
  EXPECT_EQ(need.nodes, 2016u);
  EXPECT_GT(need.bytes, 2048u * 2048 * 4);
  EXPECT_LT(need.bytes, 2048u * 2048 * 5);
  QueryLimits limits;
  limits.search_bytes = need.bytes - 1;
  EXPECT_EQ(find_path(large, far, limits).state, QueryState::kOutOfMemory);
  const std::string wide(200, '.');
  const PairTableNeed never = pair_table_need(world_of(std::vector<std::string_view>(100, wide)));
  EXPECT_EQ(never.nodes, 20'000u);
  EXPECT_GT(never.bytes, kSearchBytesMax);
  const Snapshot world = world_of({"..#.", ".##.", "...."});
  PathQuery query = query_of(middle(0, 0), middle(3, 0));
  query.algorithm = QueryAlgorithm::kFloydWarshall;
  const PathAnswer answer = find_path(world, query, QueryLimits{});
  EXPECT_EQ(answer.state, QueryState::kComplete);
  EXPECT_EQ(answer.cost, 7 * kStraightStep);
  EXPECT_EQ(answer.nodes.size(), 8u);
  EXPECT_EQ(answer.expanded, 81u);
  QueryLimits short_of;
  short_of.max_expansions = 80;
  EXPECT_EQ(find_path(world, query, short_of).state, QueryState::kOutOfBudget);
}

// The free cells of a study that let Floyd-Warshall run for more than an hour. Here they have to be
// within the default limit; repath-bench studies runs them.
TEST(FindPath, TheTableOfTheStudyFitsTheDefaultLimit) {
  const std::string row(76, '.');
  std::vector<std::string> rows(71, row);
  for (std::size_t i = 0; i < 19; ++i) rows[2 * i][30] = '#';
  const Snapshot world = world_of(std::vector<std::string_view>(rows.begin(), rows.end()));
  EXPECT_EQ(pair_table_need(world).nodes, 5377u);
  EXPECT_LE(pair_table_need(world).bytes, kPairBytesDefault / 2);
}

TEST(FindPath, OutOfMemoryIsNotNoPath) {
  const std::string row(200, '.');
  const Snapshot world = world_of(std::vector<std::string_view>(200, row));
  PathQuery query = query_of(middle(0, 0), middle(199, 120));
  query.algorithm = QueryAlgorithm::kSmaStar;
  QueryLimits limits;
  limits.search_bytes = kSearchBytesMin / 16;
  limits.max_expansions = 1'000'000;
  const PathAnswer answer = find_path(world, query, limits);
  EXPECT_EQ(answer.state, QueryState::kOutOfMemory);
  EXPECT_TRUE(answer.nodes.empty());
  EXPECT_LE(answer.peak_bytes, limits.search_bytes);
}

TEST(FindPath, ExplainsEveryNodeItTouched) {
  const Snapshot world = world_of({"....", ".##.", "...."});
  PathQuery query = query_of(middle(0, 0), middle(3, 2));
  query.explain = true;
  const PathAnswer answer = find_path(world, query, QueryLimits{});
  const auto closed = std::count_if(answer.touched.begin(), answer.touched.end(),
                                    [](const TouchedNode& node) { return !node.is_open; });
  EXPECT_EQ(static_cast<std::uint64_t>(closed), answer.expanded);
}

TEST(Raycast, StopsAtTheWall) {
  const Snapshot world = world_of({"..#.", "....", "...."});
  const RayAnswer answer = raycast(world, middle(0, 0), middle(3, 0));
  ASSERT_TRUE(answer.hit);
  EXPECT_EQ(answer.position, (MapPoint{2, 0.5}));
  EXPECT_EQ(answer.blocked, world.layer.node_at(2, 0));
  EXPECT_EQ(answer.last_free, world.layer.node_at(1, 0));
}

TEST(Raycast, ThroughACornerObeysTheCornerRule) {
  const std::vector<std::string_view> one_flank{"..", "#."};
  EXPECT_TRUE(raycast(world_of(one_flank, CornerRule::kNone), middle(0, 0), middle(1, 1)).hit);
  EXPECT_FALSE(raycast(world_of(one_flank, CornerRule::kOne), middle(0, 0), middle(1, 1)).hit);
  const std::vector<std::string_view> both_flanks{".#", "#."};
  EXPECT_TRUE(raycast(world_of(both_flanks, CornerRule::kOne), middle(0, 0), middle(1, 1)).hit);
}

TEST(CheckPath, NamesTheWaypointAfterTheBrokenStep) {
  const Snapshot world = world_of({".....", "...#.", "....."});
  const auto at = [&](int x, int y) { return world.layer.node_at(x, y); };
  const std::vector<NodeId> broken{at(0, 0), at(2, 0), at(4, 2)};  // the diagonal passes (3, 1)
  EXPECT_EQ(check_path(world, broken).first_invalid, 2u);
  const std::vector<NodeId> around{at(0, 0), at(4, 0), at(4, 2)};
  const CheckAnswer good = check_path(world, around);
  EXPECT_TRUE(good.valid);
  EXPECT_EQ(good.cost, 6 * kStraightStep);
  const std::vector<NodeId> crooked{at(0, 0), at(2, 1)};
  EXPECT_EQ(check_path(world, crooked).first_invalid, 1u);
  const std::vector<NodeId> in_wall{at(3, 1)};
  EXPECT_EQ(check_path(world, in_wall).first_invalid, 0u);
}

TEST(FindPath, ATurnPenaltyTakesTheWayWithFewerTurns) {
  const Snapshot world = world_of({"....", ".##.", "....", "####", "...."});
  PathQuery query = query_of(middle(0, 0), middle(3, 1));
  query.turn_penalty = kStraightStep;
  PathAnswer answer = find_path(world, query, QueryLimits{});
  EXPECT_EQ(answer.turns, 1u);
  EXPECT_EQ(answer.turn_cost, kStraightStep);
  EXPECT_EQ(answer.cost, 4 * kStraightStep);
  EXPECT_EQ(answer.expanded, 5u);
  query.goals = {middle(0, 4)};
  query.allow_partial = true;
  answer = find_path(world, query, QueryLimits{});
  EXPECT_EQ(answer.state, QueryState::kPartial);
  EXPECT_EQ(answer.nodes.back(), world.layer.node_at(0, 2));
  EXPECT_EQ(answer.turns, 0u);
}

TEST(FindPath, ATurnPenaltyExplainsEachCellOnce) {
  const Snapshot world = world_of({"....", ".##.", "...."});
  PathQuery query = query_of(middle(0, 0), middle(3, 2));
  query.turn_penalty = kStraightStep;
  query.explain = true;
  const PathAnswer answer = find_path(world, query, QueryLimits{});
  ASSERT_FALSE(answer.touched.empty());
  for (std::size_t i = 1; i < answer.touched.size(); ++i)
    EXPECT_LT(answer.touched[i - 1].node, answer.touched[i].node);
}

TEST(FindPath, ABetterHeuristicLooksAtLess) {
  const std::string row(100, '.');
  const Snapshot world = world_of(std::vector<std::string_view>(100, row));
  PathQuery query = query_of(middle(10, 10), middle(90, 60));
  query.algorithm = QueryAlgorithm::kAStar;
  std::vector<std::uint64_t> expanded;
  for (const Heuristic heuristic : {Heuristic::kAuto, Heuristic::kOctile, Heuristic::kEuclid,
                                    Heuristic::kChebyshev, Heuristic::kZero}) {
    query.heuristic = heuristic;
    expanded.push_back(find_path(world, query, QueryLimits{}).expanded);
  }
  EXPECT_EQ(expanded, (std::vector<std::uint64_t>{80, 80, 1983, 3204, 8858}));
}

TEST(Smoothing, PullsStraightOverOpenGround) {
  const std::string row(100, '.');
  const Snapshot world = world_of(std::vector<std::string_view>(100, row));
  PathQuery query = query_of(middle(3, 5), middle(90, 40));
  query.smoothing = Smoothing::kCurves;
  const PathAnswer answer = find_path(world, query, QueryLimits{});
  ASSERT_EQ(answer.points.size(), 2u);
  EXPECT_NEAR(cells_from_cost(answer.cost), std::hypot(87, 35), 1e-5);
  EXPECT_EQ(answer.bound, 1);
}

TEST(Smoothing, KeepsToItsGroundWhereTheStraightWayIsDearer) {
  const Snapshot world = world_of({"......", ".9999.", ".9999.", "......"});
  PathQuery query = query_of(middle(0, 0), middle(5, 2));
  query.smoothing = Smoothing::kStraight;
  const PathAnswer answer = find_path(world, query, QueryLimits{});
  EXPECT_EQ(answer.cost, 5 * kStraightStep + kDiagonalStep);
  EXPECT_EQ(answer.points.size(), 4u);
  EXPECT_NEAR(answer.bound, (5 + std::sqrt(2)) / std::hypot(5, 2), 1e-6);
}

TEST(Smoothing, CutsACornerOnlyIfTheWalkerMay) {
  const std::vector<std::string_view> rows{"...", ".#.", "..."};
  PathQuery query = query_of(middle(0, 1), middle(1, 0));
  query.smoothing = Smoothing::kStraight;
  EXPECT_EQ(find_path(world_of(rows), query, QueryLimits{}).points.size(), 3u);
  EXPECT_EQ(find_path(world_of(rows, CornerRule::kOne), query, QueryLimits{}).points.size(), 2u);
}

TEST(FlowField, EndsWhenItsAreaIsSettled) {
  const std::string row(200, '.');
  const Snapshot world = world_of(std::vector<std::string_view>(200, row));
  FlowQuery query;
  query.goals = {middle(10, 10)};
  query.area = {0, 0, 19, 19};
  const FlowField field = find_flow_field(world, query, QueryLimits{});
  EXPECT_EQ(field.state, QueryState::kComplete);
  EXPECT_EQ(field.expanded, 4096u);  // a slice
  QueryLimits limits;
  limits.max_expansions = 20;
  EXPECT_EQ(find_flow_field(world, query, limits).state, QueryState::kOutOfBudget);
}

AwayQuery away_from(MapPoint from, MapPoint threat, double distance) {
  AwayQuery query;
  query.from = from;
  query.threats = {threat};
  query.distance = distance;
  return query;
}

TEST(FindAway, LeadsAroundTheWallIfThatIsTheOnlyWay) {
  const Snapshot world = world_of({"......", ".####.", ".....#"});
  const AwayAnswer answer = find_away(world, away_from(middle(1, 2), middle(4, 2), 4.2), {});
  ASSERT_EQ(answer.path.state, QueryState::kComplete);
  EXPECT_EQ(answer.path.nodes.back(), world.layer.node_at(0, 0));  // (0, 1) is sqrt(17) away
  EXPECT_EQ(answer.path.cost, 3 * kStraightStep);
}

TEST(FindAway, WhoIsFarEnoughStays) {
  const Snapshot world = world_of({"......"});
  const AwayAnswer answer = find_away(world, away_from(middle(5, 0), middle(0, 0), 5), {});
  EXPECT_EQ(answer.path.state, QueryState::kComplete);
  EXPECT_EQ(answer.path.nodes.size(), 1u);
  EXPECT_EQ(answer.path.cost, 0u);
  EXPECT_EQ(answer.distance, 5);
}

TEST(FindAway, ThePartialEndOfEquallyFarCellsIsTheCheapest) {
  const Snapshot world = world_of({"....."});
  AwayQuery query = away_from(middle(3, 0), middle(2, 0), 9);
  EXPECT_EQ(find_away(world, query, {}).path.state, QueryState::kUnreachable);
  query.allow_partial = true;
  const AwayAnswer answer = find_away(world, query, {});
  EXPECT_EQ(answer.path.state, QueryState::kPartial);
  EXPECT_EQ(answer.path.nodes.back(), world.layer.node_at(4, 0));
  EXPECT_EQ(answer.distance, 2);
}

TEST(FindAway, OutOfBudgetIsNotNowhere) {
  const Snapshot world = world_of({"..........", "..........", ".........."});
  QueryLimits limits;
  limits.max_expansions = 5;
  AwayQuery query = away_from(middle(0, 0), middle(0, 0), 8);
  query.allow_partial = true;
  const AwayAnswer answer = find_away(world, query, limits);
  EXPECT_EQ(answer.path.state, QueryState::kOutOfBudget);
  EXPECT_EQ(answer.path.expanded, 5u);
  EXPECT_TRUE(answer.path.nodes.empty());
}

TEST(FindAway, LooksNoFartherThanItMust) {
  const std::string row(100, '.');
  const Snapshot world = world_of(std::vector<std::string_view>(100, row));
  const AwayAnswer answer = find_away(world, away_from(middle(50, 50), middle(50, 50), 3), {});
  // All cells at a cost below 3 steps, and the first one at 3 steps.
  EXPECT_EQ(answer.path.cost, 3 * kStraightStep);
  EXPECT_EQ(answer.path.expanded, 26u);
}

}  // namespace
}  // namespace repath
