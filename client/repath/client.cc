#include "repath/client.h"

#include <unistd.h>

#include <atomic>
#include <utility>

#include "repath/internal/convert.h"
#include "repath/internal/delivery.h"
#include "repath/internal/export.h"
#include "repath/internal/import.h"
#include "repath/internal/session_core.h"
#include "repath/internal/stubs.h"
#include "repath/internal/unary.h"

namespace repath::client {
namespace {

// Differs between processes, between clients of one process, and between calls.
std::string request_id_prefix() {
  static std::atomic<std::uint64_t> clients{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return std::to_string(::getpid()) + "-" + std::to_string(now) + "-" + std::to_string(++clients) +
         "-";
}

// Requests page after page and delivers them together.
void list_pages(const std::shared_ptr<Stubs>& stubs, RetryRule rule, const std::string& token,
                std::vector<World> so_far, const Pending<std::vector<World>>::Callback& arrive) {
  v1::ListWorldsRequest request;
  request.set_page_token(token);
  Unary<v1::ListWorldsRequest, v1::ListWorldsResponse>::run(
      stubs, std::move(request), rule,
      [](Stubs& on, auto* context, auto* asked, auto* answer, auto done) {
        on.worlds->async()->ListWorlds(context, asked, answer, std::move(done));
      },
      [stubs, rule, so_far = std::move(so_far), arrive](const grpc::Status& status,
                                                        v1::ListWorldsResponse& answer) mutable {
        if (!status.ok()) {
          arrive(error_from(status));
          return;
        }
        for (const auto& world : answer.worlds()) so_far.push_back(from_proto(world));
        if (answer.next_page_token().empty()) {
          arrive(std::move(so_far));
        } else {
          list_pages(stubs, rule, answer.next_page_token(), std::move(so_far), arrive);
        }
      });
}

}  // namespace

struct Client::Impl {
  ClientOptions options;
  std::shared_ptr<Stubs> stubs;
  std::shared_ptr<PolledDelivery> polled;
  std::shared_ptr<ImmediateDelivery> immediate;
  std::string request_ids = request_id_prefix();
  std::atomic<std::uint64_t> requests{0};

  [[nodiscard]] std::shared_ptr<Deliverer> deliverer() const {
    if (polled != nullptr) return polled;
    return immediate;
  }

  [[nodiscard]] RetryRule rule(bool repeat) const {
    return {repeat, options.deadline, options.retry_first, options.retry_max};
  }

  std::string next_request_id() { return request_ids + std::to_string(++requests); }

  // Makes one call: `start(stubs, context, request, response, done)` makes an attempt.
  template <typename T, typename Response, typename Request, typename Start>
  Pending<T> call(Request request, bool repeat, Start start) {
    return call<T, Response>(std::move(request), rule(repeat), start);
  }
  template <typename T, typename Response, typename Request, typename Start>
  Pending<T> call(Request request, RetryRule rule, Start start) {
    Pending<T> pending(deliverer());
    Unary<Request, Response>::run(
        stubs, std::move(request), rule, start,
        [arrive = pending.arrival()](const grpc::Status& status, Response& answer) {
          if (!status.ok()) {
            arrive(error_from(status));
          } else if constexpr (std::is_same_v<T, Done>) {
            arrive(Done{});
          } else {
            arrive(from_proto(answer));
          }
        });
    return pending;
  }
};

Client::Client(const std::string& address, ClientOptions options)
    : impl_(std::make_unique<Impl>()) {
  impl_->stubs = std::make_shared<Stubs>(address, options.security);
  impl_->options = std::move(options);
  if (impl_->options.delivery == Delivery::kPoll) {
    impl_->polled = std::make_shared<PolledDelivery>();
  } else {
    impl_->immediate = std::make_shared<ImmediateDelivery>();
  }
}

Client::~Client() {
  if (impl_->polled != nullptr) impl_->polled->close();
  if (impl_->immediate != nullptr) impl_->immediate->close();
  impl_->stubs->calls->finish();
}

std::size_t Client::poll(std::chrono::microseconds wait) {
  return impl_->polled != nullptr ? impl_->polled->run(wait) : 0;
}

Pending<World> Client::create_world(NewWorld world) {
  v1::CreateWorldRequest request;
  to_proto(world, &request);
  request.set_request_id(impl_->next_request_id());
  return impl_->call<World, v1::World>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.worlds->async()->CreateWorld(std::move(arguments)...);
      });
}

Pending<World> Client::import_world(NewWorld world, std::string map, ImportOptions options) {
  v1::ImportWorldRequest::Header header;
  to_proto(options, &header);
  to_proto(world, header.mutable_world());
  header.mutable_world()->set_request_id(impl_->next_request_id());
  Pending<World> pending(impl_->deliverer());
  run_import(
      impl_->stubs, std::move(header), std::move(map), impl_->options.import_deadline,
      [arrive = pending.arrival()](const grpc::Status& status, const v1::World& made) {
        arrive(status.ok() ? Result<World>(from_proto(made)) : Result<World>(error_from(status)));
      });
  return pending;
}

Pending<World> Client::fork_world(std::string source, std::string name, std::uint64_t revision) {
  v1::ForkWorldRequest request;
  request.set_source(std::move(source));
  request.set_name(std::move(name));
  request.set_revision(revision);
  request.set_request_id(impl_->next_request_id());
  RetryRule rule = impl_->rule(true);
  rule.deadline = impl_->options.import_deadline;
  return impl_->call<World, v1::World>(std::move(request), rule,
                                       [](Stubs& stubs, auto... arguments) {
                                         stubs.worlds->async()->ForkWorld(std::move(arguments)...);
                                       });
}

Pending<World> Client::get_world(std::string name) {
  v1::GetWorldRequest request;
  request.set_world(std::move(name));
  return impl_->call<World, v1::World>(std::move(request), true,
                                       [](Stubs& stubs, auto... arguments) {
                                         stubs.worlds->async()->GetWorld(std::move(arguments)...);
                                       });
}

Pending<std::vector<World>> Client::list_worlds() {
  Pending<std::vector<World>> pending(impl_->deliverer());
  list_pages(impl_->stubs, impl_->rule(true), "", {}, pending.arrival());
  return pending;
}

Pending<Done> Client::delete_world(std::string name) {
  v1::DeleteWorldRequest request;
  request.set_world(std::move(name));
  return impl_->call<Done, v1::DeleteWorldResponse>(
      std::move(request), false, [](Stubs& stubs, auto... arguments) {
        stubs.worlds->async()->DeleteWorld(std::move(arguments)...);
      });
}

Pending<Applied> Client::apply(std::string world, ChangeBatch batch, ApplyOptions options) {
  v1::ApplyChangesRequest request;
  request.set_world(std::move(world));
  to_proto(batch, request.mutable_batch());
  request.set_request_id(impl_->next_request_id());
  if (options.expected_revision.has_value())
    request.set_expected_revision(*options.expected_revision);
  request.set_game_tick(options.game_tick);
  return impl_->call<Applied, v1::ApplyChangesResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.worlds->async()->ApplyChanges(std::move(arguments)...);
      });
}

Pending<Tested> Client::test(std::string world, ChangeBatch batch, std::vector<Pair> pairs,
                             std::uint32_t max_paths) {
  v1::TestChangesRequest request;
  request.set_world(std::move(world));
  to_proto(batch, request.mutable_batch());
  for (const Pair& pair : pairs) to_proto(pair, request.add_pairs());
  request.set_max_paths(max_paths);
  return impl_->call<Tested, v1::TestChangesResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.worlds->async()->TestChanges(std::move(arguments)...);
      });
}

Pending<TerrainPage> Client::get_terrain(TerrainQuery query) {
  v1::GetTerrainRequest request;
  request.set_world(std::move(query.world));
  if (query.area) to_proto(*query.area, request.mutable_area());
  request.set_changed_since_revision(query.changed_since_revision);
  request.set_epoch(std::move(query.epoch));
  if (query.team) request.set_team(*query.team);
  request.set_page_size(query.page_size);
  request.set_page_token(std::move(query.page_token));
  if (query.expected_revision) request.set_expected_revision(*query.expected_revision);
  request.set_at_revision(query.at_revision);
  return impl_->call<TerrainPage, v1::GetTerrainResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.worlds->async()->GetTerrain(std::move(arguments)...);
      });
}

Pending<ObstaclePage> Client::list_obstacles(ObstacleQuery query) {
  v1::ListObstaclesRequest request;
  request.set_world(std::move(query.world));
  if (query.area) {
    request.mutable_area()->set_min_x(query.area->min_x);
    request.mutable_area()->set_min_z(query.area->min_z);
    request.mutable_area()->set_max_x(query.area->max_x);
    request.mutable_area()->set_max_z(query.area->max_z);
  }
  request.set_page_size(query.page_size);
  request.set_page_token(std::move(query.page_token));
  if (query.expected_revision) request.set_expected_revision(*query.expected_revision);
  request.set_at_revision(query.at_revision);
  return impl_->call<ObstaclePage, v1::ListObstaclesResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.worlds->async()->ListObstacles(std::move(arguments)...);
      });
}

Pending<GraphPage> Client::get_graph(GraphQuery query) {
  v1::GetGraphRequest request;
  request.set_world(std::move(query.world));
  request.set_page_size(query.page_size);
  request.set_page_token(std::move(query.page_token));
  if (query.expected_revision) request.set_expected_revision(*query.expected_revision);
  request.set_at_revision(query.at_revision);
  return impl_->call<GraphPage, v1::GetGraphResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.worlds->async()->GetGraph(std::move(arguments)...);
      });
}

Pending<Exported> Client::export_world(ExportQuery query) {
  v1::ExportWorldRequest request;
  request.set_world(std::move(query.world));
  request.set_format(static_cast<v1::MapFormat>(query.format));
  if (query.walker) to_proto(*query.walker, request.mutable_walker());
  Pending<Exported> pending(impl_->deliverer());
  run_export(impl_->stubs, std::move(request), impl_->options.import_deadline,
             [arrive = pending.arrival()](const grpc::Status& status, Exported exported) {
               arrive(status.ok() ? Result<Exported>(std::move(exported))
                                  : Result<Exported>(error_from(status)));
             });
  return pending;
}

Pending<Ticked> Client::tick(TickQuery tick) {
  v1::TickRequest request;
  request.set_world(std::move(tick.world));
  request.set_session_id(std::move(tick.session_id));
  request.set_budget_work_units(tick.budget_work_units);
  request.set_game_tick(tick.game_tick);
  return impl_->call<Ticked, v1::TickResponse>(
      std::move(request), false, [](Stubs& stubs, auto... arguments) {
        stubs.agents->async()->Tick(std::move(arguments)...);
      });
}

Pending<Path> Client::find_path(PathQuery query) {
  v1::FindPathRequest request;
  request.set_world(std::move(query.world));
  to_proto(query.from, request.mutable_from());
  for (const Location& goal : query.goals) to_proto(goal, request.add_goals());
  request.set_goal_radius(query.goal_radius);
  to_proto(query.walker, request.mutable_walker());
  request.set_allow_partial(query.allow_partial);
  request.set_snap_start(query.snap_start);
  request.mutable_options()->set_every_cell(query.every_cell);
  request.mutable_options()->set_max_waypoints(query.max_waypoints);
  request.mutable_options()->set_min_revision(query.min_revision);
  request.mutable_options()->set_at_revision(query.at_revision);
  request.mutable_options()->set_turn_penalty(query.turn_penalty);
  request.mutable_options()->set_smoothing(static_cast<v1::Smoothing>(query.smoothing));
  request.mutable_options()->set_curve_deviation(query.curve_deviation);
  request.mutable_options()->set_algorithm(static_cast<v1::Algorithm>(query.algorithm));
  request.mutable_options()->set_memory_limit_bytes(query.memory_limit_bytes);
  request.mutable_options()->set_cluster_side(query.cluster_side);
  request.mutable_options()->set_cluster_levels(query.cluster_levels);
  return impl_->call<Path, v1::FindPathResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->FindPath(std::move(arguments)...);
      });
}

Pending<Nearest> Client::find_nearest(NearestQuery query) {
  v1::FindNearestRequest request;
  request.set_world(std::move(query.world));
  to_proto(query.from, request.mutable_from());
  for (const Location& goal : query.goals) to_proto(goal, request.add_goals());
  to_proto(query.walker, request.mutable_walker());
  request.set_max_distance(query.max_distance);
  return impl_->call<Nearest, v1::FindNearestResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->FindNearest(std::move(arguments)...);
      });
}

Pending<Reachable> Client::find_reachable(ReachableQuery query) {
  v1::FindReachableRequest request;
  request.set_world(std::move(query.world));
  to_proto(query.from, request.mutable_from());
  request.set_max_cost(query.max_cost);
  to_proto(query.walker, request.mutable_walker());
  request.set_max_cells(query.max_cells);
  return impl_->call<Reachable, v1::FindReachableResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->FindReachable(std::move(arguments)...);
      });
}

Pending<Away> Client::find_away(AwayQuery query) {
  v1::FindAwayRequest request;
  request.set_world(std::move(query.world));
  to_proto(query.from, request.mutable_from());
  for (const Location& threat : query.threats) to_proto(threat, request.add_threats());
  request.set_distance(query.distance);
  to_proto(query.walker, request.mutable_walker());
  request.set_allow_partial(query.allow_partial);
  request.set_snap_start(query.snap_start);
  request.mutable_options()->set_every_cell(query.every_cell);
  request.mutable_options()->set_max_waypoints(query.max_waypoints);
  request.mutable_options()->set_min_revision(query.min_revision);
  request.mutable_options()->set_at_revision(query.at_revision);
  return impl_->call<Away, v1::FindAwayResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->FindAway(std::move(arguments)...);
      });
}

Pending<FlowField> Client::get_flow_field(FlowQuery query) {
  v1::GetFlowFieldRequest request;
  request.set_world(std::move(query.world));
  for (const Location& goal : query.goals) to_proto(goal, request.add_goals());
  request.set_goal_radius(query.goal_radius);
  if (query.area) to_proto(*query.area, request.mutable_area());
  to_proto(query.walker, request.mutable_walker());
  request.set_min_revision(query.min_revision);
  request.set_at_revision(query.at_revision);
  request.set_max_cost(query.max_cost);
  request.set_first_piece(query.first_piece);
  request.set_max_pieces(query.max_pieces);
  return impl_->call<FlowField, v1::GetFlowFieldResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->GetFlowField(std::move(arguments)...);
      });
}

Pending<Placements> Client::find_placements(PlacementQuery query) {
  v1::FindPlacementsRequest request;
  request.set_world(std::move(query.world));
  if (query.area) to_proto(*query.area, request.mutable_area());
  request.set_width(query.width);
  request.set_height(query.height);
  to_proto(query.walker, request.mutable_walker());
  request.set_min_revision(query.min_revision);
  request.set_max_expansions(query.max_expansions);
  return impl_->call<Placements, v1::FindPlacementsResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->FindPlacements(std::move(arguments)...);
      });
}

Pending<RaycastHit> Client::raycast(RaycastQuery query) {
  v1::RaycastRequest request;
  request.set_world(std::move(query.world));
  to_proto(query.from, request.mutable_from());
  to_proto(query.to, request.mutable_to());
  to_proto(query.walker, request.mutable_walker());
  return impl_->call<RaycastHit, v1::RaycastResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->Raycast(std::move(arguments)...);
      });
}

Pending<PathCheck> Client::check_path(PathCheckQuery query) {
  v1::CheckPathRequest request;
  request.set_world(std::move(query.world));
  for (const Cell& cell : query.waypoints) {
    request.add_cells(cell.x);
    request.add_cells(cell.y);
  }
  for (const Vec3& at : query.positions) {
    request.add_positions(at.x);
    request.add_positions(at.y);
    request.add_positions(at.z);
  }
  for (const std::uint64_t link : query.links) request.add_links(link);
  to_proto(query.walker, request.mutable_walker());
  request.set_check_optimal(query.check_optimal);
  return impl_->call<PathCheck, v1::CheckPathResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->CheckPath(std::move(arguments)...);
      });
}

Pending<RandomPlace> Client::find_random_point(RandomQuery query) {
  v1::FindRandomPointRequest request;
  request.set_world(std::move(query.world));
  if (query.near) to_proto(*query.near, request.mutable_near());
  request.set_radius(query.radius);
  to_proto(query.walker, request.mutable_walker());
  request.set_seed(query.seed);
  return impl_->call<RandomPlace, v1::FindRandomPointResponse>(
      std::move(request), true, [](Stubs& stubs, auto... arguments) {
        stubs.paths->async()->FindRandomPoint(std::move(arguments)...);
      });
}

std::unique_ptr<Session> Client::open_session(SessionOptions options, SessionHandlers handlers) {
  auto core =
      SessionCore::make(impl_->stubs, impl_->deliverer(), std::move(options), std::move(handlers),
                        {impl_->options.retry_first, impl_->options.retry_max});
  return std::make_unique<Session>(std::move(core));
}

}  // namespace repath::client
