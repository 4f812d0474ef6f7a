// Random games on worlds of every kind whose engine is lost again and again. The world is made
// again from its batches, and the agents are restored. A twin on an equal world gets the same
// agents as new ones. From then on both are given the same commands, and every event of one must
// equal that of the other, but for reason and version. At rest every verdict equals a fresh query.
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "property/engine/command_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::CommandKind;
using test::one_of;

class RestartTrial {
 public:
  RestartTrial(std::unique_ptr<CommandKind> kind, std::uint64_t seed)
      : kind_(std::move(kind)), random_(seed) {
    options_.strategy = static_cast<Strategy>(random_.below(2) == 0 ? 0 : random_.below(5));
    if (random_.below(3) == 0) options_.search_memory_bytes = 1u << (10 + random_.below(10));
    if (random_.below(3) == 0) options_.first_leg_cells = 1;
    if (random_.below(3) == 0) options_.log_changes_max = random_.below(100);
    if (random_.below(3) == 0) options_.log_bytes_max = 1u << (8 + random_.below(8));
    engine_ = kind_->make(options_, executor_);
  }

  // Takes the engine away, makes its world again and restores its agents.
  void restart() {
    std::vector<RestoredAgent> agents;
    for (const AgentView& view : engine_->agents(AgentId{0}, 1000, false, std::nullopt))
      agents.push_back({view.spec, view.owner, 1 + random_.below(1000)});
    const Revision revision = engine_->revision();
    const std::uint64_t hash = engine_->state_hash();
    twin_ = make_again({});
    first_version_ = PathVersion{++incarnation_ << 32};
    engine_ = make_again(first_version_);
    ASSERT_EQ(engine_->revision(), revision);
    ASSERT_EQ(engine_->state_hash(), hash);
    const absl::Status restored = engine_->restore_agents(agents, now_);
    ASSERT_TRUE(restored.ok()) << restored;
    unheard_.clear();
    for (const RestoredAgent& agent : agents) {
      unheard_.insert(agent.spec.id);
      if (!twin_) continue;
      // On graphs nodes may have gone from around the agent, so that no new one is taken there.
      if (!twin_->upsert_agents(std::span(&agent.spec, 1), agent.owner, now_).ok()) twin_.reset();
    }
    if (twin_) ++twins_;
    EXPECT_TRUE(engine_->take_events().empty());
    if (twin_) {
      EXPECT_TRUE(twin_->take_events().empty());
    }
    for (const RestoredAgent& agent : agents) {
      const AgentView view = *engine_->agent(agent.spec.id);
      EXPECT_EQ(view.spec, agent.spec);
      EXPECT_EQ(view.owner, agent.owner);
      EXPECT_EQ(view.position_age_us, agent.position_age_us);
      EXPECT_TRUE(view.waiting);
    }
    check_silence();
  }

  void act() {
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2:
        apply();
        break;
      case 3:
      case 4:
        upsert();
        break;
      case 5:
      case 6:
        report();
        break;
      case 7:
        remove();
        break;
      default:
        plan(1 + random_.below(random_.below(3) == 0 ? 20'000 : 150));
    }
    listen();
    check_silence();
  }

  void rest() {
    for (int frame = 0; frame < 3000 && !engine_->is_idle(); ++frame) plan(20'000);
    listen();
    ASSERT_TRUE(engine_->is_idle()) << "never settles";
    EXPECT_TRUE(unheard_.empty()) << "agent " << value(*unheard_.begin()) << " got no verdict";
    for (const AgentView& view : engine_->agents(AgentId{0}, 1000, true, std::nullopt)) {
      SCOPED_TRACE("agent " + std::to_string(value(view.spec.id)));
      ASSERT_TRUE(view.has_verdict);
      kind_->check_settled(engine_.get(), view);
    }
  }

  std::uint64_t recovered() const { return recovered_; }
  std::uint64_t twins() const { return twins_; }

 private:
  std::unique_ptr<Engine> make_again(PathVersion first_version) {
    EngineOptions options = options_;
    options.first_path_version = first_version;
    std::unique_ptr<Engine> engine = kind_->make(options, executor_);
    for (const ChangeBatch& batch : accepted_) {
      const auto answer = engine->apply({batch, "", std::nullopt}, now_);
      EXPECT_TRUE(answer.ok()) << answer.status();
    }
    return engine;
  }

  // Does the same to both engines.
  template <class Do>
  void both(Do&& act) {
    act(engine_.get());
    if (twin_) act(twin_.get());
  }

  void apply() {
    const ChangeBatch batch = kind_->batch(&random_);
    both([&](Engine* engine) {
      const auto answer = engine->apply({batch, "", std::nullopt}, now_);
      if (answer.ok() && engine == engine_.get()) accepted_.push_back(batch);
    });
  }

  void upsert() {
    AgentSpec spec;
    spec.id = AgentId{1 + random_.below(12)};
    spec.profile = one_of(&random_, kind_->profiles());
    spec.team = TeamId{static_cast<std::uint8_t>(random_.below(3))};
    spec.position = kind_->point(&random_);
    for (std::uint32_t goals = 1 + random_.below(3); goals > 0; --goals)
      spec.goals.push_back(kind_->point(&random_));
    if (random_.below(3) == 0) spec.goal_radius = 3 * random_.unit();
    spec.min_improvement_ratio = random_.below(3) == 0 ? random_.unit() / 2 : 0;
    spec.allow_partial = random_.below(3) == 0;
    spec.snap_start = random_.below(2) == 0;
    spec.stands = random_.below(6) == 0;
    spec.priority = random_.below(8);
    spec.confirm = random_.below(4) == 0;
    spec.goal_generation = random_.below(100);
    const OwnerId owner{random_.below(3)};
    const auto known = engine_->agent(spec.id);
    if (known && random_.below(2) == 0) {
      spec = known->spec;
      spec.priority = random_.below(8);
    }
    bool taken = false;
    both([&](Engine* engine) {
      taken = engine->upsert_agents(std::span(&spec, 1), owner, now_).ok();
    });
    if (taken && !known) unheard_.erase(spec.id);
  }

  void report() {
    PositionReport report{AgentId{1 + random_.below(12)}, kind_->point(&random_), {}};
    const auto view = engine_->agent(report.id);
    std::uint64_t step = 0;
    if (view && view->verdict.path && random_.below(4) != 0) {
      const AgentPath& path = *view->verdict.path;
      step = value(view->verdict.path_version) - value(first_version_);
      if (!path.nodes.empty()) report.position = kind_->centre(one_of(&random_, path.nodes));
      if (!path.points.empty()) {
        const Spot& at = one_of(&random_, path.points).at;
        report.position = {at.x, at.z, at.y};
      }
    }
    both([&](Engine* engine) {
      const std::uint64_t first = engine == engine_.get() ? value(first_version_) : 0;
      report.path_version = PathVersion{step == 0 ? 0 : first + step};
      (void)engine->report_positions(std::span(&report, 1), now_);
    });
  }

  void remove() {
    const AgentId id{1 + random_.below(12)};
    both([&](Engine* engine) {
      engine->remove_agents(std::span(&id, 1), EventReason::kRemovedByClient);
    });
  }

  void plan(WorkUnits budget) {
    now_ += random_.below(20'000);
    both([&](Engine* engine) { engine->step(budget, now_); });
  }

  void listen() {
    const std::vector<AgentEvent> events = engine_->take_events();
    for (const AgentEvent& event : events) hear(event);
    if (!twin_) return;
    std::vector<AgentEvent> wanted = twin_->take_events();
    ASSERT_EQ(events.size(), wanted.size());
    for (std::size_t i = 0; i < events.size(); ++i) check_same(events[i], std::move(wanted[i]));
  }

  void hear(const AgentEvent& event) {
    SCOPED_TRACE("agent " + std::to_string(value(event.agent)));
    EXPECT_GE(event.path_version, first_version_);
    if (event.path && (!event.path->nodes.empty() || !event.path->points.empty())) {
      EXPECT_GT(event.path->version, first_version_);
    }
    const bool is_due = unheard_.contains(event.agent);
    if (event.reason == EventReason::kRecovered) {
      ++recovered_;
      EXPECT_TRUE(is_due);
      EXPECT_EQ(event.type, EventType::kNewPath);
    }
    // The first event of an agent is a verdict, or its question was replaced, or it is gone.
    if (is_due) {
      EXPECT_FALSE(is_note(event.type));
      EXPECT_NE(event.type, EventType::kImproved);
      EXPECT_NE(event.type, EventType::kInvalidated);
      EXPECT_NE(event.type, EventType::kReplanned);
      if (event.type == EventType::kNewPath) {
        EXPECT_EQ(event.reason, EventReason::kRecovered);
      }
    }
    unheard_.erase(event.agent);
  }

  void check_same(const AgentEvent& event, AgentEvent wanted) const {
    SCOPED_TRACE("agent " + std::to_string(value(event.agent)) + ", event " +
                 std::to_string(static_cast<int>(event.type)));
    const std::uint64_t first = value(first_version_);
    EXPECT_EQ(event.type, wanted.type);
    if (event.reason == EventReason::kRecovered) {
      EXPECT_EQ(wanted.reason, EventReason::kNewAgent);
    } else {
      EXPECT_EQ(event.reason, wanted.reason);
    }
    EXPECT_EQ(event.agent, wanted.agent);
    EXPECT_EQ(event.owner, wanted.owner);
    EXPECT_EQ(event.revision, wanted.revision);
    EXPECT_EQ(event.position, wanted.position);
    EXPECT_EQ(event.spot, wanted.spot);
    EXPECT_EQ(value(event.path_version), first + value(wanted.path_version));
    EXPECT_EQ(event.old_cost, wanted.old_cost);
    EXPECT_EQ(event.cost, wanted.cost);
    EXPECT_EQ(event.cause_revisions, wanted.cause_revisions);
    EXPECT_EQ(event.cause_obstacles, wanted.cause_obstacles);
    EXPECT_EQ(event.waited_frames, wanted.waited_frames);
    EXPECT_EQ(event.waited_us, wanted.waited_us);
    EXPECT_EQ(event.goal_generation, wanted.goal_generation);
    EXPECT_EQ(event.first_invalid_node, wanted.first_invalid_node);
    ASSERT_EQ(event.path.has_value(), wanted.path.has_value());
    if (!event.path) return;
    EXPECT_EQ(event.path->state, wanted.path->state);
    EXPECT_EQ(event.path->optimality, wanted.path->optimality);
    EXPECT_EQ(event.path->cost, wanted.path->cost);
    EXPECT_EQ(event.path->nodes, wanted.path->nodes);
    ASSERT_EQ(event.path->points.size(), wanted.path->points.size());
    for (std::size_t i = 0; i < event.path->points.size(); ++i)
      EXPECT_EQ(event.path->points[i].at, wanted.path->points[i].at);
  }

  // Silence claims nothing for an agent before its first event.
  void check_silence() const {
    for (const AgentId id : unheard_) {
      const auto view = engine_->agent(id);
      if (!view) continue;
      EXPECT_EQ(view->settled, Revision{0});
      EXPECT_EQ(engine_->settled_revision(view->owner), Revision{0});
    }
  }

  std::unique_ptr<CommandKind> kind_;
  Random random_;
  InlineExecutor executor_;
  EngineOptions options_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Engine> twin_;  // null: not comparable
  std::vector<ChangeBatch> accepted_;
  std::set<AgentId> unheard_;  // restored agents without an event
  PathVersion first_version_{};
  std::uint64_t incarnation_ = 0;
  std::uint64_t recovered_ = 0;
  std::uint64_t twins_ = 0;
  Micros now_ = 0;
};

// Plays on a grid, a mesh (kind 1) or a graph (kind 2), and counts.
void play(std::uint32_t kind, std::uint64_t* recovered, std::uint64_t* twins) {
  for (std::uint64_t game = 0; game < 8 && !::testing::Test::HasFailure(); ++game) {
    const std::uint64_t seed = test::seed() + game;
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    std::unique_ptr<CommandKind> commands;
    if (kind == 0) {
      commands = std::make_unique<test::GridCommands>(&random);
    } else {
      commands = std::make_unique<test::RouteCommands>(&random, kind == 1);
    }
    RestartTrial trial(std::move(commands), random.next());
    for (int life = 0; life < 5 && !::testing::Test::HasFailure(); ++life) {
      SCOPED_TRACE("life " + std::to_string(life));
      if (life > 0) trial.restart();
      for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) trial.act();
      if (life % 2 == 1) trial.rest();
    }
    *recovered += trial.recovered();
    *twins += trial.twins();
  }
}

class RestoringEngines : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RestoringEngines, GoOnAsWithNewAgentsOnTheSameWorld) {
  std::uint64_t recovered = 0;
  std::uint64_t twins = 0;
  play(GetParam(), &recovered, &twins);
  EXPECT_GT(recovered, 20u);
  EXPECT_GT(twins, 10u);
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, RestoringEngines, testing::Values(0u, 1u, 2u));

}  // namespace
}  // namespace repath
