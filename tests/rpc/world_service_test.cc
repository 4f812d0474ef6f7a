#include <algorithm>
#include <string>

#include "rpc/fixture.h"
#include "support/temp_path.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

class WorldCalls : public test::Server {
 protected:
  grpc::Status create(const v1::CreateWorldRequest& request, v1::World* world) {
    Context context;
    return worlds_->CreateWorld(&context, request, world);
  }
  grpc::Status try_apply(const v1::ApplyChangesRequest& request) {
    Context context;
    v1::ApplyChangesResponse response;
    return worlds_->ApplyChanges(&context, request, &response);
  }
  v1::World get(const std::string& name) {
    Context context;
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::World world;
    EXPECT_TRUE(worlds_->GetWorld(&context, request, &world).ok());
    return world;
  }
};

TEST_F(WorldCalls, AnImportedWorldIsAsItsFileSays) {
  const v1::World world = import_square("square", false);
  EXPECT_EQ(world.width(), 10);
  EXPECT_EQ(world.height(), 5);
  EXPECT_EQ(world.kind(), "grid");
  EXPECT_EQ(world.revision(), 1u);
  EXPECT_EQ(world.options().frame_rate_hz(), 60);
  EXPECT_EQ(get("square").state_hash(), world.state_hash());
}

TEST_F(WorldCalls, ProfilesComeBackAsTheyWereGiven) {
  v1::CreateWorldRequest request;
  request.set_name("hive");
  request.set_width(8);
  request.set_height(8);
  v1::Profile& bee = *request.add_profiles();
  bee.set_name("bee");
  bee.set_topology(v1::TOPOLOGY_HEX);
  bee.set_corner_rule(v1::CORNER_RULE_NONE);
  bee.set_radius(0.75);
  v1::World world;
  ASSERT_TRUE(create(request, &world).ok());
  ASSERT_EQ(world.profiles_size(), 2);
  EXPECT_EQ(world.profiles(1).SerializeAsString(), bee.SerializeAsString());
}

TEST_F(WorldCalls, CreatingNamesTheFieldAtFault) {
  v1::CreateWorldRequest request;
  v1::World world;
  request.set_name("no spaces");
  request.set_width(8);
  request.set_height(8);
  expect_fault(create(request, &world), grpc::INVALID_ARGUMENT, "NAME_INVALID", "name");
  request.set_name("a");
  request.set_width(16'385);
  expect_fault(create(request, &world), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE", "width");
  request.set_width(8);
  request.add_profiles()->set_name("hexer");
  request.mutable_profiles(0)->set_topology(static_cast<v1::Topology>(9));
  expect_fault(create(request, &world), grpc::INVALID_ARGUMENT, "ENUM_UNKNOWN",
               "profiles[0].topology");
  request.clear_profiles();
  request.add_profiles()->set_name("giant");
  request.mutable_profiles(0)->set_radius(32.5);
  expect_fault(create(request, &world), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
               "profiles[0].radius");
  request.clear_profiles();
  request.mutable_options()->set_frame_budget_us(49);
  expect_fault(create(request, &world), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
               "options.frame_budget_us");
}

TEST_F(WorldCalls, AnImportNamesLineAndColumn) {
  Context context;
  v1::World world;
  auto writer = worlds_->ImportWorld(&context, &world);
  v1::ImportWorldRequest part;
  part.mutable_header()->mutable_world()->set_name("a");
  writer->Write(part);
  part.set_chunk("...\n.?.\n");
  writer->Write(part);
  writer->WritesDone();
  const grpc::Status status = writer->Finish();
  expect_fault(status, grpc::INVALID_ARGUMENT, "MAP_SYMBOL", "chunk");
  EXPECT_NE(status.error_message().find("line 2, column 2"), std::string::npos)
      << status.error_message();
}

TEST_F(WorldCalls, AChunkBeforeTheHeaderIsRefused) {
  Context context;
  v1::World world;
  auto writer = worlds_->ImportWorld(&context, &world);
  v1::ImportWorldRequest part;
  part.set_chunk("...\n");
  writer->Write(part);
  writer->WritesDone();
  expect_fault(writer->Finish(), grpc::INVALID_ARGUMENT, "HEADER_MISSING", "header");
}

TEST_F(WorldCalls, ARefusedBatchNamesTheFieldAndChangesNothing) {
  const v1::World before = import_square("square", false);
  v1::ApplyChangesRequest request = shut_door("square");
  request.mutable_batch()->mutable_upsert_obstacles(0)->mutable_cells()->set_x1(4);
  expect_fault(try_apply(request), grpc::INVALID_ARGUMENT, "RECT_EMPTY",
               "batch.upsert_obstacles[0].cells");
  request = shut_door("square");
  request.mutable_batch()->mutable_upsert_obstacles(0)->clear_effect();
  expect_fault(try_apply(request), grpc::INVALID_ARGUMENT, "EFFECT_MISSING",
               "batch.upsert_obstacles[0].effect");
  request = shut_door("square");
  request.mutable_batch()->add_add_profiles()->set_name("whale");
  request.mutable_batch()->mutable_add_profiles(0)->set_radius(33);
  expect_fault(try_apply(request), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
               "batch.add_profiles[0].radius");
  request = shut_door("square");
  request.mutable_batch()->add_remove_obstacles(99);
  expect_fault(try_apply(request), grpc::NOT_FOUND, "OBSTACLE_UNKNOWN",
               "batch.remove_obstacles[0]");
  request = shut_door("square");
  request.set_expected_revision(7);
  expect_fault(try_apply(request), grpc::ABORTED, "REVISION_MISMATCH", "expected_revision");
  request = shut_door("square");
  request.set_durability(v1::DURABILITY_LOCAL_DISK);
  expect_fault(try_apply(request), grpc::FAILED_PRECONDITION, "DURABILITY_UNAVAILABLE",
               "durability");
  EXPECT_EQ(get("square").state_hash(), before.state_hash());
  EXPECT_EQ(get("square").revision(), 1u);
}

TEST_F(WorldCalls, ARepeatedRequestGetsTheFirstAnswer) {
  import_square("square", false);
  v1::ApplyChangesRequest request = shut_door("square");
  request.set_request_id("once");
  const auto first = apply(request);
  const auto again = apply(request);
  EXPECT_FALSE(first.repeated_request());
  EXPECT_TRUE(again.repeated_request());
  EXPECT_EQ(again.revision(), first.revision());
  EXPECT_EQ(get("square").revision(), 2u);
}

TEST_F(WorldCalls, TryingABatchChangesNothing) {
  const v1::World before = import_square("square", false);
  v1::TestChangesRequest request;
  request.set_world("square");
  *request.mutable_batch() = shut_door("square").batch();
  auto* pair = request.add_pairs();
  set_cell(0, 0, pair->mutable_from());
  set_cell(0, 4, pair->mutable_to());
  Context context;
  v1::TestChangesResponse response;
  ASSERT_TRUE(worlds_->TestChanges(&context, request, &response).ok());
  EXPECT_TRUE(response.pairs(0).connected_before());
  EXPECT_FALSE(response.pairs(0).connected_after());
  EXPECT_EQ(get("square").state_hash(), before.state_hash());
}

TEST_F(WorldCalls, ATriedBatchTellsTheNewPathsOfItsAgents) {
  import_square("square", true);
  v1::UpsertAgentsRequest upsert;
  upsert.set_world("square");
  for (std::uint64_t id = 1; id <= 3; ++id) {
    v1::Agent* agent = upsert.add_agents();
    agent->set_id(id);
    set_cell(0, 0, agent->mutable_position());
    set_cell(9, 0, agent->add_goals());
  }
  Context upserting;
  v1::UpsertAgentsResponse upserted;
  ASSERT_TRUE(agents_->UpsertAgents(&upserting, upsert, &upserted).ok());
  Context ticking;
  v1::TickRequest tick;
  tick.set_world("square");
  tick.set_budget_work_units(100'000);
  v1::TickResponse ticked;
  ASSERT_TRUE(agents_->Tick(&ticking, tick, &ticked).ok());

  v1::TestChangesRequest request;
  request.set_world("square");
  *request.mutable_batch() = shut_door("square").batch();
  auto* cells = request.mutable_batch()->mutable_upsert_obstacles(0)->mutable_cells();
  cells->set_y0(0);
  cells->set_y1(1);
  request.set_max_paths(2);
  Context context;
  v1::TestChangesResponse response;
  const grpc::Status status = worlds_->TestChanges(&context, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.affected_agents_size(), 3);
  ASSERT_EQ(response.new_paths_size(), 2);
  EXPECT_EQ(response.new_paths(1).agent_id(), 2u);
  const v1::Path& path = response.new_paths(1).path();
  EXPECT_EQ(path.status(), v1::PATH_STATUS_COMPLETE);
  EXPECT_EQ(path.revision(), 1u);
  // Corners are not cut: eight steps straight on in the second row, one to get there, one back.
  EXPECT_NEAR(path.cost(), 7 + 2 * 1.41421356, 1e-6);
  request.set_max_paths(257);
  Context again;
  expect_fault(worlds_->TestChanges(&again, request, &response), grpc::INVALID_ARGUMENT,
               "OUT_OF_RANGE", "max_paths");
}

TEST_F(WorldCalls, AWatchGetsEveryBatchFromItsStart) {
  const v1::World world = import_square("square", false);
  const auto first = apply(shut_door("square"));
  Context context;
  v1::WatchWorldRequest request;
  request.set_world("square");
  request.set_start_revision(2);
  request.set_epoch(world.epoch());
  auto reader = worlds_->WatchWorld(&context, request);
  v1::WatchWorldResponse message;
  ASSERT_TRUE(reader->Read(&message));
  ASSERT_EQ(message.changes_size(), 1);
  EXPECT_EQ(message.changes(0).state_hash(), first.state_hash());
  EXPECT_EQ(message.changes(0).batch().upsert_obstacles(0).id(), 1u);
  v1::ApplyChangesRequest open;
  open.set_world("square");
  open.mutable_batch()->add_remove_obstacles(1);
  open.set_game_tick(77);
  apply(open);
  ASSERT_TRUE(reader->Read(&message));
  EXPECT_EQ(message.changes(0).revision(), 3u);
  EXPECT_EQ(message.changes(0).game_tick(), 77u);
  context.TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::CANCELLED);
}

TEST_F(WorldCalls, BelowTheKeptHistoryIsOutOfRange) {
  v1::CreateWorldRequest request;
  request.set_name("short");
  request.set_width(8);
  request.set_height(8);
  request.mutable_options()->set_history_revisions(2);
  v1::World world;
  ASSERT_TRUE(create(request, &world).ok());
  for (int i = 0; i < 5; ++i) apply(shut_door("short"));
  Context context;
  v1::ReadChangesRequest read;
  read.set_world("short");
  read.set_start_revision(3);
  v1::ReadChangesResponse page;
  const grpc::Status status = worlds_->ReadChanges(&context, read, &page);
  expect_fault(status, grpc::OUT_OF_RANGE, "HISTORY_GONE", "start_revision");
  EXPECT_EQ(test::fault_of(status).metadata.at("oldest_revision"), "5");
}

TEST_F(WorldCalls, AnotherEpochIsToldSo) {
  import_square("square", false);
  Context context;
  v1::WatchWorldRequest request;
  request.set_world("square");
  request.set_epoch("another");
  auto reader = worlds_->WatchWorld(&context, request);
  v1::WatchWorldResponse message;
  EXPECT_FALSE(reader->Read(&message));
  expect_fault(reader->Finish(), grpc::FAILED_PRECONDITION, "EPOCH_CHANGED", "epoch");
}

TEST_F(WorldCalls, ListsInPages) {
  for (const char* name : {"b", "c", "a"}) import_square(name, false);
  v1::ListWorldsRequest request;
  request.set_page_size(2);
  std::string names;
  do {
    Context context;
    v1::ListWorldsResponse page;
    ASSERT_TRUE(worlds_->ListWorlds(&context, request, &page).ok());
    for (const v1::World& world : page.worlds()) names += world.name();
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(names, "abc");
}

TEST_F(WorldCalls, AMessageAboveFourMebibytesIsRefused) {
  import_square("square", false);
  v1::ApplyChangesRequest request = shut_door("square");
  request.set_request_id(std::string(4 << 20, 'x'));
  EXPECT_EQ(try_apply(request).error_code(), grpc::RESOURCE_EXHAUSTED);
}

TEST_F(WorldCalls, AUnixSocketServesAsWell) {
  const std::string address = "unix:" + test::temp_path("second.sock");
  auto second = RpcServer::start({address}, registry_);
  ASSERT_TRUE(second.ok()) << second.status();
  connect(address);
  EXPECT_EQ(import_square("square", false).revision(), 1u);
  connect(server_->addresses().front());
}

TEST_F(WorldCalls, AnAddressInUseIsAnError) {
  const auto second = RpcServer::start(server_->addresses(), registry_);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace repath
