#include <gtest/gtest.h>

#include "cli/canvas.h"
#include "cli/walkers.h"

namespace repath::cli {
namespace {

TEST(Canvas, DrawsEachCellAsItsMostImportantMark) {
  Canvas canvas(10, 20, 13, 22, {80, 24});
  canvas.put(10, 20, Mark::kFree);
  canvas.put(11, 20, Mark::kPath);
  canvas.put(11, 20, Mark::kClosed);
  canvas.put(12, 21, Mark::kGoal);
  canvas.put(9, 20, Mark::kGoal);    // Outside.
  canvas.put(13, 20, Mark::kStart);  // Outside.
  EXPECT_EQ(canvas.text(false), ".o \n  G\n");
}

TEST(Canvas, ScalesDownToWhatFits) {
  Canvas canvas(0, 0, 100, 10, {50, 24});
  EXPECT_EQ(canvas.scale(), 2);
  canvas.put(99, 9, Mark::kGoal);
  const std::string text = canvas.text(false);
  EXPECT_EQ(text.size(), 5u * 51u);
  EXPECT_EQ(text[4 * 51 + 49], 'G');
}

TEST(Canvas, ScaledGroundIsWhatMostOfItIs) {
  Canvas canvas(0, 0, 4, 2, {2, 24});
  for (const int x : {0, 1, 2}) canvas.put(x, 0, Mark::kFree);
  for (const int x : {0, 1, 2, 3}) canvas.put(x, 1, x == 0 ? Mark::kFree : Mark::kWall);
  canvas.put(3, 0, Mark::kWall);
  EXPECT_EQ(canvas.text(false), ".#\n");
}

client::PathEvent path_event(client::EventType type, std::vector<client::Cell> corners,
                             std::uint64_t version) {
  client::PathEvent event;
  event.type = type;
  event.agent_id = 1;
  event.path_version = version;
  for (const client::Cell& corner : corners) event.path.waypoints.push_back({{}, corner});
  return event;
}

TEST(Walkers, WalkAlongTheirPathAndArrive) {
  Walkers walkers;
  walkers.set(1, {0, 0}, {{2, 1}});
  EXPECT_TRUE(walkers.step({}).empty()) << "no path yet";
  walkers.take(path_event(client::EventType::kNewPath, {{0, 0}, {1, 1}, {2, 1}}, 1));
  EXPECT_NEAR(rest_of_way(walkers.all().at(1)), 2.41421356, 1e-6);
  EXPECT_TRUE(walkers.step({}).empty());
  EXPECT_EQ(walkers.step({}), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(walkers.all().at(1).at, (client::Cell{2, 1}));
  EXPECT_EQ(walkers.walking(), 0u);
  EXPECT_TRUE(walkers.step({}).empty()) << "it arrives once";
}

TEST(Walkers, StopWhenTheirPathBreaks) {
  Walkers walkers;
  walkers.set(1, {0, 0}, {{5, 0}});
  walkers.take(path_event(client::EventType::kNewPath, {{0, 0}, {5, 0}}, 1));
  walkers.step({});
  walkers.take(path_event(client::EventType::kInvalidated, {}, 1));
  walkers.step({});
  EXPECT_EQ(walkers.all().at(1).at, (client::Cell{1, 0}));
}

TEST(Walkers, JoinANewPathOnlyWhereItPassesThem) {
  Walkers walkers;
  walkers.set(1, {0, 0}, {{5, 0}});
  walkers.take(path_event(client::EventType::kNewPath, {{0, 0}, {5, 0}}, 1));
  walkers.step({});
  walkers.take(path_event(client::EventType::kImproved, {{0, 0}, {5, 0}}, 2));
  walkers.step({});
  EXPECT_EQ(walkers.all().at(1).at, (client::Cell{2, 0}));
  walkers.take(path_event(client::EventType::kImproved, {{0, 0}, {0, 5}}, 3));
  walkers.step({});
  EXPECT_EQ(walkers.all().at(1).at, (client::Cell{2, 0}))
      << "beside it: waits for a path from here";
  EXPECT_EQ(walkers.positions().at(0).path_version, 3u);
}

TEST(Walkers, DoNotWalkIntoADoorThatTheyKnowIsShut) {
  Walkers walkers;
  Ground ground;
  walkers.set(1, {0, 0}, {{5, 0}});
  walkers.take(path_event(client::EventType::kNewPath, {{0, 0}, {5, 0}}, 1));
  ground.change({.upsert = {{.id = 3, .shape = client::CellRect{1, 0, 2, 1}}}});
  walkers.step(ground);
  EXPECT_EQ(walkers.all().at(1).at, (client::Cell{0, 0}));
  ground.change({.switches = {{.id = 3, .enabled = false}}});
  walkers.step(ground);
  EXPECT_EQ(walkers.all().at(1).at, (client::Cell{1, 0}));
}

TEST(Ground, ACellOpensWhenTheLastPieceOverItIsGone) {
  Ground ground;
  const client::CellRect cells = {0, 0, 1, 1};
  ground.change({.upsert = {{.id = 1, .shape = cells}, {.id = 2, .shape = cells}}});
  ground.change({.remove = {1}});
  EXPECT_TRUE(ground.blocked({0, 0}));
  ground.change({.remove = {2}});
  EXPECT_FALSE(ground.blocked({0, 0}));
}

}  // namespace
}  // namespace repath::cli
