// Agents do not notice commands that change nothing. One engine gets all commands, among
// them batches and agents that it refuses, dry runs and questions. Its twin hears what a recording
// has: commands that changed something, snapshots, and dry runs. Both give the same events, in the
// same frames and for the same work.
//
// Snapshots and dry runs may make views. The twin makes them, too, because the order of agents'
// events within a commit is that of the views.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "property/engine/command_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::CommandKind;
using test::one_of;

constexpr std::uint32_t kTwinAgents = 14;

// Returns all that an event says.
std::string told(const AgentEvent& event) {
  std::string text = "agent " + std::to_string(value(event.agent));
  const auto add = [&](const char* name, auto number) {
    text += std::string(" ") + name + "=" + std::to_string(number);
  };
  add("type", static_cast<int>(event.type));
  add("reason", static_cast<int>(event.reason));
  add("owner", static_cast<std::uint64_t>(event.owner));
  add("revision", value(event.revision));
  add("version", value(event.path_version));
  add("old", event.old_cost);
  add("cost", event.cost);
  add("waited", event.waited_frames);
  add("waited_us", event.waited_us);
  for (const Revision cause : event.cause_revisions) add("cause", value(cause));
  for (const ObstacleId cause : event.cause_obstacles) add("obstacle", value(cause));
  if (!event.path) return text;
  add("state", static_cast<int>(event.path->state));
  add("optimality", static_cast<int>(event.path->optimality));
  add("weight", std::bit_cast<std::uint64_t>(event.path->weight));
  for (const NodeId node : event.path->nodes) add("node", index(node));
  for (const RoutePoint& point : event.path->points) {
    add("x", std::bit_cast<std::uint64_t>(point.at.x));
    add("y", std::bit_cast<std::uint64_t>(point.at.y));
    add("z", std::bit_cast<std::uint64_t>(point.at.z));
  }
  return text;
}

// A search of a query that is under way, with the ground that it borrows.
struct QueryUnderWay {
  AnySnapshot snapshot;
  std::unique_ptr<RouteSearch> search;
};

class Twins {
 public:
  Twins(std::unique_ptr<CommandKind> kind, std::uint64_t seed)
      : kind_(std::move(kind)), random_(seed) {
    EngineOptions options;
    options.strategy = static_cast<Strategy>(random_.below(2) == 0 ? 0 : random_.below(5));
    if (random_.below(3) == 0) options.search_memory_bytes = 1u << (10 + random_.below(10));
    if (random_.below(3) == 0) options.first_leg_cells = 1;
    if (random_.below(3) == 0) options.log_changes_max = random_.below(100);
    if (random_.below(3) == 0) options.log_bytes_max = 1u << (8 + random_.below(8));
    busy_ = kind_->make(options, executor_);
    quiet_ = kind_->make(options, executor_);
  }

  void act() {
    const std::uint32_t dice = random_.below(30);
    if (dice < 5) {
      apply();
    } else if (dice < 8) {
      upsert();
    } else if (dice < 12) {
      report();
    } else if (dice < 13) {
      remove();
    } else if (dice < 14) {
      try_out();
    } else if (dice < 17) {
      begin_query();
    } else if (dice < 20) {
      go_on_with_queries();
    } else if (dice < 21) {
      look();
    } else {
      plan();
    }
    compare();
  }

  std::uint64_t events() const { return events_; }
  std::uint64_t refused() const { return refused_; }
  std::uint64_t queries() const { return queries_; }

 private:
  AgentId any_id() { return AgentId{1 + random_.below(kTwinAgents)}; }
  TeamId any_team() { return TeamId{static_cast<std::uint8_t>(random_.below(3))}; }

  void apply() {
    ApplyChanges command;
    command.batch = kind_->batch(&random_);
    if (random_.below(3) == 0) command.batch.switch_obstacles.push_back({ObstacleId{99}, true});
    const auto answer = busy_->apply(command, now_);
    refused_ += answer.ok() ? 0 : 1;
    if (!answer.ok()) return;
    const auto twin = quiet_->apply(command, now_);
    ASSERT_TRUE(twin.ok()) << twin.status();
    EXPECT_EQ(answer->state_hash, twin->state_hash);
    EXPECT_EQ(answer->invalidated_agents, twin->invalidated_agents);
  }

  void upsert() {
    std::vector<AgentSpec> specs;
    for (std::uint32_t agents = 1 + random_.below(3); agents > 0; --agents) {
      AgentSpec spec;
      spec.id = any_id();
      spec.profile = one_of(&random_, kind_->profiles());
      spec.team = any_team();
      spec.position = kind_->point(&random_);
      if (!shared_goal_ || random_.below(3) != 0) shared_goal_ = kind_->point(&random_);
      spec.goals = {*shared_goal_};
      if (random_.below(3) == 0) spec.goals.push_back(kind_->point(&random_));
      if (random_.below(3) == 0) spec.goal_radius = 3 * random_.unit();
      spec.min_improvement_ratio = random_.below(3) == 0 ? random_.unit() / 2 : 0;
      spec.allow_partial = random_.below(3) == 0;
      spec.snap_start = random_.below(2) == 0;
      spec.priority = random_.below(8);
      spec.confirm = random_.below(4) == 0;
      specs.push_back(spec);
    }
    const absl::Status status = busy_->upsert_agents(specs, OwnerId{1}, now_);
    if (!status.ok()) return;
    ASSERT_TRUE(quiet_->upsert_agents(specs, OwnerId{1}, now_).ok());
  }

  void report() {
    std::vector<PositionReport> reports;
    for (std::uint32_t agents = 1 + random_.below(4); agents > 0; --agents) {
      PositionReport report{any_id(), kind_->point(&random_), {}};
      const auto view = busy_->agent(report.id);
      if (view && view->verdict.path && random_.below(4) != 0) walk_on(*view, &report);
      reports.push_back(report);
    }
    const auto unknown = busy_->report_positions(reports, now_);
    if (!unknown.ok()) return;
    ASSERT_TRUE(quiet_->report_positions(reports, now_).ok());
  }
  void walk_on(const AgentView& view, PositionReport* report) {
    report->path_version = view.verdict.path_version;
    const AgentPath& path = *view.verdict.path;
    if (!path.nodes.empty()) report->position = kind_->centre(one_of(&random_, path.nodes));
    if (path.points.empty()) return;
    const Spot& at = one_of(&random_, path.points).at;
    report->position = {at.x, at.z, at.y};
  }

  void remove() {
    const std::vector<AgentId> ids{any_id()};
    busy_->remove_agents(ids, EventReason::kRemovedByClient);
    quiet_->remove_agents(ids, EventReason::kRemovedByClient);
  }

  void plan() {
    now_ += random_.below(20'000);
    const bool begins_frame = random_.below(4) != 0;
    const WorkUnits budget =
        random_.below(3) == 0 ? 1 + random_.below(20'000) : 1 + random_.below(150);
    std::optional<StepReport> first;
    for (Engine* engine : {busy_.get(), quiet_.get()}) {
      if (begins_frame) engine->begin_frame();
      const StepReport report = engine->plan(budget, now_);
      if (first) {
        EXPECT_EQ(report.used, first->used) << "work units";
        EXPECT_EQ(report.backlog, first->backlog);
      }
      first = report;
    }
  }

  // ---- questions ----
  void try_out() {
    TestChanges command;
    command.batch = kind_->batch(&random_);
    for (std::uint32_t pairs = random_.below(3); pairs > 0; --pairs)
      command.pairs.push_back({kind_->point(&random_), kind_->point(&random_),
                               one_of(&random_, kind_->profiles()), any_team()});
    busy_->test(command).IgnoreError();
    quiet_->test(command).IgnoreError();
  }

  void begin_query() {
    const std::vector<std::string> names = kind_->profiles();
    const std::string& profile = one_of(&random_, names);
    const TeamId team = any_team();
    const auto snapshot = busy_->capture(profile, team);
    quiet_->capture(profile, team).IgnoreError();
    if (!snapshot.ok()) return;
    ++queries_;
    PathQuery query;
    query.from = kind_->point(&random_);
    query.goals = {kind_->point(&random_)};
    query.snap_start = query.allow_partial = random_.below(2) == 0;
    if (snapshot->grid != nullptr) {
      find_path(*snapshot->grid, query, {});
      return;
    }
    find_path(*snapshot->routes, query, {});
    const QueryGround& ground = *snapshot->routes;
    const auto from = stand_at(ground, spot_of(query.from));
    const auto to = stand_at(ground, spot_of(query.goals.front()));
    if (!from || !to || under_way_.size() >= 4) return;
    under_way_.push_back({*snapshot, ground.search(*from, std::span(&*to, 1))});
  }
  // Queries go on while the world changes, and end at any time.
  void go_on_with_queries() {
    for (QueryUnderWay& query : under_way_) {
      std::uint32_t units = 1 + random_.below(40);
      static_cast<void>(query.search->advance(&units));
    }
    if (!under_way_.empty() && random_.below(2) == 0) {
      under_way_.front().search.reset();
      under_way_.pop_front();
    }
  }

  void look() {
    busy_->agents(AgentId{0}, 1000, true, std::nullopt);
    busy_->glances();
    busy_->stats();
    busy_->settled_revision(std::nullopt);
    const absl::StatusOr<CopyId> copy = busy_->begin_copy();
    if (!copy.ok()) return;
    if (!busy_->advance_copy(*copy, 1000)) busy_->end_copy(*copy);
  }

  void compare() {
    const std::vector<AgentEvent> busy = busy_->take_events();
    const std::vector<AgentEvent> quiet = quiet_->take_events();
    for (std::size_t i = 0; i < std::max(busy.size(), quiet.size()); ++i)
      ASSERT_EQ(i < busy.size() ? told(busy[i]) : "no event",
                i < quiet.size() ? told(quiet[i]) : "no event");
    events_ += busy.size();
  }

  InlineExecutor executor_;
  std::unique_ptr<CommandKind> kind_;
  Random random_;
  std::unique_ptr<Engine> busy_;
  std::unique_ptr<Engine> quiet_;
  std::deque<QueryUnderWay> under_way_;
  std::optional<MapPoint> shared_goal_;
  Micros now_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t queries_ = 0;
};

template <class MakeKind>
void play_twins(int worlds, MakeKind&& make_kind) {
  std::uint64_t events = 0;
  std::uint64_t refused = 0;
  std::uint64_t queries = 0;
  for (int world = 0; world < worlds && !::testing::Test::HasFailure(); ++world) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(world);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    Twins twins(make_kind(&random), random.next());
    for (int k = 0; k < 400 && !::testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE("command " + std::to_string(k));
      twins.act();
    }
    events += twins.events();
    refused += twins.refused();
    queries += twins.queries();
  }
  const auto least = static_cast<std::uint64_t>(worlds);
  EXPECT_GT(events, 20 * least);
  EXPECT_GT(refused, 5 * least);
  EXPECT_GT(queries, 5 * least);
}

TEST(UntoldCommands, HaveNoInfluenceOnGrids) {
  play_twins(10, [](Random* random) { return std::make_unique<test::GridCommands>(random); });
}
TEST(UntoldCommands, HaveNoInfluenceOnMeshes) {
  play_twins(8, [](Random* random) { return std::make_unique<test::RouteCommands>(random, true); });
}
TEST(UntoldCommands, HaveNoInfluenceOnGraphs) {
  play_twins(30,
             [](Random* random) { return std::make_unique<test::RouteCommands>(random, false); });
}

}  // namespace
}  // namespace repath
