#include "load/grid_squad.h"

#include <gtest/gtest.h>

#include "unit/load/drawn_ground.h"

namespace repath::load {
namespace {

// An agent that stands in a corridor and is sent along it.
class Corridor : public ::testing::Test {
 protected:
  Corridor() { squad.fill_upserts(&joined, 10); }

  v1::PathEvent path(const std::vector<int>& cells, std::uint64_t version = 1) const {
    v1::PathEvent event;
    event.set_type(v1::EVENT_TYPE_NEW_PATH);
    event.set_agent_id(1);
    event.set_path_version(version);
    for (const int c : cells) event.mutable_path()->add_cells(c);
    return event;
  }
  // Sends a path along the corridor from the agent's place to its end.
  void send_along() {
    const Spot at = squad.place(0);
    squad.take(path({at.x, 0, 7, 0}));
  }

  GridGround ground = draw({"........"});
  const GridSquad::Stream stream{{{0, 0}}, {{7, 0}}, {}};
  GridSquad squad{ground, 1, {true, 1, 4, false}, stream, 10, 1, 3};
  v1::SessionRequest::Upsert joined;
};

TEST_F(Corridor, BringsItsAgentInOnce) {
  ASSERT_EQ(joined.agents_size(), 1);
  EXPECT_EQ(joined.agents(0).id(), 1u);
  EXPECT_EQ(joined.agents(0).position().cell().x(), squad.place(0).x);
  EXPECT_EQ(joined.agents(0).goals(0).cell().x(), 7);
  v1::SessionRequest::Upsert again;
  EXPECT_FALSE(squad.fill_upserts(&again, 10));
}

TEST_F(Corridor, StandsWithoutAPath) {
  const Spot at = squad.place(0);
  squad.advance(10);
  EXPECT_EQ(squad.place(0), at);
  v1::SessionRequest::Report report;
  EXPECT_FALSE(squad.fill_report(&report, 10));
}

TEST_F(Corridor, EntersACellEachQuarterSecondAndTellsItOnce) {
  squad.take(path({squad.place(0).x, 0, 0, 0}));
  squad.advance(100);  // to the left end, which is not its goal; it stops there
  ASSERT_EQ(squad.place(0), (Spot{0, 0}));
  v1::SessionRequest::Report before;
  squad.fill_report(&before, 10);
  squad.take(path({0, 0, 7, 0}, 5));
  squad.advance(0.2);
  EXPECT_EQ(squad.place(0), (Spot{0, 0}));
  v1::SessionRequest::Report nothing;
  EXPECT_FALSE(squad.fill_report(&nothing, 10));
  squad.advance(0.1);
  EXPECT_EQ(squad.place(0), (Spot{1, 0}));
  v1::SessionRequest::Report report;
  ASSERT_TRUE(squad.fill_report(&report, 10));
  EXPECT_EQ(report.positions(0).position().cell().x(), 1);
  EXPECT_EQ(report.positions(0).path_version(), 5u);
  squad.advance(0.5);
  EXPECT_EQ(squad.place(0), (Spot{3, 0}));
}

TEST_F(Corridor, WaitsBeforeAShutDoorAndGoesOnWhenItOpens) {
  squad.take(path({squad.place(0).x, 0, 0, 0}));
  squad.advance(100);
  squad.take(path({0, 0, 7, 0}));
  ground.shut({2, 0, 3, 1});
  squad.advance(5);
  EXPECT_EQ(squad.place(0), (Spot{1, 0}));
  EXPECT_GT(squad.counts().barred, 0u);
  ground.reopen({2, 0, 3, 1});
  squad.advance(0.01);
  EXPECT_EQ(squad.place(0), (Spot{2, 0}));
}

TEST_F(Corridor, WhoArrivesBeginsAnewAsSomebodyElse) {
  send_along();
  squad.advance(100);
  EXPECT_EQ(squad.counts().arrivals, 1u);
  EXPECT_EQ(squad.place(0), (Spot{0, 0}));
  v1::SessionRequest::Remove gone;
  ASSERT_TRUE(squad.fill_removals(&gone, 10));
  EXPECT_EQ(gone.agent_ids(0), 1u);
  v1::SessionRequest::Report report;
  EXPECT_FALSE(squad.fill_report(&report, 10));  // its upsert gives its place
  v1::SessionRequest::Upsert upsert;
  ASSERT_TRUE(squad.fill_upserts(&upsert, 10));
  EXPECT_EQ(upsert.agents(0).id(), 11u);
  squad.take(path({0, 0, 7, 0}));  // for the agent that was removed
  squad.advance(1);
  EXPECT_EQ(squad.place(0), (Spot{0, 0}));
}

TEST_F(Corridor, WhoIsBesideItsPathSaysSo) {
  squad.take(path({squad.place(0).x, 0, 0, 0}));
  squad.advance(100);
  v1::SessionRequest::Report before;
  squad.fill_report(&before, 10);
  squad.take(path({4, 0, 7, 0}, 2));
  squad.advance(1);
  EXPECT_EQ(squad.place(0), (Spot{0, 0}));
  EXPECT_EQ(squad.counts().strays, 1u);
  v1::SessionRequest::Report report;
  EXPECT_TRUE(squad.fill_report(&report, 10));
}

TEST(GridSquad, CutsNoCornerOfWhatIsShut) {
  GridGround ground = draw({"..", ".."});
  ground.shut({1, 0, 2, 1});
  EXPECT_FALSE(ground.is_step_open({0, 0}, 1, 1));
  EXPECT_TRUE(ground.is_step_open({0, 0}, 0, 1));
  ground.reopen({1, 0, 2, 1});
  EXPECT_TRUE(ground.is_step_open({0, 0}, 1, 1));
  EXPECT_FALSE(ground.is_step_open({0, 0}, -1, 0));
}

TEST(GridSquad, AGroupGetsItsNextGoalWhenHalfHasArrived) {
  GridGround ground = draw({"................"});
  GridSquad squad(ground, 4, {false, 4, 4, false}, {}, 4, 1, 9);
  v1::SessionRequest::Upsert joined;
  squad.fill_upserts(&joined, 10);
  ASSERT_EQ(joined.agents_size(), 4);
  const Spot goal = squad.goal(0);
  for (std::uint64_t id = 1; id <= 2; ++id) {
    v1::SessionRequest::Upsert none;
    EXPECT_FALSE(squad.fill_upserts(&none, 10));
    v1::PathEvent event;
    event.set_type(v1::EVENT_TYPE_NEW_PATH);
    event.set_agent_id(id);
    for (const int c : {static_cast<int>(squad.place(id - 1).x), 0, static_cast<int>(goal.x), 0})
      event.mutable_path()->add_cells(c);
    squad.take(event);
    squad.advance(100);
  }
  v1::SessionRequest::Upsert ordered;
  ASSERT_TRUE(squad.fill_upserts(&ordered, 10));
  EXPECT_EQ(ordered.agents_size(), 4);
}

TEST(GridSquad, TellsEverybodyIfAskedTo) {
  GridGround ground = draw({"................"});
  GridSquad squad(ground, 5, {false, 1, 4, true}, {}, 5, 1, 9);
  v1::SessionRequest::Upsert joined;
  squad.fill_upserts(&joined, 10);
  v1::SessionRequest::Report report;
  ASSERT_TRUE(squad.fill_report(&report, 3));
  EXPECT_EQ(report.positions_size(), 3);
}

}  // namespace
}  // namespace repath::load
