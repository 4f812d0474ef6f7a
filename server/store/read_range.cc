#include "store/read_range.h"

#include <string>

#include "base/error.h"
#include "store/store_errors.h"

namespace repath {

absl::Status check_read_range(Revision start, Revision oldest, Revision end) {
  if (start < oldest) return history_gone(oldest, "start_revision", "the history kept");
  if (start > end) {
    return make_error(absl::StatusCode::kOutOfRange, "REVISION_NOT_YET", "start_revision",
                      "the next batch will be revision " + std::to_string(value(end)));
  }
  return absl::OkStatus();
}

}  // namespace repath
