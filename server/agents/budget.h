// The work units of one frame. Work that cannot be cut (taking in a delta, judging a path) may cost
// more than is left: the rest is a debt that the next frames pay first, so that no frame reports or
// uses more than its budget over time.
#pragma once

#include <algorithm>

#include "base/ids.h"

namespace repath {

class Budget {
 public:
  // Begins a frame: pays the debt first.
  void begin(WorkUnits units) {
    units_ = units;
    left_ = units - std::min(units, debt_);
    debt_ -= units - left_;
  }
  void spend(WorkUnits units) {
    debt_ += units - std::min(units, left_);
    left_ -= std::min(units, left_);
  }
  WorkUnits left() const { return left_; }
  WorkUnits used() const { return units_ - left_; }

 private:
  WorkUnits units_ = 0;
  WorkUnits left_ = 0;
  WorkUnits debt_ = 0;
};

}  // namespace repath
