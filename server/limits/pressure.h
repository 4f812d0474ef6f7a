// How short memory is, and which calls are refused for it.
//
// Thread rule: any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/load.h"

namespace repath {

enum class MemoryStage : std::uint8_t {
  kPlenty,
  kShrink,   // from 80 % of the limit: caches are dropped, idle worlds are put out of memory
  kNarrow,   // from 90 %: no new worlds, imports, streams and queries
  kCritical  // from 95 %: no edits either; queries under way end
};
inline constexpr std::array<std::string_view, 4> kMemoryStageNames{"plenty", "shrink", "narrow",
                                                                   "critical"};

class Pressure {
 public:
  MemoryStage stage() const { return stage_.load(std::memory_order_relaxed); }
  void set_stage(MemoryStage stage) { stage_.store(stage, std::memory_order_relaxed); }

  // Returns RESOURCE_EXHAUSTED with reason MEMORY_SHORT and the delay after which to try again, if
  // such a call is refused now, and counts the refusal.
  absl::Status check(Load load);
  // Returns the same error for work that was under way.
  static absl::Status ended(MemoryStage stage);
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  std::atomic<MemoryStage> stage_{MemoryStage::kPlenty};
  std::atomic<std::uint64_t> refused_{0};
};

// Returns whether such a call is refused at that stage.
constexpr bool is_refused(Load load, MemoryStage stage) {
  switch (load) {
    case Load::kGrow:
    case Load::kQuery:
      return stage >= MemoryStage::kNarrow;
    case Load::kEdit:
      return stage >= MemoryStage::kCritical;
    case Load::kLook:
    case Load::kShed:
      return false;
  }
  return true;
}

}  // namespace repath
