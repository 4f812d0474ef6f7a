// Whole worlds as files, over sockets: a file makes an equal world, and other formats say what they
// lose.
#include <google/protobuf/util/message_differencer.h>

#include <map>
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
using test::Exported;
using test::message_of;

class WorldExports : public test::ReadBackServer {};

TEST_F(WorldExports, AnExportedWorldImportsAsAnEqualOne) {
  change("square", R"(
    add_profiles { name: "boat" topology: TOPOLOGY_4 radius: 0.75
                   terrain_rules { terrain_class: "swamp" forbidden: true } }
    terrain_edits { cells { x0: 2 y0: 3 x1: 5 y1: 5 } terrain_class: "swamp" }
    influence_edits { cells { x0: 1 y0: 1 x1: 3 y1: 2 } team: 2 layer: 5 set: 300 }
    fog_edits { cells { x0: 0 y0: 0 x1: 9 y1: 5 } team: 3 hidden: true }
    upsert_obstacles { id: 5 blocked: true polygon { xz: [6, 1, 8, 1, 7, 2] } team_mask: 6 }
    stand { agent_id: 3 cells { x0: 2 y0: 0 x1: 3 y1: 1 } })");
  change("house", R"(
    add_profiles { name: "cart" radius: 0.4 area_costs { area: 3 factor: 2.5 } exclude_flags: 8 }
    upsert_obstacles { id: 3 blocked: true box { center { x: 3 z: 1 } half_x: 0.5 half_z: 0.25 } }
    switch_links { id: 5 enabled: false })");
  change("streets", R"(
    graph_edits { remove_node: 2 }
    graph_edits { add_node { id: 9 position { x: 1 z: -3.5 } area: 4 disabled: true } }
    graph_edits { set_edge { from: 9 to: 1 cost: 7.3 flags: 10 disabled: true key: 3 width: 1.25 } })");
  for (const char* name : {"square", "house", "streets"}) {
    SCOPED_TRACE(name);
    const v1::World before = get(name);
    v1::World made = again(name);
    EXPECT_EQ(made.name(), "again");
    EXPECT_EQ(made.revision(), 2u);
    EXPECT_EQ(made.oldest_revision(), 3u);
    EXPECT_EQ(made.state_hash(), before.state_hash());
    EXPECT_EQ(made.obstacles(), before.obstacles());
    EXPECT_TRUE(MessageDifferencer::Equals(made.options(), before.options()))
        << made.options().DebugString();
    EXPECT_EQ(made.profiles_size(), before.profiles_size());
    Context context;
    v1::DeleteWorldRequest request;
    request.set_world("again");
    v1::DeleteWorldResponse deleted;
    ASSERT_TRUE(worlds_->DeleteWorld(&context, request, &deleted).ok());
  }
}

// A snapshot is such a file, so after a restart clients need not read what they have.
TEST_F(WorldExports, SquaresKeepTheirRevisionsInAFile) {
  create("name: 'wide' width: 256 height: 64");
  change("wide", "terrain_edits { cells { x0: 3 y0: 3 x1: 4 y1: 4 } terrain_class: 'swamp' }");
  change("wide", "terrain_edits { cells { x0: 70 y0: 3 x1: 71 y1: 4 } terrain_class: 'swamp' }");
  change("wide", "fog_edits { cells { x0: 10 y0: 0 x1: 20 y1: 5 } team: 2 hidden: true }");
  change("wide", "add_profiles { name: 'boat' }");
  const v1::World made = again("wide");
  EXPECT_EQ(made.revision(), 5u);
  const auto revisions = [this](const std::string& request) {
    v1::GetTerrainResponse page;
    EXPECT_TRUE(terrain(request, &page).ok());
    std::vector<std::uint64_t> all;
    for (const v1::TerrainTile& tile : page.tiles()) all.push_back(tile.changed_revision());
    return all;
  };
  EXPECT_EQ(revisions("world: 'wide' team: 2"), (std::vector<std::uint64_t>{4, 3, 1, 1}));
  EXPECT_EQ(revisions("world: 'wide'"), (std::vector<std::uint64_t>{2, 3, 1, 1}));
  EXPECT_EQ(revisions("world: 'again' team: 2"), (std::vector<std::uint64_t>{4, 3, 1, 1}));
  // A file has one revision for terrain, influence and fog together.
  EXPECT_EQ(revisions("world: 'again'"), (std::vector<std::uint64_t>{4, 3, 1, 1}));
  EXPECT_EQ(revisions("world: 'again' changed_since_revision: 3"), std::vector<std::uint64_t>{4});
}

// In changes 0 stands for 1, but a graph in JSON may have nodes and edges without a flag.
TEST_F(WorldExports, FlagsOfZeroStayInAGraphsFile) {
  v1::World zero;
  ASSERT_TRUE(import_file("world { name: 'zero' } format: MAP_FORMAT_GRAPH", R"({
    "nodes": [{"id": 1, "position": [0, 0, 0], "flags": 0}, {"id": 2, "position": [10, 0, 0]}],
    "edges": [{"from": 1, "to": 2, "flags": 0}]})",
                          &zero)
                  .ok());
  EXPECT_EQ(again("zero").state_hash(), zero.state_hash());
}

TEST_F(WorldExports, AWorldFileDecidesAllButItsOptions) {
  const std::string file = export_world("world: 'square'").file;
  v1::World made;
  expect_fault(
      import_file("world { name: 'b' cell_size: 2 } format: MAP_FORMAT_REPATH", file, &made),
      grpc::INVALID_ARGUMENT, "FILE_DECIDES", "header.world.cell_size");
  expect_fault(import_file("world { name: 'b' profiles { name: 'p' } }", file, &made),
               grpc::INVALID_ARGUMENT, "FILE_DECIDES", "header.world.profiles");
  expect_fault(
      import_file("world { name: 'b' terrain_classes { name: 'p' symbol: 'p' factor: 1 } }", file,
                  &made),
      grpc::INVALID_ARGUMENT, "FILE_DECIDES", "header.world.terrain_classes");
  expect_fault(
      import_file("world { name: 'b' options { history_revisions: 2000000 } }", file, &made),
      grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "header.world.options.history_revisions");
  ASSERT_TRUE(
      import_file("world { name: 'b' options { history_revisions: 17 } }", file, &made).ok());
  EXPECT_EQ(made.options().history_revisions(), 17u);
  EXPECT_TRUE(made.options().lockstep());
  expect_fault(import_file("world { name: 'm' options { first_leg_cells: 1000 } }",
                           export_world("world: 'house'").file, &made),
               grpc::INVALID_ARGUMENT, "KIND_UNSUITED", "header.world.options.first_leg_cells");
}

TEST_F(WorldExports, ASpoiltWorldFileIsRefusedAndLeavesNoWorld) {
  std::string file = export_world("world: 'square'").file;
  v1::World made;
  const std::string header = "world { name: 'b' } format: MAP_FORMAT_REPATH";
  expect_fault(import_file(header, file.substr(0, file.size() - 1), &made), grpc::INVALID_ARGUMENT,
               "WORLD_FILE_SYNTAX", "chunk");
  expect_fault(import_file(header, "type octile\n", &made), grpc::INVALID_ARGUMENT,
               "WORLD_FILE_SYNTAX", "chunk");
  char& terrain = file[file.size() - 50];  // of the last cells, before the 37 bytes of the end
  terrain = static_cast<char>(terrain ^ 1);
  expect_fault(import_file(header, file, &made), grpc::INVALID_ARGUMENT, "WORLD_FILE_DIGEST",
               "chunk");
  Context context;
  v1::GetWorldRequest request;
  request.set_world("b");
  expect_fault(worlds_->GetWorld(&context, request, &made), grpc::NOT_FOUND, "WORLD_UNKNOWN",
               "world");
}

TEST_F(WorldExports, OtherFormatsSayWhatTheyLose) {
  change("square", R"(
    upsert_obstacles { id: 5 blocked: true polygon { xz: [6, 1, 8, 1, 7, 2] } }
    terrain_edits { cells { x0: 0 y0: 0 x1: 2 y1: 1 } terrain_class: "swamp" })");
  const Exported text = export_world("world: 'square' format: MAP_FORMAT_TEXT");
  EXPECT_EQ(text.file, "SS........\n..........\n####.#####\n..........\n..........\n");
  EXPECT_EQ(text.header.format(), v1::MAP_FORMAT_TEXT);
  EXPECT_EQ(std::vector<std::string>(text.header.lost().begin(), text.header.lost().end()),
            (std::vector<std::string>{"profiles", "settings", "revision", "obstacles (1)"}));
  const Exported map = export_world("world: 'square' format: MAP_FORMAT_MOVING_AI");
  EXPECT_EQ(map.file, "type octile\nheight 5\nwidth 10\nmap\n" + text.file);

  const Exported streets = export_world("world: 'streets' format: MAP_FORMAT_GRAPH");
  v1::World made;
  ASSERT_TRUE(import_file("world { name: 'again' }", streets.file, &made).ok()) << streets.file;
  // The two worlds have one revision and the same profiles, so nothing is lost here.
  EXPECT_EQ(made.state_hash(), get("streets").state_hash());

  const Exported house = export_world("world: 'house' format: MAP_FORMAT_OBJ");
  ASSERT_TRUE(house.status.ok()) << house.status.error_message();
  EXPECT_GE(house.header.lost_size(), 5);
  ASSERT_TRUE(import_file("world { name: 'house2' } recast { agent_radius: -1 cell_size: 0.1 }",
                          house.file, &made)
                  .ok());
  EXPECT_NEAR(made.bounds_max().x(), 20, 0.3);
  EXPECT_NEAR(made.bounds_max().z(), 10, 0.3);
}

TEST_F(WorldExports, AFloorPlanComesBackAndAnotherMeshHasNone) {
  const Exported plan = export_world("world: 'house' format: MAP_FORMAT_FLOOR_PLAN");
  ASSERT_TRUE(plan.status.ok()) << plan.status.error_message();
  EXPECT_EQ(plan.header.lost(3), "method and tau of the plan: give them with the import");
  v1::World made;
  ASSERT_TRUE(import_file("world { name: 'again' }", plan.file, &made).ok()) << plan.file;
  EXPECT_EQ(made.state_hash(), get("house").state_hash());
  change("again", "switch_links { id: 5 enabled: false }");
  const Exported shut = export_world("world: 'again' format: MAP_FORMAT_FLOOR_PLAN");
  EXPECT_NE(shut.file.find("\"enabled\": false"), std::string::npos) << shut.file;

  const Exported ground = export_world("world: 'house' format: MAP_FORMAT_OBJ");
  ASSERT_TRUE(import_file("world { name: 'built' }", ground.file, &made).ok());
  expect_fault(export_world("world: 'built' format: MAP_FORMAT_FLOOR_PLAN").status,
               grpc::FAILED_PRECONDITION, "PLAN_MISSING", "format");
}

TEST_F(WorldExports, WrongExportsAreRefused) {
  const auto refused = [&](const std::string& request, grpc::StatusCode code,
                           const std::string& reason, const std::string& field) {
    SCOPED_TRACE(request);
    expect_fault(export_world(request).status, code, reason, field);
  };
  refused("world: 'nowhere'", grpc::NOT_FOUND, "WORLD_UNKNOWN", "world");
  refused("world: 'square' format: 99", grpc::INVALID_ARGUMENT, "ENUM_UNKNOWN", "format");
  refused("world: 'square' walker {}", grpc::INVALID_ARGUMENT, "KIND_UNSUITED", "walker");
  refused("world: 'house' walker {}", grpc::INVALID_ARGUMENT, "KIND_UNSUITED", "walker");
  refused("world: 'house' format: MAP_FORMAT_OBJ walker { profile: 'x' }", grpc::NOT_FOUND,
          "PROFILE_UNKNOWN", "walker.profile");
  refused("world: 'house' format: MAP_FORMAT_OBJ walker { team: 32 }", grpc::INVALID_ARGUMENT,
          "OUT_OF_RANGE", "walker.team");
  const std::set<std::pair<std::string, int>> suits = {{"square", v1::MAP_FORMAT_MOVING_AI},
                                                       {"square", v1::MAP_FORMAT_TEXT},
                                                       {"house", v1::MAP_FORMAT_OBJ},
                                                       {"house", v1::MAP_FORMAT_FLOOR_PLAN},
                                                       {"streets", v1::MAP_FORMAT_GRAPH}};
  for (const char* world : {"square", "house", "streets"})
    for (int format = v1::MAP_FORMAT_MOVING_AI; format < v1::MAP_FORMAT_REPATH; ++format)
      if (!suits.contains({world, format}))
        refused("world: '" + std::string(world) + "' format: " + std::to_string(format),
                grpc::INVALID_ARGUMENT, "KIND_UNSUITED", "format");
}

TEST_F(WorldExports, ALargeWorldIsExportedOfOneRevisionWhileItChanges) {
  create("name: 'large' width: 2000 height: 1500");
  for (int i = 0; i < 40; ++i) {
    v1::ApplyChangesRequest request;
    request.set_world("large");
    for (int k = 0; k < 500; ++k) {
      auto* obstacle = request.mutable_batch()->add_upsert_obstacles();
      obstacle->set_id(static_cast<std::uint64_t>(500 * i + k));
      obstacle->set_blocked(true);
      obstacle->mutable_cylinder()->mutable_center()->set_x(3.5 * k);
      obstacle->mutable_cylinder()->mutable_center()->set_z(30 * i);
      obstacle->mutable_cylinder()->set_radius(1.5);
    }
    apply(request);
  }
  Context context;
  auto reader =
      worlds_->ExportWorld(&context, message_of<v1::ExportWorldRequest>("world: 'large'"));
  std::map<std::uint64_t, std::uint64_t> hashes = {{41, get("large").state_hash()}};
  for (int i = 0; i < 50; ++i) {
    v1::ApplyChangesRequest request;
    request.set_world("large");
    request.mutable_batch()->add_remove_obstacles(static_cast<std::uint64_t>(7 * i));
    auto* edit = request.mutable_batch()->add_terrain_edits();
    *edit->mutable_cells() = message_of<v1::CellRect>("x0: 0 y0: 0 x1: 2000 y1: 1");
    edit->set_terrain_class(i % 2 == 0 ? "swamp" : "ground");
    const auto applied = apply(request);
    hashes[applied.revision()] = applied.state_hash();
  }
  std::string file;
  v1::ExportWorldResponse message;
  ASSERT_TRUE(reader->Read(&message));
  const v1::ExportWorldResponse::Header header = message.header();
  while (reader->Read(&message)) file += message.chunk();
  ASSERT_TRUE(reader->Finish().ok());
  EXPECT_EQ(header.state_hash(), hashes.at(header.revision()));
  v1::World made;
  ASSERT_TRUE(import_file("world { name: 'again' }", file, &made).ok());
  EXPECT_EQ(made.revision(), header.revision());
  EXPECT_EQ(made.state_hash(), header.state_hash());
}

}  // namespace
}  // namespace repath
