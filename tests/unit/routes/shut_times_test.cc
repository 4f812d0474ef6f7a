// RouteChange::shut_at: since when ground that a change opens had been shut.
#include "routes/shut_times.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "routes/nav_world.h"
#include "support/small_meshes.h"

namespace repath {
namespace {

// Even ground with one link; a view exists from revision 1 on.
class ShutTimesTest : public ::testing::Test {
 protected:
  ShutTimesTest() {
    MeshSource mesh = test::squares(std::vector<std::string>(12, std::string(12, '.')));
    mesh.links.push_back({.id = 5,
                          .from_cell = 0,
                          .to_cell = 100,
                          .from = test::at(0.5, 0.5),
                          .to = mesh.vertices[mesh.corners[mesh.cells[100].first]].at,
                          .enabled = false});
    world_ = *NavWorld::create({.name = "w", .mesh = std::move(mesh), .profiles = {}});
    view_ = *world_->acquire_view("default", TeamId{0});
  }

  RouteCommit apply(const ChangeBatch& batch) {
    auto commit = world_->apply(batch);
    EXPECT_TRUE(commit.ok()) << commit.status();
    return *std::move(commit);
  }
  void put(std::uint64_t id, Point centre, Effect effect = {}) {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back(
        {.id = ObstacleId{id}, .shape = Box{centre, 1, 1, 0}, .effect = effect});
    apply(batch);
  }
  static std::optional<Revision> told(const RouteCommit& commit, std::uint64_t id) {
    if (commit.views.empty()) return std::nullopt;
    for (const RouteChange& change : commit.views[0].changes)
      if (change.fell && change.cause == ObstacleId{id}) return change.shut_at;
    return std::nullopt;
  }
  // Empty if none of it opened.
  std::optional<Revision> free(std::uint64_t id) {
    ChangeBatch batch;
    batch.remove_obstacles.push_back(ObstacleId{id});
    return told(apply(batch), id);
  }

  std::unique_ptr<NavWorld> world_;
  RouteViewId view_{};
};

TEST_F(ShutTimesTest, ThatOfTheRevisionItCameWith) {
  put(1, {2, 2});
  put(2, {8, 8});
  EXPECT_EQ(free(1), Revision{2});
  EXPECT_EQ(free(2), Revision{3});
}

TEST_F(ShutTimesTest, OfWhatLiesAcrossTheOlderOneIsTakenOver) {
  put(1, {4, 4});
  put(2, {5, 5});
  put(3, {6.5, 6.5});  // over the second, but not over the first
  EXPECT_EQ(free(1), Revision{2});
  EXPECT_EQ(free(2), Revision{2}) << "a corner of it has been shut since then";
  EXPECT_EQ(free(3), Revision{2}) << "and of this one it may have been";
}

TEST_F(ShutTimesTest, WhatGoesUnseenIsTakenOverToo) {
  put(1, {4, 4});
  put(2, {4, 4});
  EXPECT_EQ(free(1), std::nullopt) << "nothing opened";
  EXPECT_EQ(free(2), Revision{2});
}

TEST_F(ShutTimesTest, OneThatMovesKeepsItsTimeOnlyAcrossItself) {
  put(1, {4, 4});
  put(1, {5, 5});
  put(1, {9, 9});
  EXPECT_EQ(free(1), Revision{4});
  put(2, {4, 4});
  put(2, {5, 5});
  EXPECT_EQ(free(2), Revision{6});
}

TEST_F(ShutTimesTest, OfWhatWasThereBeforeTheViewItIsNotKnown) {
  put(1, {4, 4});
  world_->release_view(view_);
  view_ = *world_->acquire_view("default", TeamId{0});
  EXPECT_EQ(free(1), Revision{});
}

TEST_F(ShutTimesTest, OtherGroundUnderItMakesItUnknown) {
  put(1, {4, 4});
  put(2, {5, 5}, {.blocked = false, .area = 3});
  EXPECT_EQ(free(1), Revision{});
  put(3, {5, 5});
  EXPECT_EQ(free(2), std::nullopt);
  EXPECT_EQ(free(3), Revision{});
  put(4, {4, 4}, {.blocked = false, .factor = 3});
  put(5, {4, 4});
  EXPECT_EQ(free(4), std::nullopt);
  EXPECT_EQ(free(5), Revision{});
}

TEST_F(ShutTimesTest, DearerGroundThatComesUnderItDoesNot) {
  put(1, {4, 4});
  put(2, {5, 5}, {.blocked = false, .factor = 3});
  EXPECT_EQ(free(1), Revision{2});
}

TEST_F(ShutTimesTest, ALinkThatOpensMakesAllUnknown) {
  put(1, {4, 4});
  ChangeBatch batch;
  batch.switch_links = {{5, true}};
  apply(batch);
  put(2, {8, 8});
  EXPECT_EQ(free(1), Revision{});
  EXPECT_EQ(free(2), Revision{4});
}

TEST_F(ShutTimesTest, AFormIsItsOwnAsLongAsItStandsAndWhenItStandsAgain) {
  put(1, {4, 4});
  const std::uint64_t form = world_->form_of(ObstacleId{1});
  EXPECT_NE(form, 0u);
  ChangeBatch off;
  off.switch_obstacles = {{ObstacleId{1}, false}};
  const RouteCommit commit = apply(off);
  ASSERT_EQ(commit.views[0].changes.size(), 1u);
  EXPECT_EQ(commit.views[0].changes[0].form, form);
  EXPECT_EQ(world_->form_of(ObstacleId{1}), 0u);
  ChangeBatch on;
  on.switch_obstacles = {{ObstacleId{1}, true}};
  apply(on);
  EXPECT_EQ(world_->form_of(ObstacleId{1}), form);
  put(1, {4, 5});
  EXPECT_NE(world_->form_of(ObstacleId{1}), form);
  put(1, {4, 4}, {.blocked = false, .factor = 2});
  EXPECT_EQ(world_->form_of(ObstacleId{1}), 0u);
  EXPECT_EQ(world_->form_of(ObstacleId{2}), 0u);
}

}  // namespace
}  // namespace repath
