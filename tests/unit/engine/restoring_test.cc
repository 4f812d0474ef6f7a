// Engines of worlds that existed before, for example before a restart of the server: agents and
// answers to requests that are put back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/engine/route_bed.h"
#include "unit/engine/small_world.h"

namespace repath {
namespace {

using test::RouteBed;
using test::SmallWorld;
using test::types;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr PathVersion kFirst{std::uint64_t{7} << 32};

EngineOptions loaded_again() {
  EngineOptions options;
  options.first_path_version = kFirst;
  return options;
}

SmallWorld room() { return SmallWorld({".....", ".....", "....."}, loaded_again()); }

RestoredAgent walker(std::uint64_t id, int x0, int y0, int x1, int y1) {
  return {SmallWorld::walker(id, SmallWorld::centre(x0, y0), SmallWorld::centre(x1, y1)),
          OwnerId{1}};
}

void restore(Engine* engine, const std::vector<RestoredAgent>& agents) {
  const absl::Status status = engine->restore_agents(agents, 0);
  ASSERT_TRUE(status.ok()) << status;
}

TEST(Restoring, AnAgentWaitsAndItsFirstVerdictSaysRecovered) {
  SmallWorld world = room();
  restore(&*world, {walker(1, 0, 0, 4, 2)});
  EXPECT_TRUE(world.events().empty());  // no kAsked
  EXPECT_EQ(world->owner_of(AgentId{1}), OwnerId{1});
  EXPECT_TRUE(world->agent(AgentId{1})->waiting);
  EXPECT_FALSE(world->agent(AgentId{1})->has_verdict);
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{0});
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kRecovered);
  EXPECT_EQ(events[0].path_version, PathVersion{value(kFirst) + 1});
  EXPECT_EQ(events[0].path->optimality, Optimality::kOptimal);
  EXPECT_EQ(world->settled_revision(OwnerId{1}), world->revision());
}

TEST(Restoring, AnAgentWithoutAPathIsToldSo) {
  SmallWorld world({"..#..", "..#..", "..#.."}, loaded_again());
  std::vector<RestoredAgent> agents{walker(1, 0, 0, 4, 0), walker(2, 0, 1, 4, 1),
                                    walker(3, 2, 1, 4, 1)};
  agents[1].spec.allow_partial = true;
  restore(&*world, agents);
  std::map<std::uint64_t, AgentEvent> told;
  for (const AgentEvent& event : world.settle())
    EXPECT_TRUE(told.emplace(value(event.agent), event).second);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[1].type, EventType::kUnreachable);
  EXPECT_EQ(told[2].type, EventType::kPartial);
  EXPECT_EQ(told[3].type, EventType::kStartBlocked);
  // A client drops what is of a lower version than the path it holds.
  for (const auto& [id, event] : told) EXPECT_GE(event.path_version, kFirst);
}

TEST(Restoring, AChangeBeforeTheFirstVerdictLeavesItDue) {
  SmallWorld world = room();
  restore(&*world, {walker(1, 0, 0, 4, 2)});
  world.block(1, {1, 0, 2, 2});
  EXPECT_EQ(world->settled_revision(OwnerId{1}), Revision{0});
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kRecovered);
  EXPECT_EQ(events[0].revision, world->revision());
}

TEST(Restoring, AnotherQuestionBeforeTheFirstVerdictReplacesIt) {
  SmallWorld world = room();
  const RestoredAgent agent = walker(1, 0, 0, 4, 2);
  restore(&*world, {agent, walker(2, 0, 0, 4, 2)});
  AgentSpec other = agent.spec;
  other.goals = {SmallWorld::centre(0, 2)};
  world.put(other);
  world.put(walker(2, 0, 0, 4, 2).spec);  // the same question
  ASSERT_THAT(types(world.events()), ElementsAre(EventType::kAsked));
  std::map<std::uint64_t, EventReason> reasons;
  for (const AgentEvent& event : world.settle()) reasons[value(event.agent)] = event.reason;
  EXPECT_EQ(reasons[1], EventReason::kAgentChanged);
  EXPECT_EQ(reasons[2], EventReason::kRecovered);
}

TEST(Restoring, PathsOfAnOlderIncarnationDoNotCount) {
  SmallWorld world = room();
  restore(&*world, {walker(1, 0, 0, 4, 0)});
  world.settle();
  // The client still follows its path of before, which was another one.
  world.report(1, SmallWorld::centre(0, 2), PathVersion{value(kFirst) - 5});
  const auto events = world.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kNewPath));
  EXPECT_EQ(events[0].reason, EventReason::kOffPath);
}

TEST(Restoring, NewAgentsBeginAboveTheFirstVersionToo) {
  SmallWorld world = room();
  world.put(walker(1, 0, 0, 4, 2).spec);
  const auto events = world.settle();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].reason, EventReason::kNewAgent);
  EXPECT_EQ(events[0].path_version, PathVersion{value(kFirst) + 1});
}

TEST(Restoring, TheAgeOfAPositionIsShownUntilTheClientSendsOne) {
  SmallWorld world = room();
  std::vector<RestoredAgent> agents;
  for (std::uint64_t id = 1; id <= 4; ++id) {
    agents.push_back(walker(id, 0, 0, 4, 2));
    agents.back().position_age_us = 1000 * id;
  }
  restore(&*world, agents);
  world.settle();
  const auto age = [&](std::uint64_t id) { return world->agent(AgentId{id})->position_age_us; };
  EXPECT_EQ(age(1), 1000u);
  EXPECT_EQ(age(4), 4000u);
  world.report(1, SmallWorld::centre(0, 0));
  world.put(agents[1].spec);
  agents[2].spec.goals = {SmallWorld::centre(0, 2)};
  world.put(agents[2].spec);
  EXPECT_EQ(age(1), 0u);
  EXPECT_EQ(age(2), 0u);
  EXPECT_EQ(age(3), 0u);
  EXPECT_EQ(age(4), 4000u);
}

TEST(Restoring, AnAgentThatIsOfNoUseIsNamedAndNoneIsRestored) {
  SmallWorld world = room();
  const auto refusal = [&](const RestoredAgent& agent) {
    const absl::Status status = world->restore_agents(std::vector{walker(5, 0, 0, 1, 1), agent}, 0);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_EQ(error_reason(status), "WORLD_DAMAGED");
    EXPECT_EQ(world->agent_count(), 0u);
    return std::string(status.message());
  };
  RestoredAgent agent = walker(17, 0, 0, 4, 2);
  agent.spec.profile = "gone";
  EXPECT_THAT(refusal(agent), HasSubstr("agent 17 cannot be restored: profile "));
  agent = walker(17, 0, 0, 4, 2);
  agent.spec.goals = {SmallWorld::centre(5, 0)};
  EXPECT_THAT(refusal(agent), HasSubstr("agent 17 cannot be restored: goals[0] "));
  EXPECT_THAT(refusal(walker(5, 0, 0, 1, 1)), HasSubstr("agent 5 cannot be restored: id "));
}

TEST(Restoring, TheLimitOfAgentsIsForNewOnes) {
  EngineOptions options;
  options.agents_max = 1;
  SmallWorld world({"..."}, options);
  restore(&*world, {walker(1, 0, 0, 2, 0), walker(2, 0, 0, 2, 0)});
  const AgentSpec third = walker(3, 0, 0, 2, 0).spec;
  EXPECT_EQ(error_reason(world->upsert_agents(std::span(&third, 1), OwnerId{1}, 0)),
            "AGENTS_TOO_MANY");
}

// The bounds of a graph shrink when nodes go, so an old goal may be outside of them.
TEST(Restoring, AnAgentWhoseGoalIsFarFromAllGroundNowIsUnreachable) {
  GraphWorld::Source source{"line", {}, {}};
  source.graph.nodes = {{.id = 1, .x = 0}, {.id = 2, .x = 10}, {.id = 3, .x = 200}};
  source.graph.edges = {{.from = 1, .to = 2, .cost = 10, .both = true},
                        {.from = 2, .to = 3, .cost = 190, .both = true}};
  RouteBed bed(*GraphWorld::create(std::move(source)), loaded_again());
  bed.edit(RemoveGraphNode{3});
  AgentSpec far = RouteBed::walker(1, {0, 0, 0}, {200, 0, 0});
  far.goal_radius = 1;
  ASSERT_EQ(error_reason(bed->upsert_agents(std::span(&far, 1), OwnerId{1}, 0)), "OUT_OF_MAP");
  restore(&*bed, {{far, OwnerId{1}}});
  const auto events = bed.settle();
  ASSERT_THAT(types(events), ElementsAre(EventType::kUnreachable));
  EXPECT_EQ(events[0].revision, bed->revision());
}

// ---- answers to requests ----

ApplyChanges wall(const std::string& request_id) {
  ApplyChanges command;
  ObstacleSpec spec;
  spec.id = ObstacleId{1};
  spec.shape = CellRect{1, 0, 2, 1};
  command.batch.upsert_obstacles.push_back(spec);
  command.request_id = request_id;
  command.content = sha256(request_id);
  return command;
}

TEST(Restoring, ARepeatedRequestGetsTheAnswerOfBefore) {
  SmallWorld before = room();
  const ApplyChanges command = wall("r");
  const absl::StatusOr<ChangeAnswer> first = before->apply(command, 0);
  ASSERT_TRUE(first.ok());
  SmallWorld after = room();
  const GivenAnswer given{command.request_id, command.content, *first};
  ASSERT_TRUE(after->restore_answers(std::span(&given, 1), 0).ok());
  const absl::StatusOr<ChangeAnswer> again = after->apply(command, 0);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->repeated_request);
  EXPECT_EQ(again->revision, first->revision);
  EXPECT_EQ(again->state_hash, first->state_hash);
  EXPECT_EQ(again->changed_edges, first->changed_edges);
  EXPECT_EQ(after->revision(), Revision{1});  // nothing was applied
  ApplyChanges other = wall("r");
  other.content = sha256("other");
  EXPECT_EQ(error_reason(after->apply(other, 0).status()), "REQUEST_ID_REUSED");
}

TEST(Restoring, AnAnswerIsKeptForTheRestOfItsTime) {
  EngineOptions options;
  options.request_id_ttl_us = 1000;
  SmallWorld world({"..."}, options);
  const std::vector<GivenAnswer> given{{"old", sha256("old"), {Revision{2}}, 1000},
                                       {"new", sha256("new"), {Revision{3}}, 400}};
  ASSERT_TRUE(world->restore_answers(given, 50).ok());
  EXPECT_FALSE(world->find_answer(wall("old"), 50)->has_value());
  ASSERT_TRUE(world->find_answer(wall("new"), 649)->has_value());
  EXPECT_EQ((*world->find_answer(wall("new"), 649))->revision, Revision{3});
  EXPECT_FALSE(world->find_answer(wall("new"), 650)->has_value());
}

TEST(Restoring, OfTooManyAnswersTheNewestAreKept) {
  EngineOptions options;
  options.request_ids_max = 1;
  SmallWorld world({"..."}, options);
  const std::vector<GivenAnswer> given{{"a", sha256("a"), {Revision{2}}, 20},
                                       {"b", sha256("b"), {Revision{3}}, 10}};
  ASSERT_TRUE(world->restore_answers(given, 0).ok());
  EXPECT_FALSE(world->find_answer(wall("a"), 0)->has_value());
  EXPECT_TRUE(world->find_answer(wall("b"), 0)->has_value());
}

TEST(Restoring, AnswersKeepToTheirMemoryAndTheOldestGoFirst) {
  EngineOptions options;
  options.request_answers_bytes = 1000;
  SmallWorld world({"..."}, options);
  const std::uint64_t before = world->memory_bytes();
  std::vector<GivenAnswer> given;
  for (const char* id : {"a", "b", "c", "d", "e", "f"})
    given.push_back({id, sha256(id), {Revision{2}}});
  ASSERT_TRUE(world->restore_answers(given, 0).ok());
  EXPECT_GT(world->answers_bytes(), 0u);
  EXPECT_LE(world->answers_bytes(), 1000u);
  EXPECT_EQ(world->memory_bytes() - before, world->answers_bytes());
  EXPECT_FALSE(world->find_answer(wall("a"), 0)->has_value());
  EXPECT_TRUE(world->find_answer(wall("f"), 0)->has_value());
}

TEST(Restoring, ARequestWithTwoAnswersIsDamage) {
  SmallWorld world = room();
  const std::vector<GivenAnswer> given{{"a", sha256("a"), {Revision{2}}},
                                       {"a", sha256("a"), {Revision{3}}}};
  const absl::Status status = world->restore_answers(given, 0);
  EXPECT_EQ(error_reason(status), "WORLD_DAMAGED");
  EXPECT_THAT(std::string(status.message()), HasSubstr("'a'"));
  EXPECT_FALSE(world->find_answer(wall("a"), 0)->has_value());
}

}  // namespace
}  // namespace repath
