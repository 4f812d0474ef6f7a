// PathService::FindPlacements.
#include <string>
#include <utility>

#include "base/error.h"
#include "engine/placements.h"
#include "rpc/area_box.h"
#include "rpc/query_call.h"
#include "rpc/services.h"

namespace repath {
namespace {

absl::StatusOr<PlacementQuery> to_placements(const v1::FindPlacementsRequest& request,
                                             const MapUnits& map) {
  const Field field;
  PlacementQuery query;
  REPATH_ASSIGN_OR_RETURN(query.anchors,
                          to_area_box(request, map, kPlacementAnchorsMax, field / "area"));
  REPATH_RETURN_IF_ERROR(check_range(request.width(), 1, kTowerSideMax, field / "width"));
  REPATH_RETURN_IF_ERROR(check_range(request.height(), 1, kTowerSideMax, field / "height"));
  query.size = {static_cast<std::int32_t>(request.width()),
                static_cast<std::int32_t>(request.height())};
  return query;
}

void fill_placements(const PlacementAnswer& answer, const PlacementQuery& query, Revision revision,
                     v1::FindPlacementsResponse* out) {
  fill_area_box(query.anchors, out->mutable_area());
  out->set_revision(value(revision));
  out->set_expanded(answer.expanded);
  std::string* bytes = out->mutable_placements();
  bytes->reserve(answer.placements.size());
  for (const Placement placement : answer.placements)
    bytes->push_back(static_cast<char>(placement));
}

absl::Status ask_placements(const WorldCall& call, const v1::FindPlacementsRequest& request,
                            v1::FindPlacementsResponse* response) {
  const MapUnits map = map_units(call.host->facts());
  REPATH_RETURN_IF_ERROR(CallLedger::check_search(*call.context));
  if (!map.has_cells)
    return make_error(absl::StatusCode::kFailedPrecondition, "KIND_UNSUITED", "world",
                      "is no grid; this call is for grids");
  REPATH_ASSIGN_OR_RETURN(QueryFor who, to_query_for(request.walker(), Field() / "walker"));
  who.min_revision = Revision{request.min_revision()};
  who.client = CallLedger::client_of(*call.context);
  REPATH_ASSIGN_OR_RETURN(const PlacementQuery query, to_placements(request, map));
  const std::uint64_t most =
      request.max_expansions() == 0 ? ~std::uint64_t{0} : request.max_expansions();
  const auto work = [call, query, most, response, method = CallAccess::current().method()](
                        const absl::StatusOr<PlacementGround>& ground) {
    if (!ground.ok()) {
      finish(call.reactor, in_query(ground.status(), {"walker.", ""}));
      return;
    }
    const QueryStop stop(call.context, *call.host);
    absl::Status status = stop.status();
    if (status.ok()) {
      SearchNote note(call.context, *call.host, method);
      const QueryLimits limits = query_limits(most, *call.host, &stop, &note);
      status = guard_query(*call.host, [&] {
        fill_placements(find_placements(*ground, query, limits), query, ground->revision, response);
        return absl::OkStatus();
      });
      if (stop.stop_requested()) status = stop.status();
    }
    finish(call.reactor, status);
  };
  call.host->query_placements(std::move(who), query, work);
  return absl::OkStatus();
}

}  // namespace

UnaryCall* PathService::FindPlacements(CallContext* context,
                                       const v1::FindPlacementsRequest* request,
                                       v1::FindPlacementsResponse* response) {
  return ask_world(registry_, context, request->world(),
                   [=](const WorldCall& call) { return ask_placements(call, *request, response); });
}

}  // namespace repath
