// Runs one query of a client on a query thread, with a snapshot, unless its deadline has passed by
// then.
#pragma once

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "engine/queries.h"
#include "rpc/calls.h"
#include "rpc/path_messages.h"
#include "rpc/query_stop.h"
#include "rpc/trace_context.h"
#include "rpc/world_codec.h"
#include "rpc/world_messages.h"
#include "runtime/failure.h"

namespace repath {

// Prefixes of "profile", and of "min_revision" and "at_revision", in the request's field names.
struct QueryFields {
  std::string walker = "walker.";
  std::string options = "options.";
};

// A query as its request gives it. `work` fills the response.
struct Question {
  QueryFor who = {};
  QueryFields fields = {};
  std::uint64_t max_expansions = ~std::uint64_t{0};
  std::function<absl::Status(const AnySnapshot&, const QueryLimits&)> work = nullptr;
};

// Returns a refusal by WorldHost::query with the field named as in the request.
inline absl::Status in_query(const absl::Status& status, const QueryFields& fields) {
  if (error_field(status) == "world") return status;
  const std::string field = error_field(status);
  const bool is_option = field == "min_revision" || field == "at_revision";
  return with_field_prefix(status, is_option ? fields.options : fields.walker);
}

// Runs find_path for the call, within its limits. Errors as check_suited(); `options` is the field
// that holds the call's options.
inline absl::StatusOr<PathAnswer> answer_path(const AnySnapshot& world, const PathCall& asked,
                                              QueryLimits limits, const Field& options) {
  std::optional<PathCall> driven;  // on a mesh, with the turning radius of the walker
  if (world.routes != nullptr && asked.query.smoothing == Smoothing::kCurves) {
    driven = asked;
    driven->query.turning_radius = world.turning_radius;
  }
  const PathCall& call = driven ? *driven : asked;
  REPATH_RETURN_IF_ERROR(
      world.ask([&](const auto& view) { return check_suited(call, view, options); }));
  limits.search_bytes = call.search_bytes;
  thread_local IdleJumps idle_jumps(kIdleJumpsBytes);
  limits.idle_jumps = &idle_jumps;
  return world.ask([&](const auto& view) { return find_path(view, call.query, limits); });
}

// Counts the work of a call's queries, for the rate of its client, and logs the call if they took
// long. Belongs to the thread of the queries. Borrows all: valid until the call is finished.
class SearchNote {
 public:
  SearchNote(CallContext* context, const WorldHost& host, std::string_view method)
      : context_(context), host_(host), method_(method) {}
  SearchNote(const SearchNote&) = delete;
  SearchNote& operator=(const SearchNote&) = delete;
  ~SearchNote() {
    CallLedger::note_search(*context_, work_);
    const Micros took = now_us() - begun_;
    if (took < kSlowUs) return;
    spdlog::info("slow query method={} world={} us={} work={} client=\"{}\"{}", method_,
                 host_.facts().name, took, work_, CallLedger::client_name(*context_),
                 trace_text(trace_of(*context_)));
  }
  std::uint64_t* work() { return &work_; }

 private:
  static constexpr Micros kSlowUs = 1'000'000;

  CallContext* context_;
  const WorldHost& host_;
  const std::string_view method_;
  const Micros begun_ = now_us();
  std::uint64_t work_ = 0;
};

// Returns the limits of a query that its request and the server allow.
inline QueryLimits query_limits(std::uint64_t max_expansions, const WorldHost& host,
                                const StopToken* stop, SearchNote* note) {
  const Limits& server = host.limits();
  QueryLimits limits{std::min(max_expansions, server.query_expansions_max), stop};
  limits.bytes_max = server.query_memory_mb << 20;
  limits.work = note->work();
  return limits;
}

// Asks for a snapshot on behalf of the call's client, see Registry::query.
inline void ask_snapshot(Registry& registry, const std::shared_ptr<WorldHost>& host, QueryFor who,
                         CallContext* context, WorldHost::QueryJob job) {
  who.client = CallLedger::client_of(*context);
  // Most calls are about the present and need no stop of their own.
  const auto caller =
      who.at_revision == Revision{} ? nullptr : std::make_shared<const CallStop>(context);
  registry.query(host, std::move(who), caller, proto_codec(), std::move(job));
}

// Returns what `work` returns. If a check fails in it, logs the failure and returns INTERNAL with
// reason CHECK_FAILED. REQUIRES: `work` reads snapshots and changes only what belongs to the call.
// So no state that outlives the call can be damaged, and its world goes on.
template <class Work>
absl::Status guard_query(const WorldHost& host, Work work) {
  absl::Status status;
  const std::exception_ptr thrown = run_guarded([&] { status = work(); });
  if (thrown == nullptr) return status;
  const Failure failure = describe(thrown);
  log_failure(host.facts().name, "query", "the call ends, the world goes on", failure);
  return with_fact(make_error(absl::StatusCode::kInternal, "CHECK_FAILED", "",
                              "an internal check failed in this call; the world goes on (" +
                                  failure.reason + ")"),
                   "check", failure.reason);
}

// Does the question's work and ends the call with its status. If the call's deadline or
// cancellation stopped the search, the call ends with that instead.
template <class Call>
void run_query(Call call, CallContext* context, Registry& registry,
               const std::shared_ptr<WorldHost>& host, Question question) {
  const QueryFor who = question.who;
  const std::string_view method = CallAccess::current().method();
  const auto work = [call, context, host, method,
                     question = std::move(question)](absl::StatusOr<AnySnapshot> snapshot) {
    if (!snapshot.ok()) {
      finish(call, in_query(snapshot.status(), question.fields));
      return;
    }
    const QueryStop stop(context, *host);
    absl::Status status = stop.status();
    if (status.ok()) {
      SearchNote note(context, *host, method);
      const QueryLimits limits = query_limits(question.max_expansions, *host, &stop, &note);
      status = guard_query(*host, [&] { return question.work(*snapshot, limits); });
      if (stop.stop_requested()) status = stop.status();
    }
    finish(call, status);
  };
  ask_snapshot(registry, host, who, context, work);
}

// Reads the walker and the revisions of a request without options.
template <class Request>
absl::StatusOr<Question> to_question(const Request& request) {
  REPATH_ASSIGN_OR_RETURN(QueryFor who,
                          to_query_for(request.walker(), request, Field() / "walker"));
  return Question{std::move(who), {"walker.", ""}};
}

// Answers a call with the Question that `read(const WorldFacts&, const MapUnits&)` returns as an
// absl::StatusOr for the world of that name. `prefix` as in ask_world().
template <class Read>
UnaryCall* answer_question(Registry& registry, CallContext* context, const std::string& world,
                           Read read, std::string_view prefix = "") {
  const auto ask = [&](const WorldCall& call) -> absl::Status {
    const WorldFacts& facts = call.host->facts();
    REPATH_RETURN_IF_ERROR(CallLedger::check_search(*context));
    REPATH_ASSIGN_OR_RETURN(Question question, read(facts, map_units(facts)));
    run_query(call.reactor, context, call.registry, call.host, std::move(question));
    return absl::OkStatus();
  };
  return ask_world(registry, context, world, ask, prefix);
}

}  // namespace repath
