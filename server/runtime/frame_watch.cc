#include "runtime/frame_watch.h"

#include <spdlog/fmt/fmt.h>

#include <numeric>

namespace repath {
namespace {

StrategyStats sum_of(const Stats& stats) {
  StrategyStats sum;
  for (const StrategyStats& one : stats.strategies) {
    sum.searches += one.searches;
    sum.repairs += one.repairs;
    sum.expansions += one.expansions;
  }
  return sum;
}

std::uint64_t events_of(const Stats& stats) {
  return std::accumulate(stats.events.begin(), stats.events.end(), std::uint64_t{0});
}

}  // namespace

FrameWatch::FrameWatch(const FrameOptions& options)
    : limit_us_(2 * (options.budget_units == 0 ? options.budget_us
                                               : static_cast<Micros>(1e6 / options.rate_hz))) {}

void FrameWatch::begin(const Stats& stats) {
  before_ = stats;
  is_slow_ = false;
}

std::optional<std::string> FrameWatch::check(Micros took, const Stats& stats, Micros now) {
  if (is_slow_ || took <= limit_us_) return std::nullopt;
  is_slow_ = true;
  if (last_line_ && now < *last_line_ + kEveryUs) {
    ++more_;
    return std::nullopt;
  }
  const StrategyStats before = sum_of(before_);
  const StrategyStats after = sum_of(stats);
  std::string line = fmt::format(
      "frame={} us={} limit_us={} units={} searches={} repairs={} expansions={} verdicts={} "
      "waiting={} late={} more={}",
      stats.frame, took, limit_us_, stats.work_units - before_.work_units,
      after.searches - before.searches, after.repairs - before.repairs,
      after.expansions - before.expansions, events_of(stats) - events_of(before_), stats.waiting,
      stats.late, more_);
  last_line_ = now;
  more_ = 0;
  return line;
}

}  // namespace repath
