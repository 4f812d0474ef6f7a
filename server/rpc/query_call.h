// Runs one query of a client on a query thread, with a snapshot, unless its deadline has passed by
// then.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "engine/query_scratch.h"
#include "rpc/calls.h"
#include "rpc/path_messages.h"

namespace repath {

// Prefixes of "profile" and "min_revision" in the request's field names.
struct QueryFields {
  std::string walker = "walker.";
  std::string options = "options.";
};

// Returns a refusal by WorldHost::query with the field named as in the request.
inline absl::Status in_query(const absl::Status& status, const QueryFields& fields) {
  if (error_field(status) == "world") return status;
  const bool is_option = error_field(status) == "min_revision";
  return with_field_prefix(status, is_option ? fields.options : fields.walker);
}

// Runs find_path for the call, within its limits. FAILED_PRECONDITION with reason
// ALGORITHM_UNSUITED if its algorithm does not suit the world, or as check_shape(); `options` is
// the field that holds its options.
inline absl::StatusOr<PathAnswer> answer_path(const Snapshot& world, const PathCall& call,
                                              QueryLimits limits, const Field& options) {
  if (!suits(call.query.algorithm, world)) {
    return make_error(
        absl::StatusCode::kFailedPrecondition, "ALGORITHM_UNSUITED", (options / "algorithm").text(),
        "JPS wants 8 neighbours, no cost factors, and room for its tables in the world's memory "
        "limit; on large maps they are made over the first queries. HPA wants 4 or 8 neighbours, "
        "FLOYD_WARSHALL at most 2000 free cells");
  }
  REPATH_RETURN_IF_ERROR(check_shape(call.query, world, options));
  limits.search_bytes = call.search_bytes;
  thread_local QueryScratch scratch;
  limits.scratch = &scratch;
  return find_path(world, call.query, limits);
}

// Calls `work(const AnySnapshot&, const QueryLimits&)`, which fills the response and returns an
// absl::Status, and ends the call with that status. If the call's deadline or cancellation stopped
// the search, the call ends with that instead.
template <class Call, class Work>
void run_any_query(Call call, grpc::CallbackServerContext* context, WorldHost& host,
                   const QueryFor& who, const QueryFields& fields, std::uint64_t max_expansions,
                   Work work) {
  host.query(who, [=, work = std::move(work)](absl::StatusOr<AnySnapshot> snapshot) {
    if (!snapshot.ok()) {
      finish(call, in_query(snapshot.status(), fields));
      return;
    }
    const CallStop stop(context);
    absl::Status status;
    if (!stop.stop_requested()) status = work(*snapshot, QueryLimits{max_expansions, &stop});
    finish(call, stop.stop_requested() ? stop.status() : status);
  });
}

// Does the same with gRPC's own reactor.
template <class Work>
grpc::ServerUnaryReactor* run_any_query(grpc::CallbackServerContext* context, WorldHost& host,
                                        const QueryFor& who, const QueryFields& fields,
                                        std::uint64_t max_expansions, Work work) {
  auto* call = context->DefaultReactor();
  run_any_query(call, context, host, who, fields, max_expansions, std::move(work));
  return call;
}

// Does the same on a grid: `work(const Snapshot&, const QueryLimits&)`.
template <class Work>
grpc::ServerUnaryReactor* run_query(grpc::CallbackServerContext* context, WorldHost& host,
                                    const QueryFor& who, const QueryFields& fields,
                                    std::uint64_t max_expansions, Work work) {
  return run_any_query(
      context, host, who, fields, max_expansions,
      [work = std::move(work)](const AnySnapshot& world, const QueryLimits& limits) {
        return work(*world.grid, limits);
      });
}

}  // namespace repath
