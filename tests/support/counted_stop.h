// A stop token that counts how often it is asked.
#pragma once

#include "base/stop_token.h"

namespace repath::test {

class CountedStop final : public StopToken {
 public:
  // Says yes from the question `asked` on, counted from 1.
  explicit CountedStop(int asked) : stop_at_(asked) {}
  bool stop_requested() const override { return ++asked_ >= stop_at_; }
  int asked() const { return asked_; }

 private:
  int stop_at_;
  mutable int asked_ = 0;
};

}  // namespace repath::test
