// Recordings of random games on worlds of every kind, played again: the same events come.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "rpc/data_fixture.h"
#include "rpc/map_fixture.h"
#include "rpc/random/play.h"
#include "rpc/recording_fixture.h"
#include "rpc/world_codec.h"
#include "runtime/player.h"
#include "support/seed.h"
#include "support/temp_path.h"

namespace repath {
namespace {

namespace fs = std::filesystem;
using test::files_in;
using test::wait_for_disk;

PlayReport play(const std::string& file) {
  InlineExecutor executor;
  auto played = play_recording(file, proto_codec(), executor);
  EXPECT_TRUE(played.ok()) << file << ": " << played.status();
  return played.ok() ? *std::move(played) : PlayReport{};
}

class Recorded : public test::RecordedServer {
 protected:
  using RecordedServer::RecordedServer;

  v1::Location random_place(const std::string& world, std::uint64_t seed) {
    test::Context context;
    v1::FindRandomPointRequest request;
    request.set_world(world);
    request.set_seed(seed);
    v1::FindRandomPointResponse found;
    EXPECT_TRUE(paths_->FindRandomPoint(&context, request, &found).ok());
    v1::Location place;
    *place.mutable_position() = found.position();
    return place;
  }
  void put_agents(const std::string& world) {
    v1::UpsertAgentsRequest request;
    request.set_world(world);
    for (std::uint64_t id = 1; id <= 10; ++id) {
      v1::Agent* agent = request.add_agents();
      agent->set_id(id);
      *agent->mutable_position() = random_place(world, id);
      *agent->add_goals() = random_place(world, 100 + id);
    }
    test::Context context;
    v1::UpsertAgentsResponse response;
    const grpc::Status status = agents_->UpsertAgents(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  void report(const std::string& world, int round) {
    v1::ReportPositionsRequest request;
    request.set_world(world);
    v1::AgentPosition* moved = request.add_positions();
    moved->set_id(1 + static_cast<std::uint64_t>(round) % 10);
    *moved->mutable_position() = random_place(world, 200 + static_cast<std::uint64_t>(round));
    test::Context context;
    v1::ReportPositionsResponse response;
    const grpc::Status status = agents_->ReportPositions(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  void add_profile(const std::string& world, int round) {
    v1::ApplyChangesRequest request;
    request.set_world(world);
    request.mutable_batch()->add_add_profiles()->set_name("p" + std::to_string(round));
    apply(request);
  }
};

// Clients change, ask and look at random; some of their batches are refused.
TEST_F(Recorded, RandomGamesGiveTheSameEventsAgain) {
  SCOPED_TRACE(test::seed_trace());
  {
    test::Play game(test::seed(), channel_);
    while (game.steps() < 6000 && !HasFailure()) game.step();
    game.calls().drain();
  }
  server_->shut_down(10'000);
  wait_for_disk(folder_);
  std::uint64_t events = 0;
  std::uint64_t inputs = 0;
  for (const std::string& file : files_in(folder_)) {
    const PlayReport report = play(file);
    EXPECT_EQ(report.difference, "") << file;
    EXPECT_FALSE(report.is_cut_off) << file;
    events += report.events;
    inputs += report.inputs;
  }
  EXPECT_GT(events, 500u);
  EXPECT_GT(inputs, 5000u);
}

TEST_F(Recorded, ChangesAndTicksGiveTheSameEventsAgainOnEveryKind) {
  for (const std::string& map : test::kMaps) {
    test::import_changed(*worlds_, map, map);
    put_agents(map);
    for (int i = 0; i < 12; ++i) {
      add_profile(map, i);
      report(map, i);
    }
  }
  server_->shut_down(10'000);
  wait_for_disk(folder_);
  ASSERT_EQ(files_in(folder_).size(), test::kMaps.size());
  for (const std::string& file : files_in(folder_)) {
    const PlayReport report = play(file);
    EXPECT_EQ(report.difference, "") << file;
    EXPECT_GT(report.events, 5u) << file;
  }
}

// ---- limits of the server ----

Limits limits_with_little_history() {
  Limits limits = test::recording_limits();
  limits.history_mb = 1;
  return limits;
}

constexpr int kWalkers = 40;

class RecordedWithLimits : public Recorded {
 protected:
  RecordedWithLimits() : Recorded(limits_with_little_history()) {}

  // Imports open ground whose agents keep more search state than there is room for.
  void import_ground() {
    test::Context context;
    v1::World world;
    auto writer = worlds_->ImportWorld(&context, &world);
    v1::ImportWorldRequest part;
    v1::CreateWorldRequest* made = part.mutable_header()->mutable_world();
    made->set_name("ground");
    made->mutable_options()->set_lockstep(true);
    made->mutable_options()->set_memory_limit_mb(16);
    made->mutable_options()->set_strategy(v1::STRATEGY_DSTAR_LITE);
    writer->Write(part);
    std::string text;
    for (int y = 0; y < 100; ++y) text += std::string(100, '.') + "\n";
    part.set_chunk(text);
    writer->Write(part);
    writer->WritesDone();
    const grpc::Status status = writer->Finish();
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  void put_walkers() {
    v1::UpsertAgentsRequest request;
    request.set_world("ground");
    for (int i = 0; i < kWalkers; ++i) {
      v1::Agent* agent = request.add_agents();
      agent->set_id(static_cast<std::uint64_t>(i) + 1);
      set_cell(i, 0, agent->mutable_position());
      set_cell(99 - i, 99, agent->add_goals());
    }
    test::Context context;
    v1::UpsertAgentsResponse response;
    const grpc::Status status = agents_->UpsertAgents(&context, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  // Puts a wall across, or moves it.
  void put_wall(int y) {
    v1::ApplyChangesRequest request = shut_door("ground");
    auto* cells = request.mutable_batch()->mutable_upsert_obstacles(0)->mutable_cells();
    cells->set_x0(y);
    cells->set_y0(y);
    cells->set_x1(99);
    cells->set_y1(y + 1);
    apply(request);
  }
  void tick(std::uint64_t units) {
    test::Context context;
    v1::TickRequest request;
    request.set_world("ground");
    request.set_budget_work_units(units);
    v1::TickResponse response;
    const grpc::Status status = agents_->Tick(&context, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
};

// The history may take memory from kept searches.
TEST_F(RecordedWithLimits, TheServersLimitsAreThoseOfTheRecording) {
  import_ground();
  put_walkers();
  for (int i = 0; i < 200; ++i) tick(20'000);
  for (int y = 10; y < 60; y += 10) {
    put_wall(y);
    for (int i = 0; i < 60; ++i) tick(5'000);
  }
  v1::GetStatsRequest request;
  request.set_world("ground");
  test::Context context;
  v1::GetStatsResponse stats;
  EXPECT_TRUE(debug_->GetStats(&context, request, &stats).ok());
  EXPECT_GT(stats.evictions(), 0u);
  server_->shut_down(10'000);
  wait_for_disk(folder_);
  ASSERT_EQ(files_in(folder_).size(), 1u);
  const PlayReport report = play(files_in(folder_).at(0));
  EXPECT_EQ(report.difference, "");
  EXPECT_GT(report.events, 150u);
}

// ---- limits of the disk ----

class RecordedInLittle : public Recorded {
 protected:
  explicit RecordedInLittle(std::uint64_t bytes_max = 64 << 10,
                            std::uint64_t total_max = std::uint64_t{1} << 30)
      : Recorded(test::recording_limits(), bytes_max, total_max) {}
  // Plays the recordings, and returns why the server ended each.
  std::vector<std::string> ends() {
    server_->shut_down(10'000);
    wait_for_disk(folder_);
    std::vector<std::string> ends;
    for (const std::string& file : files_in(folder_)) {
      EXPECT_LE(fs::file_size(file), 64u << 10);
      const PlayReport report = play(file);
      EXPECT_EQ(report.difference, "");
      EXPECT_FALSE(report.is_cut_off);
      EXPECT_GT(report.inputs, 0u);
      ends.push_back(report.end);
    }
    return ends;
  }
  // Changes the world so many times, with about a KiB each time.
  void change(const std::string& world, int times) {
    for (int i = 0; i < times; ++i) {
      v1::ApplyChangesRequest request;
      request.set_world(world);
      for (std::uint64_t id = 1; id <= 60; ++id) {
        v1::Obstacle* obstacle = request.mutable_batch()->add_upsert_obstacles();
        obstacle->set_id(id);
        obstacle->set_blocked(true);
        obstacle->set_disabled(i % 2 == 0);
        obstacle->mutable_cells()->set_x1(1);
        obstacle->mutable_cells()->set_y1(1);
      }
      apply(request);
    }
  }
};

TEST_F(RecordedInLittle, ARecordingSaysThatItEndedAndWhy) {
  import_square("a", true);
  import_square("b", true);
  change("a", 200);
  change("b", 200);
  EXPECT_THAT(ends(), testing::Each(testing::HasSubstr("--record-mb")));
}

class RecordedInLittleTogether : public RecordedInLittle {
 protected:
  RecordedInLittleTogether() : RecordedInLittle(64 << 10, 32 << 10) {}
};

TEST_F(RecordedInLittleTogether, AtTheLimitOfAllTheyEndAndNoneBegins) {
  import_square("a", true);
  import_square("b", true);
  change("b", 2);
  change("a", 200);
  change("b", 1);
  import_square("c", true);
  EXPECT_THAT(ends(), testing::ElementsAre(testing::HasSubstr("--record-total-mb"),
                                           testing::HasSubstr("--record-total-mb")));
}

// ---- damage ----

class DamagedRecording : public Recorded {
 protected:
  std::string write(const std::string& bytes) const {
    const std::string path = folder_ + "/changed";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
};

TEST_F(DamagedRecording, IsRefusedOrSaysWhereItDiffers) {
  const std::string path = record_square();
  const PlayReport whole = play(path);
  EXPECT_EQ(whole.world, "square");
  EXPECT_EQ(whole.revision, Revision{2});
  EXPECT_EQ(whole.frames, 2u);
  EXPECT_EQ(whole.events, 3u);  // NEW_PATH, INVALIDATED, UNREACHABLE
  const std::string bytes = test::bytes_of(path);
  InlineExecutor executor;
  int differed = 0;
  int refused = 0;
  int cut_off = 0;
  ASSERT_EQ(test::with_sums(bytes), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 200) {
    const auto cut = play_recording(write(bytes.substr(0, size)), proto_codec(), executor);
    if (cut.ok()) cut_off += cut->is_cut_off ? 1 : 0;
    std::string flipped = bytes;
    flipped[size] = static_cast<char>(flipped[size] ^ 4);
    const auto found = play_recording(write(flipped), proto_codec(), executor);
    EXPECT_TRUE(!found.ok() || found->is_cut_off) << "the bit at " << size;
    const auto played = play_recording(write(test::with_sums(flipped)), proto_codec(), executor);
    refused += played.ok() ? 0 : 1;
    differed += played.ok() && !played->difference.empty() ? 1 : 0;
  }
  EXPECT_GT(cut_off, 0);
  EXPECT_GT(refused, 0);
  EXPECT_GT(differed, 0);
  const auto none = play_recording(folder_ + "/none", proto_codec(), executor);
  EXPECT_TRUE(absl::IsNotFound(none.status())) << none.status();
}

// ---- over a crash ----

class RecordedData : public test::Data {
 protected:
  ~RecordedData() override { fs::remove_all(folder_); }
  void restart() {
    program_->signal(SIGKILL);
    program_->exit_status();
    fs::remove(socket_);
    start({"--record", folder_});
  }
  const std::string folder_ = test::temp_path("recordings");
};

TEST_F(RecordedData, EachTimeInMemoryHasARecordingThatACrashOnlyCutsOff) {
  restart();
  ASSERT_TRUE(create("w").ok());
  v1::UpsertAgentsRequest upsert;
  upsert.set_world("w");
  for (std::uint64_t id = 1; id <= 20; ++id) {
    v1::Agent* agent = upsert.add_agents();
    agent->set_id(id);
    agent->mutable_position()->mutable_cell()->set_x(0);
    agent->add_goals()->mutable_cell()->set_x(9);
  }
  test::Context context;
  v1::UpsertAgentsResponse upserted;
  ASSERT_TRUE(agents_->UpsertAgents(&context, upsert, &upserted).ok());
  for (int x = 1; x < 5; ++x) block(x);
  wait_for_disk(folder_);
  restart();
  for (int x = 5; x < 8; ++x) block(x);
  wait_for_disk(folder_);
  restart();
  std::uint64_t events = 0;
  Revision newest{};
  for (const std::string& file : files_in(folder_)) {
    const PlayReport report = play(file);
    EXPECT_EQ(report.difference, "") << file;
    events += report.events;
    newest = std::max(newest, report.revision);
  }
  EXPECT_EQ(files_in(folder_).size(), 2u);
  EXPECT_EQ(newest, Revision{8});
  EXPECT_EQ(events, 40u) << "20 new paths, and 20 after the restart";
}

}  // namespace
}  // namespace repath
