// How much of something a client may use in a second: a token bucket that holds one second's worth.
//
// A use may exceed what is left, for what a search will need is known only at its end. Then nothing
// more begins until time has paid for it.
//
// Not thread-safe; a plain value. Time comes as an argument and never goes back.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/ids.h"

namespace repath {

class RateBudget {
 public:
  // `per_second` above 0. Begins full.
  RateBudget(std::uint64_t per_second, Micros now)
      : per_second_(static_cast<double>(per_second)), left_(per_second_), as_of_(now) {}

  // Returns how long until a use may begin, in microseconds; 0: it may now.
  Micros wait(Micros now) {
    refill(now);
    if (left_ >= 1) return 0;
    return static_cast<Micros>((1 - left_) / per_second_ * kSecond) + 1;
  }
  void use(std::uint64_t amount, Micros now) {
    refill(now);
    left_ -= static_cast<double>(amount);
  }
  // Returns whether nothing of the last second counts any more, as for a new budget.
  bool is_full(Micros now) {
    refill(now);
    return left_ >= per_second_;
  }

 private:
  static constexpr double kSecond = 1e6;

  void refill(Micros now) {
    if (now <= as_of_) return;
    left_ =
        std::min(per_second_, left_ + static_cast<double>(now - as_of_) * per_second_ / kSecond);
    as_of_ = now;
  }

  double per_second_;
  double left_;  // below 0: used in advance
  Micros as_of_;
};

}  // namespace repath
