// Counts the steps of one query and ends it at its limit, or when its stop requests it. Belongs to
// one query on one thread.
#pragma once

#include <cstdint>

#include "engine/queries.h"

namespace repath {

class StepMeter {
 public:
  // Borrows what `limits` borrows.
  explicit StepMeter(const QueryLimits& limits)
      : stop_(limits.stop), left_(limits.max_expansions), work_(limits.work) {}

  // Returns false if so many steps are not left or the query must stop; from then on always.
  bool spend(std::uint64_t steps) {
    if (is_over_) return false;
    if (steps > left_) return end();
    left_ -= steps;
    spent_ += steps;
    if (work_ != nullptr) *work_ += steps;
    since_look_ += steps;
    if (since_look_ < kSlice) return true;
    since_look_ = 0;
    return stop_ == nullptr || !stop_->stop_requested() || end();
  }
  // Returns false, and has all later steps refused.
  bool end() {
    is_over_ = true;
    return false;
  }
  bool is_over() const { return is_over_; }
  std::uint64_t spent() const { return spent_; }

 private:
  static constexpr std::uint64_t kSlice = 4096;

  const StopToken* stop_;
  std::uint64_t left_;
  std::uint64_t* work_;  // may be null
  std::uint64_t spent_ = 0;
  std::uint64_t since_look_ = 0;
  bool is_over_ = false;
};

}  // namespace repath
