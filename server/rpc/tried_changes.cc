// WorldService::TestChanges.
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "rpc/query_call.h"
#include "rpc/services.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr std::uint32_t kNewPathWaypointsMax = 256;

// Finds the new paths one after the other, within the limits of one query.
absl::Status fill_new_paths(const TestAnswer& tried, const WorldHost& host, const QueryStop& stop,
                            SearchNote* note, v1::TestChangesResponse* out) {
  const MapUnits map = map_units(host.facts());
  std::uint64_t left = host.limits().query_expansions_max;
  for (const TriedPath& asked : tried.new_paths) {
    PathCall call;
    call.query = asked.query;
    call.max_waypoints = kNewPathWaypointsMax;
    const QueryLimits limits = query_limits(left, host, &stop, note);
    const PathAnswer found =
        asked.after.ask([&](const auto& view) { return find_path(view, call.query, limits); });
    if (stop.stop_requested()) return stop.status();
    left -= std::min(left, found.expanded);
    v1::TestChangesResponse::NewPath* message = out->add_new_paths();
    message->set_agent_id(value(asked.agent));
    REPATH_RETURN_IF_ERROR(fill_path(found, call, tried.revision, map, message->mutable_path()));
  }
  return absl::OkStatus();
}

// Ends the call on a query thread.
void answer_with_paths(const WorldCall& call, std::string_view method, TestAnswer tried,
                       v1::TestChangesResponse* response) {
  AnySnapshot first = tried.new_paths.front().after;
  const auto work = [call, method, tried = std::move(tried),
                     response](const absl::StatusOr<AnySnapshot>& snapshot) {
    absl::Status status = snapshot.status();
    if (status.ok()) {
      const QueryStop stop(call.context, *call.host);
      SearchNote note(call.context, *call.host, method);
      fill_tested(tried, response);
      status = guard_query(
          *call.host, [&] { return fill_new_paths(tried, *call.host, stop, &note, response); });
    }
    finish(call.reactor, status);
  };
  call.host->query_with(std::move(first), CallLedger::client_of(*call.context), work);
}

}  // namespace

UnaryCall* WorldService::TestChanges(CallContext* context, const v1::TestChangesRequest* request,
                                     v1::TestChangesResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        if (request->max_paths() > 0) REPATH_RETURN_IF_ERROR(CallLedger::check_search(*context));
        REPATH_ASSIGN_OR_RETURN(repath::TestChanges command, to_test(*request, call.host->facts()));
        if (call.host->keeps_bytes()) command.batch_bytes = request->batch().SerializeAsString();
        const auto fill = [=](const TestAnswer& answer) { fill_tested(answer, response); };
        const Answer<TestAnswer> plain = call.answer<TestAnswer>(fill);
        const auto give = [call, plain, method = CallAccess::current().method(),
                           response](absl::StatusOr<TestAnswer> tried) {
          if (!tried.ok() || tried->new_paths.empty()) return plain(std::move(tried));
          answer_with_paths(call, method, *std::move(tried), response);
        };
        call.host->test(std::move(command), {give, [plain] { return plain.over(); }});
        return absl::OkStatus();
      });
}

}  // namespace repath
