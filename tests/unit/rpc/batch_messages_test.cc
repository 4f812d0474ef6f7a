// Batches as messages: what each entry means in each kind of world, and what the log keeps of it.
#include "rpc/batch_messages.h"

#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "support/seed.h"

namespace repath {
namespace {

v1::ChangeBatch message_of(const std::string& text) {
  v1::ChangeBatch message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

const char* const kObstacles = R"(
  upsert_obstacles { id: 2 blocked: true box { center { x: 1.5 z: -2 } half_x: 3 half_z: 4 yaw: 0.25 } }
  upsert_obstacles { id: 3 cost_factor: 7.5 team_mask: 5 disabled: true
                     cylinder { center { x: 1 z: 2 } radius: 3 } }
  upsert_obstacles { id: 18446744073709551615 blocked: true polygon { xz: [0, 0, 1, 0, 0, 1] } }
  upsert_obstacles { id: 9 blocked: true
                     capsule { from { x: 1 z: -2 } to { x: 3 y: 9 z: 4 } radius: 0.5 } }
  remove_obstacles: [5, 6]
  switch_obstacles { id: 7 }
  switch_obstacles { id: 8 enabled: true })";
const char* const kOfGrids = R"(
  upsert_obstacles { id: 1 blocked: true cells { x0: -1 y0: 2 x1: 3 y1: 4 } }
  terrain_edits { cells { x1: 9 y1: 9 } terrain_class: "swamp" }
  add_profiles { name: "boat" topology: TOPOLOGY_4 corner_rule: CORNER_RULE_ONE radius: 0.75
                 terrain_rules { terrain_class: "swamp" factor: 2.5 } }
  decay_influence { team: 31 layer: 15 keep_permille: 999 cells { y0: 1 x1: 2 y1: 3 } }
  decay_influence {}
  influence_edits { cylinder { center { x: 1 z: 2 } radius: 3 } team: 4 layer: 5 add: -7 }
  influence_edits { cells { x1: 1 y1: 1 } set: 63936 }
  fog_edits { cylinder { center { x: 1 z: 2 } radius: 3 } team: 31 }
  fog_edits { cells { x1: 1 y1: 1 } hidden: true }
  stand { agent_id: 7 cylinder { center { x: 1 z: 2 } radius: 3 } }
  walk_on: 9)";
const char* const kOfMeshes = R"(
  upsert_obstacles { id: 4 area: 9 bottom: -3 top: 9 cylinder { center { x: 1 z: 2 } radius: 3 } }
  add_profiles { name: "cart" radius: 0.75 include_flags: 3 exclude_flags: 8
                 area_costs { area: 2 factor: 4.5 } area_costs { area: 63 factor: 1 } }
  add_profiles { name: "plain" }
  switch_links { id: 77 })";
const char* const kOfGraphs = R"(
  graph_edits { add_node { id: 8 position { x: 1 y: 2 z: 3 } area: 4 flags: 5 disabled: true } }
  graph_edits { remove_node: 9 }
  graph_edits { switch_node { id: 10 } }
  graph_edits { set_edge { from: 11 to: 12 cost: 1.5 area: 3 flags: 6 both: true disabled: true key: 9 width: 1.5 } }
  graph_edits { set_edge { from: 12 to: 11 } }
  graph_edits { remove_edge { from: 13 to: 14 key: 1 } }
  graph_edits { switch_edge { from: 15 to: 16 enabled: true key: 2 } }
  graph_edits { set_cost { from: 17 to: 18 cost: 0.25 key: 255 } })";

std::vector<ObstacleSpec> common_obstacles() {
  return {{.id = ObstacleId{2}, .shape = Box{{1.5, -2}, 3, 4, 0.25}},
          {.id = ObstacleId{3},
           .shape = Circle{{1, 2}, 3},
           .effect = {false, 7.5},
           .teams = 5,
           .enabled = false},
          {.id = ObstacleId{~std::uint64_t{0}}, .shape = Polygon{{{0, 0}, {1, 0}, {0, 1}}}},
          {.id = ObstacleId{9}, .shape = Capsule{{1, -2}, {3, 4}, 0.5}}};
}

struct Case {
  WorldTerms world;
  v1::ChangeBatch message;
  ChangeBatch batch;
};

std::vector<Case> one_of_each() {
  static const TerrainTable kNone;
  const TerrainTable& terrain = default_terrain();
  std::size_t swamp = 0;
  while (terrain[swamp].name != "swamp") ++swamp;
  const TerrainId swamp_id{static_cast<std::uint8_t>(swamp)};
  ChangeBatch grid{.upsert_obstacles = common_obstacles(),
                   .remove_obstacles = {ObstacleId{5}, ObstacleId{6}},
                   .switch_obstacles = {{ObstacleId{7}, false}, {ObstacleId{8}, true}}};
  ChangeBatch mesh = grid;
  grid.upsert_obstacles.push_back({.id = ObstacleId{1}, .shape = CellRect{-1, 2, 3, 4}});
  grid.terrain_edits = {{{0, 0, 9, 9}, swamp_id}};
  grid.add_profiles = {{.name = "boat",
                        .topology = Topology::k4,
                        .corner_rule = CornerRule::kOne,
                        .terrain_rules = {{swamp_id, 2.5, false}},
                        .radius = 0.75}};
  grid.decay_influence = {{TeamId{31}, 15, 999, CellRect{0, 1, 2, 3}}, {TeamId{0}, 0, 0, {}}};
  grid.influence_edits = {{Circle{{1, 2}, 3}, TeamId{4}, 5, {LevelChange::Kind::kAdd, -7}},
                          {CellRect{0, 0, 1, 1}, TeamId{0}, 0, {LevelChange::Kind::kSet, 63936}}};
  grid.fog_edits = {{Circle{{1, 2}, 3}, TeamId{31}, false}, {CellRect{0, 0, 1, 1}, {}, true}};
  grid.stand = {{AgentId{7}, Circle{{1, 2}, 3}}};
  grid.walk_on = {AgentId{9}};
  mesh.upsert_obstacles.push_back({.id = ObstacleId{4},
                                   .shape = Circle{{1, 2}, 3},
                                   .effect = {false, 1, 9},
                                   .bottom = -3,
                                   .top = 9});
  mesh.add_profiles = {
      {.name = "cart", .radius = 0.75, .include = 3, .exclude = 8, .areas = {{2, 4.5}, {63, 1}}},
      {.name = "plain"}};
  mesh.switch_links = {{77, false}};
  ChangeBatch graph{
      .graph_edits = {GraphNode{8, 1, 2, 3, 4, 5, false}, RemoveGraphNode{9},
                      SwitchGraphNode{10, false}, GraphEdge{11, 12, 1.5, 3, 6, true, false, 9, 1.5},
                      GraphEdge{.from = 12, .to = 11}, RemoveGraphEdge{13, 14, 1},
                      SwitchGraphEdge{15, 16, true, 2}, PriceGraphEdge{17, 18, 0.25, 255}}};
  return {{{WorldKind::kGrid, terrain}, message_of(std::string(kObstacles) + kOfGrids), grid},
          {{WorldKind::kNavmesh, kNone}, message_of(std::string(kObstacles) + kOfMeshes), mesh},
          {{WorldKind::kGraph, kNone}, message_of(kOfGraphs), graph}};
}

TEST(BatchMessages, EveryEntryIsReadAsItIsMeant) {
  for (const Case& one : one_of_each()) {
    const auto batch = to_batch(one.message, one.world, Field() / "batch");
    ASSERT_TRUE(batch.ok()) << batch.status();
    EXPECT_EQ(*batch, one.batch) << name_of(one.world.kind);
  }
}

TEST(BatchMessages, EveryListIsRefusedWhereTheKindHasNoUseForIt) {
  const std::vector<Case> cases = one_of_each();
  for (const auto& [world, of] : {std::pair{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}})
    EXPECT_EQ(error_reason(
                  to_batch(cases[place(of)].message, cases[place(world)].world, Field() / "batch")
                      .status()),
              "KIND_UNSUITED")
        << of << " in " << world;
}

// Adds an unknown group to the message and to each message in it. Few clients can skip one.
void add_unknown(google::protobuf::Message& message) {
  const auto* reflection = message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const auto* field : fields) {
    if (field->message_type() == nullptr || field->is_map()) continue;
    if (!field->is_repeated()) {
      add_unknown(*reflection->MutableMessage(&message, field));
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i)
      add_unknown(*reflection->MutableRepeatedMessage(&message, field, i));
  }
  reflection->MutableUnknownFields(&message)->AddGroup(999)->AddVarint(1, 7);
}

TEST(BatchMessages, APlaceThatIsLeftOutIsRefusedOfClientsAndReadFromLogs) {
  for (const Case& one : one_of_each())
    EXPECT_TRUE(check_places(one.message, Field() / "batch").ok());
  const char* const kFields[][2] = {
      {"upsert_obstacles { id: 1 blocked: true box { half_x: 3 half_z: 4 } }",
       "batch.upsert_obstacles[0].box.center"},
      {"upsert_obstacles { id: 1 blocked: true cylinder { radius: 3 } }",
       "batch.upsert_obstacles[0].cylinder.center"},
      {"upsert_obstacles { id: 1 blocked: true capsule { to {} radius: 3 } }",
       "batch.upsert_obstacles[0].capsule.from"},
      {"upsert_obstacles { id: 1 blocked: true capsule { from {} radius: 3 } }",
       "batch.upsert_obstacles[0].capsule.to"},
      {"influence_edits { cells { x1: 1 y1: 1 } set: 1 } influence_edits { cylinder { radius: 3 } "
       "set: 1 }",
       "batch.influence_edits[1].cylinder.center"},
      {"fog_edits { cylinder { radius: 3 } }", "batch.fog_edits[0].cylinder.center"},
      {"stand { agent_id: 7 cylinder { radius: 3 } }", "batch.stand[0].cylinder.center"},
      {"graph_edits { add_node { id: 8 } }", "batch.graph_edits[0].add_node.position"}};
  for (const auto& [text, field] : kFields) {
    const v1::ChangeBatch message = message_of(text);
    const absl::Status status = check_places(message, Field() / "batch");
    EXPECT_EQ(error_reason(status), "PLACE_MISSING");
    EXPECT_EQ(error_field(status), field);
    const bool graph = message.graph_edits_size() > 0;
    EXPECT_TRUE(to_batch(message, one_of_each()[graph ? 2 : 0].world, Field() / "batch").ok());
  }
}

TEST(BatchMessages, TheLogGivesBackWhatWasSentWithoutUnknownFields) {
  for (const Case& one : one_of_each()) {
    v1::ChangeBatch sent = one.message;
    add_unknown(sent);
    EXPECT_NE(sent.SerializeAsString(), one.message.SerializeAsString());
    EXPECT_EQ(batch_bytes(sent), one.message.SerializeAsString());
    v1::ChangeBatch read;
    ASSERT_TRUE(read_batch(batch_bytes(sent), &read).ok());
    const auto batch = to_batch(read, one.world, Field() / "batch");
    ASSERT_TRUE(batch.ok()) << batch.status();
    EXPECT_EQ(*batch, one.batch);
  }
}

TEST(BatchMessages, DamagedBytesAreToldOrReadAsAnotherBatch) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int refused = 0;
  for (const Case& one : one_of_each()) {
    const std::string good = batch_bytes(one.message);
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = good.substr(0, random.below(static_cast<std::uint32_t>(good.size())) + 1);
      for (std::uint32_t k = random.below(4); k > 0; --k)
        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
            static_cast<char>(random.below(256));
      v1::ChangeBatch read;
      const absl::Status status = read_batch(bytes, &read);
      if (status.ok()) {
        (void)to_batch(read, one.world, Field() / "batch");
      } else {
        ++refused;
        EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
        EXPECT_EQ(error_reason(status), "BATCH_DAMAGED");
      }
    }
  }
  EXPECT_GT(refused, 3000);
}

}  // namespace
}  // namespace repath
