#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "rpc/query_call.h"
#include "rpc/services.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr std::uint32_t kExplainedMax = 50'000;
constexpr std::size_t kIndexBytes = 3;  // a varint below 2^21

void fill_stats(const WorldStats& stats, v1::GetStatsResponse* out) {
  const Stats& engine = stats.engine;
  out->set_revision(value(stats.revision));
  out->set_frame(engine.frame);
  out->set_agents(engine.agents);
  out->set_waiting(engine.waiting);
  out->set_late(engine.late);
  out->set_oldest_wait_frames(engine.oldest_wait_frames);
  out->set_longest_wait_frames(engine.longest_wait_frames);
  out->set_max_passed_over(engine.max_passed_over);
  for (std::size_t i = 0; i < Stats::kStrategies; ++i) {
    const StrategyStats& strategy = engine.strategies[i];
    auto* message = out->add_strategies();
    message->set_strategy(std::string(Stats::kStrategyNames[i]));
    message->set_searches(strategy.searches);
    message->set_repairs(strategy.repairs);
    message->set_capped(strategy.capped);
    message->set_expansions(strategy.expansions);
  }
  out->set_filter_path_hits(engine.filter_path_hits);
  out->set_filter_settled(engine.filter_settled);
  out->set_filter_fall_failures(engine.filter_fall_failures);
  for (std::size_t i = 0; i < Stats::kEventTypes; ++i) {
    (*out->mutable_events())[std::string(Stats::kEventNames[i])] = engine.events[i];
  }
  out->set_work_units(engine.work_units);
  out->set_commit_work_units(engine.commit_work_units);
  out->set_frames_over_budget(stats.frames_over_budget);
  out->set_search_state_bytes(engine.search_state_bytes);
  out->set_evictions(engine.evictions);
  out->set_map_bytes(engine.map_bytes);
  out->set_fields(engine.fields);
  out->set_frame_budget_work_units(stats.last_grant);
  out->set_work_units_per_us(stats.units_per_us);
  out->set_frame_us_p50(stats.frame_us_p50);
  out->set_frame_us_p99(stats.frame_us_p99);
  out->set_first_legs(engine.first_legs);
  out->set_leg_work_units(engine.leg_work_units);
}

// Adds the touched nodes of a grid: at most `max_nodes`, and as many as fit the message.
void fill_explained(const PathAnswer& answer, const MapUnits& map, std::uint32_t max_nodes,
                    v1::ExplainPathResponse* out) {
  const auto units = [&map](Cost cost) {
    return cost == kUnreachable ? HUGE_VAL : map.world_cost(cost);
  };
  constexpr std::size_t kNodeBytes = 2 * 2 + 3 * 8 + 1 + kIndexBytes;  // two varints below 2^14
  const std::size_t room = (kAnswerBytesMax - out->ByteSizeLong()) / kNodeBytes;
  const std::size_t count = std::min({answer.touched.size(), std::size_t{max_nodes}, room});
  for (std::size_t i = 0; i < count; ++i) {
    const TouchedNode& touched = answer.touched[i];
    out->add_cells(map.x_of(touched.node));
    out->add_cells(map.y_of(touched.node));
    out->add_g(units(touched.g));
    out->add_h(units(touched.h));
    out->add_f(units(touched.f()));
    out->add_closed(!touched.is_open);
  }
  const std::span told(answer.touched.data(), count);
  // Returns 1 + the node's place among those told; 0 if it is not there.
  const auto number_of = [&](NodeId node) {
    const auto found = std::ranges::lower_bound(told, node, {}, &TouchedNode::node);
    const bool is_told = found != told.end() && found->node == node;
    return is_told ? static_cast<std::uint32_t>(found - told.begin()) + 1 : 0;
  };
  for (const TouchedNode& touched : told) out->add_parents(number_of(touched.parent));
  bool is_whole = count == answer.touched.size() && answer.expansions.size() < kStepsToldMax;
  std::size_t left = (kAnswerBytesMax - out->ByteSizeLong()) / kIndexBytes;
  for (const NodeId node : answer.expansions) {
    const std::uint32_t number = left == 0 ? 0 : number_of(node);
    is_whole = is_whole && number != 0;
    if (number == 0) continue;
    out->add_expansions(number - 1);
    --left;
  }
  out->set_truncated(!is_whole);
}

// By RouteKernel.
constexpr std::array kKernelNames{"any_angle",
                                  "corridor",
                                  "astar",
                                  "dijkstra",
                                  "floyd_warshall",
                                  "bfs",
                                  "fringe",
                                  "ida",
                                  "sma",
                                  "lpa",
                                  "dstar",
                                  "dstar_lite",
                                  "corridor_dijkstra",
                                  "corridor_bfs"};

// Adds the places that the searches touched, as fill_explained() does.
void fill_touched(const RouteTrace& trace, bool is_mesh, std::size_t max_nodes,
                  v1::ExplainPathResponse* out) {
  constexpr std::size_t kMeshBytes = (3 + 3 + 9) * 8 + 1 + kIndexBytes;
  constexpr std::size_t kGraphBytes = (3 + 3) * 8 + 10 + 1 + kIndexBytes;
  const std::size_t room =
      (kAnswerBytesMax - out->ByteSizeLong()) / (is_mesh ? kMeshBytes : kGraphBytes);
  const std::size_t count = std::min({trace.touched.size(), max_nodes, room});
  for (const TouchedPlace& place : std::span(trace.touched).first(count)) {
    out->add_g(place.g);
    out->add_h(place.h);
    out->add_f(place.g + place.h);
    out->add_closed(!place.is_open);
    out->add_parents(place.parent <= count ? place.parent : 0);
    add_spot(place.at, out->mutable_positions());
    if (!is_mesh) {
      out->add_nodes(place.node);
      continue;
    }
    for (const Spot& spot : {place.from, place.left, place.right})
      add_spot(spot, out->mutable_spans());
  }
  const std::size_t left = (kAnswerBytesMax - out->ByteSizeLong()) / kIndexBytes;
  const std::size_t told = std::min(trace.expansions.size(), left);
  for (const std::uint32_t place : std::span(trace.expansions).first(told))
    if (place < count) out->add_expansions(place);
  out->set_truncated(trace.is_truncated || count < trace.touched.size() ||
                     told < trace.expansions.size());
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

UnaryCall* DebugService::ExplainPath(CallContext* context, const v1::ExplainPathRequest* request,
                                     v1::ExplainPathResponse* response) {
  const auto read = [=](const WorldFacts&, const MapUnits& map) -> absl::StatusOr<Question> {
    std::uint32_t max_nodes = kExplainedMax;
    REPATH_RETURN_IF_ERROR(read_unless_zero(request->max_nodes(), 0, kExplainedMax,
                                            Field() / "max_nodes", &max_nodes));
    REPATH_ASSIGN_OR_RETURN(PathCall call,
                            to_path_call(request->request(), map, Field() / "request"));
    call.query.explain = true;
    Question question{call.who, {"request.walker.", "request.options."}, call.max_expansions};
    question.work = [=](const AnySnapshot& world, const QueryLimits& limits) -> absl::Status {
      REPATH_ASSIGN_OR_RETURN(const PathAnswer answer,
                              answer_path(world, call, limits, Field() / "request" / "options"));
      REPATH_RETURN_IF_ERROR(
          fill_found(answer, call, world.revision, map, response->mutable_result()));
      if (world.grid) {
        fill_explained(answer, map, max_nodes, response);
      } else {
        fill_runs(answer.trace, response);
        fill_touched(answer.trace, world.routes->is_continuous(), max_nodes, response);
      }
      return absl::OkStatus();
    };
    return question;
  };
  return answer_question(registry_, context, request->request().world(), read, "request.");
}

UnaryCall* DebugService::GetStats(CallContext* context, const v1::GetStatsRequest* request,
                                  v1::GetStatsResponse* response) {
  return ask_world(registry_, context, request->world(), [=](const WorldCall& call) {
    const auto fill = [=](const WorldStats& stats) { fill_stats(stats, response); };
    call.host->stats(call.answer<WorldStats>(fill));
    return absl::OkStatus();
  });
}

}  // namespace repath
