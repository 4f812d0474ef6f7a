#include <string>
#include <utility>

#include "rpc/query_call.h"
#include "rpc/route_calls.h"
#include "rpc/services.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr std::uint32_t kExplainedMax = 50'000;

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

}  // namespace

UnaryCall* DebugService::ExplainPath(CallContext* context, const v1::ExplainPathRequest* request,
                                     v1::ExplainPathResponse* response) {
  const auto read = [=](const WorldFacts&, const MapSize& map) -> absl::StatusOr<Question> {
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
        fill_trace(answer.trace, world.routes->is_continuous(), max_nodes, response);
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
    call.host->stats(call.timely_answer<WorldStats>(fill));
    return absl::OkStatus();
  });
}

}  // namespace repath
