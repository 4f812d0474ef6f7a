// Queries with labels against the same queries without labels, and both against a plain flood. The
// worlds are edited between queries and seen through several profiles.
#include "engine/cut_off.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "base/random.h"
#include "grid/cells/snap.h"
#include "property/engine/edited_world.h"
#include "property/engine/plain_queries.h"
#include "support/seed.h"

namespace repath {
namespace {

// From now on everything, some blocks or nothing is known.
void find_out(const Snapshot& world, Random* random) {
  const std::uint32_t how_much = random->below(3);
  for (std::uint32_t block = 0; block < world.components->block_count(); ++block)
    if (how_much == 2 || (how_much == 1 && random->below(2) == 0)) {
      ASSERT_TRUE(world.components->label(block));
    }
  if (how_much == 2) {
    ASSERT_TRUE(world.components->join());
  }
}

PathQuery random_query(const Snapshot& world, Random* random) {
  PathQuery query;
  query.from = test::random_point(*random, world.layer);
  for (std::uint32_t goals = 1 + random->below(3); goals > 0; --goals)
    query.goals.push_back(test::random_point(*random, world.layer));
  if (random->below(3) == 0) query.goal_radius = 4 * random->unit();
  query.algorithm = test::kExact[random->below(std::size(test::kExact))];
  const bool is_slow = query.algorithm == QueryAlgorithm::kIdaStar ||
                       query.algorithm == QueryAlgorithm::kSmaStar ||
                       query.algorithm == QueryAlgorithm::kFloydWarshall;
  if (!suits(query.algorithm, world) || (is_slow && world.layer.node_count() > 100))
    query.algorithm = QueryAlgorithm::kAuto;
  const bool takes_turns =
      query.algorithm == QueryAlgorithm::kAuto || query.algorithm == QueryAlgorithm::kAStar;
  if (takes_turns && random->below(4) == 0) query.turn_penalty = kStraightStep;
  if (world.topology != Topology::kHex && random->below(4) == 0)
    query.smoothing = Smoothing::kStraight;
  query.allow_partial = random->below(2) == 0;
  query.snap_start = random->below(2) == 0;
  query.explain = random->below(6) == 0;
  return query;
}

// Returns whether some goal can be reached from the start, or from the place it is snapped to.
bool is_reachable(const Snapshot& world, const PathQuery& query) {
  NodeId start = test::cell_at(world.layer, query.from);
  if (!world.layer.is_free(start)) {
    const auto snapped = nearest_free_cell(world.layer, query.from, 64);
    if (!query.snap_start || !snapped) return false;
    start = *snapped;
  }
  const std::vector<bool> is_seen = test::plain_flood(world.graph(), start);
  for (const NodeId goal : test::plain_goal_set(world.layer, query.goals, query.goal_radius))
    if (is_seen[index(goal)]) return true;
  return false;
}

void expect_same_answers(const Snapshot& world, Random* random) {
  Snapshot bare = world;
  bare.components.reset();
  for (int question = 0; question < 12; ++question) {
    const PathQuery query = random_query(world, random);
    const PathAnswer searched = find_path(bare, query, QueryLimits{});
    const PathAnswer answer = find_path(world, query, QueryLimits{});
    ASSERT_EQ(answer.state, searched.state);
    ASSERT_EQ(answer.nodes, searched.nodes);
    ASSERT_EQ(answer.cost, searched.cost);
    ASSERT_EQ(answer.turn_cost, searched.turn_cost);
    ASSERT_EQ(answer.bound, searched.bound);
    ASSERT_EQ(answer.touched.size(), searched.touched.size());
    ASSERT_LE(answer.expanded, searched.expanded);
    if (answer.state == QueryState::kUnreachable || answer.state == QueryState::kComplete) {
      ASSERT_EQ(answer.state == QueryState::kComplete, is_reachable(world, query));
    }
    const NearestGoal nearest = find_nearest_goal(world, query.from, query.goals, QueryLimits{});
    const NearestGoal plain = find_nearest_goal(bare, query.from, query.goals, QueryLimits{});
    ASSERT_EQ(nearest.state, plain.state);
    ASSERT_EQ(nearest.goal, plain.goal);
    ASSERT_EQ(nearest.path.state, plain.path.state);
    ASSERT_EQ(nearest.path.nodes, plain.path.nodes);
  }
}

void expect_same_fields(const Snapshot& world, Random* random) {
  Snapshot bare = world;
  bare.components.reset();
  for (int question = 0; question < 3; ++question) {
    FlowQuery query;
    for (std::uint32_t goals = 1 + random->below(3); goals > 0; --goals)
      query.goals.push_back(test::random_point(*random, world.layer));
    query.goal_radius = random->below(3);
    const Place corner = place_of(test::random_point(*random, world.layer));
    const auto side = static_cast<std::int32_t>(random->below(40));
    query.area = {corner.x, corner.y, std::min(corner.x + side, world.layer.width() - 1),
                  std::min(corner.y + side, world.layer.height() - 1)};
    const FlowField searched = find_flow_field(bare, query, QueryLimits{});
    const FlowField field = find_flow_field(world, query, QueryLimits{});
    ASSERT_EQ(field.state, searched.state);
    ASSERT_EQ(field.costs, searched.costs);
    ASSERT_EQ(field.directions, searched.directions);
    ASSERT_LE(field.expanded, searched.expanded);
  }
}

TEST(CutOff, QueriesSayWhatTheirSearchWouldHaveSaid) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 40; ++round) {
    test::EditedWorld world(&random);
    std::deque<Snapshot> older;
    for (int edit = 0; edit < 12; ++edit) {
      const Snapshot snapshot = world.snapshot(world.random_walker(), world.random_team());
      find_out(snapshot, &random);
      expect_same_answers(snapshot, &random);
      expect_same_fields(snapshot, &random);
      if (HasFatalFailure()) return;
      older.push_back(snapshot);
      if (older.size() > 4) {
        find_out(older.front(), &random);
        expect_same_answers(older.front(), &random);
        older.pop_front();
      }
      if (HasFatalFailure()) return;
      world.apply(world.random_changes());
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace repath
