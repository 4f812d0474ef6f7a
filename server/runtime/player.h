// Plays a recording: gives an engine of its own what came in, in the same order and with the same
// times, and compares what goes out with what went out then.
//
// Thread rule: any thread; waits for the disk.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/executor.h"
#include "engine/engine.h"
#include "runtime/codec.h"

namespace repath {

struct PlayReport {
  std::string world;
  std::uint64_t inputs = 0;
  std::uint64_t frames = 0;
  std::uint64_t events = 0;
  Revision revision{};  // at the end, as is the hash
  std::uint64_t state_hash = 0;
  std::string difference = {};  // where other events came first, and how; empty: nowhere
  bool is_cut_off = false;      // the file ends within an entry, as after a crash
  std::string end = {};         // why the server ended the recording early; empty: it did not
};

// NOT_FOUND with reason RECORDING_UNREADABLE; DATA_LOSS with reason RECORDING_DAMAGED, which names
// the entry.
absl::StatusOr<PlayReport> play_recording(const std::string& path, const WorldCodec& codec,
                                          Executor& executor);

}  // namespace repath
