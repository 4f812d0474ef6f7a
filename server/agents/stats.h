// Figures about the work on agents' paths, counted since the world was made unless stated
// otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace repath {

struct StrategyStats {
  std::uint64_t searches = 0;  // searches begun
  std::uint64_t repairs = 0;   // searches that repair kept state; included in `searches`
  std::uint64_t capped = 0;    // repairs given up at the cap in favour of a search from scratch
  std::uint64_t expansions = 0;
};

struct Stats {
  static constexpr std::size_t kStrategies = 5;   // kAStar, kLpa, kDStarLite, kField, kJump
  static constexpr std::size_t kEventTypes = 10;  // all but kAsked, which is the last
  // Names as clients and operators see them.
  static constexpr std::array<std::string_view, kStrategies> kStrategyNames{
      "astar", "lpa", "dstar_lite", "field", "jump"};
  static constexpr std::array<std::string_view, kEventTypes> kEventNames{
      "NEW_PATH",    "INVALIDATED", "COST_CHANGED",  "REPLANNED", "IMPROVED",
      "UNREACHABLE", "PARTIAL",     "START_BLOCKED", "CONFIRMED", "REMOVED"};
  std::array<StrategyStats, kStrategies> strategies{};
  std::array<std::uint64_t, kEventTypes> events{};  // by EventType
  std::uint64_t agents = 0;                         // current number
  std::uint64_t waiting = 0;                        // current number
  std::uint64_t late = 0;                           // current number
  std::uint64_t oldest_wait_frames = 0;             // current value
  std::uint64_t longest_wait_frames = 0;
  // Most times that an agent was served while another agent of its class waited.
  std::uint64_t max_passed_over = 0;
  std::uint64_t filter_path_hits = 0;      // filter 1: agents with a risen edge on their path
  std::uint64_t filter_settled = 0;        // agents settled without a search
  std::uint64_t filter_fall_failures = 0;  // filter 2: agents that a fall sent to the queue
  WorkUnits work_units = 0;
  WorkUnits commit_work_units = 0;       // for verdicts at once; not in work_units
  std::uint64_t search_state_bytes = 0;  // current value
  std::uint64_t evictions = 0;           // search states evicted to save memory
  std::uint64_t first_legs = 0;          // first legs sent; grids only
  WorkUnits leg_work_units = 0;          // spent on first legs; included in work_units
  std::uint64_t map_bytes = 0;           // current value
  std::uint64_t fields = 0;              // current number of goal searches that agents share
  std::uint64_t frame = 0;
};

}  // namespace repath
