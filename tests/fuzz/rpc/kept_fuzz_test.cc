// The readers of what a store keeps as bytes of messages, and of recordings.
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "rpc/fields/worlds.h"
#include "rpc/recording_fixture.h"
#include "rpc/world_codec.h"
#include "runtime/player.h"
#include "runtime/recording.h"
#include "support/fuzz.h"
#include "support/hostile_message.h"

namespace repath {
namespace {

WorldFacts small_grid() {
  WorldFacts facts;
  facts.name = "kept";
  facts.kind = WorldKind::kGrid;
  facts.width = 20;
  facts.height = 10;
  facts.terrain = default_terrain();
  return facts;
}

// Returns the bytes of a message that is written as text.
template <class Message>
std::string bytes_of_text(const std::string& text) {
  Message message;
  test::merge_text(text, &message);
  return message.SerializeAsString();
}

// Changes fields of one of the seeds.
template <class Message>
test::MakeHostile hostile_of(std::vector<std::string> seeds) {
  return [seeds = std::move(seeds)](Random* random) {
    static const std::vector<std::string> kNames{"default", "wide", "swamp", "grid", "graph"};
    Message message;
    message.ParseFromString(seeds[random->below(static_cast<std::uint32_t>(seeds.size()))]);
    test::HostileMessage(random, kNames).change(&message);
    return message.SerializeAsString();
  };
}

class KeptFuzz : public testing::Test {
 protected:
  // Protobuf would log each text that is not UTF-8.
  KeptFuzz() { google::protobuf::SetLogHandler(nullptr); }
};

TEST_F(KeptFuzz, Facts) {
  WorldFacts mesh = small_grid();
  mesh.kind = WorldKind::kNavmesh;
  mesh.bounds = {0, 0, 5, 7};
  const std::vector<std::string> seeds{proto_codec().write_facts(small_grid(), nullptr),
                                       proto_codec().write_facts(mesh, nullptr)};
  test::feed(
      seeds,
      [](const std::string& bytes) {
        (void)proto_codec().read_first_answer(bytes);
        const auto facts = proto_codec().read_facts(bytes);
        if (!facts.ok()) return facts.status();
        return proto_codec().read_facts(proto_codec().write_facts(*facts, nullptr)).status();
      },
      hostile_of<v1::World>(seeds));
}

TEST_F(KeptFuzz, Batch) {
  const std::vector<std::string> seeds{
      bytes_of_text<v1::ChangeBatch>(
          "upsert_obstacles { id: 1 blocked: true box { center { x: 10 z: 1 } half_x: 1 half_z: 2 "
          "} } remove_obstacles: 3 add_profiles { name: 'wide' radius: 1.2 }"),
      bytes_of_text<v1::ChangeBatch>(
          "influence_edits { team: 1 layer: 2 set: 64 cells { x1: 9 y1: 9 } } "
          "terrain_edits { terrain_class: 'swamp' cells { x1: 1 y1: 1 } }"),
      bytes_of_text<v1::ChangeBatch>("graph_edits { switch_node { id: 3 } }")};
  WorldFacts graph = small_grid();
  graph.kind = WorldKind::kGraph;
  test::feed(
      seeds,
      [&](const std::string& bytes) {
        const auto on_grid = proto_codec().read_batch(bytes, small_grid());
        return on_grid.ok() ? absl::OkStatus() : proto_codec().read_batch(bytes, graph).status();
      },
      hostile_of<v1::ChangeBatch>(seeds));
}

TEST_F(KeptFuzz, Agent) {
  const std::vector<std::string> seeds{bytes_of_text<v1::Agent>(
      "id: 1 position { position { x: 2.5 z: 2.5 } } goals { cell { x: 17 y: 2 } }")};
  test::feed(
      seeds,
      [](const std::string& bytes) {
        return proto_codec().read_agent(bytes, small_grid()).status();
      },
      hostile_of<v1::Agent>(seeds));
}

TEST_F(KeptFuzz, Answer) {
  const std::vector<std::string> seeds{
      bytes_of_text<v1::ApplyChangesResponse>("revision: 7 state_hash: 9 changed_edges: 3")};
  test::feed(seeds, [](const std::string& bytes) {
    const auto answer = proto_codec().read_answer(bytes);
    if (!answer.ok()) return answer.status();
    return proto_codec().read_answer(proto_codec().write_answer(*answer)).status();
  });
}

class RecordingFuzz : public test::RecordedServer {};

TEST_F(RecordingFuzz, Recordings) {
  const std::string seed = test::bytes_of(record_square());
  const std::string path = folder_ + "/fed";
  InlineExecutor executor;
  test::feed({seed}, [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    (void)play_recording(path, proto_codec(), executor);
    std::ofstream(path, std::ios::binary) << test::with_sums(bytes);
    return play_recording(path, proto_codec(), executor).status();
  });
}

TEST_F(RecordingFuzz, AnEntryThatEndsEarlyTakesLittleMemory) {
  const std::string path = folder_ + "/fed";
  std::filesystem::create_directories(folder_);
  std::ofstream(path, std::ios::binary) << kRecordingForm << "\xff\xff\xff\x7f\x01";
  InlineExecutor executor;
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  const auto played = play_recording(path, proto_codec(), executor);
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(error_reason(played.status()), "RECORDING_DAMAGED");
  constexpr long kKibMax = 32 << 10;  // the entry says that it has 256 MiB
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, kKibMax);
}

}  // namespace
}  // namespace repath
