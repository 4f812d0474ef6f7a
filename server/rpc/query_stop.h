// Stops a query: when its call is over, at the server's limit of time, when memory is nearly used
// up, or when it holds up the queries of other clients (QueryPool).
//
// Thread rule: the query's thread.
#pragma once

#include <string>

#include "base/error.h"
#include "rpc/calls.h"
#include "runtime/query_pool.h"

namespace repath {

class QueryStop final : public StopToken {
 public:
  // The time begins now. Borrows both: valid until the call is finished.
  QueryStop(const CallContext* context, const WorldHost& host)
      : call_(context),
        pressure_(host.pressure()),
        most_ms_(host.limits().query_max_ms),
        ends_at_(now_us() + Micros{most_ms_} * 1000) {}

  bool stop_requested() const override {
    if (!over_.ok()) return true;
    over_ = call_.stop_requested() ? call_.status() : limit();
    return !over_.ok();
  }
  // Returns why the query was stopped; OK if it was not. RESOURCE_EXHAUSTED with reason QUERY_TIME,
  // QUERY_CROWDED_OUT or MEMORY_SHORT, or as CallStop::status().
  absl::Status status() const { return stop_requested() ? over_ : absl::OkStatus(); }

 private:
  absl::Status limit() const {
    if (now_us() >= ends_at_)
      return make_error(absl::StatusCode::kResourceExhausted, "QUERY_TIME", "",
                        "the query has run for the limit of " + std::to_string(most_ms_) +
                            " ms (--query-max-ms)");
    if (pressure_.stage() >= MemoryStage::kCritical) return Pressure::ended(pressure_.stage());
    if (QueryPool::may_go_on()) return absl::OkStatus();
    return with_fact(make_error(absl::StatusCode::kResourceExhausted, "QUERY_CROWDED_OUT", "",
                                "the client has as many long queries as it may, and queries of "
                                "others wait; try again"),
                     "retry_delay_ms", "1000");
  }

  const CallStop call_;
  const Pressure& pressure_;
  const std::uint64_t most_ms_;
  const Micros ends_at_;
  mutable absl::Status over_;
};

}  // namespace repath
