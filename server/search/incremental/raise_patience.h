// How long a goal field goes on raising labels before it drops all of them: learned from what its
// edits did before.
//
// Raising a node costs a little more than labelling it anew does, so that all labels are dropped
// past kPercent of them: what raised so many mostly raises most. Where obstacles stand in woods it
// does not: a tower's shadow is a tenth of the map, and labels dropped for it are three times the
// work. So past kPercent a field with credit goes on to kPatientPercent. If the raising ends before
// it gains one, else it loses two; without credit it tries again now and then. A ski rental with
// the purchase learned. Plain state, the same everywhere.
#pragma once

#include <algorithm>
#include <cstdint>

namespace repath {

class RaisePatience {
 public:
  static constexpr std::uint64_t kMin = 256;  // nodes raised; fewer never drop labels
  static constexpr std::uint64_t kPercent = 5;
  static constexpr std::uint64_t kPatientPercent = 20;
  static constexpr int kCreditMax = 4;
  static constexpr std::uint32_t kTryEvery = 64;  // raisings past kPercent

  // Whether to go on, with `raised` nodes raised of `all` that had a label. Call it for each node.
  bool goes_on(std::uint64_t raised, std::uint64_t all) {
    if (raised < kMin || raised * 100 <= all * kPercent) {
      is_past_ = false;
      return true;
    }
    if (!is_past_) {
      is_past_ = true;
      const bool is_try = ++passed_ % kTryEvery == 0;
      is_patient_ = credit_ > 0 || is_try;
    }
    if (is_patient_ && raised * 100 <= all * kPatientPercent) return true;
    if (is_patient_) credit_ = std::max(0, credit_ - 2);
    is_past_ = false;
    return false;
  }
  // The raising came to its end.
  void note_end() {
    if (is_past_) credit_ = std::min(kCreditMax, credit_ + 1);
    is_past_ = false;
  }

 private:
  int credit_ = 1;
  std::uint32_t passed_ = 0;
  bool is_past_ = false;     // this raising, kPercent
  bool is_patient_ = false;  // if it is
};

}  // namespace repath
