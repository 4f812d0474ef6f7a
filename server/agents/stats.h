// Figures that replan keeps of itself; counted since the world was made, unless said otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace repath {

struct StrategyStats {
  std::uint64_t searches = 0;  // begun
  std::uint64_t repairs = 0;   // of these, from kept state
  std::uint64_t capped = 0;    // repairs given up at the cap for a fresh search
  std::uint64_t expansions = 0;
};

struct Stats {
  static constexpr std::size_t kStrategies = 5;   // kAStar, kLpa, kDStarLite, kField, kJump
  static constexpr std::size_t kEventTypes = 10;  // all but kAsked, which is the last
  // As clients and operators see them.
  static constexpr std::array<std::string_view, kStrategies> kStrategyNames{
      "astar", "lpa", "dstar_lite", "field", "jump"};
  static constexpr std::array<std::string_view, kEventTypes> kEventNames{
      "NEW_PATH",    "INVALIDATED", "COST_CHANGED",  "REPLANNED", "IMPROVED",
      "UNREACHABLE", "PARTIAL",     "START_BLOCKED", "CONFIRMED", "REMOVED"};
  std::array<StrategyStats, kStrategies> strategies{};
  std::array<std::uint64_t, kEventTypes> events{};  // by EventType
  std::uint64_t agents = 0;                         // now
  std::uint64_t waiting = 0;                        // now
  std::uint64_t late = 0;                           // now
  std::uint64_t oldest_wait_frames = 0;             // now
  std::uint64_t longest_wait_frames = 0;
  std::uint64_t max_passed_over =
      0;  // the most often that one agent of a class was served while another of it waited
  std::uint64_t filter_path_hits = 0;      // filter 1: agents with a risen edge on their path
  std::uint64_t filter_settled = 0;        // agents settled without a search
  std::uint64_t filter_fall_failures = 0;  // filter 2: agents whom a fall sent to the queue
  WorkUnits work_units = 0;
  WorkUnits commit_work_units = 0;       // verdicts at once, counted apart
  std::uint64_t search_state_bytes = 0;  // now
  std::uint64_t evictions = 0;           // search states given up for memory
  std::uint64_t first_legs = 0;          // told; grids alone
  WorkUnits leg_work_units = 0;          // spent on them, of work_units
  std::uint64_t map_bytes = 0;           // now
  std::uint64_t fields = 0;              // shared goal searches, now
  std::uint64_t frame = 0;
};

}  // namespace repath
