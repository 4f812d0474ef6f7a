#include "load/trouble.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "load/map_maker.h"
#include "unit/load/drawn_ground.h"
#include "verify/map_file.h"

namespace repath::load {
namespace {

// A squad on open ground; all agents go straight to the right edge.
struct Field {
  static constexpr int kSide = 40;
  GridGround ground = draw(std::vector<std::string>(kSide, std::string(kSide, '.')));
  std::vector<std::unique_ptr<GridSquad>> squads;

  Field() {
    squads.push_back(
        std::make_unique<GridSquad>(ground, 20, Errand{}, GridSquad::Stream{}, 20, 1, 5));
    for (std::uint64_t id = 1; id <= 20; ++id) {
      const Spot at = squads[0]->place(id - 1);
      v1::PathEvent event;
      event.set_type(v1::EVENT_TYPE_NEW_PATH);
      event.set_agent_id(id);
      for (const int c :
           {static_cast<int>(at.x), static_cast<int>(at.y), kSide - 1, static_cast<int>(at.y)})
        event.mutable_path()->add_cells(c);
      squads[0]->take(event);
    }
  }
};

TEST(GridTrouble, NeverHasMoreThanItMay) {
  Field field;
  GridTrouble trouble(field.ground, {.live_most = 5}, 1);
  for (int i = 0; i < 200; ++i) {
    if (const auto batch = trouble.next(field.squads)) trouble.confirm(*batch);
    EXPECT_LE(trouble.live(), 5u);
  }
}

TEST(GridTrouble, TakesDownOnlyWhatTheServerHas) {
  Field field;
  GridTrouble trouble(field.ground, {.live_most = 3}, 1);
  std::set<std::uint64_t> confirmed;
  int removals = 0;
  for (int i = 0; i < 100; ++i) {
    const auto batch = trouble.next(field.squads);
    if (!batch) continue;
    for (const std::uint64_t id : batch->removals) {
      EXPECT_EQ(confirmed.count(id), 1u);
      ++removals;
    }
    if (i % 2 == 0) continue;  // half of the answers do not come
    trouble.confirm(*batch);
    for (const verify::Obstacle& obstacle : batch->upserts) confirmed.insert(obstacle.id);
  }
  EXPECT_GT(removals, 0);
}

TEST(GridTrouble, BuildsOnNobodyAndCutsNobodyOff) {
  Field field;
  GridTrouble trouble(field.ground, {.live_most = 50}, 1);
  for (int i = 0; i < 100; ++i) {
    const auto batch = trouble.next(field.squads);
    if (!batch) continue;
    trouble.confirm(*batch);
    for (const verify::Obstacle& obstacle : batch->upserts) {
      const auto& cells = std::get<verify::Rect>(obstacle.shape);
      for (std::size_t slot = 0; slot < 20; ++slot) {
        const Spot at = field.squads[0]->place(slot);
        EXPECT_FALSE(at.x >= cells.x0 && at.x < cells.x1 && at.y >= cells.y0 && at.y < cells.y1);
      }
    }
  }
}

TEST(GridTrouble, WhatGoesIsOpenOnlyWhenTheServerSaysSo) {
  Field field;
  GridTrouble trouble(field.ground, {.live_most = 1}, 1);
  const auto built = trouble.next(field.squads);
  ASSERT_TRUE(built && built->upserts.size() == 1);
  const auto cells = std::get<verify::Rect>(built->upserts[0].shape);
  EXPECT_FALSE(field.ground.is_open(cells.x0, cells.y0));
  trouble.confirm(*built);
  const auto removed = trouble.next(field.squads);
  ASSERT_TRUE(removed && removed->removals.size() == 1);
  EXPECT_FALSE(field.ground.is_open(cells.x0, cells.y0));
  trouble.confirm(*removed);
  EXPECT_TRUE(field.ground.is_open(cells.x0, cells.y0));
}

TEST(MapMaker, TheSameSeedGivesTheSameMap) {
  for (const MadeGround kind : {MadeGround::kForest, MadeGround::kRooms, MadeGround::kPlan}) {
    EXPECT_EQ(make_map(kind, 64, 7).file, make_map(kind, 64, 7).file);
    EXPECT_NE(make_map(kind, 64, 7).file, make_map(kind, 64, 8).file);
  }
}

TEST(MapMaker, AllRoomsHangTogether) {
  std::string problem;
  const MadeMap made = make_map(MadeGround::kRooms, 150, 3);
  const auto map = verify::parse_map(made.file, problem);
  ASSERT_TRUE(map) << problem;
  std::vector<std::string> rows = map->rows;
  std::size_t open = 0;
  for (std::string& row : rows) {
    for (char& c : row) c = c == '.' ? '.' : '#', open += c == '.' ? 1 : 0;
  }
  EXPECT_EQ(draw(rows).places(), open);
  ASSERT_GT(made.doors.size(), 20u);
  for (const verify::Rect& door : made.doors)
    EXPECT_EQ(rows[static_cast<std::size_t>(door.y0)][static_cast<std::size_t>(door.x0)], '.');
}

}  // namespace
}  // namespace repath::load
