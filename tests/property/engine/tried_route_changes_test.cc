// TestChanges on meshes and graphs, against the same batch applied for real. The dry run predicts
// the result and leaves no trace itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/queries.h"
#include "property/engine/new_paths.h"
#include "routes/places.h"
#include "support/route_kinds.h"
#include "support/seed.h"
#include "unit/engine/route_bed.h"

namespace repath {
namespace {

using test::length_of;
using test::RouteBed;
using test::RouteKind;

constexpr std::uint64_t kAgents = 12;

TeamId team_of(std::uint64_t id) { return TeamId{static_cast<std::uint8_t>(id % 2)}; }

class DryRun {
 public:
  DryRun(RouteKind* kind, std::uint64_t seed)
      : kind_(kind), random_(seed), bed_(kind->make(&random_)) {
    for (std::uint64_t id = 1; id <= kAgents; ++id) put(id);
  }

  void act() {
    if (random_.below(3) == 0) put(1 + random_.below(kAgents));
    if (random_.below(4) != 0) {
      bed_.settle();
      expect_as_asked();
    }
    bed_.events();
    TestChanges command{kind_->batch(&random_), pairs(), std::nullopt, 1000, 4};
    const std::vector<AgentView> before = agents();
    const absl::StatusOr<TestAnswer> tried = bed_->test(command);
    ASSERT_TRUE(tried.ok()) << tried.status();
    expect_no_trace(before);
    const std::vector<bool> connected_before = connected(command.pairs);
    const ChangeAnswer applied = bed_.apply(command.batch);
    const std::vector<bool> connected_after = connected(command.pairs);
    EXPECT_EQ(tried->revision, previous(applied.revision));
    EXPECT_EQ(tried->changed_edges, applied.changed_edges);
    EXPECT_FALSE(tried->truncated);
    for (std::size_t i = 0; i < command.pairs.size(); ++i) {
      EXPECT_EQ(tried->pairs[i].before, connected_before[i]);
      EXPECT_EQ(tried->pairs[i].after, connected_after[i]);
      parted += connected_before[i] && !connected_after[i] ? 1 : 0;
    }
    led += test::expect_new_paths(&*bed_, *tried);
    expect_affected(before, tried->affected_agents);
    expect_cut_off(before, *tried);
  }

  // Tries a batch while agents wait. They get their verdicts before it is made for real.
  void act_while_waiting() {
    for (std::uint32_t times = random_.below(4); times > 0; --times) {
      const std::uint64_t id = 1 + random_.below(kAgents);
      bed_.report(id, kind_->point(&random_));
      has_moved_.insert(AgentId{id});
    }
    if (random_.below(2) == 0) put(1 + random_.below(kAgents));
    if (random_.below(2) == 0) bed_.apply(kind_->batch(&random_));
    bed_.events();
    const TestChanges command{kind_->batch(&random_), {}, std::nullopt, 1000, 0};
    const std::vector<AgentView> waiting = agents();
    const absl::StatusOr<TestAnswer> tried = bed_->test(command);
    ASSERT_TRUE(tried.ok()) << tried.status();
    expect_no_trace(waiting);
    bed_.settle();
    const std::vector<AgentView> before = agents();
    bed_.apply(command.batch);
    bed_.settle();
    std::vector<AgentId> then;
    for (const AgentView& was : before)
      if (was.held_cost != kUnreachable && bed_->agent(was.spec.id)->held_cost == kUnreachable)
        then.push_back(was.spec.id);
    EXPECT_EQ(tried->cut_off_agents, then);
    EXPECT_TRUE(std::ranges::includes(tried->affected_agents, tried->cut_off_agents));
    for (const AgentView& was : waiting)
      cut_off_waiting += was.waiting && std::ranges::binary_search(then, was.spec.id) ? 1 : 0;
  }

  int affected = 0;
  int cut_off = 0;
  int cut_off_waiting = 0;
  int parted = 0;
  int led = 0;  // new paths compared

 private:
  void put(std::uint64_t id) {
    AgentSpec spec = RouteBed::walker(id, kind_->point(&random_), kind_->point(&random_));
    if (random_.below(3) == 0) spec.goals.push_back(kind_->point(&random_));
    spec.goal_radius = random_.below(3) == 0 ? 1.5 : 0;
    spec.snap_start = random_.below(3) == 0;
    spec.team = team_of(id);
    bed_.put(spec);
    has_moved_.erase(spec.id);
  }
  std::vector<TestChanges::Pair> pairs() {
    std::vector<TestChanges::Pair> some;
    for (std::uint32_t i = 0; i < 4; ++i)
      some.push_back({kind_->point(&random_), kind_->point(&random_), "default", team_of(i)});
    return some;
  }
  std::vector<AgentView> agents() { return bed_->agents(AgentId{}, 100, true, std::nullopt); }

  // Checks on meshes that each agent was told what a query from its position is answered, unless it
  // may have walked along its path. REQUIRES: no agent waits.
  void expect_as_asked() {
    for (const AgentView& view : agents()) {
      const AnySnapshot world = *bed_->capture(view.spec.profile, view.spec.team);
      if (has_moved_.contains(view.spec.id) || !world.routes->is_continuous()) continue;
      PathQuery query;
      query.from = view.spec.position;
      query.goals = view.spec.goals;
      query.goal_radius = view.spec.goal_radius;
      query.snap_start = view.spec.snap_start;
      const PathAnswer answer = find_path(*world.routes, query, {});
      SCOPED_TRACE("agent " + std::to_string(value(view.spec.id)));
      const bool is_blocked =
          view.verdict.type == EventType::kStartBlocked ||
          (view.verdict.path && view.verdict.path->state == PathState::kStartBlocked);
      EXPECT_EQ(is_blocked, answer.state == QueryState::kStartBlocked);
      // A stand-in is the nearest place to the floor where the agent stood, not to its position.
      if (is_blocked && view.spec.snap_start) continue;
      EXPECT_EQ(view.held_cost == kUnreachable, answer.route.empty());
      if (view.held_cost == kUnreachable || answer.route.empty()) continue;
      EXPECT_NEAR(length_of(view.held_cost), length_of(answer.cost), 0.01);
      EXPECT_NEAR(view.verdict.path->points.front().at.y, answer.route.front().at.y, 0.01);
    }
  }

  std::vector<bool> connected(const std::vector<TestChanges::Pair>& some) {
    std::vector<bool> all;
    for (const TestChanges::Pair& pair : some) {
      const AnySnapshot world = *bed_->capture(pair.profile, pair.team);
      PathQuery query;
      query.from = pair.from;
      query.goals = {pair.to};
      all.push_back(find_path(*world.routes, query, {}).state == QueryState::kComplete);
    }
    return all;
  }

  void expect_no_trace(const std::vector<AgentView>& before) {
    EXPECT_TRUE(bed_.events().empty());
    const std::vector<AgentView> after = agents();
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_EQ(after[i].held_cost, before[i].held_cost);
      EXPECT_EQ(after[i].waiting, before[i].waiting);
      EXPECT_EQ(after[i].settled, before[i].settled);
      EXPECT_EQ(after[i].spot, before[i].spot);
    }
  }

  // Checks which agents get an event at once about their route or their ground. Also those whose
  // route no longer leads to a goal, which get it later.
  void expect_affected(const std::vector<AgentView>& before, const std::vector<AgentId>& tried) {
    std::set<AgentId> hit;
    for (const AgentEvent& event : bed_.events())
      if (event.type == EventType::kInvalidated || event.type == EventType::kCostChanged ||
          event.type == EventType::kStartBlocked)
        hit.insert(event.agent);
    EXPECT_TRUE(std::ranges::includes(tried, hit));
    std::set<AgentId> heard_later;
    for (const AgentEvent& event : bed_.settle())
      if (event.type == EventType::kReplanned || event.type == EventType::kUnreachable)
        heard_later.insert(event.agent);
    for (const AgentView& was : before) {
      const AgentId id = was.spec.id;
      if (was.waiting || was.held_cost == kUnreachable || hit.contains(id)) continue;
      // From a snapped start a better path comes as NEW_PATH, too.
      if (was.spec.snap_start) continue;
      EXPECT_EQ(std::ranges::binary_search(tried, id), heard_later.contains(id))
          << "agent " << value(id);
    }
    affected += static_cast<int>(tried.size());
  }

  void expect_cut_off(const std::vector<AgentView>& before, const TestAnswer& tried) {
    for (const AgentView& was : before) {
      if (was.waiting || was.held_cost == kUnreachable) continue;
      const bool is_cut_off = bed_->agent(was.spec.id)->held_cost == kUnreachable;
      EXPECT_EQ(std::ranges::binary_search(tried.cut_off_agents, was.spec.id), is_cut_off)
          << "agent " << value(was.spec.id);
      cut_off += is_cut_off ? 1 : 0;
    }
    EXPECT_TRUE(std::ranges::includes(tried.affected_agents, tried.cut_off_agents));
  }

  RouteKind* kind_;
  Random random_;
  RouteBed bed_;
  std::set<AgentId> has_moved_;  // since they were put
};

template <class MakeKind>
void run_dry_runs(int worlds, MakeKind&& make_kind) {
  int affected = 0;
  int cut_off = 0;
  int cut_off_waiting = 0;
  int parted = 0;
  int led = 0;
  for (int i = 0; i < worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    auto kind = make_kind();
    DryRun run(&kind, seed);
    for (int k = 0; k < 40 && !::testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE("act " + std::to_string(k));
      run.act();
      run.act_while_waiting();
    }
    affected += run.affected;
    cut_off += run.cut_off;
    cut_off_waiting += run.cut_off_waiting;
    parted += run.parted;
    led += run.led;
  }
  EXPECT_GT(affected, worlds);
  EXPECT_GT(cut_off, worlds / 2);
  EXPECT_GT(cut_off_waiting, worlds / 2);
  EXPECT_GT(parted, worlds / 2);
  EXPECT_GT(led, worlds / 2);
}

TEST(TriedRouteChanges, SayOnAPlaneWhatHappensThen) {
  run_dry_runs(40, [] { return test::PlaneKind(1); });
}

TEST(TriedRouteChanges, SayOnNavmeshesWhatHappensThen) {
  run_dry_runs(40, [] { return test::NavKind(); });
}

TEST(TriedRouteChanges, SayWhereFloorsAreCloseWhatHappensThen) {
  for (const double rise : {0.5, 1.5}) run_dry_runs(20, [&] { return test::NavKind(rise); });
}

TEST(TriedRouteChanges, SayWithLinksWhichAgentsAreCutOff) {
  int cut_off = 0;
  for (std::uint64_t i = 0; i < 40 && !HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + i;
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    test::UnevenKind kind;
    DryRun run(&kind, seed);
    for (int k = 0; k < 40 && !HasFailure(); ++k) run.act_while_waiting();
    cut_off += run.cut_off_waiting;
  }
  EXPECT_GT(cut_off, 20);
}

TEST(TriedRouteChanges, SayOnGraphsWhatHappensThen) {
  run_dry_runs(40, [] { return test::GraphKind(); });
}

}  // namespace
}  // namespace repath
