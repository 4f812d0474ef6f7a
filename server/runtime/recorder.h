// Writes down what comes in to one world, for Player to play again.
//
// A recording begins when the world is made or loaded. The world's file is written first, and the
// world that is served is made of that file. So the recording and the served world begin alike.
//
// Thread rule: owned by the world's strand. It never waits for the disk: a thread for the disk
// writes. Invariants:
// 1. The file is a beginning of what came in. A crash of the process loses what came in while the
//    disk was busy.
// 2. When the disk is too slow or fails, or the file or all recordings together are as large as
//    they may be, the recording ends, with an entry that says why. The world goes on.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "engine/tap.h"
#include "runtime/codec.h"
#include "runtime/loaded_world.h"
#include "runtime/recording.h"
#include "runtime/recording_total.h"

namespace repath {

// Where recordings are written. Borrows the pool, which must outlive the recorders.
struct RecordingPlace {
  std::string folder;
  std::uint64_t bytes_max = 0;  // of one recording
  std::shared_ptr<RecordingTotal> total;
  boost::asio::thread_pool* disk = nullptr;
  const WorldCodec* codec = nullptr;
};

class Recorder final : public EngineTap {
 public:
  static constexpr std::size_t kBacklogMax = std::size_t{64} << 20;  // bytes not yet written

  // Begins a recording in a file of its own, and puts an engine made of the recorded file in place
  // of `engine`, which has no agents. UNAVAILABLE with reason RECORDING_FAILED if no file can be
  // made. REQUIRES: the total allowed it to begin. Waits for the disk.
  static absl::StatusOr<std::unique_ptr<Recorder>> begin(const RecordingPlace& place,
                                                         const WorldFacts& facts,
                                                         const EngineParts& parts,
                                                         std::uint64_t incarnation,
                                                         std::unique_ptr<Engine>* engine);
  // Writes the rest. Waits for the disk.
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  const std::string& path() const { return path_; }

  // `bytes` are those that the codec reads.
  void on_restore(std::span<const RestoredAgent> agents, std::span<const std::string> bytes,
                  Micros now);
  void on_apply(const std::string& bytes, Micros now);
  void on_upsert(std::span<const std::string> bytes, OwnerId owner, Micros now);

  void on_report(std::span<const PositionReport> positions, Micros now) override;
  void on_remove(std::span<const AgentId> agents, EventReason reason) override;
  void on_acknowledge(AgentId agent, PathVersion version) override;
  void on_frame() override;
  void on_plan(WorkUnits budget, Micros now) override;
  void on_latest_verdict(AgentId agent) override;
  void on_capture(const std::string& profile, TeamId team) override;
  void on_test(const TestChanges& command) override;
  void on_events(std::span<const AgentEvent> events) override;

 private:
  class File;

  Recorder(std::shared_ptr<File> file, std::string path);
  void add(const EntryWriter& entry, RecordingEntry kind);

  const std::shared_ptr<File> file_;
  const std::string path_;
  std::uint64_t events_ = 0;
  Checksum sum_;
};

}  // namespace repath
