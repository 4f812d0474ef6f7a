// The library reads worlds back: conversions of pages, and an export that comes in chunks.
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <string>

#include "fake_server.h"
#include "repath/client.h"
#include "repath/internal/convert.h"

namespace repath::client {
namespace {

template <class Message>
Message message_of(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

TEST(ReadBack, ObstaclesCanBePutAsTheyWereRead) {
  const auto answer = message_of<v1::ListObstaclesResponse>(R"(
    obstacles { id: 1 blocked: true cells { x0: -1 y0: 2 x1: 3 y1: 4 } team_mask: 5 }
    obstacles { id: 2 cost_factor: 7.5 box { center { x: 1 z: -2 } half_x: 3 half_z: 4 yaw: 0.5 } }
    obstacles { id: 3 area: 9 cylinder { center { x: 1 z: 2 } radius: 3 } bottom: -1 top: 2 }
    obstacles { id: 4 blocked: true polygon { xz: [0, 0, 1, 0, 0, 1] } disabled: true }
    obstacles { id: 5 blocked: true capsule { from { x: 1 } to { z: 4 } radius: 0.5 } }
    bodies { agent_id: 6 cylinder { center { x: 1 z: 2 } radius: 3 } }
    bodies { agent_id: 7 cells { x0: 1 y0: 2 x1: 3 y1: 4 } }
    next_page_token: "body-7" revision: 8)");
  const ObstaclePage page = from_proto(answer);
  EXPECT_EQ(page.next_page_token, "body-7");
  EXPECT_EQ(page.revision, 8u);
  ChangeBatch batch;
  batch.upsert = page.obstacles;
  batch.stand = page.bodies;
  v1::ChangeBatch put;
  to_proto(batch, &put);
  v1::ListObstaclesResponse again;
  *again.mutable_obstacles() = put.upsert_obstacles();
  *again.mutable_bodies() = put.stand();
  again.set_next_page_token("body-7");
  again.set_revision(8);
  // A point of the library always has all three coordinates; so do its messages.
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equivalent(again, answer))
      << again.DebugString();
}

TEST(ReadBack, TilesHaveOneValueForEachCell) {
  v1::GetTerrainResponse answer;
  v1::TerrainTile* tile = answer.add_tiles();
  tile->set_width(3);
  tile->set_height(2);
  tile->set_terrain("\x05");
  v1::TerrainTile::Plane* plane = tile->add_planes();
  plane->set_team(2);
  plane->set_layer(16);
  plane->set_levels(std::string("\0\1\1\0\2\0\3\0\4\0\xff\xff", 12));
  const TerrainPage page = from_proto(answer);
  ASSERT_EQ(page.tiles.size(), 1u);
  EXPECT_EQ(page.tiles[0].terrain, std::vector<std::uint8_t>(6, 5));
  ASSERT_EQ(page.tiles[0].planes.size(), 1u);
  EXPECT_EQ(page.tiles[0].planes[0].levels, (std::vector<std::uint16_t>{256, 1, 2, 3, 4, 65535}));
}

TEST(ReadBack, EdgesAndNodesKeepWhatTheyAre) {
  const GraphPage page = from_proto(message_of<v1::GetGraphResponse>(R"(
    nodes { id: 3 position { x: 1 y: 2 z: 3 } area: 4 flags: 5 disabled: true }
    edges { from: 3 to: 4 cost: 2.5 area: 6 flags: 7 disabled: true } revision: 9)"));
  ASSERT_EQ(page.nodes.size(), 1u);
  EXPECT_EQ(page.nodes[0].position, (Vec3{1, 2, 3}));
  EXPECT_FALSE(page.nodes[0].enabled);
  ASSERT_EQ(page.edges.size(), 1u);
  EXPECT_EQ(page.edges[0].cost, 2.5);
  EXPECT_EQ(page.edges[0].flags, 7u);
  EXPECT_FALSE(page.edges[0].enabled);
}

// A server that exports three chunks, or refuses.
class Exporting final : public v1::WorldService::Service {
 public:
  Exporting() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    address = "127.0.0.1:" + std::to_string(port);
  }
  ~Exporting() override { server_->Shutdown(std::chrono::system_clock::now()); }

  std::string address;

 private:
  grpc::Status ExportWorld(grpc::ServerContext*, const v1::ExportWorldRequest* request,
                           grpc::ServerWriter<v1::ExportWorldResponse>* writer) override {
    if (request->world() != "town")
      return test::refusal(grpc::StatusCode::NOT_FOUND, "WORLD_UNKNOWN", "world", "no such world");
    v1::ExportWorldResponse message;
    message.mutable_header()->set_revision(7);
    message.mutable_header()->add_lost("profiles");
    writer->Write(message);
    for (const char* chunk : {"one ", "two ", "three"}) {
      message.set_chunk(chunk);
      writer->Write(message);
    }
    return grpc::Status::OK;
  }
  std::unique_ptr<grpc::Server> server_;
};

TEST(ReadBack, AnExportIsPutTogether) {
  const Exporting server;
  Client client(server.address, test::kFast);
  const auto exported = client.export_world({.world = "town"}).get();
  ASSERT_TRUE(exported.ok()) << exported.error().message;
  EXPECT_EQ(exported->file, "one two three");
  EXPECT_EQ(exported->revision, 7u);
  EXPECT_EQ(exported->lost, std::vector<std::string>{"profiles"});
  const auto refused = client.export_world({.world = "nowhere"}).get();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().reason, "WORLD_UNKNOWN");
}

}  // namespace
}  // namespace repath::client
