// Decides how long a goal field goes on raising labels before it drops all of them. It learns from
// the field's earlier edits.
//
// Raising a node costs a little more than labelling it again. So the labels are dropped once more
// than kPercent of them are raised, because such an edit usually raises most of them. Where
// obstacles stand in woods this is wrong: a tower's shadow is a tenth of the map, and dropping all
// labels for it costs three times the work. Therefore a field with credit goes on to
// kPatientPercent. If the raising ends before that, the field gains one credit, otherwise it loses
// two. Without credit it tries again now and then. A ski rental with the purchase learned. Plain
// state, the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>

namespace repath {

class RaisePatience {
 public:
  static constexpr std::uint64_t kMin = 256;  // labels are kept while fewer nodes are raised
  static constexpr std::uint64_t kPercent = 5;
  static constexpr std::uint64_t kPatientPercent = 20;
  static constexpr int kCreditMax = 4;
  static constexpr std::uint32_t kTryEvery = 64;  // in raisings that passed kPercent

  // Returns whether to go on when `raised` of `all` labelled nodes are raised. Call it for each
  // node.
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
  // Reports that the raising has ended.
  void note_end() {
    if (is_past_) credit_ = std::min(kCreditMax, credit_ + 1);
    is_past_ = false;
  }

 private:
  int credit_ = 1;
  std::uint32_t passed_ = 0;
  bool is_past_ = false;     // whether this raising has passed kPercent
  bool is_patient_ = false;  // whether it may then go on to kPatientPercent
};

}  // namespace repath
