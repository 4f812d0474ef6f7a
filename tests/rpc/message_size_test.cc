// No message of the server is larger than 4 MiB, which clients accept by default; and none that it
// takes is larger than its limit in memory.
#include <grpcpp/impl/codegen/client_unary_call.h>

#include <memory>
#include <string>
#include <vector>

#include "rpc/fixture.h"
#include "rpc/raw_stream.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

constexpr int kSide = 1600;  // columns of the zigzag, less one
constexpr int kBands = 110;  // each of two rows with a wall below
constexpr int kTop = 128;    // rows of wall above, so that every number takes two bytes
constexpr int kRows = kTop + 3 * kBands - 1;

// One path that turns at every column: to the right in the first band, back in the second, and so
// on.
std::string zigzag() {
  std::string map;
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x <= kSide; ++x) {
      if (y < kTop) {
        map += '#';
        continue;
      }
      const int row = (y - kTop) % 3;
      const int band = (y - kTop) / 3;
      const bool door = x == (band % 2 == 0 ? kSide : 0);
      const bool upper = x % 4 != 1;
      const bool lower = x % 4 != 3;
      const bool free = row == 0 ? upper : row == 1 ? lower : door;
      map += free ? '.' : '#';
    }
    map += '\n';
  }
  return map;
}

class MessageSizes : public test::Server {
 protected:
  void import_zigzag() {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name("zigzag");
    writer->Write(part);
    part.set_chunk(zigzag());
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    ASSERT_TRUE(status.ok()) << status.error_message();
  }

  static v1::FindPathRequest through() {
    v1::FindPathRequest request;
    request.set_world("zigzag");
    set_cell(0, kTop, request.mutable_from());
    set_cell(kBands % 2 == 0 ? 0 : kSide, kRows - 1, request.add_goals());
    return request;
  }
  grpc::Status find(const v1::FindPathRequest& request, v1::Path* path) {
    Context context;
    v1::FindPathResponse response;
    const grpc::Status status = paths_->FindPath(&context, request, &response);
    *path = response.path();
    return status;
  }

  void create(const v1::CreateWorldRequest& request) {
    Context context;
    v1::World world;
    const grpc::Status status = worlds_->CreateWorld(&context, request, &world);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  // Makes a small world and opens a session in it.
  std::unique_ptr<test::RawStream> begin_session() {
    v1::CreateWorldRequest world;
    world.set_name("a");
    world.set_width(8);
    world.set_height(8);
    create(world);
    auto session = std::make_unique<test::RawStream>(channel_, "/repath.v1.AgentService/Session");
    v1::SessionRequest open;
    open.mutable_open()->set_world("a");
    session->write(open.SerializeAsString());
    return session;
  }
  grpc::Status try_apply(const v1::ApplyChangesRequest& request) {
    Context context;
    v1::ApplyChangesResponse response;
    return worlds_->ApplyChanges(&context, request, &response);
  }
  // Returns the revisions that a watch from the first batch on gets, up to `last`.
  std::vector<std::uint64_t> watch(const std::string& world, std::uint64_t last) {
    Context context;
    v1::WatchWorldRequest request;
    request.set_world(world);
    request.set_start_revision(2);
    auto reader = worlds_->WatchWorld(&context, request);
    std::vector<std::uint64_t> revisions;
    v1::WatchWorldResponse message;
    while ((revisions.empty() || revisions.back() < last) && reader->Read(&message)) {
      for (const auto& change : message.changes()) revisions.push_back(change.revision());
    }
    context.TryCancel();
    EXPECT_EQ(reader->Finish().error_code(), grpc::CANCELLED);
    return revisions;
  }
};

std::vector<std::uint64_t> from_two_to(std::uint64_t last) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t revision = 2; revision <= last; ++revision) all.push_back(revision);
  return all;
}

TEST_F(MessageSizes, OfAVeryLongPathEventsAndListsGiveTheFirstWaypoints) {
  import_zigzag();
  v1::UpsertAgentsRequest upsert;
  upsert.set_world("zigzag");
  auto* agent = upsert.add_agents();
  agent->set_id(7);
  *agent->mutable_position() = through().from();
  *agent->mutable_goals() = through().goals();
  Context watching;
  v1::WatchPathsRequest watch;
  watch.set_world("zigzag");
  auto reader = agents_->WatchPaths(&watching, watch);
  Context upserting;
  v1::UpsertAgentsResponse upserted;
  ASSERT_TRUE(agents_->UpsertAgents(&upserting, upsert, &upserted).ok());
  v1::EventBatch batch;
  while (batch.events_size() == 0) ASSERT_TRUE(reader->Read(&batch)) << "the batch is too large";
  const v1::Path& path = batch.events(0).path();
  EXPECT_EQ(path.cells_size(), 2 * 100'000);
  EXPECT_GT(path.waypoints_left_out(), 50'000u) << "as a whole it would not fit";

  Context listing;
  v1::ListAgentsRequest list;
  list.set_world("zigzag");
  list.set_with_paths(true);
  v1::ListAgentsResponse page;
  const grpc::Status status = agents_->ListAgents(&listing, list, &page);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(page.agents(0).verdict().path().cells_size(), 2 * 100'000);
  EXPECT_EQ(page.agents(0).verdict().path().waypoints_left_out(), path.waypoints_left_out());
}

TEST_F(MessageSizes, AVeryLongPathIsFoundPieceByPiece) {
  import_zigzag();
  v1::FindPathRequest request = through();
  v1::Path path;
  expect_fault(find(request, &path), grpc::RESOURCE_EXHAUSTED, "PATH_TOO_LONG", "");
  request.mutable_options()->set_max_waypoints(100'001);
  expect_fault(find(request, &path), grpc::INVALID_ARGUMENT, "OUT_OF_RANGE",
               "options.max_waypoints");
  request.mutable_options()->set_max_waypoints(100'000);
  ASSERT_TRUE(find(request, &path).ok());
  v1::Path rest;
  set_cell(path.cells(2 * 100'000 - 2), path.cells(2 * 100'000 - 1), request.mutable_from());
  ASSERT_TRUE(find(request, &rest).ok());
  EXPECT_EQ(rest.waypoints_left_out(), 0u);
  // The last waypoint given is the first of the rest.
  EXPECT_EQ(static_cast<std::uint64_t>(rest.cells_size() / 2), path.waypoints_left_out() + 1);
  EXPECT_LT(rest.cost(), path.cost());
}

TEST_F(MessageSizes, ExplainingAVeryLongPathLeavesOutNodes) {
  import_zigzag();
  v1::ExplainPathRequest request;
  *request.mutable_request() = through();
  request.mutable_request()->mutable_options()->set_max_waypoints(100'000);
  Context context;
  v1::ExplainPathResponse response;
  const grpc::Status status = debug_->ExplainPath(&context, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.result().path().cells_size(), 2 * 100'000);
  EXPECT_TRUE(response.truncated());
  EXPECT_GT(response.g_size(), 30'000);
}

// 10,000 edits that give their class by a long name: seven times the bytes that the log needs.
TEST_F(MessageSizes, ChangesAreCutByTheirSizeOnTheWire) {
  v1::CreateWorldRequest world;
  world.set_name("a");
  world.set_width(8);
  world.set_height(8);
  for (const char symbol : {'a', 'b'}) {
    auto* terrain = world.add_terrain_classes();
    terrain->set_name(std::string(64, symbol));
    terrain->set_symbol(std::string(1, symbol));
    terrain->set_factor(1);
  }
  create(world);
  v1::ApplyChangesRequest request;
  request.set_world("a");
  for (int i = 0; i < 10'000; ++i) {
    auto* edit = request.mutable_batch()->add_terrain_edits();
    edit->set_terrain_class(std::string(64, i % 2 == 0 ? 'a' : 'b'));
    edit->mutable_cells()->set_x0(-1);
    edit->mutable_cells()->set_y0(-1);
    edit->mutable_cells()->set_x1(8);
    edit->mutable_cells()->set_y1(8);
  }
  for (int i = 0; i < 12; ++i) apply(request);
  EXPECT_EQ(watch("a", 13), from_two_to(13));
  std::uint64_t next = 2;
  while (next <= 13) {
    Context context;
    v1::ReadChangesRequest read;
    read.set_world("a");
    read.set_start_revision(next);
    v1::ReadChangesResponse page;
    const grpc::Status status = worlds_->ReadChanges(&context, read, &page);
    ASSERT_TRUE(status.ok()) << status.error_message();
    ASSERT_GT(page.changes_size(), 0);
    EXPECT_EQ(page.changes(0).revision(), next);
    next += static_cast<std::uint64_t>(page.changes_size());
  }
}

// Small obstacles with long ids and without masks: the answer is larger than the request.
TEST_F(MessageSizes, TheLargestBatchReachesWatchersAndALargerOneIsRefused) {
  v1::CreateWorldRequest world;
  world.set_name("a");
  world.set_width(8);
  world.set_height(8);
  create(world);
  v1::ApplyChangesRequest request;
  request.set_world("a");
  v1::ChangeBatch& batch = *request.mutable_batch();
  for (std::uint64_t id = 0; id < 10'000; ++id) {
    auto* obstacle = batch.add_upsert_obstacles();
    obstacle->set_id(~id);
    obstacle->set_blocked(true);
    // Triangles, each with a tail of corners along its base: 24 corners altogether.
    for (int i = 0; i < 24; ++i) {
      obstacle->mutable_polygon()->add_xz(1 + i * 0.01);
      obstacle->mutable_polygon()->add_xz(i == 0 ? 2 : 1 + i * i * 0.001);
    }
  }
  while (batch.ByteSizeLong() > 4'000'000) batch.mutable_upsert_obstacles()->RemoveLast();
  apply(request);
  EXPECT_EQ(watch("a", 2), from_two_to(2));
  *batch.add_upsert_obstacles() = batch.upsert_obstacles(0);
  batch.mutable_upsert_obstacles(0)->set_id(1);
  expect_fault(try_apply(request), grpc::RESOURCE_EXHAUSTED, "BATCH_TOO_LARGE", "batch");
  Context context;
  v1::TestChangesRequest test;
  test.set_world("a");
  *test.mutable_batch() = batch;
  v1::TestChangesResponse tested;
  expect_fault(worlds_->TestChanges(&context, test, &tested), grpc::RESOURCE_EXHAUSTED,
               "BATCH_TOO_LARGE", "batch");
}

TEST_F(MessageSizes, APageOfElaborateWorldsEndsEarly) {
  v1::CreateWorldRequest world;
  world.set_width(1);
  world.set_height(1);
  for (int i = 0; i < 64; ++i) {
    auto* terrain = world.add_terrain_classes();
    terrain->set_name(std::string(62, 't') + std::to_string(10 + i));
    terrain->set_symbol(std::string(1, static_cast<char>('0' + i)));
    terrain->set_factor(2);
  }
  for (int i = 0; i < 64; ++i) {
    auto* profile = world.add_profiles();
    profile->set_name("profile" + std::to_string(i));
    for (const auto& terrain : world.terrain_classes()) {
      auto* rule = profile->add_terrain_rules();
      rule->set_terrain_class(terrain.name());
      rule->set_factor(3);
    }
  }
  world.mutable_profiles(0)->set_name("default");
  constexpr int kWorlds = 20;
  for (int i = 0; i < kWorlds; ++i) {
    world.set_name("w" + std::to_string(10 + i));
    create(world);
  }
  std::vector<std::string> names;
  v1::ListWorldsRequest list;
  do {
    Context context;
    v1::ListWorldsResponse page;
    const grpc::Status status = worlds_->ListWorlds(&context, list, &page);
    ASSERT_TRUE(status.ok()) << status.error_message();
    for (const auto& one : page.worlds()) names.push_back(one.name());
    list.set_page_token(page.next_page_token());
  } while (!list.page_token().empty());
  ASSERT_EQ(names.size(), static_cast<std::size_t>(kWorlds));
  EXPECT_EQ(names.back(), "w29");
}

// Two million agents without a field: two bytes each, and half a gigabyte as messages.
template <class Upsert>
std::string empty_agents() {
  const char tag = static_cast<char>(Upsert::kAgentsFieldNumber << 3 | 2);
  std::string bytes;
  while (bytes.size() < 4'000'000) bytes += {tag, '\0'};
  return bytes;
}

TEST_F(MessageSizes, ARequestThatIsLargeInMemoryIsRefusedUnread) {
  const grpc::internal::RpcMethod method("/repath.v1.AgentService/UpsertAgents",
                                         grpc::internal::RpcMethod::NORMAL_RPC);
  const std::string bytes = empty_agents<v1::UpsertAgentsRequest>();
  const grpc::Slice slice(bytes);
  const grpc::ByteBuffer request(&slice, 1);
  grpc::ByteBuffer response;
  Context context;
  expect_fault(
      grpc::internal::BlockingUnaryCall(channel_.get(), method, &context, request, &response),
      grpc::RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE", "");
}

TEST_F(MessageSizes, ASessionMessageThatIsLargeInMemoryEndsTheStream) {
  const auto session = begin_session();
  const std::string agents = empty_agents<v1::SessionRequest::Upsert>();
  std::string upsert{static_cast<char>(v1::SessionRequest::kUpsertFieldNumber << 3 | 2)};
  for (std::size_t left = agents.size(); left > 0; left >>= 7)
    upsert += static_cast<char>((left & 0x7f) | (left >> 7 ? 0x80 : 0));
  session->write(upsert + agents);
  expect_fault(session->finish(), grpc::RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE", "");
}

// The client must learn that a message was lost.
TEST_F(MessageSizes, BytesThatAreNoMessageEndASessionWithAnError) {
  const auto session = begin_session();
  session->write("\xff\xff\xff");
  expect_fault(session->finish(), grpc::INVALID_ARGUMENT, "PROTO_INVALID", "");
}

TEST_F(MessageSizes, AnImportWithBytesThatAreNoMessageMakesNoWorld) {
  test::RawStream import(channel_, "/repath.v1.WorldService/ImportWorld");
  v1::ImportWorldRequest header;
  header.mutable_header()->mutable_world()->set_name("half");
  v1::ImportWorldRequest chunk;
  chunk.set_chunk("....\n....\n");
  import.write(header.SerializeAsString());
  import.write(chunk.SerializeAsString());
  import.write("\xff\xff\xff");
  import.write(chunk.SerializeAsString());
  expect_fault(import.finish(), grpc::INVALID_ARGUMENT, "PROTO_INVALID", "");
  Context context;
  v1::GetWorldRequest request;
  request.set_world("half");
  v1::World world;
  EXPECT_EQ(worlds_->GetWorld(&context, request, &world).error_code(), grpc::NOT_FOUND);
}

}  // namespace
}  // namespace repath
