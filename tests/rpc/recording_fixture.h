// A server that records its worlds, and the recording of a short game.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rpc/fixture.h"
#include "rpc/world_codec.h"
#include "runtime/recording.h"
#include "support/temp_path.h"

namespace repath::test {

inline Limits recording_limits() {
  Limits limits;
  limits.records_worlds = true;
  return limits;
}

inline std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path().string());
  return files;
}

// Waits until the disk has what came in. REQUIRES: nothing more comes in.
inline void wait_for_disk(const std::string& folder) {
  constexpr auto kStill = std::chrono::milliseconds(300);
  std::uintmax_t before = 1;
  for (std::uintmax_t now = 0; now != before; std::this_thread::sleep_for(kStill)) {
    before = now;
    now = 0;
    for (const std::string& file : files_in(folder)) now += std::filesystem::file_size(file);
  }
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns a recording whose entries have been changed with checksums that fit again, up to the
// first entry that is not whole: so that more than the checksum is tested.
inline std::string with_sums(std::string recording) {
  std::size_t at = kRecordingForm.size();
  while (at < recording.size()) {
    std::uint64_t size = 0;
    unsigned shift = 0;
    bool goes_on = true;
    for (; goes_on && at < recording.size() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(recording[at++]);
      size |= std::uint64_t{byte & 0x7fu} << shift;
      goes_on = byte >= 0x80;
    }
    if (goes_on || size > recording.size() - at || recording.size() - at - size < kEntrySumBytes)
      break;
    recording.replace(at + size, kEntrySumBytes,
                      entry_sum(std::string_view(recording).substr(at, size)));
    at += size + kEntrySumBytes;
  }
  return recording;
}

class RecordedServer : public Server {
 protected:
  explicit RecordedServer(const Limits& limits = recording_limits(),
                          std::uint64_t bytes_max = 256u << 20,
                          std::uint64_t total_max = std::uint64_t{1} << 30)
      : Server(limits) {
    registry_.record_in({folder_, bytes_max, std::make_shared<RecordingTotal>(folder_, total_max),
                         &threads_.disk(), &proto_codec()});
  }
  // The recordings stay if the test fails.
  ~RecordedServer() override {
    if (!HasFailure()) std::filesystem::remove_all(folder_);
  }

  // Records a world whose agent turns twice; ends the server. Returns the path of the recording.
  std::string record_square() {
    import_square("square", true);
    v1::UpsertAgentsRequest upsert;
    upsert.set_world("square");
    v1::Agent* agent = upsert.add_agents();
    agent->set_id(7);
    set_cell(4, 0, agent->mutable_position());
    set_cell(4, 4, agent->add_goals());
    Context context;
    v1::UpsertAgentsResponse upserted;
    EXPECT_TRUE(agents_->UpsertAgents(&context, upsert, &upserted).ok());
    tick_square();
    apply(shut_door("square"));
    tick_square();
    server_->shut_down(10'000);
    wait_for_disk(folder_);
    const std::vector<std::string> files = files_in(folder_);
    EXPECT_EQ(files.size(), 1u);
    return files.at(0);
  }

  const std::string folder_ = temp_path("recordings");

 private:
  void tick_square() {
    Context context;
    v1::TickRequest request;
    request.set_world("square");
    request.set_budget_work_units(100'000);
    v1::TickResponse response;
    EXPECT_TRUE(agents_->Tick(&context, request, &response).ok());
  }
};

}  // namespace repath::test
