// Answers of TestChanges about pairs of places and about agents, against floods before and after
// the same changes are made.
#include "engine/tried_changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "property/engine/edited_world.h"
#include "property/engine/new_paths.h"
#include "property/engine/plain_queries.h"
#include "support/seed.h"

namespace repath {
namespace {

std::vector<TestChanges::Pair> random_pairs(test::EditedWorld* world, Random* random) {
  std::vector<TestChanges::Pair> pairs;
  const GridLayer layer = world->snapshot("default", TeamId{}).layer;
  for (std::uint32_t count = random->below(5); count > 0; --count)
    pairs.push_back({test::random_point(*random, layer), test::random_point(*random, layer),
                     world->random_walker(), world->random_team()});
  return pairs;
}

// Returns for each pair whether steps lead from one to the other now.
std::vector<bool> plain_answers(test::EditedWorld* world,
                                const std::vector<TestChanges::Pair>& pairs) {
  std::vector<bool> answers;
  for (const TestChanges::Pair& pair : pairs) {
    const Snapshot now = world->snapshot(pair.profile, pair.team);
    const NodeId from = test::cell_at(now.layer, pair.from);
    answers.push_back(
        test::plain_flood(now.graph(), from)[index(test::cell_at(now.layer, pair.to))]);
  }
  return answers;
}

TEST(TriedGridChanges, PartWhatTheChangesThenPart) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int parted = 0;
  for (int round = 0; round < 120; ++round) {
    test::EditedWorld world(&random);
    for (int edit = 0; edit < 10; ++edit) {
      TestChanges command;
      command.batch = world.random_changes();
      command.pairs = random_pairs(&world, &random);
      const auto answer = world.engine().test(command);
      ASSERT_TRUE(answer.ok()) << answer.status();
      ASSERT_EQ(answer->pairs.size(), command.pairs.size());
      const std::vector<bool> before = plain_answers(&world, command.pairs);
      world.apply(command.batch);
      if (HasFatalFailure()) return;
      const std::vector<bool> after = plain_answers(&world, command.pairs);
      for (std::size_t i = 0; i < command.pairs.size(); ++i) {
        ASSERT_EQ(answer->pairs[i].before, before[i]) << "pair " << i;
        ASSERT_EQ(answer->pairs[i].after, after[i]) << "pair " << i;
        parted += before[i] && !after[i] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(parted, 20);
}

// Gives agents random questions, and plans until they have their answers.
void put_agents(test::EditedWorld* world, Random* random) {
  const GridLayer layer = world->snapshot("default", TeamId{}).layer;
  std::vector<AgentSpec> agents(8);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    agents[i].id = AgentId{i + 1};
    agents[i].profile = world->random_walker();
    agents[i].team = world->random_team();
    agents[i].position = test::random_point(*random, layer);
    agents[i].goals = {test::random_point(*random, layer), test::random_point(*random, layer)};
    agents[i].snap_start = random->below(3) == 0;
    agents[i].allow_partial = random->below(3) == 0;
  }
  ASSERT_TRUE(world->engine().upsert_agents(agents, kNoOwner, 0).ok());
}

TEST(TriedGridChanges, TellTheNewPathsOfTheAgentsAffectedAndWhoIsBuried) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int compared = 0;
  int buried = 0;
  for (int round = 0; round < 60; ++round) {
    test::EditedWorld world(&random);
    put_agents(&world, &random);
    for (int edit = 0; edit < 10; ++edit) {
      while (!world.engine().step(100'000, 0).idle) {
      }
      TestChanges command;
      command.batch = world.random_changes();
      command.max_paths = random.below(9);
      const auto answer = world.engine().test(command);
      ASSERT_TRUE(answer.ok()) << answer.status();
      ASSERT_EQ(answer->new_paths.size(),
                std::min<std::size_t>(command.max_paths, answer->affected_agents.size() -
                                                             answer->cut_off_agents.size()));
      world.engine().take_events();
      world.apply(command.batch);
      compared += test::expect_new_paths(&world.engine(), *answer);
      for (const AgentEvent& event : world.engine().take_events()) {
        if (event.type != EventType::kStartBlocked) continue;
        EXPECT_TRUE(std::ranges::binary_search(answer->affected_agents, event.agent))
            << "agent " << value(event.agent);
        ++buried;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 60);
  EXPECT_GT(buried, 20);
}

}  // namespace
}  // namespace repath
