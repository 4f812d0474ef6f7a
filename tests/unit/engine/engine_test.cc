// The engine's commands and answers: repeats, expectations, refusals, dry runs, selectivity.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/queries.h"
#include "grid_ground/path_search.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::SmallWorld;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ChangeBatch wall(std::uint64_t id, CellRect cells) {
  ChangeBatch batch;
  ObstacleSpec spec;
  spec.id = ObstacleId{id};
  spec.shape = cells;
  batch.upsert_obstacles.push_back(spec);
  return batch;
}

TEST(Engine, ARepeatedRequestGetsItsFirstAnswer) {
  SmallWorld world({"....", "...."});
  const ApplyChanges command{wall(1, {1, 0, 2, 1}), "again", std::nullopt};
  const auto first = world->apply(command, 0);
  const auto second = world->apply(command, 1'000'000);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE(first->repeated_request);
  EXPECT_TRUE(second->repeated_request);
  EXPECT_EQ(second->revision, first->revision);
  EXPECT_EQ(second->state_hash, first->state_hash);
  EXPECT_EQ(world->revision(), Revision{2});
}

TEST(Engine, AnotherRequestWithTheSameIdIsRefusedAndChangesNothing) {
  SmallWorld world({"....", "...."});
  ApplyChanges command{wall(1, {1, 0, 2, 1}), "once", std::nullopt, sha256("first")};
  ASSERT_TRUE(world->apply(command, 0).ok());
  command.batch = wall(2, {2, 0, 3, 1});
  command.content = sha256("second");
  const auto second = world->apply(command, 1);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(error_reason(second.status()), "REQUEST_ID_REUSED");
  EXPECT_EQ(error_field(second.status()), "request_id");
  EXPECT_EQ(world->revision(), Revision{2});
}

TEST(Engine, RequestAnswersExpire) {
  EngineOptions options;
  options.request_id_ttl_us = 1000;
  SmallWorld world({"....", "...."}, options);
  const ApplyChanges command{wall(1, {1, 0, 2, 1}), "again", std::nullopt};
  ASSERT_TRUE(world->apply(command, 0).ok());
  const auto second = world->apply(command, 1000);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->repeated_request);
}

TEST(Engine, AnUnexpectedRevisionChangesNothing) {
  SmallWorld world({"....", "...."});
  const auto answer = world->apply({wall(1, {1, 0, 2, 1}), "", Revision{5}}, 0);
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(error_reason(answer.status()), "REVISION_MISMATCH");
  EXPECT_EQ(world->revision(), Revision{1});
}

TEST(Engine, ARefusedBatchNamesItsFieldAndChangesNothing) {
  SmallWorld world({"....", "...."});
  ChangeBatch batch = wall(1, {1, 0, 2, 1});
  batch.remove_obstacles.push_back(ObstacleId{9});
  const std::uint64_t hash = world->state_hash();
  const auto answer = world->apply({batch, "", std::nullopt}, 0);
  EXPECT_EQ(error_reason(answer.status()), "OBSTACLE_UNKNOWN");
  EXPECT_EQ(error_field(answer.status()), "batch.remove_obstacles[0]");
  EXPECT_EQ(world->state_hash(), hash);
}

// A reader of the world must not keep agents out of it.
TEST(Engine, ViewsKeptForQueriesGiveWayToAgents) {
  SmallWorld world({"....", "...."});
  for (int i = 1; i < 8; ++i) {
    ChangeBatch batch;
    batch.add_profiles.push_back({.name = "p" + std::to_string(i)});
    ASSERT_TRUE(world->apply({batch, "", std::nullopt}, 0).ok());
  }
  for (std::uint8_t team = 0; team < kTeams; ++team)
    ASSERT_TRUE(world->capture("default", TeamId{team}).ok());
  std::vector<AgentSpec> agents;
  for (int i = 1; i < 8; ++i) {
    for (std::uint8_t team = 0; team < kTeams; ++team) {
      agents.push_back(SmallWorld::walker(agents.size() + 1, SmallWorld::centre(0, 0),
                                          SmallWorld::centre(3, 1)));
      agents.back().profile = "p" + std::to_string(i);
      agents.back().team = TeamId{team};
    }
  }
  ASSERT_TRUE(world->upsert_agents(agents, OwnerId{1}, 0).ok());  // with the queries' all 256
  ChangeBatch batch;
  batch.add_profiles.push_back({.name = "last"});
  ASSERT_TRUE(world->apply({batch, "", std::nullopt}, 0).ok());
  for (AgentSpec& agent : agents) agent.id = AgentId{value(agent.id) + agents.size()};
  for (AgentSpec& agent : agents) agent.profile = "last";
  EXPECT_TRUE(world->upsert_agents(agents, OwnerId{1}, 0).ok());
  // Now agents have them all, and a query does not push them out.
  EXPECT_EQ(error_reason(world->capture("default", TeamId{0}).status()), "VIEWS_TOO_MANY");
  for (AgentSpec& agent : agents) agent.id = AgentId{value(agent.id) + agents.size()};
  for (AgentSpec& agent : agents) agent.profile = "default";
  EXPECT_EQ(error_reason(world->upsert_agents(agents, OwnerId{1}, 0)), "VIEWS_TOO_MANY");
  EXPECT_EQ(world->agent_count(), 2 * agents.size());
}

struct BadAgent {
  std::string name;
  void (*spoil)(AgentSpec*);
  std::string reason;
  std::string field;
};

class RefusedAgents : public ::testing::TestWithParam<BadAgent> {};

TEST_P(RefusedAgents, NameTheirFieldAndNobodyOfTheListIsTaken) {
  SmallWorld world({"....", "...."});
  std::vector<AgentSpec> agents{
      SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(3, 1)),
      SmallWorld::walker(2, SmallWorld::centre(0, 0), SmallWorld::centre(3, 1))};
  GetParam().spoil(&agents[1]);
  const absl::Status status = world->upsert_agents(agents, OwnerId{1}, 0);
  EXPECT_EQ(error_reason(status), GetParam().reason) << status;
  EXPECT_EQ(error_field(status), "agents[1]." + GetParam().field);
  EXPECT_EQ(world->agent_count(), 0u);
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
INSTANTIATE_TEST_SUITE_P(
    Engine, RefusedAgents,
    ::testing::Values(
        BadAgent{"id", [](AgentSpec* a) { a->id = AgentId{1}; }, "DUPLICATE_ID", "id"},
        BadAgent{"profile", [](AgentSpec* a) { a->profile = "x"; }, "PROFILE_UNKNOWN", "profile"},
        BadAgent{"team", [](AgentSpec* a) { a->team = TeamId{32}; }, "OUT_OF_RANGE", "team"},
        BadAgent{"nan", [](AgentSpec* a) { a->position.x = kNaN; }, "NOT_FINITE", "position"},
        BadAgent{"off", [](AgentSpec* a) { a->position.x = 4; }, "OUT_OF_MAP", "position"},
        BadAgent{"none", [](AgentSpec* a) { a->goals.clear(); }, "GOALS_MISSING", "goals"},
        BadAgent{"many", [](AgentSpec* a) { a->goals.resize(17); }, "OUT_OF_RANGE", "goals"},
        BadAgent{"goal", [](AgentSpec* a) { a->goals[0].y = -0.1; }, "OUT_OF_MAP", "goals[0]"},
        BadAgent{"radius", [](AgentSpec* a) { a->goal_radius = 64.1; }, "OUT_OF_RANGE",
                 "goal_radius"},
        BadAgent{"priority", [](AgentSpec* a) { a->priority = 8; }, "OUT_OF_RANGE", "priority"},
        BadAgent{"staleness", [](AgentSpec* a) { a->max_staleness_ms = 3'600'001; }, "OUT_OF_RANGE",
                 "max_staleness_ms"},
        BadAgent{"ratio", [](AgentSpec* a) { a->min_improvement_ratio = 1.1; }, "OUT_OF_RANGE",
                 "min_improvement_ratio"},
        BadAgent{"no_penalty",
                 [](AgentSpec* a) {
                   a->crowd = CrowdSpec{0, 8, 0.5};
                 },
                 "OUT_OF_RANGE", "crowd.penalty"},
        BadAgent{"penalty",
                 [](AgentSpec* a) {
                   a->crowd = CrowdSpec{16.1, 8, 0.5};
                 },
                 "OUT_OF_RANGE", "crowd.penalty"},
        BadAgent{"nowhere_near",
                 [](AgentSpec* a) {
                   a->crowd = CrowdSpec{1, 0, 0.5};
                 },
                 "OUT_OF_RANGE", "crowd.radius"},
        BadAgent{"not_a_number",
                 [](AgentSpec* a) {
                   a->crowd = CrowdSpec{1, kNaN, 0.5};
                 },
                 "NOT_FINITE", "crowd.radius"},
        BadAgent{"too_far",
                 [](AgentSpec* a) {
                   a->crowd = CrowdSpec{1, 64.1, 0.5};
                 },
                 "OUT_OF_RANGE", "crowd.radius"},
        BadAgent{"no_detour",
                 [](AgentSpec* a) {
                   a->crowd = CrowdSpec{1, 8, 0};
                 },
                 "OUT_OF_RANGE", "crowd.max_detour"},
        BadAgent{"detour",
                 [](AgentSpec* a) {
                   a->crowd = CrowdSpec{1, 8, 1.1};
                 },
                 "OUT_OF_RANGE", "crowd.max_detour"}),
    [](const auto& param) { return param.param.name; });

TEST(Engine, AReportPassesOverUnknownAgentsAndNamesThem) {
  SmallWorld world({"....", "...."});
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(3, 1)));
  const std::vector<PositionReport> reports{{AgentId{1}, SmallWorld::centre(2, 0), {}},
                                            {AgentId{5}, SmallWorld::centre(2, 0), {}},
                                            {AgentId{4}, SmallWorld::centre(2, 0), {}}};
  const auto unknown = world->report_positions(reports, 0);
  ASSERT_TRUE(unknown.ok()) << unknown.status();
  EXPECT_THAT(*unknown, ElementsAre(AgentId{5}, AgentId{4}));
  EXPECT_EQ(world->agent(AgentId{1})->node, world.at(2, 0));
}

TEST(Engine, APositionOffTheMapRefusesTheWholeReport) {
  SmallWorld world({"....", "...."});
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(3, 1)));
  const std::vector<PositionReport> reports{{AgentId{1}, SmallWorld::centre(2, 0), {}},
                                            {AgentId{5}, SmallWorld::centre(9, 0), {}}};
  const absl::Status status = world->report_positions(reports, 0).status();
  EXPECT_EQ(error_reason(status), "OUT_OF_MAP");
  EXPECT_EQ(error_field(status), "positions[1].position");
  EXPECT_EQ(world->agent(AgentId{1})->node, world.at(0, 0));
}

// Whoever would stand in the obstacle is named, though it has no path, or is at the end of one.
TEST(Engine, ADryRunNamesWhomItWouldBuryWhateverTheirPaths) {
  SmallWorld world({"...#.", "...#.", "...#."});
  AgentSpec cut_off = SmallWorld::walker(1, SmallWorld::centre(1, 1), SmallWorld::centre(4, 1));
  world.put(cut_off);
  AgentSpec partial = SmallWorld::walker(2, SmallWorld::centre(2, 1), SmallWorld::centre(4, 1));
  partial.allow_partial = true;
  world.put(partial);
  world.put(SmallWorld::walker(3, SmallWorld::centre(1, 0), SmallWorld::centre(1, 0)));
  world.put(SmallWorld::walker(4, SmallWorld::centre(0, 0), SmallWorld::centre(0, 2)));
  world.put(SmallWorld::walker(5, SmallWorld::centre(0, 1), SmallWorld::centre(4, 1)));
  world.put(SmallWorld::walker(6, SmallWorld::centre(3, 1), SmallWorld::centre(4, 1)));
  world.settle();
  world.put(SmallWorld::walker(7, SmallWorld::centre(2, 2), SmallWorld::centre(4, 1)));  // it waits
  TestChanges command;
  command.batch = wall(1, {1, 0, 4, 3});
  const auto answer = world->test(command);
  ASSERT_TRUE(answer.ok()) << answer.status();
  // 4 and 5 stand beside the obstacle, one with a path and one without. 6 is in a wall already.
  EXPECT_THAT(answer->affected_agents, ElementsAre(AgentId{1}, AgentId{2}, AgentId{3}, AgentId{7}));
  EXPECT_THAT(answer->cut_off_agents, ElementsAre(AgentId{3}));
  world.apply(command.batch);
  std::vector<AgentId> buried;
  for (const AgentEvent& event : world.events())
    if (event.type == EventType::kStartBlocked) buried.push_back(event.agent);
  std::ranges::sort(buried);
  EXPECT_EQ(buried, answer->affected_agents);
}

TEST(Engine, ADryRunTellsWhoWouldBeCutOffAndChangesNothing) {
  SmallWorld world({".....", "##.##", "....."});
  world.put(SmallWorld::walker(1, SmallWorld::centre(0, 0), SmallWorld::centre(0, 2)));
  world.put(SmallWorld::walker(2, SmallWorld::centre(0, 0), SmallWorld::centre(4, 0)));
  world.settle();
  TestChanges command;
  command.batch = wall(1, {2, 1, 3, 2});
  command.pairs.push_back({SmallWorld::centre(0, 0), SmallWorld::centre(4, 2)});
  command.pairs.push_back({SmallWorld::centre(0, 0), SmallWorld::centre(4, 0)});
  const std::uint64_t hash = world->state_hash();
  const auto answer = world->test(command);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_TRUE(answer->pairs[0].before);
  EXPECT_FALSE(answer->pairs[0].after);
  EXPECT_TRUE(answer->pairs[1].after);
  EXPECT_THAT(answer->affected_agents, ElementsAre(AgentId{1}));
  EXPECT_THAT(answer->cut_off_agents, ElementsAre(AgentId{1}));
  EXPECT_EQ(world->state_hash(), hash);
  EXPECT_THAT(world.events(), IsEmpty());
}

TEST(Engine, ListsAreAscendingAndResumable) {
  SmallWorld world({"....", "...."});
  for (const std::uint64_t id : {9u, 2u, 5u})
    world.put(SmallWorld::walker(id, SmallWorld::centre(0, 0), SmallWorld::centre(3, 1)));
  world.settle();
  const auto page = world->agents(AgentId{0}, 2, true, OwnerId{1});
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].spec.id, AgentId{2});
  EXPECT_EQ(page[1].spec.id, AgentId{5});
  EXPECT_FALSE(page[0].verdict.path->nodes.empty());
  const auto rest = world->agents(AgentId{6}, 2, false, std::nullopt);
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_TRUE(rest[0].verdict.path->nodes.empty());
}

// A wall on no agent's path and an opening that the bound excludes cost no search. A door that
// shuts on k paths costs at most k searches.
TEST(Engine, OnlyAgentsConcernedAreSearchedFor) {
  SmallWorld world(test::open_map(128, 128));
  world.block(1, {0, 126, 1, 127});
  constexpr std::uint64_t kAgents = 200;
  for (std::uint64_t id = 0; id < kAgents; ++id) {
    const auto y = static_cast<int>(id % 100);
    world.put(SmallWorld::walker(id, SmallWorld::centre(static_cast<int>(id / 100), y),
                                 SmallWorld::centre(120, y)));
  }
  world.settle();
  const std::uint64_t before = world.searches();
  world.block(2, {60, 120, 64, 124});
  world.shut(1, false);
  EXPECT_THAT(world.settle(), IsEmpty());
  EXPECT_EQ(world.searches(), before);
  const ChangeAnswer door = world.block(3, {60, 40, 61, 44});
  EXPECT_EQ(door.invalidated_agents, 8u);
  world.settle();
  EXPECT_LE(world.searches() - before, 8u);
}

TEST(Engine, AFrameNeverExceedsItsBudgetAndSettlesInTheEnd) {
  SmallWorld world(test::open_map(64, 64));
  for (std::uint64_t id = 0; id < 40; ++id)
    world.put(SmallWorld::walker(id, SmallWorld::centre(static_cast<int>(id), 0),
                                 SmallWorld::centre(63 - static_cast<int>(id), 63)));
  for (int frame = 0; frame < 100'000; ++frame) {
    const StepReport report = world->step(7, world.now += 16'000);
    ASSERT_LE(report.used, 7u);
    if (report.idle) return;
  }
  FAIL() << "never settles";
}

// Each change is more than the log keeps, and each search takes several frames.
TEST(Engine, EveryAgentIsSettledHoweverMuchEachFrameChanges) {
  for (const Strategy strategy : {Strategy::kAuto, Strategy::kAStar, Strategy::kLpa,
                                  Strategy::kDStarLite, Strategy::kField}) {
    SCOPED_TRACE(static_cast<int>(strategy));
    EngineOptions options;
    options.strategy = strategy;
    options.log_changes_max = 0;
    SmallWorld world(test::open_map(64, 64), options);
    constexpr std::uint64_t kAgents = 8;
    for (std::uint64_t id = 0; id < kAgents; ++id)
      world.put(SmallWorld::walker(id, SmallWorld::centre(static_cast<int>(id), 0),
                                   SmallWorld::centre(63, id % 2 == 0 ? 63 : 60)));
    std::set<AgentId> settled;
    for (int frame = 0; frame < 1000 && settled.size() < kAgents; ++frame) {
      world.weigh(1, {0, 0, 64, 64}, 2 + frame % 2);
      world->step(600, world.now += 16'000);
      for (const AgentEvent& event : world.events())
        if (event.type == EventType::kNewPath) settled.insert(event.agent);
    }
    EXPECT_EQ(settled.size(), kAgents);
  }
}

// Another cell stands in for the agent's in each frame, and each search takes several frames.
TEST(Engine, AnAgentThatWalksInsideAnObstacleIsSettled) {
  for (const Strategy strategy : {Strategy::kAuto, Strategy::kAStar, Strategy::kLpa,
                                  Strategy::kDStarLite, Strategy::kField}) {
    SCOPED_TRACE(static_cast<int>(strategy));
    EngineOptions options;
    options.strategy = strategy;
    SmallWorld world(test::open_map(64, 64), options);
    world.weigh(1, {0, 0, 64, 64}, 2);
    world.block(2, {20, 20, 44, 44});
    AgentSpec agent = SmallWorld::walker(7, SmallWorld::centre(30, 21), SmallWorld::centre(60, 60));
    agent.snap_start = true;
    world.put(agent);
    bool is_settled = false;
    for (int frame = 0; frame < 100 && !is_settled; ++frame) {
      world.report(7, SmallWorld::centre(30 + 2 * (frame % 5), 21));
      world->step(600, world.now += 16'000);
      is_settled = !world.events().empty();
    }
    EXPECT_TRUE(is_settled);
  }
}

TEST(Engine, SearchStateStaysWithinItsMemory) {
  EngineOptions options;
  options.search_memory_bytes = 200'000;
  options.strategy = Strategy::kDStarLite;
  SmallWorld world(test::open_map(64, 64), options);
  for (std::uint64_t id = 0; id < 40; ++id)
    world.put(SmallWorld::walker(id, SmallWorld::centre(static_cast<int>(id), 0),
                                 SmallWorld::centre(63 - static_cast<int>(id), 63)));
  world.settle();
  EXPECT_LE(world->stats().search_state_bytes, options.search_memory_bytes);
  EXPECT_GT(world->stats().evictions, 0u);
  world.block(1, {0, 30, 40, 31});
  for (const AgentEvent& e : world.settle())
    EXPECT_TRUE(e.type != EventType::kReplanned || e.path->optimality == Optimality::kOptimal);
}

TEST(Engine, ASnapshotHasTheClustersOfItsRevision) {
  SmallWorld world({"........", "........", "........"});
  PathQuery query;
  query.from = SmallWorld::centre(0, 0);
  query.goals = {SmallWorld::centre(7, 0)};
  query.algorithm = QueryAlgorithm::kHpa;
  const auto before = world->capture("default", {})->grid;
  const std::uint64_t bytes = world->memory_bytes();
  EXPECT_EQ(find_path(*before, query, {}).cost, 7 * kStraightStep);
  EXPECT_GT(world->memory_bytes(), bytes);
  world.block(1, {4, 0, 5, 2});
  const auto after = world->capture("default", {})->grid;
  EXPECT_GT(find_path(*after, query, {}).cost, 7 * kStraightStep);
  EXPECT_EQ(find_path(*before, query, {}).cost, 7 * kStraightStep);
}

std::uint64_t searches_by(const SmallWorld& world, SearchKind kind) {
  return world->stats().strategies[static_cast<std::size_t>(kind)].searches;
}

void put_crowd(SmallWorld* world, std::uint64_t agents) {
  for (std::uint64_t id = 1; id <= agents; ++id)
    world->put(SmallWorld::walker(id, SmallWorld::centre(static_cast<int>(id % 90), 5),
                                  SmallWorld::centre(95, 90)));
}

TEST(Engine, AgentsShareAFieldOnceItCostsLessThanASearchForEachOfThem) {
  std::string row(96, '.');
  row[24] = row[64] = '#';
  std::vector<std::string_view> rows(95, row);
  const std::string gaps(96, '.');
  rows.push_back(gaps);
  SmallWorld few(rows);
  put_crowd(&few, 8);
  few.settle();
  EXPECT_EQ(searches_by(few, SearchKind::kField), 0u);
  EXPECT_EQ(searches_by(few, SearchKind::kJump), 8u);
  SmallWorld many(rows);
  put_crowd(&many, 2000);
  many.settle();
  EXPECT_GT(searches_by(many, SearchKind::kField), 1500u);
}

TEST(Engine, WhereGroundDiffersAFewShareAFieldAlready) {
  const std::string row(96, '.');
  SmallWorld world(std::vector<std::string_view>(96, row));
  world.weigh(1, {50, 50, 51, 51}, 2.0);
  put_crowd(&world, 8);
  world.settle();
  EXPECT_EQ(searches_by(world, SearchKind::kField), 8u);
}

}  // namespace
}  // namespace repath
