// The lengths that a search over a navmesh leaves to the next one, and cases in which it leaves
// none.
#include "routes/route_ground.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "routes/nav_world.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

class HindsightOfSearches : public ::testing::Test {
 protected:
  // Pillars everywhere, and a wall across the place with a gap far from all paths.
  HindsightOfSearches() {
    std::vector<std::string> rows(30, std::string(40, '.'));
    for (std::size_t z = 1; z < 29; z += 3)
      for (std::size_t x = 1 + z % 2; x < 39; x += 3) rows[z][x] = '#';
    for (std::size_t z = 0; z < 28; ++z) rows[z][25] = '#';
    auto world = NavWorld::create({.name = "hall", .mesh = test::squares(rows), .profiles = {}});
    EXPECT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
    view_ = *world_->acquire_view("default", TeamId{0});
  }
  void shut(std::uint64_t id, Point at) {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back({ObstacleId{id}, Box{at, 1.1, 0.4, 0}});
    EXPECT_TRUE(world_->apply(batch).ok());
  }
  const RouteGround& ground() const { return world_->ground(view_); }
  RoutePlace place(double x, double z) const { return *ground().locate({x, 0, z}); }

  std::unique_ptr<RouteSearch> search(const HeldHindsight& known, double goal_z = 15.5) const {
    const RoutePlace goal = place(39.5, goal_z);
    auto search = ground().search_with(known, place(0.5, 15.5), {&goal, 1});
    std::uint32_t plenty = 1'000'000;
    EXPECT_EQ(search->advance(&plenty), Progress::kPathFound);
    return search;
  }
  HeldHindsight leave() const {
    auto left = search({.of = nullptr, .certain = 0, .wants_more = true})->hindsight();
    const Cost certain = left != nullptr ? left->certain() : 0;
    return {std::move(left), certain};
  }

  std::unique_ptr<NavWorld> world_;
  RouteViewId view_{};
};

TEST_F(HindsightOfSearches, SparesMostOfTheNextSearch) {
  shut(1, {3, 3});
  const HeldHindsight known = leave();
  ASSERT_NE(known.of, nullptr);
  EXPECT_GT(known.of->bytes(), 1000u);
  shut(2, {25.5, 28.5});
  const auto fresh = search({});
  const auto knowing = search(known);
  EXPECT_EQ(knowing->cost(), fresh->cost());
  EXPECT_LT(2 * knowing->expanded(), fresh->expanded());
  EXPECT_EQ(fresh->hindsight(), nullptr);
  EXPECT_EQ(knowing->hindsight(), nullptr);
}

TEST_F(HindsightOfSearches, LeavesTheSameRoute) {
  shut(1, {3, 3});
  const auto fresh = search({});
  const auto leaving = search({.of = nullptr, .certain = 0, .wants_more = true});
  EXPECT_EQ(leaving->cost(), fresh->cost());
  std::vector<RoutePoint> a;
  std::vector<RoutePoint> b;
  fresh->append_route(&a);
  leaving->append_route(&b);
  EXPECT_EQ(a.front().at, b.front().at);
  EXPECT_EQ(a.back().at, b.back().at);
}

TEST_F(HindsightOfSearches, IsOfOneGoal) {
  shut(1, {3, 3});
  const HeldHindsight known = leave();
  shut(2, {25.5, 28.5});
  const auto fresh = search({}, 3.5);
  const auto other = search(known, 3.5);
  EXPECT_EQ(other->cost(), fresh->cost());
  EXPECT_EQ(other->expanded(), fresh->expanded());
}

TEST_F(HindsightOfSearches, IsNotLeftAsLongAsNothingChanges) {
  EXPECT_EQ(leave().of, nullptr);
  shut(1, {3, 3});
  EXPECT_NE(leave().of, nullptr);
}

TEST_F(HindsightOfSearches, IsNotLeftForSeveralGoals) {
  shut(1, {3, 3});
  const std::vector<RoutePlace> goals = {place(39.5, 15.5), place(39.5, 3.5)};
  const auto search = ground().search_with({.of = nullptr, .certain = 0, .wants_more = true},
                                           place(0.5, 15.5), goals);
  std::uint32_t plenty = 1'000'000;
  ASSERT_EQ(search->advance(&plenty), Progress::kPathFound);
  EXPECT_EQ(search->hindsight(), nullptr);
}

}  // namespace
}  // namespace repath
