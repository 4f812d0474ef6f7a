// Worlds read back over sockets in pages: terrain, obstacles and graphs.
#include <google/protobuf/util/message_differencer.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rpc/read_back_fixture.h"

namespace repath {
namespace {

using google::protobuf::util::MessageDifferencer;
using test::Context;
using test::expect_fault;
using test::fault_of;
using test::message_of;

class ReadBack : public test::ReadBackServer {};

// ---- terrain ----

TEST_F(ReadBack, TerrainComesInSquaresAndByWhatHasChanged) {
  create("name: 'wide' width: 200 height: 70");
  change("wide", "terrain_edits { cells { x0: 130 y0: 3 x1: 132 y1: 4 } terrain_class: 'swamp' }");
  v1::GetTerrainResponse all;
  ASSERT_TRUE(terrain("world: 'wide'", &all).ok());
  ASSERT_EQ(all.tiles_size(), 8);
  EXPECT_EQ(all.revision(), 2u);
  EXPECT_EQ(all.epoch(), get("wide").epoch());
  EXPECT_EQ(all.tiles(0).terrain(), std::string(1, '\0'));
  EXPECT_EQ(all.tiles(7).x(), 192);
  EXPECT_EQ(all.tiles(7).width(), 8);
  EXPECT_EQ(all.tiles(7).height(), 6);

  v1::GetTerrainResponse changed;
  ASSERT_TRUE(terrain("world: 'wide' changed_since_revision: 1", &changed).ok());
  ASSERT_EQ(changed.tiles_size(), 1);
  const v1::TerrainTile& tile = changed.tiles(0);
  EXPECT_EQ(tile.x(), 128);
  EXPECT_EQ(tile.changed_revision(), 2u);
  ASSERT_EQ(tile.terrain().size(), 64u * 64u);
  const std::size_t first = 3 * 64 + 2;
  EXPECT_EQ(tile.terrain()[first], tile.terrain()[first + 1]);
  EXPECT_NE(tile.terrain()[first], 0);
  EXPECT_EQ(tile.terrain()[first + 2], 0);

  ASSERT_TRUE(terrain("world: 'wide' changed_since_revision: 2", &changed).ok());
  EXPECT_EQ(changed.tiles_size(), 0);
  ASSERT_TRUE(terrain("world: 'wide' area { x0: 60 y0: 65 x1: 65 y1: 99 }", &changed).ok());
  ASSERT_EQ(changed.tiles_size(), 2);
  EXPECT_EQ(changed.tiles(0).y(), 64);
}

TEST_F(ReadBack, PagesOfTerrainAreTheWholeMapOnce) {
  create("name: 'wide' width: 200 height: 200");
  std::set<std::pair<int, int>> seen;
  v1::GetTerrainRequest request;
  request.set_world("wide");
  request.set_page_size(3);
  request.set_expected_revision(1);
  do {
    Context context;
    v1::GetTerrainResponse page;
    ASSERT_TRUE(worlds_->GetTerrain(&context, request, &page).ok());
    EXPECT_LE(page.tiles_size(), 3);
    for (const auto& tile : page.tiles()) EXPECT_TRUE(seen.insert({tile.x(), tile.y()}).second);
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(seen.size(), 16u);
}

TEST_F(ReadBack, ATeamsInfluenceAndFogAreInItsSquares) {
  change("square", R"(
    influence_edits { cells { x0: 1 y0: 1 x1: 3 y1: 2 } team: 2 layer: 5 set: 300 }
    fog_edits { cells { x0: 0 y0: 0 x1: 10 y1: 5 } team: 2 hidden: true })");
  v1::GetTerrainResponse page;
  ASSERT_TRUE(terrain("world: 'square'", &page).ok());
  EXPECT_EQ(page.tiles(0).planes_size(), 0);
  EXPECT_EQ(page.tiles(0).changed_revision(), 1u);
  ASSERT_TRUE(terrain("world: 'square' team: 1", &page).ok());
  EXPECT_EQ(page.tiles(0).planes_size(), 0);
  ASSERT_TRUE(terrain("world: 'square' team: 2 changed_since_revision: 1", &page).ok());
  ASSERT_EQ(page.tiles_size(), 1);
  ASSERT_EQ(page.tiles(0).planes_size(), 2);
  const v1::TerrainTile::Plane& influence = page.tiles(0).planes(0);
  EXPECT_EQ(influence.layer(), 5u);
  ASSERT_EQ(influence.levels().size(), 2u * 50u);
  EXPECT_EQ(static_cast<unsigned char>(influence.levels()[2 * 11]), 300 % 256);
  EXPECT_EQ(static_cast<unsigned char>(influence.levels()[2 * 11 + 1]), 300 / 256);
  EXPECT_EQ(influence.levels()[0], 0);
  EXPECT_EQ(page.tiles(0).planes(1).layer(), 16u);
  EXPECT_EQ(page.tiles(0).planes(1).levels(), std::string("\1\0", 2));
}

TEST_F(ReadBack, WrongQuestionsAboutTerrainAreRefused) {
  v1::GetTerrainResponse page;
  const auto refused = [&](const std::string& more, grpc::StatusCode code,
                           const std::string& reason, const std::string& field) {
    SCOPED_TRACE(more);
    expect_fault(terrain("world: 'square' " + more, &page), code, reason, field);
  };
  refused("area { x0: 3 y0: 0 x1: 3 y1: 1 }", grpc::INVALID_ARGUMENT, "RECT_EMPTY", "area");
  refused("area { x0: 10 y0: 0 x1: 11 y1: 1 }", grpc::INVALID_ARGUMENT, "OUTSIDE_MAP", "area");
  refused("changed_since_revision: 2", grpc::OUT_OF_RANGE, "REVISION_NOT_YET",
          "changed_since_revision");
  refused("epoch: 'other'", grpc::FAILED_PRECONDITION, "EPOCH_CHANGED", "epoch");
  refused("team: 32", grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "team");
  refused("page_size: 1025", grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "page_size");
  refused("page_token: 'tile-x'", grpc::INVALID_ARGUMENT, "PAGE_TOKEN", "page_token");
  refused("expected_revision: 9", grpc::ABORTED, "REVISION_MISMATCH", "expected_revision");
  EXPECT_EQ(fault_of(terrain("world: 'square' expected_revision: 9", &page)).metadata["revision"],
            "1");
  for (const char* world : {"house", "streets"})
    expect_fault(terrain("world: '" + std::string(world) + "'", &page), grpc::FAILED_PRECONDITION,
                 "KIND_UNSUITED", "world");
}

// ---- obstacles ----

TEST_F(ReadBack, ObstaclesAreListedAsTheyWerePut) {
  const std::string of_all = R"(
    upsert_obstacles { id: 3 blocked: true box { center { x: 3 z: 1 } half_x: 0.5 half_z: 0.25 yaw: 1 } }
    upsert_obstacles { id: 4 cost_factor: 2.5 cylinder { center { x: 2 z: 3 } radius: 0.75 } disabled: true }
    upsert_obstacles { id: 5 blocked: true polygon { xz: [6, 1, 8, 1, 7, 2] } team_mask: 6 }
    upsert_obstacles { id: 6 blocked: true capsule { from { x: 1 z: 4 } to { x: 5 z: 4 } radius: 0.1 } })";
  const std::string of_grids =
      of_all + "upsert_obstacles { id: 9 blocked: true cells { x0: -2 y0: 1 x1: 3 y1: 2 } }";
  const std::string of_meshes = of_all + R"(
    upsert_obstacles { id: 7 area: 9 cylinder { center { x: 12 z: 3 } radius: 0.5 } bottom: -1 top: 0 }
    upsert_obstacles { id: 8 cost_factor: 3 cylinder { center { x: 12 z: 5 } radius: 0.5 } top: 2.5 })";
  for (const auto& [world, batch] :
       {std::pair{std::string("square"), of_grids}, {std::string("house"), of_meshes}}) {
    SCOPED_TRACE(world);
    change(world, batch);
    v1::ListObstaclesResponse page;
    ASSERT_TRUE(obstacles("world: '" + world + "'", &page).ok());
    const auto sent = message_of<v1::ChangeBatch>(batch);
    ASSERT_EQ(page.obstacles_size(), sent.upsert_obstacles_size());
    for (int i = 0; i < page.obstacles_size(); ++i)
      EXPECT_TRUE(MessageDifferencer::Equals(page.obstacles(i), sent.upsert_obstacles(i)))
          << page.obstacles(i).DebugString();
    EXPECT_EQ(page.revision(), 2u);
    EXPECT_EQ(page.next_page_token(), "");
  }
}

TEST_F(ReadBack, ObstaclesComeInPagesAndByAreaWithBodiesLast) {
  change("square", R"(
    upsert_obstacles { id: 18446744073709551615 blocked: true cells { x0: 1 y0: 0 x1: 2 y1: 1 } }
    upsert_obstacles { id: 0 blocked: true cells { x0: 5 y0: 4 x1: 6 y1: 5 } }
    upsert_obstacles { id: 7 blocked: true cells { x0: 9 y0: 0 x1: 10 y1: 1 } }
    stand { agent_id: 3 cells { x0: 2 y0: 0 x1: 3 y1: 1 } }
    stand { agent_id: 2 cylinder { center { x: 8.5 z: 4.5 } radius: 0.4 } })");
  std::vector<std::uint64_t> ids;
  std::string token;
  for (int pages = 0; pages == 0 || !token.empty(); ++pages) {
    ASSERT_LT(pages, 9);
    v1::ListObstaclesResponse page;
    ASSERT_TRUE(obstacles("world: 'square' page_size: 1 page_token: '" + token + "'", &page).ok());
    EXPECT_EQ(page.obstacles_size() + page.bodies_size(), 1);
    for (const auto& one : page.obstacles()) ids.push_back(one.id());
    for (const auto& one : page.bodies()) ids.push_back(one.agent_id());
    token = page.next_page_token();
  }
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{0, 7, 18446744073709551615u, 2, 3}));

  v1::ListObstaclesResponse page;
  ASSERT_TRUE(obstacles("world: 'square' area { min_x: 1.5 max_x: 4 max_z: 2 }", &page).ok());
  ASSERT_EQ(page.obstacles_size(), 1);
  EXPECT_EQ(page.obstacles(0).id(), 18446744073709551615u);
  ASSERT_EQ(page.bodies_size(), 1);
  EXPECT_EQ(page.bodies(0).agent_id(), 3u);
  ASSERT_TRUE(obstacles("world: 'streets'", &page).ok());
  EXPECT_EQ(page.obstacles_size() + page.bodies_size(), 0);
}

TEST_F(ReadBack, WrongQuestionsAboutObstaclesAreRefused) {
  v1::ListObstaclesResponse page;
  const auto refused = [&](const std::string& more, grpc::StatusCode code,
                           const std::string& reason, const std::string& field) {
    SCOPED_TRACE(more);
    expect_fault(obstacles("world: 'house' " + more, &page), code, reason, field);
  };
  refused("area { min_x: 1 }", grpc::INVALID_ARGUMENT, "RECT_EMPTY", "area");
  refused("area { min_x: nan }", grpc::INVALID_ARGUMENT, "NOT_FINITE", "area.min_x");
  refused("area { max_z: 1.1e9 }", grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "area.max_z");
  refused("page_size: 5001", grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "page_size");
  refused("page_token: '7'", grpc::INVALID_ARGUMENT, "PAGE_TOKEN", "page_token");
  refused("expected_revision: 2", grpc::ABORTED, "REVISION_MISMATCH", "expected_revision");
}

// ---- graphs ----

TEST_F(ReadBack, GraphsAreGivenWithAllAttributes) {
  change("streets", R"(
    graph_edits { add_node { id: 9 position { x: 1 y: 2 z: -3.5 } area: 4 flags: 6 disabled: true } }
    graph_edits { set_edge { from: 9 to: 1 cost: 7.25 area: 3 flags: 10 disabled: true } }
    graph_edits { switch_node { id: 3 enabled: false } }
    graph_edits { set_cost { from: 1 to: 2 cost: 11 } })");
  v1::GetGraphResponse all;
  ASSERT_TRUE(graph("world: 'streets'", &all).ok());
  ASSERT_EQ(all.nodes_size(), 5);
  EXPECT_EQ(all.revision(), 2u);
  EXPECT_TRUE(all.nodes(2).disabled());
  EXPECT_TRUE(MessageDifferencer::Equals(
      all.nodes(4), message_of<v1::GraphNode>(
                        "id: 9 position { x: 1 y: 2 z: -3.5 } area: 4 flags: 6 disabled: true")));
  ASSERT_EQ(all.edges_size(), 6);
  EXPECT_TRUE(MessageDifferencer::Equals(
      all.edges(0), message_of<v1::GraphEdge>("from: 1 to: 2 cost: 11 flags: 1")));
  EXPECT_TRUE(MessageDifferencer::Equals(
      all.edges(5),
      message_of<v1::GraphEdge>("from: 9 to: 1 cost: 7.25 area: 3 flags: 10 disabled: true")));

  v1::GetGraphResponse pieced;
  std::string token;
  for (int pages = 0; pages == 0 || !token.empty(); ++pages) {
    ASSERT_LT(pages, 20);
    v1::GetGraphResponse page;
    ASSERT_TRUE(graph("world: 'streets' page_size: 1 page_token: '" + token + "'", &page).ok());
    token = page.next_page_token();
    page.clear_next_page_token();
    pieced.MergeFrom(page);
  }
  EXPECT_TRUE(MessageDifferencer::Equals(pieced, all)) << pieced.DebugString();
}

TEST_F(ReadBack, WrongQuestionsAboutGraphsAreRefused) {
  v1::GetGraphResponse page;
  for (const char* world : {"house", "square"})
    expect_fault(graph("world: '" + std::string(world) + "'", &page), grpc::FAILED_PRECONDITION,
                 "KIND_UNSUITED", "world");
  for (const char* token : {"node-", "node-1-", "node-x", "1", "node-1-2-3"})
    expect_fault(graph("world: 'streets' page_token: '" + std::string(token) + "'", &page),
                 grpc::INVALID_ARGUMENT, "PAGE_TOKEN", "page_token");
  expect_fault(graph("world: 'streets' page_size: 20001", &page), grpc::INVALID_ARGUMENT,
               "OUT_OF_RANGE", "page_size");
  expect_fault(graph("world: 'streets' expected_revision: 0", &page), grpc::ABORTED,
               "REVISION_MISMATCH", "expected_revision");
}

}  // namespace
}  // namespace repath
