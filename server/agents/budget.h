// Counts the work units of one frame. Some work cannot be cut, such as applying a delta or judging
// a path, and may cost more units than are left. The excess is a debt that the next frames pay
// first. So no frame uses more units than its budget, and over time the frames do no more work than
// that. A budget in microseconds bounds the time instead (runtime/frame_pacer.h). A frame that took
// longer ends, and the next frame has all of its time again, because paying a debt takes no time.
#pragma once

#include <algorithm>

#include "base/ids.h"

namespace repath {

// Work units of a frame or a part of one.
struct SpentUnits {
  WorkUnits used = 0;  // of the budget, at most all of it; a debt that was paid counts
  WorkUnits done = 0;  // of work: more than `used` if some could not be cut, less after a debt
};

class Budget {
 public:
  // Begins a frame with `units`, less the debt.
  void begin(WorkUnits units) {
    units_ = units;
    left_ = units - std::min(units, debt_);
    debt_ -= units - left_;
    done_ = 0;
  }
  void spend(WorkUnits units) {
    done_ += units;
    debt_ += units - std::min(units, left_);
    left_ -= std::min(units, left_);
  }
  WorkUnits left() const { return left_; }
  // Returns what was spent since the frame began.
  SpentUnits spent() const { return {units_ - left_, done_}; }

 private:
  WorkUnits units_ = 0;
  WorkUnits left_ = 0;
  WorkUnits debt_ = 0;
  WorkUnits done_ = 0;  // since the frame began
};

}  // namespace repath
