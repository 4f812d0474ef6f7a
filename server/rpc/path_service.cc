#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "routes/places.h"
#include "rpc/call_meter.h"
#include "rpc/query_call.h"
#include "rpc/services.h"

namespace repath {
namespace {

constexpr std::uint32_t kReachableMax = 100'000;
constexpr std::uint32_t kReachableDefault = 10'000;
constexpr int kFindPathsMax = 1024;
constexpr std::size_t kFindPathsBytes = 3u << 20;
// A search that ends within this many expansions (tens of microseconds) runs on the thread that
// brought the call, because waking another thread takes as long.
constexpr std::uint64_t kSlightExpansions = 256;
constexpr std::size_t kSlightGoals = 4;

absl::StatusOr<std::vector<PathCall>> to_path_calls(const v1::FindPathsRequest& request,
                                                    const MapUnits& map) {
  if (request.min_revision() != 0 && request.at_revision() != 0)
    return refuse(Field() / "min_revision", "OPTIONS_CONFLICT", "must be 0 with at_revision");
  const Field field = Field() / "requests";
  REPATH_RETURN_IF_ERROR(check_count(request.requests_size(), 1, kFindPathsMax, field));
  const auto read = [&](const v1::FindPathRequest& one,
                        const Field& at) -> absl::StatusOr<PathCall> {
    if (!one.world().empty() && one.world() != request.world())
      return refuse(at / "world", "WORLD_DIFFERS", "must be empty or the same as `world`");
    if (one.options().min_revision() != 0)
      return refuse(at / "options" / "min_revision", "OUT_OF_RANGE",
                    "must be 0: all share min_revision");
    if (one.options().at_revision() != 0)
      return refuse(at / "options" / "at_revision", "OUT_OF_RANGE",
                    "must be 0: all share at_revision");
    return to_path_call(one, map, at);
  };
  return read_list(request.requests(), field, read);
}

absl::Status answer_find_path(const AnySnapshot& world, const PathCall& call,
                              const QueryLimits& limits, const MapUnits& map, const Field& options,
                              v1::FindPathResponse* response) {
  REPATH_ASSIGN_OR_RETURN(const PathAnswer answer, answer_path(world, call, limits, options));
  return fill_found(answer, call, world.revision, map, response);
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
bool answer_at_once(const MeteredCall& metered, CallContext* context, WorldHost& host,
                    const PathCall& call, const MapUnits& map, v1::FindPathResponse* response) {
  if (!host.facts().is_grid() || !may_be_slight(call.query)) return false;
  const std::optional<AnySnapshot> world = host.at_hand(call.who);
  if (!world) return false;
  const CallStop stop(context);
  if (stop.stop_requested()) return false;
  const absl::Status status = guard_query(host, [&] {
    SearchNote note(context, host, kFindPathMethod);
    const QueryLimits limits =
        query_limits(std::min(call.max_expansions, kSlightExpansions), host, &stop, &note);
    return answer_find_path(*world, call, limits, map, Field() / "options", response);
  });
  if (response->path().status() == v1::PATH_STATUS_OUT_OF_BUDGET &&
      call.max_expansions > kSlightExpansions) {
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
  // A world may change faster than the snapshots of many teams are gathered.
  static constexpr int kRestartsMax = 16;

  PathBatch(const WorldCall& call, std::vector<PathCall> paths, Revision at_revision,
            v1::FindPathsResponse* response)
      : call_(call),
        method_(CallAccess::current().method()),
        paths_(std::move(paths)),
        at_revision_(at_revision),
        response_(response) {}

  // Gets the snapshots that the calls need, one after the other, then runs the searches.
  void collect(std::size_t first, Revision min_revision) {
    while (first < paths_.size() && view_of(paths_[first].who)) ++first;
    if (first == paths_.size()) return search();
    QueryFor who = paths_[first].who;
    who.at_revision = at_revision_;
    if (at_revision_ == Revision{}) who.min_revision = min_revision;
    ask_snapshot(call_.registry, call_.host, std::move(who), call_.context,
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
      finish(call_.reactor, in_query(snapshot.status(), {(at / "walker").text() + ".", ""}));
      return;
    }
    const Revision revision = snapshot->revision;
    // The world has changed in between: begin again with snapshots of the later revision.
    if (!views_.empty() && views_.front().snapshot.revision != revision) {
      if (++restarts_ > kRestartsMax) {
        finish(call_.reactor, changing());
        return;
      }
      views_.clear();
      call = 0;
    } else {
      views_.push_back({paths_[call].who, *std::move(snapshot)});
    }
    const absl::Status over = CallStop(call_.context).status();
    if (over.ok()) return collect(call, revision);
    finish(call_.reactor, over);
  }

  static absl::Status changing() {
    return make_error(absl::StatusCode::kAborted, "WORLD_CHANGING", "",
                      "the world changed " + std::to_string(kRestartsMax) +
                          " times before all profiles and teams of the requests had one revision; "
                          "ask for fewer of them at a time");
  }

  void search() {
    const QueryStop stop(call_.context, *call_.host);
    const absl::Status status = guard_query(*call_.host, [&] { return search_all(stop); });
    finish(call_.reactor, status);
  }

  absl::Status search_all(const QueryStop& stop) {
    SearchNote note(call_.context, *call_.host, method_);
    absl::Status status;
    const MapUnits map = map_units(call_.host->facts());
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const PathCall& call = paths_[i];
      const AnySnapshot& view = *view_of(call.who);
      const QueryLimits limits = query_limits(call.max_expansions, *call_.host, &stop, &note);
      status = answer_find_path(view, call, limits, map, (Field() / "requests")[i] / "options",
                                response_->add_responses());
      if (stop.stop_requested()) status = stop.status();
      if (status.ok() && response_->ByteSizeLong() > kFindPathsBytes)
        status = make_error(absl::StatusCode::kResourceExhausted, "ANSWER_TOO_LARGE", "",
                            "the answers exceed 3 MiB together; ask for fewer paths at a time");
      if (!status.ok()) break;
      response_->set_revision(value(view.revision));
    }
    return status;
  }

  const WorldCall call_;
  const std::string_view method_;
  const std::vector<PathCall> paths_;
  const Revision at_revision_;  // 0: now
  v1::FindPathsResponse* response_;
  std::vector<View> views_;
  int restarts_ = 0;
};

// Reads the cells of CheckPath on a grid.
absl::StatusOr<std::vector<NodeId>> to_cells(const v1::CheckPathRequest& request,
                                             const MapUnits& map, PathCall* call) {
  const Field field;
  if (request.positions_size() != 0)
    return refuse(field / "positions", "KIND_UNSUITED", "is for meshes and graphs; give cells");
  if (request.links_size() != 0)
    return refuse(field / "links", "KIND_UNSUITED", "is for meshes; this world is a grid");
  REPATH_ASSIGN_OR_RETURN(std::vector<NodeId> nodes,
                          to_waypoints(request.cells(), map, field / "cells"));
  const auto center = [&map](NodeId n) { return MapPoint{map.x_of(n) + 0.5, map.y_of(n) + 0.5}; };
  PathQuery& query = call->query;
  query.from = center(nodes.front());
  query.goals = {center(nodes.back())};
  return nodes;
}

// Fills in whether the path is the cheapest, as far as the path found between the same ends shows.
void fill_optimal(const CheckAnswer& checked, const PathAnswer& found, const MapUnits& map,
                  v1::CheckPathResponse* out) {
  bool is_dearer = false;
  if (found.state == QueryState::kComplete) {
    const Cost least = found.bound == 1
                           ? found.cost
                           : static_cast<Cost>(static_cast<double>(found.cost) / found.bound);
    is_dearer = checked.cost > found.cost + checked.slack;
    const Cost cheapest = checked.valid ? std::min(checked.cost, found.cost) : found.cost;
    out->set_optimal_cost(map.world_cost(cheapest));
    out->set_optimal(checked.valid && checked.cost <= least + checked.slack);
  }
  out->set_optimal_is_known(!checked.valid || out->optimal() || is_dearer);
}

// `best` asks for the optimum between the same ends.
absl::Status fill_checked(const AnySnapshot& world, const CheckAnswer& checked,
                          const PathCall& best, bool check_optimal, const QueryLimits& limits,
                          const MapUnits& map, v1::CheckPathResponse* out) {
  out->set_revision(value(world.revision));
  out->set_valid(checked.valid);
  out->set_first_invalid_waypoint(
      checked.first_invalid ? static_cast<std::int32_t>(*checked.first_invalid) : -1);
  if (checked.valid) out->set_cost(map.world_cost(checked.cost));
  if (!check_optimal) return absl::OkStatus();
  REPATH_ASSIGN_OR_RETURN(const PathAnswer found,
                          answer_path(world, best, limits, Field() / "options"));
  fill_optimal(checked, found, map, out);
  return absl::OkStatus();
}

}  // namespace

UnaryCall* PathService::FindPath(CallContext* context, const v1::FindPathRequest* request,
                                 v1::FindPathResponse* response) {
  const MeteredCall metered(context, registry_.metrics(), kFindPathMethod, *response);
  const auto host = find_world(registry_, request->world());
  if (!host.ok()) return finish(metered, host.status());
  const MapUnits map = map_units((*host)->facts());
  auto call = to_path_call(*request, map, Field());
  if (!call.ok()) return finish(metered, call.status());
  if (const absl::Status over = CallLedger::check_search(*context); !over.ok())
    return finish(metered, over);
  if (answer_at_once(metered, context, **host, *call, map, response)) return metered.reactor();
  Question question{call->who, {}, call->max_expansions};
  question.work = [call = *std::move(call), map, response](const AnySnapshot& world,
                                                           const QueryLimits& limits) {
    return answer_find_path(world, call, limits, map, Field() / "options", response);
  };
  run_query(metered, context, registry_, *host, std::move(question));
  return metered.reactor();
}

UnaryCall* PathService::FindPaths(CallContext* context, const v1::FindPathsRequest* request,
                                  v1::FindPathsResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_RETURN_IF_ERROR(CallLedger::check_search(*context));
        REPATH_ASSIGN_OR_RETURN(std::vector<PathCall> calls,
                                to_path_calls(*request, map_units(call.host->facts())));
        std::make_shared<PathBatch>(call, std::move(calls), Revision{request->at_revision()},
                                    response)
            ->collect(0, Revision{request->min_revision()});
        return absl::OkStatus();
      });
}

UnaryCall* PathService::FindReachable(CallContext* context, const v1::FindReachableRequest* request,
                                      v1::FindReachableResponse* response) {
  const auto read = [=](const WorldFacts&, const MapUnits& map) -> absl::StatusOr<Question> {
    const Field field;
    REPATH_ASSIGN_OR_RETURN(Question question, to_question(*request));
    REPATH_ASSIGN_OR_RETURN(const MapPoint from,
                            to_map_point(request->from(), map, field / "from"));
    REPATH_RETURN_IF_ERROR(check_range(request->max_cost(), 0, 1e300, field / "max_cost"));
    std::uint32_t max_cells = kReachableDefault;
    REPATH_RETURN_IF_ERROR(
        read_unless_zero(request->max_cells(), 0, kReachableMax, field / "max_cells", &max_cells));
    question.work = [=, cost = request->max_cost()](const AnySnapshot& world,
                                                    const QueryLimits& limits) {
      response->set_revision(value(world.revision));
      if (world.grid) {
        fill_reachable(find_reachable(*world.grid, from, map.cost_of(cost), max_cells, limits), map,
                       response);
      } else {
        fill_pieces_within(*world.routes, from, cost, max_cells, limits, response);
      }
      return absl::OkStatus();
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

UnaryCall* PathService::Raycast(CallContext* context, const v1::RaycastRequest* request,
                                v1::RaycastResponse* response) {
  const auto read = [=](const WorldFacts& facts, const MapUnits& map) -> absl::StatusOr<Question> {
    const Field field;
    REPATH_ASSIGN_OR_RETURN(Question question, to_question(*request));
    REPATH_ASSIGN_OR_RETURN(const MapPoint from,
                            to_map_point(request->from(), map, field / "from"));
    REPATH_ASSIGN_OR_RETURN(const MapPoint to, to_map_point(request->to(), map, field / "to"));
    if (facts.kind == WorldKind::kGraph)
      return make_error(absl::StatusCode::kFailedPrecondition, "KIND_UNSUITED", "world",
                        "is a graph, which has no ground between its nodes");
    question.work = [=](const AnySnapshot& world, const QueryLimits&) {
      fill_ray(world.ask([&](const auto& view) { return raycast(view, from, to); }), map, response);
      response->set_revision(value(world.revision));
      return absl::OkStatus();
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

UnaryCall* PathService::CheckPath(CallContext* context, const v1::CheckPathRequest* request,
                                  v1::CheckPathResponse* response) {
  const auto read = [=](const WorldFacts& facts, const MapUnits& map) -> absl::StatusOr<Question> {
    const Field field;
    REPATH_ASSIGN_OR_RETURN(PathCall call, to_call(*request, map, field, OptionsOf::kCheck));
    Question question{call.who, {}, call.max_expansions};
    const bool check_optimal = request->check_optimal();
    REPATH_RETURN_IF_ERROR(check_needs(check_optimal, request->options(), field / "options",
                                       "needs check_optimal; without it nothing is searched"));
    if (map.has_cells) {
      REPATH_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, to_cells(*request, map, &call));
      question.work = [=](const AnySnapshot& world, const QueryLimits& limits) {
        return fill_checked(world, check_path(*world.grid, nodes), call, check_optimal, limits, map,
                            response);
      };
      return question;
    }
    if (request->links_size() != 0 && facts.kind == WorldKind::kGraph)
      return refuse(field / "links", "KIND_UNSUITED", "is for meshes; a graph has edges instead");
    REPATH_ASSIGN_OR_RETURN(const std::vector<RoutePoint> points, to_route(*request));
    question.work = [=](const AnySnapshot& world, const QueryLimits& limits) {
      std::vector<RoutePoint> route = points;
      const CheckAnswer checked = check_path(*world.routes, &route);
      PathCall best = call;
      best.query.from = point_of(route.front().at);
      best.query.goals = {point_of(route.back().at)};
      return fill_checked(world, checked, best, check_optimal, limits, map, response);
    };
    return question;
  };
  return answer_question(registry_, context, request->world(), read);
}

}  // namespace repath
