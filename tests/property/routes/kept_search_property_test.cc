// Kept searches of graphs against searches from scratch: random graphs, random edits, starts that
// move, and slices of any length.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routes/places.h"
#include "support/query_ground.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

using test::GraphKind;

constexpr std::uint32_t kPlenty = std::numeric_limits<std::uint32_t>::max();

// One kept search, and the places that it is for.
class Kept {
 public:
  Kept(SearchKind kind, const QueryGround* ground, Random* random)
      : kind_(kind), ground_(ground), random_(random) {
    begin();
  }

  void begin() {
    const std::optional<RoutePlace> from = place();
    goals_.clear();
    for (std::uint32_t k = 1 + random_->below(3); k > 0; --k)
      if (const auto goal = place()) goals_.push_back(*goal);
    search_.reset();
    if (!from || goals_.empty()) return;
    from_ = *from;
    search_ = ground_->kept_search(kind_, from_, goals_);
    ASSERT_NE(search_, nullptr);
  }
  // Takes in a delta, and sometimes goes on for a while.
  void take_in(const RouteDelta& delta) {
    if (search_ == nullptr) return;
    search_->on_edges_changed(is_goal_rooted(kind_) ? delta.tails : delta.heads);
    if (random_->below(2) != 0) return;
    std::uint32_t some = random_->below(12);
    static_cast<void>(search_->advance(from_, &some));
  }
  void check() {
    if (search_ == nullptr) return begin();
    if (is_goal_rooted(kind_) && random_->below(3) == 0) from_ = place().value_or(from_);
    std::uint32_t plenty = kPlenty;
    const Progress progress = search_->advance(from_, &plenty);
    const std::unique_ptr<RouteSearch> fresh = ground_->search(from_, goals_);
    plenty = kPlenty;
    ASSERT_EQ(fresh->advance(&plenty), progress);
    if (progress != Progress::kPathFound) return;
    ++found_;
    EXPECT_EQ(search_->cost(from_), fresh->cost());
    std::vector<RoutePoint> route;
    search_->append_route(from_, &route);
    std::vector<RoutePoint> fresh_route;
    fresh->append_route(&fresh_route);
    // A place that has shut meanwhile can be left by a search, but no walk stands there.
    EXPECT_EQ(ground_->walk(route).cost, ground_->walk(fresh_route).cost);
    if (route.size() > 1 && ground_->walk(fresh_route).cost != kUnreachable) {
      EXPECT_EQ(ground_->walk(route).cost, fresh->cost());
    }
    EXPECT_EQ(route.front().at, from_.at);
  }
  int found() const { return found_; }

 private:
  std::optional<RoutePlace> place() const {
    return ground_->random_place({}, std::numeric_limits<double>::infinity(), random_);
  }

  SearchKind kind_;
  const QueryGround* ground_;
  Random* random_;
  RoutePlace from_;
  std::vector<RoutePlace> goals_;
  std::unique_ptr<KeptRouteSearch> search_;
  int found_ = 0;
};

TEST(KeptSearches, AnswerAsSearchesFromScratchDo) {
  int found = 0;
  for (int run = 0; run < 60 && !HasFailure(); ++run) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(run);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    GraphKind kind(static_cast<GraphKind::Shape>(run % 3));
    const std::unique_ptr<RouteWorld> world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{});
    const QueryGround& ground = test::query_ground(*world, view);
    std::vector<Kept> kept;
    for (const SearchKind of : {SearchKind::kLpa, SearchKind::kDStarLite, SearchKind::kField})
      kept.emplace_back(of, &ground, &random);
    for (int act = 0; act < 60 && !HasFailure(); ++act) {
      const auto commit = world->apply(kind.batch(&random));
      ASSERT_TRUE(commit.ok()) << commit.status();
      for (Kept& one : kept) {
        if (world->shape_since() == commit->revision)
          one.begin();
        else if (!commit->views.empty())
          one.take_in(commit->views.front());
        if (random.below(3) == 0) one.check();
      }
    }
    for (const Kept& one : kept) found += one.found();
  }
  EXPECT_GT(found, 2000) << "too little happened";
}

// A search on a copy goes back to the live ground and takes in what it missed.
TEST(KeptSearches, GoBackToTheLiveGround) {
  for (int run = 0; run < 40 && !HasFailure(); ++run) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(run);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    GraphKind kind;
    const std::unique_ptr<RouteWorld> world = kind.make(&random);
    const RouteViewId view = *world->acquire_view("default", TeamId{});
    std::shared_ptr<const QueryGround> copy = world->keep(view);
    const auto from = copy->random_place({}, 100, &random);
    const auto to = copy->random_place({}, 100, &random);
    ASSERT_TRUE(from && to);
    const auto kept = copy->kept_search(SearchKind::kDStarLite, *from, {&*to, 1});
    std::uint32_t some = random.below(30);
    static_cast<void>(kept->advance(*from, &some));
    std::vector<RouteDelta> deltas;
    for (int act = 0; act < 5; ++act) {
      auto commit = world->apply(kind.batch(&random));
      ASSERT_TRUE(commit.ok());
      for (RouteDelta& delta : commit->views) deltas.push_back(std::move(delta));
    }
    const QueryGround& live = test::query_ground(*world, view);
    kept->read(live);
    copy.reset();
    for (const RouteDelta& delta : deltas) kept->on_edges_changed(delta.tails);
    std::uint32_t plenty = kPlenty;
    const Progress progress = kept->advance(*from, &plenty);
    const auto fresh = live.search(*from, {&*to, 1});
    plenty = kPlenty;
    ASSERT_EQ(fresh->advance(&plenty), progress);
    if (progress == Progress::kPathFound) {
      EXPECT_EQ(kept->cost(*from), fresh->cost());
    }
  }
}

// On a mesh a kept search claims what a fresh one does: the route costs what it says, no less than
// the bound, and neither bound exceeds what the other found.
class KeptOnMesh {
 public:
  KeptOnMesh(SearchKind kind, NavWorld* world, RouteViewId view, Random* random)
      : kind_(kind), world_(*world), view_(view), random_(random) {}

  bool begin() {
    const std::optional<RoutePlace> from = place();
    const std::optional<RoutePlace> goal = place();
    if (!from || !goal) return false;
    from_ = from->at;
    goal_ = goal->at;
    search_ = ground().kept_search(kind_, *from, {&*goal, 1});
    return search_ != nullptr;
  }
  void take_in(const RouteDelta& delta) {
    search_->on_edges_changed(is_goal_rooted(kind_) ? delta.tails : delta.heads);
  }
  void check(double* excess) {
    if (is_goal_rooted(kind_) && random_->below(3) == 0)
      if (const auto other = place()) from_ = other->at;
    const auto from = stand_again(ground(), from_);
    const auto goal = stand_again(ground(), goal_);
    if (!from || !goal) return;
    Progress progress = Progress::kOutOfBudget;
    while (progress == Progress::kOutOfBudget) {
      std::uint32_t slice = 1 + random_->below(50);
      progress = search_->advance(*from, &slice);
    }
    const std::unique_ptr<RouteSearch> fresh = ground().search(*from, {&*goal, 1});
    std::uint32_t plenty = kPlenty;
    ASSERT_EQ(fresh->advance(&plenty), progress);
    if (progress != Progress::kPathFound) return;
    ++found_;
    std::vector<RoutePoint> route;
    search_->append_route(*from, &route);
    const Cost cost = search_->cost(*from);
    EXPECT_EQ(ground().walk(route).cost, cost);
    EXPECT_LE(search_->lower_bound(*from), cost);
    EXPECT_LE(search_->lower_bound(*from), fresh->cost());
    EXPECT_LE(fresh->lower_bound(), cost);
    *excess +=
        static_cast<double>(cost) / static_cast<double>(std::max<Cost>(fresh->cost(), 1)) - 1;
  }
  int found() const { return found_; }

 private:
  const NavGround& ground() const { return world_.ground(view_); }
  std::optional<RoutePlace> place() const {
    return ground().random_place({}, std::numeric_limits<double>::infinity(), random_);
  }

  SearchKind kind_;
  NavWorld& world_;
  RouteViewId view_;
  Random* random_;
  Spot from_;
  Spot goal_;
  std::unique_ptr<KeptRouteSearch> search_;
  int found_ = 0;
};

TEST(KeptSearches, OnMeshesClaimWhatFreshOnesDo) {
  for (const SearchKind kind : {SearchKind::kLpa, SearchKind::kDStarLite, SearchKind::kField}) {
    int found = 0;
    double excess = 0;
    for (int run = 0; run < 40 && !HasFailure(); ++run) {
      const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(run);
      SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed) + ", kind " +
                   std::to_string(static_cast<int>(kind)));
      Random random(seed);
      test::UnevenKind of(run % 4 != 0);
      const std::unique_ptr<RouteWorld> world = of.make(&random);
      auto& nav = dynamic_cast<NavWorld&>(*world);
      const RouteViewId view = *world->acquire_view("default", TeamId{});
      KeptOnMesh kept(kind, &nav, view, &random);
      for (int question = 0; question < 3 && kept.begin(); ++question)
        for (int act = 0; act < 15 && !HasFailure(); ++act) {
          const auto commit = world->apply(of.batch(&random));
          ASSERT_TRUE(commit.ok()) << commit.status();
          for (const RouteDelta& delta : commit->views) kept.take_in(delta);
          if (random.below(2) == 0) kept.check(&excess);
        }
      found += kept.found();
    }
    EXPECT_GT(found, 400) << "too little happened";
    EXPECT_LT(excess / found, 0.05);
  }
}

}  // namespace
}  // namespace repath
