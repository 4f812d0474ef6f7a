// Imports that are not worlds yet: the memory they hold together, and the callers that still wait
// for a world in the making. Streams that have no world yet end here when the server shuts down.
//
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "base/stop_token.h"

namespace repath {

// A stream that belongs to no world yet: an import whose file is still arriving, or a session that
// has not said which world it is of.
class UnboundStream {
 public:
  virtual ~UnboundStream() = default;
  // Ends the stream with this status, unless it belongs to a world by now. Must not block.
  virtual void on_drain(absl::Status status) = 0;
};

class ImportLedger {
 public:
  explicit ImportLedger(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}

  // Counts `bytes` more. Returns RESOURCE_EXHAUSTED with reason IMPORTS_MEMORY, and counts nothing,
  // if all imports together would exceed their limit.
  absl::Status hold(std::uint64_t bytes);
  void release(std::uint64_t bytes) { bytes_ -= bytes; }
  std::uint64_t bytes() const { return bytes_; }

  void add(const std::shared_ptr<UnboundStream>& stream);
  // Ends every stream that was added or will be added.
  void end(const absl::Status& status);

 private:
  const std::uint64_t bytes_max_;
  std::atomic<std::uint64_t> bytes_{0};
  std::mutex mutex_;
  std::vector<std::weak_ptr<UnboundStream>> streams_;
  std::size_t look_at_ = 64;  // number of streams at which those that are over are forgotten
  absl::Status end_;          // not OK: all streams are ended with it
};

// Requests a stop once every caller that asked for a world has gone, the world is deleted, or the
// server shuts down.
class MakingStop final : public StopToken {
 public:
  // Borrows the flag.
  explicit MakingStop(const std::atomic<bool>& draining) : draining_(draining) {}

  // Adds a caller; null stands for a caller that does not go.
  void add(std::shared_ptr<const StopToken> caller);
  // Reports that the world was deleted, so that no caller gets it.
  void end() { ended_ = true; }
  bool stop_requested() const override;

 private:
  const std::atomic<bool>& draining_;
  std::atomic<bool> ended_{false};
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const StopToken>> callers_;
};

}  // namespace repath
