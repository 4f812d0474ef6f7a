// Runs one query of a client on a query thread, with a snapshot, unless its deadline has passed by
// then.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "base/error.h"
#include "engine/query_scratch.h"
#include "rpc/calls.h"
#include "rpc/path_messages.h"
#include "rpc/world_messages.h"
#include "runtime/registry.h"

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

// Runs find_path for the call, within its limits. Errors as check_suited(); `options` is the field
// that holds the call's options.
inline absl::StatusOr<PathAnswer> answer_path(const AnySnapshot& world, const PathCall& call,
                                              QueryLimits limits, const Field& options) {
  REPATH_RETURN_IF_ERROR(
      world.ask([&](const auto& view) { return check_suited(call.query, view, options); }));
  limits.search_bytes = call.search_bytes;
  thread_local QueryScratch scratch;
  limits.scratch = &scratch;
  return world.ask([&](const auto& view) { return find_path(view, call.query, limits); });
}

// Calls `work(const AnySnapshot&, const QueryLimits&)`, which fills the response and returns an
// absl::Status, and ends the call with that status. If the call's deadline or cancellation stopped
// the search, the call ends with that instead.
template <class Call, class Work>
void run_query(Call call, grpc::CallbackServerContext* context, WorldHost& host,
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

// A query as its request gives it; `work` as for run_query().
struct Question {
  QueryFor who = {};
  QueryFields fields = {};
  std::uint64_t max_expansions = ~std::uint64_t{0};
  std::function<absl::Status(const AnySnapshot&, const QueryLimits&)> work = nullptr;
};

// Reads the walker and min_revision of a request without options.
template <class Request>
absl::StatusOr<Question> to_question(const Request& request) {
  REPATH_ASSIGN_OR_RETURN(
      QueryFor who, to_query_for(request.walker(), request.min_revision(), Field() / "walker"));
  return Question{std::move(who), {"walker.", ""}};
}

// Answers a call with the Question that `read(const WorldFacts&, const MapSize&)` returns as an
// absl::StatusOr for the world of that name.
template <class Read>
grpc::ServerUnaryReactor* answer_question(grpc::CallbackServerContext* context,
                                          const Registry& registry, const std::string& world,
                                          Read read) {
  const auto host = registry.find(world);
  if (!host.ok()) return refused(context, host.status());
  const WorldFacts& facts = (*host)->facts();
  absl::StatusOr<Question> question = read(facts, map_size(facts));
  if (!question.ok()) return refused(context, question.status());
  auto* call = context->DefaultReactor();
  run_query(call, context, **host, question->who, question->fields, question->max_expansions,
            std::move(question->work));
  return call;
}

}  // namespace repath
