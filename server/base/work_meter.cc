#include "base/work_meter.h"

#include <string>

#include "base/error.h"

namespace repath {

bool WorkMeter::look(std::uint64_t units) {
  if (is_over_) return false;
  is_stopped_ = stop_ != nullptr && stop_->stop_requested();
  is_over_ = is_stopped_ || units > limit_ - spent();
  if (is_over_) {
    slice_ = 0;
    return false;
  }
  taken_ += units - slice_;
  slice_ = 0;
  refill();
  return true;
}

absl::Status WorkMeter::error(std::string_view at, std::uint64_t units) const {
  if (is_stopped_)
    return make_error(absl::StatusCode::kCancelled, "CANCELLED", "", "the work was stopped");
  const std::string need = units == 0 ? "more than " + std::to_string(limit_)
                                      : "about " + std::to_string(units) + " more";
  return make_error(absl::StatusCode::kResourceExhausted, "IMPORT_TOO_LARGE", at,
                    "needs " + need + " work units; " + std::to_string(spent()) +
                        " are spent; the limit for this file is " + std::to_string(limit_));
}

absl::Status WorkMeter::check_memory(std::uint64_t bytes, std::string_view at) const {
  if (bytes <= memory_) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, "IMPORT_TOO_LARGE", at,
                    "needs about " + std::to_string(bytes) + " bytes of memory; the limit is " +
                        std::to_string(memory_));
}

}  // namespace repath
