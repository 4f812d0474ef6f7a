// Agents that search again with the results of an earlier search, after obstacles came, went or
// covered ground and agents walked. They hold what a fresh search finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "route_ground/rerouter.h"
#include "routes/nav_world.h"
#include "routes/places.h"
#include "support/route_kinds.h"
#include "support/seed.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

constexpr double kWidth = 24;
constexpr double kDepth = 16;
constexpr std::uint64_t kAgents = 9;  // enough to share a goal

std::unique_ptr<RouteWorld> halls(Random* random) {
  std::vector<std::string> rows(static_cast<std::size_t>(kDepth),
                                std::string(static_cast<std::size_t>(kWidth), '.'));
  for (std::string& row : rows)
    for (char& c : row)
      if (random->below(8) == 0) c = '#';
  NavWorld::Source source{.name = "halls", .mesh = test::squares(rows)};
  if (random->below(2) == 0) source.landmarks = 1 + random->below(16);
  auto world = NavWorld::create(std::move(source));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

class HindsightTrial {
 public:
  explicit HindsightTrial(std::uint64_t seed)
      : random_(seed),
        world_(halls(&random_)),
        rerouter_(*world_, RouteOptions{.search_memory_bytes = some_bytes()}, executor_) {
    for (int k = 0; k < 6; ++k) shut_at(some_point());
    const MapPoint shared = some_point();
    const bool is_shared = random_.below(2) == 0;
    for (std::uint64_t id = 1; id <= kAgents; ++id) {
      AgentSpec spec;
      spec.id = AgentId{id};
      spec.position = some_point();
      spec.goals = {is_shared ? shared : some_point()};
      EXPECT_TRUE(rerouter_.upsert(std::span(&spec, 1), OwnerId{1}, 0).ok());
    }
  }

  // Does some random things; then all agents come to rest and are checked.
  void act() {
    for (std::uint32_t k = 1 + random_.below(3); k > 0; --k) happen();
    for (int frame = 0; frame < 1000 && rerouter_.waiting().size() > 0; ++frame)
      rerouter_.step(1'000, 0);
    ASSERT_EQ(rerouter_.waiting().size(), 0u);
    rerouter_.take_events();
    for (std::uint64_t id = 1; id <= kAgents; ++id) expect_best(AgentId{id});
    const RouteState& state = rerouter_.state();
    kept_ = std::max(kept_, state.hindsight.bytes());
    surveyed_ += state.goals_of(*state.agents.find(AgentId{1})).survey != nullptr;
  }

  std::uint64_t compared() const { return compared_; }
  std::uint64_t kept() const { return kept_; }
  std::uint64_t surveyed() const { return surveyed_; }

 private:
  // Sometimes too few for all agents.
  std::uint64_t some_bytes() { return random_.below(4) == 0 ? 4'000 : 1'000'000; }

  void happen() {
    const AgentId id{1 + random_.below(kAgents)};
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2:
        return shut_at(point_on_path(id));
      case 3:
      case 4:
        return open_one();
      case 5:
      case 6:
        return report(id, point_on_path(id));
      default:
        if (random_.below(3) == 0) return report(id, some_point());
        return shut_at(rerouter_.view(id, false)->spec.goals[0]);
    }
  }

  void apply(const ChangeBatch& batch) {
    rerouter_.before_commit();
    auto commit = world_->apply(batch);
    ASSERT_TRUE(commit.ok()) << commit.status();
    rerouter_.on_commit(*std::move(commit), 0);
  }
  void shut_at(MapPoint at) {
    const ObstacleId id{next_id_++};
    const Point middle{at.x + test::between(&random_, -0.5, 0.5),
                       at.y + test::between(&random_, -0.5, 0.5)};
    ChangeBatch batch;
    batch.upsert_obstacles.push_back(
        {id, Box{middle, test::between(&random_, 0.1, 1), test::between(&random_, 0.1, 1), 0}});
    shut_.push_back(id);
    apply(batch);
    if (shut_.size() > 14) open_one();
  }
  void open_one() {
    const auto last = static_cast<std::uint32_t>(shut_.size() - 1);
    const std::uint32_t which = random_.below(4) == 0 ? random_.below(last + 1) : last;
    ChangeBatch batch;
    batch.remove_obstacles.push_back(shut_[which]);
    shut_.erase(shut_.begin() + which);
    apply(batch);
    if (shut_.empty()) shut_at(some_point());
  }
  void report(AgentId id, MapPoint at) {
    rerouter_.report({id, at, rerouter_.view(id, true)->verdict.path_version}, 0);
  }

  MapPoint some_point() {
    return {test::between(&random_, 0, kWidth), test::between(&random_, 0, kDepth), 0};
  }
  // Returns a point on the agent's latest path; near the agent if it has none.
  MapPoint point_on_path(AgentId id) {
    const AgentView view = *rerouter_.view(id, true);
    if (!view.verdict.path || view.verdict.path->points.size() < 2) return some_point();
    const std::vector<RoutePoint>& points = view.verdict.path->points;
    const std::size_t leg = random_.below(static_cast<std::uint32_t>(points.size() - 1));
    const double share = random_.unit();
    const Spot& a = points[leg].at;
    const Spot& b = points[leg + 1].at;
    return {a.x + share * (b.x - a.x), a.z + share * (b.z - a.z), 0};
  }

  void expect_best(AgentId id) {
    const AgentView view = *rerouter_.view(id, true);
    const RouteGround& ground =
        world_->ground(rerouter_.state().agents.row(*rerouter_.state().agents.find(id)).view);
    const auto from = stand_again(ground, view.spot);
    const std::vector<Spot> wanted = {spot_of(view.spec.goals[0])};
    const auto goals = places_of_goals(ground, wanted, 0);
    Cost least = kUnreachable;
    if (from && !goals.empty()) {
      const auto search = ground.search(*from, goals);
      std::uint32_t plenty = 10'000'000;
      if (search->advance(&plenty) == Progress::kPathFound) least = search->cost();
    }
    if (least == kUnreachable || view.held_cost == kUnreachable) {
      EXPECT_EQ(view.held_cost, least) << "agent " << value(id);
      return;
    }
    // A path along ground that is covered by a hair is as long as one that is not, except for that.
    constexpr Cost kHair = static_cast<Cost>(kRouteCostUnit * 2e-3);
    EXPECT_LE(view.held_cost, least + kHair) << "agent " << value(id);
    EXPECT_LE(least, view.held_cost + kHair) << "agent " << value(id);
    ++compared_;
  }

  Random random_;
  InlineExecutor executor_;
  std::unique_ptr<RouteWorld> world_;
  Rerouter rerouter_;
  std::vector<ObstacleId> shut_;
  std::uint64_t next_id_ = 1;
  std::uint64_t compared_ = 0;
  std::uint64_t kept_ = 0;
  std::uint64_t surveyed_ = 0;
};

TEST(Hindsight, IsNeverWrong) {
  std::uint64_t compared = 0;
  std::uint64_t kept = 0;
  std::uint64_t surveyed = 0;
  for (std::uint64_t i = 0; i < 300 && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + i;
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    HindsightTrial trial(seed);
    for (int k = 0; k < 100 && !::testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE("act " + std::to_string(k));
      trial.act();
    }
    compared += trial.compared();
    kept = std::max(kept, trial.kept());
    surveyed += trial.surveyed();
  }
  EXPECT_GT(compared, 10'000u);
  EXPECT_GT(kept, 5'000u);
  EXPECT_GT(surveyed, 50u);
}

}  // namespace
}  // namespace repath
