// Imports that have not become worlds yet: what they hold together, who ends them when the server
// shuts down, and who still waits for a world that is being made.
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

// An import whose file is still coming.
class ImportStream {
 public:
  virtual ~ImportStream() = default;
  // Ends it with that status, unless its file is there already. Must not block.
  virtual void on_end(absl::Status status) = 0;
};

class ImportLedger {
 public:
  explicit ImportLedger(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}

  // Counts so many bytes more. RESOURCE_EXHAUSTED with reason IMPORTS_MEMORY if all imports
  // together would hold more than they may; then nothing is counted.
  absl::Status hold(std::uint64_t bytes);
  void release(std::uint64_t bytes) { bytes_ -= bytes; }
  std::uint64_t bytes() const { return bytes_; }

  void add(const std::shared_ptr<ImportStream>& stream);
  // Ends every stream that was added or will be.
  void end(const absl::Status& status);

 private:
  const std::uint64_t bytes_max_;
  std::atomic<std::uint64_t> bytes_{0};
  std::mutex mutex_;
  std::vector<std::weak_ptr<ImportStream>> streams_;
  absl::Status end_;  // not OK: all are ended with it
};

// Says stop once every caller that asked for a world has gone, the world is deleted, or the server
// shuts down.
class MakingStop final : public StopToken {
 public:
  // Borrows the flag.
  explicit MakingStop(const std::atomic<bool>& draining) : draining_(draining) {}

  // Null: a caller that never goes.
  void add(std::shared_ptr<const StopToken> caller);
  // The world is deleted: nobody gets it, whoever waits.
  void end() { ended_ = true; }
  bool stop_requested() const override;

 private:
  const std::atomic<bool>& draining_;
  std::atomic<bool> ended_{false};
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const StopToken>> callers_;
};

}  // namespace repath
