// Agents that use all pairs of profile and team that a world may have in use.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/executor.h"
#include "engine/engine.h"
#include "routes/graph_world.h"
#include "support/ascii_grid.h"
#include "world/limits.h"

namespace repath {
namespace {

const MapPoint kHere{0.5, 0.5, 0};
const MapPoint kThere{10.5, 0.5, 0};

// Pairs are counted through, 32 to a profile. Agent i, of all that there are at first, is the only
// one of pair i.
class ViewsLimit : public ::testing::TestWithParam<WorldKind> {
 protected:
  ViewsLimit() {
    std::vector<Profile> profiles;
    for (std::size_t pair = 0; pair <= most_; pair += kTeams)
      profiles.push_back({.name = profile_of(pair)});
    if (GetParam() == WorldKind::kGrid) {
      engine_ = Engine::create(*World::create({.name = "w",
                                               .map = test::open_map(11, 1),
                                               .cell_size = 1,
                                               .profiles = std::move(profiles)},
                                              {}),
                               {}, executor_);
    } else {
      GraphWorld::Source source{"w", {}, std::move(profiles)};
      source.graph.nodes = {{.id = 1}, {.id = 2, .x = 10}};
      source.graph.edges = {{.from = 1, .to = 2, .both = true}};
      engine_ = Engine::create(*GraphWorld::create(std::move(source)), {}, executor_);
    }
    std::vector<AgentSpec> all;
    for (std::size_t i = 0; i < most_; ++i) all.push_back(agent(i, i));
    EXPECT_TRUE(upsert(all).ok());
    EXPECT_EQ(settle(), most_);
  }

  static std::string profile_of(std::size_t pair) { return "p" + std::to_string(pair / kTeams); }
  static AgentSpec agent(std::size_t id, std::size_t pair) {
    AgentSpec spec;
    spec.id = AgentId{id};
    spec.profile = profile_of(pair);
    spec.team = TeamId(pair % kTeams);
    spec.position = kHere;
    spec.goals = {kThere};
    return spec;
  }
  absl::Status upsert(const std::vector<AgentSpec>& agents) {
    return engine_->upsert_agents(agents, OwnerId{1}, 0);
  }
  void expect_taken(const std::vector<AgentSpec>& agents) {
    const absl::Status status = upsert(agents);
    EXPECT_TRUE(status.ok()) << status;
  }
  // Expects that the list is refused because of its entry `i`.
  void expect_refused(const std::vector<AgentSpec>& agents, std::size_t i) {
    const absl::Status status = upsert(agents);
    EXPECT_EQ(error_reason(status), "VIEWS_TOO_MANY") << status;
    EXPECT_EQ(error_field(status), "agents[" + std::to_string(i) + "].profile");
  }
  // Plans until no agent waits. Returns how many agents got a new path.
  std::size_t settle() {
    for (int frame = 0; frame < 1000 && !engine_->is_idle(); ++frame) engine_->step(1'000'000, 0);
    EXPECT_TRUE(engine_->is_idle());
    const std::vector<AgentEvent> events = engine_->take_events();
    return static_cast<std::size_t>(
        std::ranges::count(events, EventType::kNewPath, &AgentEvent::type));
  }

  const std::size_t most_ = GetParam() == WorldKind::kGrid ? kViewsMax : kRouteViewsMax;
  const std::size_t spare_ = most_;  // the first of 32 pairs that no agent uses at first
  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
};

TEST_P(ViewsLimit, TheOnlyAgentOfAPairMovesIntoANewOne) {
  expect_refused({agent(1000, spare_)}, 0);
  expect_taken({agent(0, spare_)});
  EXPECT_EQ(settle(), 1u);
  EXPECT_EQ(engine_->agent(AgentId{0})->spec.profile, profile_of(spare_));
  expect_refused({agent(1000, 0)}, 0);
  expect_taken({agent(0, 0)});
}

TEST_P(ViewsLimit, APairThatAnotherAgentKeepsStillCounts) {
  expect_taken({agent(1000, 0)});
  expect_refused({agent(0, spare_)}, 0);
  expect_taken({agent(0, spare_), agent(1000, spare_)});
  expect_refused({agent(0, 0)}, 0);
}

TEST_P(ViewsLimit, AgentsPassTheirPairsOnInOneCall) {
  std::vector<AgentSpec> moved;
  for (std::size_t i = 0; i < 20; ++i) moved.push_back(agent(i, spare_ + i));
  for (std::size_t i = 20; i < 40; ++i) moved.push_back(agent(i, i - 20));
  expect_taken(moved);
  expect_refused({agent(1000, 20)}, 0);
  settle();
  expect_taken({agent(0, 0), agent(20, spare_)});
  EXPECT_EQ(settle(), 2u);
}

TEST_P(ViewsLimit, TheSameAgentsAgainAndANewPairAreOneTooMany) {
  std::vector<AgentSpec> agents;
  for (std::size_t i = 0; i < most_; ++i) agents.push_back(agent(i, i));
  expect_taken(agents);
  agents.push_back(agent(1000, spare_));
  expect_refused(agents, most_);
}

TEST_P(ViewsLimit, ARefusedListLeavesItsAgentsTheirPairs) {
  expect_refused({agent(0, spare_), agent(1, 0), agent(1000, spare_ + 1)}, 2);
  EXPECT_EQ(engine_->agent_count(), most_);
  EXPECT_EQ(settle(), 0u);
  for (const std::size_t i : {0, 1}) {
    const std::optional<AgentView> kept = engine_->agent(AgentId{i});
    EXPECT_EQ(kept->spec, agent(i, i));
    EXPECT_TRUE(kept->has_verdict);
  }
  expect_refused({agent(1000, spare_)}, 0);
  expect_taken({agent(0, spare_), agent(1, 0)});
  EXPECT_EQ(settle(), 2u);
}

TEST_P(ViewsLimit, AQueryDoesNotHoldAPairThatItsAgentLeaves) {
  ASSERT_TRUE(engine_->capture(profile_of(0), TeamId{0}).ok());
  expect_taken({agent(0, spare_)});
  EXPECT_EQ(error_reason(engine_->capture(profile_of(0), TeamId{0}).status()), "VIEWS_TOO_MANY");
}

TEST_P(ViewsLimit, TestChangesWithANewPairIsRefused) {
  TestChanges test;
  test.pairs = {{kHere, kThere, profile_of(0), TeamId{0}},
                {kHere, kThere, profile_of(spare_), TeamId{0}}};
  if (GetParam() == WorldKind::kGrid) {
    test.batch.upsert_obstacles = {{.id = ObstacleId{1}, .shape = CellRect{5, 0, 6, 1}}};
  } else {
    test.batch.graph_edits = {SwitchGraphNode{2, false}};
  }
  const absl::Status status = engine_->test(test).status();
  EXPECT_EQ(error_reason(status), "VIEWS_TOO_MANY") << status;
  EXPECT_EQ(error_field(status), "pairs[1].profile");
  test.pairs.pop_back();
  EXPECT_TRUE(engine_->test(test).ok());
}

INSTANTIATE_TEST_SUITE_P(All, ViewsLimit, ::testing::Values(WorldKind::kGrid, WorldKind::kGraph),
                         [](const auto& test) {
                           return test.param == WorldKind::kGrid ? "Grid" : "Graph";
                         });

// A standing agent has a view of its own.
using GridViewsLimit = ViewsLimit;
TEST_P(GridViewsLimit, TheOnlyAgentOfAPairStandsAndWalksOn) {
  AgentSpec standing = agent(2, 2);
  standing.stands = true;
  expect_taken({standing});
  expect_refused({agent(1000, 2)}, 0);
  expect_taken({agent(2, 2)});
  expect_taken({agent(1000, 2)});
  expect_refused({standing}, 0);
}
INSTANTIATE_TEST_SUITE_P(All, GridViewsLimit, ::testing::Values(WorldKind::kGrid),
                         [](const auto&) { return "Grid"; });

}  // namespace
}  // namespace repath
