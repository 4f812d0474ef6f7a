// A server serves the data folder that an earlier version left: every world, with its history,
// agents, sessions and answered requests.
//
// tests/data/served/v4 is the folder of a server that was killed. `answers.txt` in it holds what
// that server answered to questions about its worlds. This test makes folders of the versions
// before from it. For the next version of the store, make a new folder and keep the old ones:
//
//   REPATH_WRITE_SERVED=/tmp/v5 build/dev/bin/services_rpc --gtest_filter='Upgrades.*Own*'
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "repath/v1/admin.grpc.pb.h"
#include "rpc/data_fixture.h"
#include "rpc/route_fixture.h"
#include "support/older_store.h"

namespace repath {
namespace {

namespace fs = std::filesystem;
using test::Context;
using test::expect_fault;

using Lines = std::vector<std::string>;

std::string data_path(const std::string& path) {
  return std::string(REPATH_SOURCE_DIR) + "/tests/data/" + path;
}

Lines read_lines(const std::string& path) {
  std::ifstream file(path);
  Lines lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// An open stream of the session "crowd" of the world "w".
class Crowd {
 public:
  Crowd(v1::AgentService::Stub& agents, const std::string& secret)
      : stream_(agents.Session(&context_)) {
    v1::SessionRequest request;
    request.set_sequence(1);
    auto* open = request.mutable_open();
    open->set_world("w");
    open->set_session_id("crowd");
    open->set_session_secret(secret);
    open->set_session_ttl_ms(60'000);
    stream_->Write(request);
    is_open_ = stream_->Read(&opened_);
  }
  ~Crowd() {
    context_.TryCancel();
    end();
  }
  bool is_open() const { return is_open_; }
  const v1::SessionResponse::Opened& opened() const { return opened_.opened(); }
  void write(const v1::SessionRequest& request) { stream_->Write(request); }
  grpc::Status end() {
    if (stream_ == nullptr) return grpc::Status::OK;
    v1::SessionResponse response;
    while (stream_->Read(&response)) continue;
    return std::exchange(stream_, nullptr)->Finish();
  }

 private:
  Context context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
  v1::SessionResponse opened_;
  bool is_open_ = false;
};

class Upgrades : public test::Data {
 protected:
  void end(int signal = SIGKILL) {
    program_->signal(signal);
    program_->exit_status();
    fs::remove(socket_);
  }
  // Starts a server on a copy of a folder below tests/data, which `change(database)` may change.
  template <class Change>
  void start_on(const std::string& folder, Change change) {
    end();
    fs::remove_all(folder_);
    fs::copy(data_path(folder), folder_, fs::copy_options::recursive);
    fs::remove(folder_ + "/answers.txt");
    change(folder_ + "/repath.db");
    start();
  }

  void import(const std::string& name, const char* text, v1::MapFormat format) {
    Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    part.mutable_header()->mutable_world()->set_name(name);
    part.mutable_header()->set_format(format);
    writer->Write(part);
    part.set_chunk(text);
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  // Puts a round obstacle on a mesh.
  void put_pillar(std::uint64_t id, double x) {
    Context context;
    v1::ApplyChangesRequest request;
    request.set_world("house");
    auto* obstacle = request.mutable_batch()->add_upsert_obstacles();
    obstacle->set_id(id);
    obstacle->set_blocked(true);
    auto* pillar = obstacle->mutable_cylinder();
    pillar->mutable_center()->set_x(x);
    pillar->mutable_center()->set_z(4);
    pillar->set_radius(0.5);
    v1::ApplyChangesResponse response;
    const grpc::Status status = worlds_->ApplyChanges(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }

  // Returns the server's answers to questions about its worlds, one fact on each line.
  Lines facts() {
    Lines lines;
    Context context;
    v1::ListWorldsResponse listed;
    EXPECT_TRUE(worlds_->ListWorlds(&context, {}, &listed).ok());
    for (const v1::World& stored : listed.worlds()) {
      const v1::World world = get(stored.name());
      lines.push_back(absl::StrCat(world.name(), " is ", world.kind(), " at ", world.revision(),
                                   " ", world.state_hash(), " epoch ", world.epoch(), " obstacles ",
                                   world.obstacles(), " agents ", world.agents()));
      add_changes(world.name(), &lines);
    }
    add_agents(&lines);
    add_sessions(&lines);
    add_first_answers(&lines);
    return lines;
  }
  void add_changes(const std::string& world, Lines* lines) {
    Context context;
    v1::ReadChangesRequest request;
    request.set_world(world);
    request.set_start_revision(2);
    v1::ReadChangesResponse read;
    const grpc::Status status = worlds_->ReadChanges(&context, request, &read);
    EXPECT_TRUE(status.ok()) << status.error_message();
    for (const v1::Change& change : read.changes()) {
      const std::string name = absl::StrCat(world, " change ", change.revision());
      lines->push_back(absl::StrCat(name, " ", change.state_hash(), " obstacle ",
                                    change.batch().upsert_obstacles(0).id()));
      if (change.applied_at_us() != 0)
        lines->push_back(
            absl::StrCat(name, " came at ", change.applied_at_us(), " ", change.request_id()));
    }
  }
  void add_agents(Lines* lines) {
    const v1::ListAgentsResponse listed = list();
    for (const v1::AgentState& state : listed.agents()) {
      const v1::Agent& agent = state.agent();
      lines->push_back(absl::StrCat("agent ", agent.id(), " goal ", agent.goal_generation(), " at ",
                                    agent.position().position().x(), " ",
                                    agent.position().position().z()));
    }
  }
  void add_sessions(Lines* lines) {
    Context context;
    v1::ListSessionsRequest request;
    request.set_world("w");
    v1::ListSessionsResponse listed;
    EXPECT_TRUE(v1::AdminService::NewStub(channel_)->ListSessions(&context, request, &listed).ok());
    for (const v1::SessionState& session : listed.sessions()) {
      const std::string name = "session " + session.session_id();
      lines->push_back(absl::StrCat(name, " ttl ", session.session_ttl_ms(), " agents ",
                                    session.agents(), " applied ", session.applied_sequence()));
      if (session.has_secret()) lines->push_back(name + " has a secret");
    }
  }
  // Repeats the requests that have an id.
  void add_first_answers(Lines* lines) {
    v1::World made;
    EXPECT_TRUE(create("w", 10, "make", &made).ok());
    lines->push_back(absl::StrCat("made at ", made.revision(), " ", made.state_hash()));
    const v1::ApplyChangesResponse shut = block(4, "shut");
    lines->push_back(absl::StrCat("shut at ", shut.revision(), " ", shut.state_hash(), " again ",
                                  shut.repeated_request()));
  }

  // Expects the answers of the server that left the folder, as far as that version kept them.
  void expect_answers(Lines expected, int version) {
    const auto is_newer = [version](std::string_view line) {
      return (version < 3 && line.ends_with(" has a secret")) ||
             (version < 2 && line.find(" came at ") != line.npos);
    };
    std::erase_if(expected, is_newer);
    EXPECT_EQ(facts(), expected);
  }
  void expect_upgrade(int version) {
    const Lines answers = read_lines(data_path("served/v4/answers.txt"));
    ASSERT_FALSE(answers.empty());
    start_on("served/v4", [version](const std::string& database) {
      test::renew_answers(database);
      test::bring_back(database, version);
    });
    expect_answers(answers, version);
    kill_and_start();
    expect_answers(answers, version);
    const std::uint64_t before = get("w").revision();
    if (version >= 3) {
      Crowd other(*agents_, "another secret");
      EXPECT_FALSE(other.is_open());
      expect_fault(other.end(), grpc::PERMISSION_DENIED, "SESSION_DENIED", "open.session_secret");
    }
    Crowd crowd(*agents_, "secret");
    ASSERT_TRUE(crowd.is_open());
    EXPECT_TRUE(crowd.opened().resumed());
    EXPECT_EQ(crowd.opened().agents(), 2u);
    EXPECT_EQ(block(9).revision(), before + 1);
  }

  void make_worlds() {
    ASSERT_TRUE(create("w", 10, "make").ok());
    import("house", test::kHouse, v1::MAP_FORMAT_FLOOR_PLAN);
    import("streets", test::kStreets, v1::MAP_FORMAT_GRAPH);
    block(2);
    put_pillar(1, 4);
    Crowd crowd(*agents_, "secret");
    ASSERT_TRUE(crowd.is_open());
    v1::SessionRequest request;
    request.set_sequence(2);
    for (const std::uint64_t id : {1, 2}) fill_agent(id, request.mutable_upsert()->add_agents());
    crowd.write(request);
    request.set_sequence(3);
    auto* moved = request.mutable_report()->add_positions();
    moved->set_id(2);
    moved->mutable_position()->mutable_position()->set_x(2.5);
    moved->mutable_position()->mutable_position()->set_z(1.5);
    crowd.write(request);
    block(3);
    const auto has_moved = [this] {
      const v1::ListAgentsResponse agents = list();
      return agents.agents_size() == 2 && agents.agents(1).agent().position().position().x() == 2.5;
    };
    for (int i = 0; i < 1000 && !has_moved(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(has_moved());
  }
  // Makes a folder of this version with snapshots, and with records after them.
  void write_folder(const std::string& to) {
    end();
    fs::remove_all(folder_);
    start();
    make_worlds();
    end(SIGTERM);
    start();
    Crowd crowd(*agents_, "secret");
    ASSERT_TRUE(crowd.is_open());
    block(4, "shut");
    put_pillar(2, 6);
    fs::create_directories(to);
    std::ofstream answers(to + "/answers.txt");
    for (const std::string& line : facts()) answers << line << '\n';
    end();
    test::run_sql(folder_ + "/repath.db", "PRAGMA wal_checkpoint(TRUNCATE)");
    fs::copy(folder_ + "/repath.db", to, fs::copy_options::overwrite_existing);
    fs::copy(folder_ + "/worlds", to + "/worlds", fs::copy_options::recursive);
  }
};

TEST_F(Upgrades, AFolderOfTheOwnVersionIsServed) {
  if (const char* fresh = std::getenv("REPATH_WRITE_SERVED")) return write_folder(fresh);
  expect_upgrade(4);
}

TEST_F(Upgrades, AFolderOfVersionThreeIsServed) { expect_upgrade(3); }

TEST_F(Upgrades, AFolderOfVersionTwoIsServed) { expect_upgrade(2); }

TEST_F(Upgrades, AFolderOfVersionOneIsServed) { expect_upgrade(1); }

// The worlds of tests/data/store have a description that no server has written.
TEST_F(Upgrades, AWorldWithAnUnreadableDescriptionIsRefusedAsDamagedByEveryCall) {
  start_on("store/v4", [](const std::string&) {});
  ASSERT_TRUE(create("w").ok());
  v1::ListWorldsResponse listed;
  {
    Context context;
    ASSERT_TRUE(worlds_->ListWorlds(&context, {}, &listed).ok());
  }
  ASSERT_EQ(listed.worlds_size(), 2);
  EXPECT_EQ(listed.worlds(0).name(), "lake");
  EXPECT_EQ(listed.worlds(0).state(), v1::WORLD_STATE_QUARANTINED);
  for (const std::uint64_t revision : {0, 5}) {
    Context context;
    v1::FindPathRequest request;
    request.set_world("lake");
    request.mutable_from()->mutable_cell()->set_x(1);
    request.add_goals()->mutable_cell()->set_x(2);
    request.mutable_options()->set_at_revision(revision);
    v1::FindPathResponse response;
    expect_fault(paths_->FindPath(&context, request, &response), grpc::DATA_LOSS, "WORLD_DAMAGED",
                 "world");
  }
  {
    Context context;
    v1::ApplyChangesRequest request;
    request.set_world("lake");
    v1::ApplyChangesResponse response;
    expect_fault(worlds_->ApplyChanges(&context, request, &response), grpc::DATA_LOSS,
                 "WORLD_DAMAGED", "world");
  }
  expect_fault(fork("lake", "pond", 5), grpc::DATA_LOSS, "WORLD_DAMAGED", "source");
  Context context;
  v1::DeleteWorldRequest request;
  request.set_world("lake");
  v1::DeleteWorldResponse response;
  EXPECT_TRUE(worlds_->DeleteWorld(&context, request, &response).ok());
}

}  // namespace
}  // namespace repath
