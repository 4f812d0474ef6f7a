#include "rpc/path_service.h"
#include "routes/places.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rpc/call_meter.h"
#include "rpc/query_call.h"
#include "rpc/route_calls.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr double kSnapCellsMax = 4096;
constexpr double kSnapCellsDefault = 64;
constexpr std::uint32_t kReachableMax = 100'000;
constexpr std::uint32_t kReachableDefault = 10'000;
constexpr int kFindPathsMax = 1024;
constexpr std::size_t kFindPathsBytes = 3u << 20;
// A search that ends within this many expansions (tens of microseconds) runs on the thread that
// brought the call, because waking another thread takes as long.
constexpr std::uint64_t kSlightExpansions = 256;
constexpr std::size_t kSlightGoals = 4;

absl::StatusOr<std::vector<PathCall>> to_path_calls(const v1::FindPathsRequest& request,
                                                    const MapSize& map) {
  const Field field = Field() / "requests";
  REPATH_RETURN_IF_ERROR(check_count(request.requests_size(), 1, kFindPathsMax, field));
  std::vector<PathCall> calls;
  for (int i = 0; i < request.requests_size(); ++i) {
    const v1::FindPathRequest& one = request.requests(i);
    const Field at = field[static_cast<std::size_t>(i)];
    if (!one.world().empty() && one.world() != request.world()) {
      return refuse(at / "world", "WORLD_DIFFERS", "must be empty or the same as `world`");
    }
    if (one.options().min_revision() != 0) {
      return refuse(at / "options" / "min_revision", "OUT_OF_RANGE",
                    "must be 0: all share min_revision");
    }
    auto call = to_path_call(one, map, at);
    if (!call.ok()) return call.status();
    calls.push_back(*std::move(call));
  }
  return calls;
}

// Answers on any kind of world.
absl::Status answer_find_path(const AnySnapshot& world, const PathCall& call,
                              const QueryLimits& limits, const MapSize& map, const Field& options,
                              v1::FindPathResponse* response) {
  if (!world.grid) return answer_route(world, call, limits, options, response);
  const auto answer = answer_path(*world.grid, call, limits, options);
  if (!answer.ok()) return answer.status();
  return fill_found(*answer, call, world.revision, map, response);
}

// Returns whether only the search itself can make the call long.
bool may_be_slight(const PathQuery& query) {
  const bool is_plain = query.algorithm == QueryAlgorithm::kAuto ||
                        query.algorithm == QueryAlgorithm::kAStar ||
                        query.algorithm == QueryAlgorithm::kJps;
  return is_plain && query.goals.size() <= kSlightGoals && query.goal_radius == 0 &&
         query.turn_penalty == 0 && query.smoothing == Smoothing::kNone && !query.snap_start;
}

// Answers a call on a grid at once if that takes no longer than passing it on. Returns false if it
// gave no answer.
bool answer_at_once(const MeteredCall& metered, grpc::CallbackServerContext* context,
                    WorldHost& host, const PathCall& call, const MapSize& map,
                    v1::FindPathResponse* response) {
  if (!host.facts().is_grid() || !may_be_slight(call.query)) return false;
  const std::optional<AnySnapshot> world = host.at_hand(call.who);
  if (!world) return false;
  const CallStop stop(context);
  if (stop.stop_requested()) return false;
  const QueryLimits limits{std::min(call.max_expansions, kSlightExpansions), &stop};
  absl::Status status;
  const bool done = host.guard("query", [&] {
    status = answer_find_path(*world, call, limits, map, Field() / "options", response);
  });
  // After a failed check the query that follows is refused, because the world is quarantined.
  if (!done || (response->path().status() == v1::PATH_STATUS_OUT_OF_BUDGET &&
                call.max_expansions > kSlightExpansions)) {
    response->Clear();
    return false;
  }
  finish(metered, status);
  return true;
}

// Runs the calls one after the other on one query thread. Each uses the snapshot of its own profile
// and team, and all snapshots are of one revision.
class PathBatch : public std::enable_shared_from_this<PathBatch> {
 public:
  PathBatch(std::shared_ptr<WorldHost> host, std::vector<PathCall> calls,
            grpc::CallbackServerContext* context, grpc::ServerUnaryReactor* call,
            v1::FindPathsResponse* response)
      : host_(std::move(host)),
        calls_(std::move(calls)),
        context_(context),
        call_(call),
        response_(response) {}

  // Gets the snapshots that the calls need, one after the other, then runs the searches.
  void collect(std::size_t first, Revision min_revision) {
    while (first < calls_.size() && view_of(calls_[first].who)) ++first;
    if (first == calls_.size()) return search();
    QueryFor who = calls_[first].who;
    who.min_revision = min_revision;
    host_->query(std::move(who),
                 [self = shared_from_this(), first](absl::StatusOr<AnySnapshot> snapshot) {
                   self->add(first, std::move(snapshot));
                 });
  }

 private:
  struct View {
    QueryFor who;
    AnySnapshot snapshot;
  };

  // Returns null if the snapshot has not arrived yet.
  const AnySnapshot* view_of(const QueryFor& who) const {
    for (const View& view : views_) {
      if (view.who.profile == who.profile && view.who.team == who.team) return &view.snapshot;
    }
    return nullptr;
  }

  void add(std::size_t call, absl::StatusOr<AnySnapshot> snapshot) {
    if (!snapshot.ok()) {
      const Field at = (Field() / "requests")[call];
      finish(call_, in_query(snapshot.status(), {(at / "walker").text() + ".", ""}));
      return;
    }
    const Revision revision = snapshot->revision;
    // The world has changed in between: begin again with snapshots of the later revision.
    if (!views_.empty() && views_.front().snapshot.revision != revision) {
      views_.clear();
      call = 0;
    } else {
      views_.push_back({calls_[call].who, *std::move(snapshot)});
    }
    if (CallStop(context_).stop_requested()) {
      finish(call_, CallStop(context_).status());
      return;
    }
    collect(call, revision);
  }

  void search() {
    const CallStop stop(context_);
    absl::Status status;
    const MapSize map = map_size(host_->facts());
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const PathCall& call = calls_[i];
      const AnySnapshot& view = *view_of(call.who);
      status = answer_find_path(view, call, {call.max_expansions, &stop}, map,
                                (Field() / "requests")[i] / "options", response_->add_responses());
      if (stop.stop_requested()) status = stop.status();
      if (status.ok() && response_->ByteSizeLong() > kFindPathsBytes) status = too_large();
      if (!status.ok()) break;
      response_->set_revision(value(view.revision));
    }
    finish(call_, status);
  }

  static absl::Status too_large() {
    return make_error(absl::StatusCode::kResourceExhausted, "ANSWER_TOO_LARGE", "",
                      "the answers exceed 3 MiB together; ask for fewer paths at a time");
  }

  std::shared_ptr<WorldHost> host_;
  std::vector<PathCall> calls_;
  grpc::CallbackServerContext* context_;
  grpc::ServerUnaryReactor* call_;
  v1::FindPathsResponse* response_;
  std::vector<View> views_;
};

struct NearestCall {
  PathCall path;  // with the goals, if there are any
  double max_distance = kSnapCellsDefault;
};

absl::StatusOr<NearestCall> to_nearest(const v1::FindNearestRequest& request, const MapSize& map) {
  const Field field;
  NearestCall call;
  auto who = to_query_for(request.walker(), request.options().min_revision(), field / "walker");
  if (!who.ok()) return who.status();
  call.path.who = *std::move(who);
  REPATH_RETURN_IF_ERROR(read_options(request.options(), map, field / "options", &call.path));
  const auto from = to_map_point(request.from(), map, field / "from");
  if (!from.ok()) return from.status();
  call.path.query.from = *from;
  REPATH_RETURN_IF_ERROR(check_count(request.goals_size(), 0, kNearestGoalsMax, field / "goals"));
  auto goals = to_map_points(request.goals(), map, field / "goals");
  if (!goals.ok()) return goals.status();
  call.path.query.goals = *std::move(goals);
  // A single Dijkstra answers this, whatever algorithm was asked for.
  call.path.query.algorithm = QueryAlgorithm::kDijkstra;
  REPATH_RETURN_IF_ERROR(check_range(request.max_distance(), 0, kSnapCellsMax * map.cell_size,
                                     field / "max_distance"));
  if (request.max_distance() != 0) call.max_distance = request.max_distance() / map.cell_size;
  return call;
}

void fill_snapped(std::optional<NodeId> node, MapPoint from, const MapSize& map,
                  v1::FindNearestResponse* out) {
  out->set_goal_index(-1);
  out->set_status(node ? v1::PATH_STATUS_COMPLETE : v1::PATH_STATUS_UNREACHABLE);
  if (!node) return;
  fill_cell(*node, map, out->mutable_cell());
  fill_center(*node, map, out->mutable_position());
  const double dx = map.x_of(*node) + 0.5 - from.x;
  const double dy = map.y_of(*node) + 0.5 - from.y;
  out->set_distance(std::sqrt(dx * dx + dy * dy) * map.cell_size);
}

absl::Status fill_nearest(const NearestGoal& nearest, const NearestCall& call, Revision revision,
                          const MapSize& map, v1::FindNearestResponse* out) {
  out->set_status(to_status(nearest.state));
  out->set_goal_index(-1);
  if (nearest.state == QueryState::kComplete) {
    out->set_goal_index(static_cast<std::int32_t>(nearest.goal));
    const NodeId goal = map.node_at(call.path.query.goals[nearest.goal]);
    fill_cell(goal, map, out->mutable_cell());
    fill_center(goal, map, out->mutable_position());
    out->set_distance(map.world_cost(nearest.path.cost));
  }
  return fill_path(nearest.path, call.path, revision, map, out->mutable_path());
}

}  // namespace

grpc::ServerUnaryReactor* PathService::FindPath(grpc::CallbackServerContext* context,
                                                const v1::FindPathRequest* request,
                                                v1::FindPathResponse* response) {
  const MeteredCall metered(context, registry_.metrics(), kFindPathMethod);
  const auto host = registry_.find(request->world());
  if (!host.ok()) return finish(metered, host.status());
  const MapSize map = map_size((*host)->facts());
  auto call = to_path_call(*request, map, Field());
  if (!call.ok()) return finish(metered, call.status());
  if (answer_at_once(metered, context, **host, *call, map, response)) return metered.reactor();
  run_any_query(metered, context, **host, call->who, {}, call->max_expansions,
                [call = *call, map, response](const AnySnapshot& world, const QueryLimits& limits) {
                  return answer_find_path(world, call, limits, map, Field() / "options", response);
                });
  return metered.reactor();
}

grpc::ServerUnaryReactor* PathService::FindPaths(grpc::CallbackServerContext* context,
                                                 const v1::FindPathsRequest* request,
                                                 v1::FindPathsResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  auto calls = to_path_calls(*request, map_size((*host)->facts()));
  if (!calls.ok()) return refused(context, calls.status());
  auto* call = context->DefaultReactor();
  std::make_shared<PathBatch>(*host, *std::move(calls), context, call, response)
      ->collect(0, Revision{request->min_revision()});
  return call;
}

grpc::ServerUnaryReactor* PathService::FindNearest(grpc::CallbackServerContext* context,
                                                   const v1::FindNearestRequest* request,
                                                   v1::FindNearestResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  auto call = to_nearest(*request, map);
  if (!call.ok()) return refused(context, call.status());
  if (!map.has_cells)
    return find_nearest_place(context, **host, call->path, call->max_distance, response);
  return run_query(context, **host, call->path.who, {}, call->path.max_expansions,
                   [call = *call, map, response](const Snapshot& world, const QueryLimits& limits) {
                     const PathQuery& query = call.path.query;
                     response->set_revision(value(world.revision));
                     if (query.goals.empty()) {
                       fill_snapped(nearest_free(world.layer, query.from, call.max_distance),
                                    query.from, map, response);
                       return absl::OkStatus();
                     }
                     return fill_nearest(find_nearest_goal(world, query.from, query.goals, limits),
                                         call, world.revision, map, response);
                   });
}

grpc::ServerUnaryReactor* PathService::FindReachable(grpc::CallbackServerContext* context,
                                                     const v1::FindReachableRequest* request,
                                                     v1::FindReachableResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  const Field field;
  auto who = to_query_for(request->walker(), request->min_revision(), field / "walker");
  if (!who.ok()) return refused(context, who.status());
  const auto from = to_map_point(request->from(), map, field / "from");
  absl::Status status = from.status();
  if (status.ok()) status = check_range(request->max_cost(), 0, 1e300, field / "max_cost");
  if (status.ok())
    status =
        check_range(std::uint64_t{request->max_cells()}, 0, kReachableMax, field / "max_cells");
  if (!status.ok()) return refused(context, status);
  const std::uint32_t max_cells =
      request->max_cells() == 0 ? kReachableDefault : request->max_cells();
  if (!map.has_cells)
    return find_pieces_within(context, **host, *who, *from, request->max_cost(), max_cells,
                              response);
  const Cost max_cost = map.cost_of(request->max_cost());
  return run_query(context, **host, *who, {"walker.", ""}, ~std::uint64_t{0},
                   [=, from = *from](const Snapshot& world, const QueryLimits& limits) {
                     fill_reachable(find_reachable(world, from, max_cost, max_cells, limits), map,
                                    response);
                     response->set_revision(value(world.revision));
                     return absl::OkStatus();
                   });
}

grpc::ServerUnaryReactor* PathService::Raycast(grpc::CallbackServerContext* context,
                                               const v1::RaycastRequest* request,
                                               v1::RaycastResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  const Field field;
  auto who = to_query_for(request->walker(), request->min_revision(), field / "walker");
  if (!who.ok()) return refused(context, who.status());
  const auto from = to_map_point(request->from(), map, field / "from");
  if (!from.ok()) return refused(context, from.status());
  const auto to = to_map_point(request->to(), map, field / "to");
  if (!to.ok()) return refused(context, to.status());
  if (!map.has_cells)
    return cast_ray_on_routes(context, **host, *who, spot_of(*from), spot_of(*to), response);
  return run_query(context, **host, *who, {"walker.", ""}, ~std::uint64_t{0},
                   [=, from = *from, to = *to](const Snapshot& world, const QueryLimits&) {
                     fill_ray(raycast(world, from, to), from, map, response);
                     response->set_revision(value(world.revision));
                     return absl::OkStatus();
                   });
}

grpc::ServerUnaryReactor* PathService::CheckPath(grpc::CallbackServerContext* context,
                                                 const v1::CheckPathRequest* request,
                                                 v1::CheckPathResponse* response) {
  const auto host = registry_.find(request->world());
  if (!host.ok()) return refused(context, host.status());
  const MapSize map = map_size((*host)->facts());
  const Field field;
  PathCall call;
  auto who = to_query_for(request->walker(), request->options().min_revision(), field / "walker");
  if (!who.ok()) return refused(context, who.status());
  const absl::Status status = read_options(request->options(), map, field / "options", &call);
  if (!status.ok()) return refused(context, status);
  call.who = *who;
  if (!map.has_cells) return check_route(context, **host, call, *request, response);
  if (request->positions_size() != 0)
    return refused(context, refuse(field / "positions", "KIND_UNSUITED",
                                   "is for meshes and graphs; give cells"));
  if (request->links_size() != 0)
    return refused(context,
                   refuse(field / "links", "KIND_UNSUITED", "is for meshes; this world is a grid"));
  auto nodes = to_waypoints(request->cells(), map, field / "cells");
  if (!nodes.ok()) return refused(context, nodes.status());
  const auto center = [&map](NodeId n) { return MapPoint{map.x_of(n) + 0.5, map.y_of(n) + 0.5}; };
  call.query.from = center(nodes->front());
  call.query.goals = {center(nodes->back())};
  // The path is compared with the optimum, whatever the options mean for FindPath.
  call.query.weight = 1;
  call.query.heuristic = Heuristic::kAuto;
  call.query.turn_penalty = 0;
  call.query.smoothing = Smoothing::kNone;
  const QueryAlgorithm algorithm = call.query.algorithm;
  if (algorithm == QueryAlgorithm::kBfs || algorithm == QueryAlgorithm::kHpa)
    call.query.algorithm = QueryAlgorithm::kAuto;
  return run_query(
      context, **host, *who, {}, call.max_expansions,
      [=, nodes = *std::move(nodes), check_optimal = request->check_optimal()](
          const Snapshot& world, const QueryLimits& limits) {
        const CheckAnswer checked = check_path(world, nodes);
        response->set_revision(value(world.revision));
        response->set_valid(checked.valid);
        response->set_first_invalid_waypoint(
            checked.first_invalid ? static_cast<std::int32_t>(*checked.first_invalid) : -1);
        if (checked.valid) response->set_cost(map.world_cost(checked.cost));
        if (!check_optimal) return absl::OkStatus();
        const auto best = answer_path(world, call, limits, Field() / "options");
        if (!best.ok()) return best.status();
        if (best->state != QueryState::kComplete) return absl::OkStatus();
        response->set_optimal_cost(map.world_cost(best->cost));
        response->set_optimal(checked.valid && checked.cost <= best->cost);
        return absl::OkStatus();
      });
}

}  // namespace repath
