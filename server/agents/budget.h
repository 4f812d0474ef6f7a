// Counts the work units of one frame. Some work cannot be cut, such as applying a delta or judging
// a path, and may cost more units than are left. The excess is a debt that the next frames pay
// first. So no frame reports more than its budget, and over time the frames use no more.
#pragma once

#include <algorithm>

#include "base/ids.h"

namespace repath {

class Budget {
 public:
  // Begins a frame with `units`, less the debt.
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
