#include "rpc/route_calls.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "rpc/path_messages.h"

namespace repath {
namespace {

constexpr int kCheckRouteMax = 65'536;

// By RouteKernel.
constexpr std::array kKernelNames{"any_angle", "corridor", "astar", "dijkstra", "floyd_warshall"};

// Fills in as many of the places as fit the message.
void fill_touched(const RouteTrace& trace, bool is_mesh, std::size_t max_nodes,
                  v1::ExplainPathResponse* out) {
  constexpr std::size_t kMeshBytes = (3 + 3 + 9) * 8 + 1;
  constexpr std::size_t kGraphBytes = (3 + 3) * 8 + 10 + 1;
  const std::size_t room =
      (kAnswerBytesMax - out->ByteSizeLong()) / (is_mesh ? kMeshBytes : kGraphBytes);
  const std::size_t count = std::min({trace.touched.size(), max_nodes, room});
  for (const TouchedPlace& place : std::span(trace.touched).first(count)) {
    out->add_g(place.g);
    out->add_h(place.h);
    out->add_f(place.g + place.h);
    out->add_closed(!place.is_open);
    add_spot(place.at, out->mutable_positions());
    if (!is_mesh) {
      out->add_nodes(place.node);
      continue;
    }
    for (const Spot& spot : {place.from, place.left, place.right})
      add_spot(spot, out->mutable_spans());
  }
  out->set_truncated(trace.is_truncated || count < trace.touched.size());
}

void fill_runs(const RouteTrace& trace, v1::ExplainPathResponse* out) {
  for (const TracedRun& run : trace.runs) {
    v1::ExplainPathResponse::Search* search = out->add_searches();
    search->set_kernel(kKernelNames.at(static_cast<std::size_t>(run.kernel)));
    if (run.goal) fill_spot(*run.goal, search->mutable_goal());
    search->set_first(static_cast<std::uint32_t>(run.first));
    search->set_expanded(run.expanded);
  }
}

}  // namespace

absl::StatusOr<std::vector<RoutePoint>> to_route(const v1::CheckPathRequest& request) {
  const Field field;
  if (request.cells_size() != 0)
    return refuse(field / "cells", "KIND_UNSUITED", "this world has no cells: give positions");
  if (request.positions_size() % 3 != 0)
    return refuse(field / "positions", "LIST_SIZE", "must have x, y and z of each waypoint");
  const int count = request.positions_size() / 3;
  REPATH_RETURN_IF_ERROR(check_count(count, 1, kCheckRouteMax, field / "positions"));
  if (request.links_size() != 0 && request.links_size() != count)
    return refuse(field / "links", "LIST_SIZE", "must be empty or have one for each waypoint");
  std::vector<RoutePoint> route;
  route.reserve(place(count));
  for (int i = 0; i < count; ++i) {
    for (int k = 3 * i; k < 3 * i + 3; ++k)
      REPATH_RETURN_IF_ERROR(
          check_range(request.positions(k), -1e9, 1e9, (field / "positions")[place(k)]));
    RoutePoint point{
        {request.positions(3 * i), request.positions(3 * i + 1), request.positions(3 * i + 2)}};
    if (request.links_size() != 0 && request.links(i) != 0) point.link = request.links(i);
    route.push_back(point);
  }
  return route;
}

void fill_trace(const RouteTrace& trace, bool is_mesh, std::size_t max_nodes,
                v1::ExplainPathResponse* out) {
  fill_runs(trace, out);
  fill_touched(trace, is_mesh, max_nodes, out);
}

}  // namespace repath
