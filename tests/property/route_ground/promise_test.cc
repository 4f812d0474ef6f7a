// The promise (server/docs/promise.md) on meshes and graphs: random edits, agents that walk, stray
// and change their questions, and budgets from one unit up. See promise_checker.h.
#include <gtest/gtest.h>

#include "base/executor.h"
#include "property/route_ground/promise_checker.h"
#include "support/route_kinds.h"
#include "support/seed.h"
#include "support/thread_executor.h"

namespace repath {
namespace {

using test::Believed;
using test::GraphKind;
using test::NavKind;
using test::PlaneKind;
using test::PromiseChecker;
using test::RouteKind;
using test::UnevenKind;

class Trial {
 public:
  Trial(RouteKind* kind, std::uint64_t seed, Executor* executor = nullptr,
        const RouteOptions& options = {})
      : kind_(kind),
        random_(seed),
        world_(kind->make(&random_)),
        rerouter_(*world_, options, executor != nullptr ? *executor : inline_executor_),
        checker_(world_.get(), &rerouter_) {
    for (std::uint64_t id = 1; id <= 5; ++id) put(id);
  }

  void act() {
    switch (random_.below(12)) {
      case 0:
        put(1 + random_.below(5));
        break;
      case 1:
        stray(1 + random_.below(5));
        break;
      case 2:
      case 3:
      case 4:
      case 5:
        commit();
        break;
      case 6:
      case 7:
      case 8:
        for (auto& [id, agent] : checker_.agents()) walk(id, &agent);
        break;
      default:
        step(1 + random_.below(random_.below(2) == 0 ? 40 : 2000));
        break;
    }
    checker_.check();
  }

  // Without further edits all agents come to rest.
  void rest() {
    for (int frame = 0; frame < 5000 && rerouter_.waiting().size() > 0; ++frame) step(200);
    EXPECT_EQ(rerouter_.waiting().size(), 0u);
    checker_.check();
  }

  // Edits and steps in every frame, for some frames; returns the longest wait.
  std::uint64_t storm(int frames, WorkUnits budget) {
    std::uint64_t longest = 0;
    for (int frame = 0; frame < frames; ++frame) {
      commit();
      checker_.check();
      for (auto& [id, agent] : checker_.agents())
        random_.below(4) == 0 ? stray(value(id)) : walk(id, &agent);
      step(budget);
      checker_.check();
      longest = std::max(longest, rerouter_.waiting().oldest_wait(rerouter_.frame()));
    }
    return longest;
  }

  Stats stats() const { return rerouter_.stats(); }
  std::uint64_t events() const { return checker_.events(); }
  const std::string& log() const { return checker_.log(); }
  const PromiseChecker& checker() const { return checker_; }

 private:
  void step(WorkUnits budget) {
    const WorkUnits used = rerouter_.step(budget, now_ += 16'000);
    EXPECT_LE(used, budget);
  }

  void put(std::uint64_t id) {
    AgentSpec spec;
    spec.id = AgentId{id};
    spec.team = TeamId{static_cast<std::uint8_t>(id % 2)};
    spec.position = kind_->point(&random_);
    const std::uint32_t goals = 1 + random_.below(2);
    spec.goals.push_back(kind_->point(&random_));
    if (goals > 1) spec.goals.push_back(kind_->goal_beside(spec.goals[0], &random_));
    spec.goal_radius = random_.below(2) == 0 ? 0 : 2.5;
    spec.priority = random_.below(3);
    spec.min_improvement_ratio = random_.below(4) == 0 ? 0.2 : 0;
    spec.allow_partial = random_.below(3) == 0 || kind_->wants_partial;
    spec.snap_start = random_.below(3) == 0;
    spec.confirm = random_.below(3) == 0;
    spec.curves = kind_->turning_radius > 0 && random_.below(4) != 0;
    ASSERT_TRUE(rerouter_.upsert(std::span(&spec, 1), OwnerId{1}, now_).ok());
    Believed& agent = checker_.agents()[spec.id];
    const PathVersion version = agent.version;
    agent = {};
    agent.spec = spec;
    agent.version = version;
  }

  void commit() {
    rerouter_.before_commit();
    auto commit = world_->apply(kind_->batch(&random_));
    ASSERT_TRUE(commit.ok()) << commit.status();
    checker_.keep();
    rerouter_.on_commit(*std::move(commit), now_);
  }

  void stray(std::uint64_t id) {
    Believed& agent = checker_.agents().at(AgentId{id});
    const PositionReport report{AgentId{id}, kind_->point(&random_), agent.version};
    rerouter_.report(report, now_);
    agent.led = rerouter_.view(AgentId{id}, false)->spot;
    agent.has_reported = true;
    if (rerouter_.view(AgentId{id}, false)->held_cost == kUnreachable) agent.path.clear();
  }

  // Walks some way along the path that the client believes in; this must not cost the agent its
  // verdict.
  void walk(AgentId id, Believed* agent) {
    if (agent->path.size() < 2 || agent->is_blocked || random_.below(3) == 0) return;
    const AgentView before = *rerouter_.view(id, true);
    if (before.waiting) return;
    const std::vector<RoutePoint> rest = agent->rest();
    if (rest.size() < 2) return;
    const auto leg = static_cast<std::size_t>(
        random_.below(static_cast<std::uint32_t>(std::min<std::size_t>(2, rest.size() - 1))));
    const RouteGround& ground = checker_.ground(agent->spec, world_->revision());
    Spot to = rest[leg + 1].at;
    // On a link there is no place: an agent goes to its end.
    if (ground.is_continuous() && !rest[leg].link && random_.below(4) != 0) {
      const double share = random_.unit();
      const Spot& a = rest[leg].at;
      const Spot on{a.x + share * (to.x - a.x), a.y, a.z + share * (to.z - a.z)};
      const RoutePlace begin = *stand_again(ground, a);
      // Empty: not even the leg's end is in sight. Then go to that.
      if (const auto height = ground.height_along(begin, to, on)) to = {on.x, *height, on.z};
    }
    rerouter_.report({id, {to.x, to.z, to.y}, agent->version}, now_);
    const AgentView after = *rerouter_.view(id, true);
    agent->led = after.spot;
    agent->has_reported = true;
    EXPECT_FALSE(after.waiting) << "agent " << value(id) << " walked from " << rest[0].at.x << ", "
                                << rest[0].at.z << " to " << to.x << ", " << to.z;
    const double off = std::hypot(after.spot.x - to.x, after.spot.z - to.z);
    EXPECT_TRUE(off <= kRouteReportReach ||
                PromiseChecker::is_end_of_link_at(ground, to, after.spot))
        << off;
    if (after.waiting) agent->path.clear();
  }

  RouteKind* kind_;
  Random random_;
  InlineExecutor inline_executor_;
  std::unique_ptr<RouteWorld> world_;
  Rerouter rerouter_;
  PromiseChecker checker_;
  Micros now_ = 0;
};

// Returns what the searches of all games did. Where agents keep a turning radius, some turn and
// some have no room for that.
template <class MakeKind>
StrategyStats run_many(int runs, int acts, MakeKind&& make_kind, const RouteOptions& options = {}) {
  std::uint64_t events = 0;
  std::uint64_t turns = 0;
  std::uint64_t tight = 0;
  StrategyStats sum;
  for (int i = 0; i < runs && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    auto kind = make_kind();
    Trial trial(&kind, seed, nullptr, options);
    for (int k = 0; k < acts && !::testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE("act " + std::to_string(k));
      trial.act();
    }
    trial.rest();
    events += trial.events();
    turns += trial.checker().turns();
    tight += trial.checker().tight();
    for (const StrategyStats& of : trial.stats().strategies) {
      sum.searches += of.searches;
      sum.repairs += of.repairs;
    }
  }
  EXPECT_GT(events, static_cast<std::uint64_t>(runs) * 20) << "too little happened";
  EXPECT_EQ(turns > 0, make_kind().turning_radius > 0) << turns;
  EXPECT_EQ(tight > 0, make_kind().turning_radius > 0) << tight;
  return sum;
}

constexpr Strategy kStrategies[] = {Strategy::kAuto, Strategy::kAStar, Strategy::kLpa,
                                    Strategy::kDStarLite, Strategy::kField};

TEST(RoutePromise, OnAPlane) {
  run_many(60, 150, [] { return PlaneKind(1); });
}

TEST(RoutePromise, OnAPlaneWithBoundsOnly) {
  run_many(30, 150, [] { return PlaneKind(0.8); });
}

TEST(RoutePromise, OnNavmeshes) {
  run_many(60, 120, [] { return NavKind(); });
}

// Agents and goals at all heights between floors, so that which floor they mean matters.
TEST(RoutePromise, OnNavmeshesWithFloorsCloseAboveEachOther) {
  for (const double rise : {0.5, 1.5, 2.5}) run_many(20, 120, [&] { return NavKind(rise); });
}

// Returns a kind whose agents keep this turning radius.
template <class Kind>
Kind turning(Kind kind, double radius) {
  kind.turning_radius = radius;
  return kind;
}

TEST(RoutePromise, OfAgentsThatKeepATurningRadius) {
  for (const double radius : {0.3, 1.5}) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    run_many(30, 150, [&] { return turning(PlaneKind(1), radius); });
    run_many(15, 150, [&] { return turning(PlaneKind(0.8), radius); });
    run_many(30, 120, [&] { return turning(NavKind(), radius); });
    run_many(20, 120, [&] { return turning(UnevenKind(), radius); });
  }
}

TEST(RoutePromise, OnGraphs) {
  run_many(60, 150, [] { return GraphKind(); });
}

TEST(RoutePromise, OnGraphsByEachStrategy) {
  for (const Strategy strategy : kStrategies) {
    SCOPED_TRACE("strategy " + std::to_string(static_cast<int>(strategy)));
    const StrategyStats stats =
        run_many(40, 150, [] { return GraphKind(); }, {.strategy = strategy});
    EXPECT_EQ(stats.repairs > 0, strategy != Strategy::kAStar);
  }
}

// Edges cheaper than their length end what kept searches know.
TEST(RoutePromise, OnGraphsWithEdgesBelowTheBound) {
  for (const Strategy strategy : kStrategies) {
    SCOPED_TRACE("strategy " + std::to_string(static_cast<int>(strategy)));
    run_many(30, 150, [] { return GraphKind(GraphKind::Shape::kLowPrices); },
             {.strategy = strategy});
  }
}

// Goals that lie close together and cannot be reached: one node often stands for both.
TEST(RoutePromise, OnGraphsInParts) {
  for (const Strategy strategy : kStrategies) {
    SCOPED_TRACE("strategy " + std::to_string(static_cast<int>(strategy)));
    run_many(40, 150, [] { return GraphKind(GraphKind::Shape::kParts); }, {.strategy = strategy});
  }
}

TEST(RoutePromise, OnGraphsWithMemoryForFewSearches) {
  for (const Strategy strategy : {Strategy::kLpa, Strategy::kDStarLite, Strategy::kField})
    run_many(20, 150, [] { return GraphKind(); },
             {.strategy = strategy, .search_memory_bytes = 4000});
}

TEST(RoutePromise, OnMeshesByFreshSearches) {
  const StrategyStats stats =
      run_many(20, 120, [] { return NavKind(); }, {.strategy = Strategy::kAStar});
  EXPECT_EQ(stats.repairs, 0u);
}

// Dear ground, barred ground and links: what CorridorSearch finds elsewhere is repaired here.
TEST(RoutePromise, OnUnevenMeshesByEachStrategy) {
  for (const Strategy strategy : kStrategies) {
    SCOPED_TRACE("strategy " + std::to_string(static_cast<int>(strategy)));
    const StrategyStats stats =
        run_many(25, 120, [] { return UnevenKind(); }, {.strategy = strategy});
    const bool repairs = strategy != Strategy::kAStar && strategy != Strategy::kAuto;
    EXPECT_EQ(stats.repairs > 0, repairs);
  }
}

TEST(RoutePromise, OnUnevenMeshesWithMemoryForFewSearches) {
  for (const Strategy strategy : {Strategy::kLpa, Strategy::kDStarLite, Strategy::kField})
    run_many(10, 120, [] { return UnevenKind(); },
             {.strategy = strategy, .search_memory_bytes = 20'000});
}

// Logs that forget the changes of a few batches, or of each; the last one by its memory.
TEST(RoutePromise, OfWorldsThatForgetTheirChanges) {
  for (const Strategy strategy : kStrategies) {
    for (const RouteOptions& options :
         {RouteOptions{.strategy = strategy, .log_changes_max = 0},
          RouteOptions{.strategy = strategy, .log_changes_max = 4},
          RouteOptions{.strategy = strategy, .log_changes_max = 20},
          RouteOptions{.strategy = strategy, .log_bytes_max = 2000}}) {
      SCOPED_TRACE("strategy " + std::to_string(static_cast<int>(strategy)) + ", changes " +
                   std::to_string(options.log_changes_max));
      run_many(
          8, 120, [] { return GraphKind(); }, options);
      run_many(
          5, 120, [] { return UnevenKind(); }, options);
      if (strategy == Strategy::kAuto)
        run_many(
            10, 120, [] { return NavKind(); }, options);
    }
  }
}

// Plays one game and returns the events.
template <class Kind>
std::string log_of(Executor* executor, Strategy strategy) {
  Kind kind;
  Trial trial(&kind, test::seed(), executor, {.strategy = strategy});
  for (int k = 0; k < 150; ++k) trial.act();
  trial.rest();
  return trial.log();
}

TEST(RoutePromise, TheSameEventsByEachStrategyWithAnyNumberOfWorkers) {
  test::ThreadExecutor threads(3);
  for (const Strategy strategy : kStrategies) {
    EXPECT_EQ(log_of<GraphKind>(&threads, strategy), log_of<GraphKind>(nullptr, strategy));
    EXPECT_EQ(log_of<UnevenKind>(&threads, strategy), log_of<UnevenKind>(nullptr, strategy));
  }
}

TEST(RoutePromise, TheSameEventsWithAnyNumberOfWorkers) {
  test::ThreadExecutor threads(3);
  const std::string alone = log_of<NavKind>(nullptr, Strategy::kAuto);
  EXPECT_GT(alone.size(), 100u);
  EXPECT_EQ(log_of<NavKind>(&threads, Strategy::kAuto), alone);
}

TEST(RoutePromise, NobodyStarvesInAStorm) {
  for (int i = 0; i < 40 && !HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    PlaneKind kind = turning(PlaneKind(1), i % 2 == 0 ? 0 : 0.7);
    Trial trial(&kind, seed);
    // Five agents, each with a search of up to 30 nodes x 60 units.
    EXPECT_LT(trial.storm(120, 900), 30u);
    trial.rest();
  }
}

// Each frame brings edits; kept searches take these in, and end on a copy once that costs too much.
TEST(RoutePromise, NobodyStarvesInAStormOnAGraph) {
  for (const Strategy strategy : kStrategies)
    for (int i = 0; i < 10 && !HasFailure(); ++i) {
      const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
      SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
      GraphKind kind;
      Trial trial(&kind, seed, nullptr, {.strategy = strategy});
      EXPECT_LT(trial.storm(120, 200), 120u) << static_cast<int>(strategy);
      trial.rest();
    }
}

// Some routes are found on a copy and spoilt before they are sent: they claim what was proved
// there.
TEST(RoutePromise, NobodyStarvesInAStormOnUnevenMeshes) {
  // Seeds of agents in an obstacle that were never served, and of links that were entered from
  // ground beside their own.
  std::vector<std::uint64_t> seeds{469, 608, 1851, 1935};
  for (std::uint64_t i = 0; i < 10; ++i) seeds.push_back(test::seed() + i);
  for (const Strategy strategy : kStrategies)
    for (const std::uint64_t seed : seeds) {
      if (HasFailure()) return;
      SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
      UnevenKind kind;
      Trial trial(&kind, seed, nullptr, {.strategy = strategy});
      EXPECT_LT(trial.storm(120, 200), 120u) << static_cast<int>(strategy);
      trial.rest();
    }
}

}  // namespace
}  // namespace repath
