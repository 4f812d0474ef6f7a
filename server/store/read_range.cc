#include "store/read_range.h"

#include <string>

#include "base/error.h"

namespace repath {

absl::Status check_read_range(Revision start, Revision oldest, Revision end) {
  if (start < oldest) {
    const std::string bound = std::to_string(value(oldest));
    return with_fact(make_error(absl::StatusCode::kOutOfRange, "HISTORY_GONE", "start_revision",
                                "the history kept starts at revision " + bound),
                     "oldest_revision", bound);
  }
  if (start > end) {
    return make_error(absl::StatusCode::kOutOfRange, "REVISION_NOT_YET", "start_revision",
                      "the next batch will be revision " + std::to_string(value(end)));
  }
  return absl::OkStatus();
}

}  // namespace repath
