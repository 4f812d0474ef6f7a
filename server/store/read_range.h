// The refusals of reading a log, in one place for all logs.
#pragma once

#include "absl/status/status.h"
#include "base/ids.h"

namespace repath {

// Returns OK if oldest <= start <= end. Otherwise OUT_OF_RANGE with reason HISTORY_GONE and the
// fact oldest_revision, or with reason REVISION_NOT_YET.
absl::Status check_read_range(Revision start, Revision oldest, Revision end);

}  // namespace repath
