#include "limits/pressure.h"

#include "base/error.h"

namespace repath {

absl::Status Pressure::check(Load load) {
  const MemoryStage now = stage();
  if (!is_refused(load, now)) return absl::OkStatus();
  refused_.fetch_add(1, std::memory_order_relaxed);
  return ended(now);
}

absl::Status Pressure::ended(MemoryStage stage) {
  return with_fact(
      with_fact(make_error(absl::StatusCode::kResourceExhausted, "MEMORY_SHORT", "",
                           "the server's memory is nearly used up; delete worlds, or try again"),
                "retry_delay_ms", "1000"),
      "stage", kMemoryStageNames[static_cast<std::size_t>(stage)]);
}

}  // namespace repath
