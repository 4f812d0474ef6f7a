// Random sequences of all commands of an engine, on worlds of every kind side by side. Engines are
// destroyed while searches run. Nothing crashes, the engine's figures agree at every moment, and at
// rest every verdict equals a fresh query.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>

#include "property/engine/command_kinds.h"
#include "support/seed.h"
#include "support/thread_executor.h"

namespace repath {
namespace {

using test::CommandKind;
using test::one_of;

constexpr std::uint32_t kAgentIds = 14;
constexpr std::uint32_t kOwners = 3;

// The facts that a client may learn about an agent from events alone.
struct Heard {
  // Latest except COST_CHANGED and CONFIRMED; empty: none that counts.
  std::optional<EventType> verdict;
  OwnerId owner{};
};

class CommandTrial {
 public:
  CommandTrial(std::unique_ptr<CommandKind> kind, std::uint64_t seed, Executor* executor)
      : kind_(std::move(kind)), random_(seed), executor_(*executor) {
    begin();
  }

  void act() {
    switch (random_.below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        apply();
        break;
      case 5:
        try_out();
        break;
      case 6:
      case 7:
      case 8:
        upsert();
        break;
      case 9:
      case 10:
      case 11:
        report();
        break;
      case 12:
        remove();
        break;
      case 13:
        query();
        break;
      case 14:
        if (random_.below(40) == 0) begin_again();
        break;
      default:
        plan();
    }
    listen();
    check_books();
  }

  // Without further changes all agents come to rest, and every verdict is right.
  void rest() {
    for (int frame = 0; frame < 3000 && !engine_->is_idle(); ++frame)
      engine_->step(20'000, now_ += 1000);
    listen();
    check_books();
    ASSERT_TRUE(engine_->is_idle()) << "never settles";
    check_verdicts();
    check_replay();
  }

  std::uint64_t events() const { return events_; }
  std::uint64_t accepted() const { return hashes_.size(); }

 private:
  void begin() {
    EngineOptions options;
    options.strategy = static_cast<Strategy>(random_.below(2) == 0 ? 0 : random_.below(5));
    if (random_.below(3) == 0) options.search_memory_bytes = 1u << (10 + random_.below(10));
    if (random_.below(3) == 0) options.first_leg_cells = 1;
    if (random_.below(3) == 0) options.log_changes_max = random_.below(100);
    if (random_.below(3) == 0) options.log_bytes_max = 1u << (8 + random_.below(8));
    options.agents_max = random_.below(4) == 0 ? 6 : 1000;
    engine_ = kind_->make(options, executor_);
    heard_.clear();
    accepted_.clear();
    hashes_.clear();
  }

  // Destroys the engine while searches run, sometimes after a check of its content.
  void begin_again() {
    if (random_.below(2) == 0) check_replay();
    engine_.reset();
    begin();
  }

  AgentId any_id() { return AgentId{1 + random_.below(kAgentIds)}; }
  OwnerId any_owner() { return OwnerId{random_.below(kOwners)}; }

  void apply() {
    ApplyChanges command;
    command.batch = kind_->batch(&random_);
    if (random_.below(8) == 0) command.request_id = "r" + std::to_string(random_.below(1000));
    const Revision before = engine_->revision();
    if (random_.below(6) == 0)
      command.expected_revision = Revision{value(before) + random_.below(3) / 2};
    const std::uint64_t hash = engine_->state_hash();
    const auto answer = engine_->apply(command, now_);
    if (!answer.ok() || answer->repeated_request) {
      EXPECT_EQ(engine_->revision(), before);
      EXPECT_EQ(engine_->state_hash(), hash);
      return;
    }
    EXPECT_EQ(answer->revision, next(before));
    EXPECT_EQ(answer->revision, engine_->revision());
    EXPECT_EQ(answer->waiting_agents, engine_->waiting(std::nullopt, now_).agents);
    accepted_.push_back(command.batch);
    hashes_.push_back(answer->state_hash);
  }

  void try_out() {
    TestChanges command;
    command.batch = kind_->batch(&random_);
    for (std::uint32_t pairs = random_.below(3); pairs > 0; --pairs)
      command.pairs.push_back({kind_->point(&random_), kind_->point(&random_),
                               one_of(&random_, kind_->profiles()),
                               TeamId{static_cast<std::uint8_t>(random_.below(3))}});
    const std::uint64_t hash = engine_->state_hash();
    const auto answer = engine_->test(command);
    EXPECT_EQ(engine_->state_hash(), hash);
    if (!answer.ok()) return;
    EXPECT_EQ(answer->pairs.size(), command.pairs.size());
    EXPECT_LE(answer->cut_off_agents.size(), answer->affected_agents.size());
  }

  AgentSpec random_spec() {
    AgentSpec spec;
    spec.id = any_id();
    spec.profile = one_of(&random_, kind_->profiles());
    spec.team = TeamId{static_cast<std::uint8_t>(random_.below(3))};
    spec.position = kind_->point(&random_);
    if (random_.below(3) == 0) {
      spec.goals = {shared_goal_.value_or(kind_->point(&random_))};
      shared_goal_ = spec.goals.front();
    } else {
      for (std::uint32_t goals = 1 + random_.below(3); goals > 0; --goals)
        spec.goals.push_back(kind_->point(&random_));
    }
    if (random_.below(3) == 0) spec.goal_radius = 3 * random_.unit();
    spec.min_improvement_ratio = random_.below(3) == 0 ? random_.unit() / 2 : 0;
    spec.allow_partial = random_.below(3) == 0;
    spec.snap_start = random_.below(2) == 0;
    spec.stands = random_.below(6) == 0;
    if (kind_->has_crowds() && random_.below(5) == 0)
      spec.crowd = CrowdSpec{1 + 8 * random_.unit(), 1 + 8 * random_.unit(), 0.5};
    retune(&spec);
    return spec;
  }
  void retune(AgentSpec* spec) {
    spec->priority = random_.below(8);
    spec->max_staleness_ms = random_.below(50);
    spec->confirm = random_.below(4) == 0;
    spec->goal_generation = random_.below(100);
  }

  void upsert() {
    std::vector<AgentSpec> specs;
    for (std::uint32_t agents = 1 + random_.below(3); agents > 0; --agents) {
      AgentSpec spec = random_spec();
      if (const auto view = engine_->agent(spec.id); view && random_.below(2) == 0) {
        spec = view->spec;
        retune(&spec);
        if (random_.below(4) == 0) spec.position = kind_->point(&random_);
        if (random_.below(4) == 0) spec.stands = !spec.stands;
        if (random_.below(4) == 0) spec.team = TeamId{static_cast<std::uint8_t>(random_.below(3))};
      }
      specs.push_back(spec);
    }
    std::vector<bool> keeps;
    for (const AgentSpec& spec : specs) {
      const auto view = engine_->agent(spec.id);
      keeps.push_back(view && is_same_question(view->spec, spec));
    }
    const std::uint64_t before = engine_->agent_count();
    const OwnerId owner = any_owner();
    const absl::Status status = engine_->upsert_agents(specs, owner, now_);
    if (!status.ok()) {
      EXPECT_EQ(engine_->agent_count(), before);
      return;
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const AgentView view = *engine_->agent(specs[i].id);
      EXPECT_EQ(view.spec, specs[i]);
      EXPECT_EQ(view.owner, owner);
      if (!keeps[i]) {
        EXPECT_FALSE(view.has_verdict);
        EXPECT_TRUE(view.waiting);
      }
      heard_[specs[i].id].owner = owner;
    }
  }

  void report() {
    std::vector<PositionReport> reports;
    std::vector<AgentId> unknown;
    for (std::uint32_t agents = 1 + random_.below(6); agents > 0; --agents) {
      PositionReport report{any_id(), kind_->point(&random_), {}};
      const auto view = engine_->agent(report.id);
      if (!view) unknown.push_back(report.id);
      if (view && random_.below(4) != 0) walk_on(*view, &report);
      reports.push_back(report);
    }
    const auto passed_over = engine_->report_positions(reports, now_);
    if (passed_over.ok()) {
      EXPECT_EQ(*passed_over, unknown);
    }
  }
  // Moves the agent some way along its path.
  void walk_on(const AgentView& view, PositionReport* report) {
    report->position = view.spec.position;
    report->path_version = view.verdict.path_version;
    if (!view.verdict.path) return;
    const AgentPath& path = *view.verdict.path;
    if (!path.nodes.empty()) {
      report->position = kind_->centre(one_of(&random_, path.nodes));
    } else if (!path.points.empty()) {
      const Spot& at = one_of(&random_, path.points).at;
      report->position = {at.x, at.z, at.y};
    }
    if (random_.below(3) == 0) engine_->acknowledge(report->id, report->path_version);
  }

  void remove() {
    const std::vector<AgentId> ids{any_id(), any_id()};
    switch (random_.below(8)) {
      case 0:
        engine_->remove_owner(any_owner(), EventReason::kSessionExpired);
        break;
      case 1:
        engine_->remove_agents(engine_->agent_ids(std::nullopt), EventReason::kRemovedByClient);
        EXPECT_EQ(engine_->agent_count(), 0u);
        break;
      default:
        engine_->remove_agents(ids, EventReason::kRemovedByClient);
        EXPECT_FALSE(engine_->agent(ids[0]).has_value());
    }
  }

  void query() {
    const auto snapshot = engine_->capture(one_of(&random_, kind_->profiles()),
                                           TeamId{static_cast<std::uint8_t>(random_.below(5))});
    if (!snapshot.ok()) return;
    EXPECT_EQ(snapshot->revision, engine_->revision());
    PathQuery query;
    query.from = kind_->point(&random_);
    query.goals = {kind_->point(&random_)};
    query.snap_start = query.allow_partial = random_.below(2) == 0;
    if (snapshot->grid != nullptr) {
      find_path(*snapshot->grid, query, {});
    } else {
      find_path(*snapshot->routes, query, {});
    }
    if (random_.below(2) == 0) kept_ = *snapshot;  // outlives changes, and the engine
  }

  void plan() {
    now_ += random_.below(20'000);
    if (random_.below(4) != 0) engine_->begin_frame();
    const WorkUnits budget =
        random_.below(3) == 0 ? 1 + random_.below(20'000) : 1 + random_.below(150);
    const StepReport report = engine_->plan(budget, now_);
    EXPECT_LE(report.used, budget);
    EXPECT_EQ(report.idle, engine_->is_idle());
    EXPECT_EQ(report.revision, engine_->revision());
  }

  void listen() {
    for (const AgentEvent& event : engine_->take_events()) {
      ++events_;
      SCOPED_TRACE("event " + std::to_string(static_cast<int>(event.type)) + " of agent " +
                   std::to_string(value(event.agent)));
      EXPECT_LE(event.revision, engine_->revision());
      if (event.type == EventType::kRemoved) {
        heard_.erase(event.agent);
        continue;
      }
      Heard& heard = heard_[event.agent];
      if (event.type == EventType::kAsked) {
        heard.verdict.reset();
        continue;
      }
      if (event.path) {
        EXPECT_EQ(event.path->revision, event.revision);
        EXPECT_EQ(event.path->cost, event.cost);
      }
      if (event.type == EventType::kInvalidated || event.type == EventType::kImproved) {
        EXPECT_TRUE(heard.verdict.has_value());
      }
      if (event.type != EventType::kCostChanged && event.type != EventType::kConfirmed)
        heard.verdict = event.type;
    }
  }

  // Lists, books and events agree about the agents and about their waits.
  void check_books() {
    const std::vector<AgentView> views = engine_->agents(AgentId{0}, 1000, true, std::nullopt);
    ASSERT_EQ(views.size(), engine_->agent_count());
    std::array<std::uint64_t, kOwners> waiting{};
    std::array<Revision, kOwners> settled;
    settled.fill(engine_->revision());
    for (const AgentView& view : views) {
      SCOPED_TRACE("agent " + std::to_string(value(view.spec.id)) + " at revision " +
                   std::to_string(value(engine_->revision())));
      const auto owner = static_cast<std::size_t>(view.owner);
      waiting[owner] += view.waiting ? 1 : 0;
      settled[owner] = std::min(settled[owner], view.settled);
      EXPECT_EQ(view.waiting, view.settled < engine_->revision());
      EXPECT_EQ(engine_->settled_revision_of(view.spec.id), view.settled);
      const Heard& heard = heard_[view.spec.id];
      EXPECT_EQ(view.owner, heard.owner);
      EXPECT_TRUE(heard.verdict || !view.has_verdict) << "a verdict of an older question";
      EXPECT_EQ(engine_->latest_verdict(view.spec.id).has_value(), view.has_verdict);
      if (view.has_verdict && heard.verdict) {
        EXPECT_EQ(view.verdict.type, *heard.verdict);
        EXPECT_EQ(view.verdict.goal_generation, view.spec.goal_generation);
      }
      EXPECT_TRUE(view.waiting || view.has_verdict) << "settled without a verdict";
    }
    EXPECT_EQ(heard_.size(), views.size());
    std::uint64_t all = 0;
    Revision least = engine_->revision();
    for (std::uint32_t i = 0; i < kOwners; ++i) {
      const OwnerId owner{i};
      EXPECT_EQ(engine_->waiting(owner, now_).agents, waiting[i]);
      EXPECT_EQ(engine_->settled_revision(owner), settled[i]);
      all += waiting[i];
      least = std::min(least, settled[i]);
    }
    EXPECT_EQ(engine_->waiting(std::nullopt, now_).agents, all);
    EXPECT_EQ(engine_->settled_revision(std::nullopt), least);
    EXPECT_EQ(engine_->is_idle(), all == 0);
  }

  void check_verdicts() {
    for (const AgentView& view : engine_->agents(AgentId{0}, 1000, true, std::nullopt)) {
      SCOPED_TRACE("agent " + std::to_string(value(view.spec.id)) + " at revision " +
                   std::to_string(value(engine_->revision())) + ", verdict " +
                   std::to_string(static_cast<int>(view.verdict.type)));
      ASSERT_NE(view.verdict.type, EventType::kInvalidated);
      ASSERT_TRUE(view.verdict.path.has_value());
      kind_->check_settled(engine_.get(), view);
    }
  }

  // The accepted batches make the same world again.
  void check_replay() {
    InlineExecutor executor;
    const std::unique_ptr<Engine> fresh = kind_->make({}, executor);
    for (std::size_t i = 0; i < accepted_.size(); ++i) {
      const auto answer = fresh->apply({accepted_[i], "", std::nullopt}, 0);
      ASSERT_TRUE(answer.ok()) << answer.status();
      ASSERT_EQ(answer->state_hash, hashes_[i]) << "batch " << i;
    }
    EXPECT_EQ(fresh->state_hash(), engine_->state_hash());
    EXPECT_EQ(fresh->revision(), engine_->revision());
    EXPECT_EQ(fresh->obstacle_count(), engine_->obstacle_count());
  }

  std::unique_ptr<CommandKind> kind_;
  Random random_;
  Executor& executor_;
  AnySnapshot kept_;
  std::unique_ptr<Engine> engine_;
  std::map<AgentId, Heard> heard_;
  std::vector<ChangeBatch> accepted_;
  std::vector<std::uint64_t> hashes_;  // hash of the world after each batch
  std::optional<MapPoint> shared_goal_;
  std::uint64_t events_ = 0;
  Micros now_ = 0;
};

// Plays on a grid, a mesh and a graph side by side, with the same executor.
void play(std::uint64_t seed, int commands, std::size_t workers) {
  SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
  test::ThreadExecutor executor(workers);
  Random random(seed);
  std::vector<std::unique_ptr<CommandTrial>> trials;
  trials.push_back(std::make_unique<CommandTrial>(std::make_unique<test::GridCommands>(&random),
                                                  random.next(), &executor));
  for (const bool is_mesh : {true, false})
    trials.push_back(std::make_unique<CommandTrial>(
        std::make_unique<test::RouteCommands>(&random, is_mesh), random.next(), &executor));
  for (int i = 0; i < commands && !::testing::Test::HasFailure(); ++i) {
    const std::uint32_t which = random.below(3);
    SCOPED_TRACE("command " + std::to_string(i) + " to world " + std::to_string(which));
    trials[which]->act();
    if (i % 200 == 199) trials[which]->rest();
  }
  for (std::size_t which = 0; which < trials.size() && !::testing::Test::HasFailure(); ++which) {
    SCOPED_TRACE("at the end of world " + std::to_string(which));
    trials[which]->rest();
  }
}

TEST(EngineCommands, InAnyOrderLeaveAConsistentEngine) {
  for (std::uint64_t game = 0; game < 12 && !HasFailure(); ++game)
    play(test::seed() + game, 300, game % 4 == 3 ? 3 : 0);
}

}  // namespace
}  // namespace repath
