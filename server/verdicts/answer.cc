#include "verdicts/answer.h"

namespace repath {

DueAnswer answer_of(Standing standing) {
  switch (standing) {
    case Standing::kPath:
      return {EventType::kImproved, EventReason::kNone};
    case Standing::kStartBlocked:
      return {EventType::kNewPath, EventReason::kStartFreeAgain};
    case Standing::kEmpty:
    case Standing::kNone:
    case Standing::kPartial:
    case Standing::kCutOff:
      break;
  }
  return {EventType::kNewPath, EventReason::kReachableAgain};
}

bool is_note(EventType type) {
  return type == EventType::kCostChanged || type == EventType::kConfirmed;
}

}  // namespace repath
