// Worlds that outlive the process: a real repathd with a data folder is killed and started again.
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rpc/data_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::Data;
using test::Program;

TEST_F(Data, AcknowledgedChangesAreThereAfterAKillWithTheSameHashAndEpoch) {
  ASSERT_TRUE(create("w").ok());
  const v1::World first = get("w");
  EXPECT_EQ(first.incarnation(), 1u);
  v1::ApplyChangesResponse last;
  for (int x = 0; x < 8; ++x) last = block(x);
  EXPECT_EQ(last.durable_revision(), last.revision());
  kill_and_start();
  const v1::World world = get("w");
  EXPECT_EQ(world.revision(), 9u);
  EXPECT_EQ(world.durable_revision(), 9u);
  EXPECT_EQ(world.state_hash(), last.state_hash());
  EXPECT_EQ(world.epoch(), first.epoch());
  EXPECT_EQ(world.incarnation(), 2u);
  EXPECT_EQ(world.obstacles(), 8u);
  Context context;
  v1::ReadChangesRequest read;
  read.set_world("w");
  read.set_start_revision(2);
  v1::ReadChangesResponse changes;
  ASSERT_TRUE(worlds_->ReadChanges(&context, read, &changes).ok());
  EXPECT_EQ(changes.changes_size(), 8);
  EXPECT_EQ(changes.epoch(), first.epoch());
  EXPECT_EQ(block(8).revision(), 10u);
}

TEST_F(Data, RequestIdsGiveTheirFirstAnswersAfterAKill) {
  v1::World made;
  ASSERT_TRUE(create("w", 10, "make", &made).ok());
  const auto first = block(1, "once");
  block(2);
  kill_and_start();
  const auto again = block(1, "once");
  EXPECT_TRUE(again.repeated_request());
  EXPECT_EQ(again.revision(), first.revision());
  EXPECT_EQ(again.state_hash(), first.state_hash());
  EXPECT_EQ(get("w").revision(), 3u);
  v1::World same;
  ASSERT_TRUE(create("w", 10, "make", &same).ok());
  EXPECT_EQ(same.SerializeAsString(), made.SerializeAsString());
  test::expect_fault(create("v", 11, "make"), grpc::INVALID_ARGUMENT, "REQUEST_ID_REUSED",
                     "request_id");
  EXPECT_EQ(create("w", 11).error_code(), grpc::ALREADY_EXISTS);
}

TEST_F(Data, WorldsOfAllKindsStayAndDeletedOnesStayAway) {
  ASSERT_TRUE(create("w").ok());
  ASSERT_TRUE(create("gone").ok());
  for (const auto& [name, map] : {std::pair{"house", "house.json"},
                                  {"streets", "streets.json"},
                                  {"harbour", "harbour.map"}}) {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    writer->Write(part);
    std::ifstream file(std::string(REPATH_SOURCE_DIR) + "/deploy/maps/" + map);
    std::ostringstream text;
    text << file.rdbuf();
    part.set_chunk(text.str());
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  std::vector<v1::World> before;
  for (const char* name : {"harbour", "house", "streets"}) before.push_back(get(name));
  {
    Context context;
    v1::DeleteWorldRequest request;
    request.set_world("gone");
    v1::DeleteWorldResponse response;
    ASSERT_TRUE(worlds_->DeleteWorld(&context, request, &response).ok());
  }
  kill_and_start();
  Context context;
  v1::ListWorldsResponse listed;
  ASSERT_TRUE(worlds_->ListWorlds(&context, {}, &listed).ok());
  ASSERT_EQ(listed.worlds_size(), 4);
  for (const v1::World& world : listed.worlds())
    EXPECT_EQ(world.state(), v1::WORLD_STATE_STORED) << world.name();
  for (const v1::World& known : before) {
    const v1::World world = get(known.name());
    EXPECT_EQ(world.state(), v1::WORLD_STATE_SERVING);
    EXPECT_EQ(world.state_hash(), known.state_hash()) << world.name();
    EXPECT_EQ(world.kind(), known.kind());
    EXPECT_EQ(world.bounds_max().x(), known.bounds_max().x());
    EXPECT_EQ(world.options().SerializeAsString(), known.options().SerializeAsString());
  }
}

TEST_F(Data, AgentsAndSessionsComeBackAndGetTheirVerdictWithTheReasonRecovered) {
  ASSERT_TRUE(create("w").ok());
  std::uint64_t version = 0;
  {
    Context context;
    auto stream = agents_->Session(&context);
    v1::SessionRequest request;
    request.set_sequence(1);
    request.mutable_open()->set_world("w");
    request.mutable_open()->set_session_id("s");
    request.mutable_open()->set_ack_window(16);  // nothing is acknowledged
    stream->Write(request);
    request.set_sequence(2);
    for (std::uint64_t id : {1, 2}) fill_agent(id, request.mutable_upsert()->add_agents());
    stream->Write(request);
    v1::SessionResponse response;
    while (stream->Read(&response)) {
      for (const auto& event : response.batch().events())
        version = std::max<std::uint64_t>(version, event.path().path_version());
      if (response.batch().applied_sequence() == 2) break;
    }
    EXPECT_EQ(response.batch().applied_sequence(), 2u);
    kill_and_start();
    context.TryCancel();
  }
  EXPECT_EQ(list().agents_size(), 2);
  Context context;
  auto stream = agents_->Session(&context);
  v1::SessionRequest request;
  request.set_sequence(3);
  request.mutable_open()->set_world("w");
  request.mutable_open()->set_session_id("s");
  stream->Write(request);
  v1::SessionResponse response;
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_TRUE(response.opened().resumed());
  EXPECT_EQ(response.opened().agents(), 2u);
  EXPECT_EQ(response.opened().incarnation(), 2u);
  EXPECT_EQ(response.opened().applied_sequence(), 2u);
  std::set<std::uint64_t> recovered;
  while (recovered.size() < 2 && stream->Read(&response)) {
    EXPECT_EQ(response.batch().incarnation(), 2u);
    for (const auto& event : response.batch().events()) {
      EXPECT_EQ(event.type(), v1::EVENT_TYPE_NEW_PATH);
      EXPECT_EQ(event.reason(), v1::EVENT_REASON_RECOVERED);
      EXPECT_EQ(event.goal_generation(), 7u);
      EXPECT_GT(event.path().path_version(), version);
      recovered.insert(event.agent_id());
    }
  }
  EXPECT_EQ(recovered, (std::set<std::uint64_t>{1, 2}));
  context.TryCancel();
}

TEST_F(Data, ASecondServerOnTheFolderIsRefusedWithThePid) {
  Program second({"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", folder_});
  EXPECT_EQ(second.exit_status(), 1);
  EXPECT_NE(second.last_line().find("process"), std::string::npos) << second.log();
  EXPECT_TRUE(create("w").ok());
}

TEST_F(Data, ADrainSavesAndTheNextStartHasNothingToReplay) {
  ASSERT_TRUE(create("w").ok());
  const auto last = block(1);
  // A channel that nobody uses says goodbye only after seconds.
  worlds_.reset();
  agents_.reset();
  channel_.reset();
  program_->signal(SIGTERM);
  EXPECT_EQ(program_->exit_status(), 0) << program_->log();
  std::size_t snapshots = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_))
    snapshots += file.path().filename().string().starts_with("snap") ? 1 : 0;
  EXPECT_EQ(snapshots, 1u);
  start();
  EXPECT_EQ(get("w").state_hash(), last.state_hash());
}

}  // namespace
}  // namespace repath
