#include "runtime/latest_verdicts.h"

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "unit/runtime/square.h"

namespace repath {
namespace {

class Latest : public testing::Test {
 protected:
  Latest()
      : engine_(Engine::create(*World::create(test::square_spec(), WorldLimits{}), EngineOptions{},
                               executor_)) {}
  void add(std::initializer_list<std::uint64_t> ids) {
    std::vector<AgentSpec> agents;
    for (const std::uint64_t id : ids) agents.push_back(test::walker(id));
    ASSERT_TRUE(engine_->upsert_agents(agents, kNoOwner, 1).ok());
  }

  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
  LatestVerdicts latest_{*engine_};
};

TEST_F(Latest, AreWhatTheAgentsViewsSay) {
  add({3, 1, 2});
  EXPECT_EQ(latest_.agents(), (std::vector{AgentId{1}, AgentId{2}, AgentId{3}}));
  EXPECT_EQ(latest_.of(AgentId{1}), nullptr);  // it waits for its first verdict
  EXPECT_EQ(latest_.of(AgentId{9}), nullptr);
  engine_->step(1'000'000, 2);
  latest_.forget();
  ASSERT_TRUE(engine_->report_positions({{{AgentId{1}, {2.5, 0.5}, PathVersion{1}}}}, 3).ok());
  const EventPtr event = latest_.of(AgentId{1});
  const AgentEvent viewed = engine_->agent(AgentId{1})->verdict;
  ASSERT_TRUE(event && event->path && viewed.path);
  EXPECT_EQ(event->path->nodes, viewed.path->nodes);
  EXPECT_EQ(event->cost, viewed.cost);
  EXPECT_EQ(event->position, viewed.position);
  EXPECT_EQ(event->revision, viewed.revision);
}

TEST_F(Latest, AreMadeOnceUntilTheyAreForgotten) {
  add({1});
  engine_->step(1'000'000, 2);
  const EventPtr event = latest_.of(AgentId{1});
  EXPECT_EQ(latest_.of(AgentId{1}), event);
  latest_.forget();
  EXPECT_NE(latest_.of(AgentId{1}), event);
}

TEST_F(Latest, OfAWorldWithoutAgentsKeepNothing) {
  EXPECT_TRUE(latest_.agents().empty());
  EXPECT_FALSE(latest_.expiry().has_value());
}

}  // namespace
}  // namespace repath
