#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/print.h"
#include "repath/v1/debug.grpc.pb.h"

namespace repath::cli {
namespace {

Json json_of_stats(const v1::GetStatsResponse& stats) {
  Json strategies = Json::array();
  for (const auto& strategy : stats.strategies()) {
    strategies.push_back({{"strategy", strategy.strategy()},
                          {"searches", strategy.searches()},
                          {"repairs", strategy.repairs()},
                          {"capped", strategy.capped()},
                          {"expansions", strategy.expansions()}});
  }
  nlohmann::json sorted;  // A map of the protocol comes in no order.
  for (const auto& [type, count] : stats.events()) sorted[type] = count;
  Json events = Json::object();
  for (const auto& [type, count] : sorted.items()) events[type] = count.get<std::uint64_t>();
  return {{"revision", stats.revision()},
          {"frame", stats.frame()},
          {"agents", stats.agents()},
          {"waiting", stats.waiting()},
          {"late", stats.late()},
          {"oldest_wait_frames", stats.oldest_wait_frames()},
          {"longest_wait_frames", stats.longest_wait_frames()},
          {"max_passed_over", stats.max_passed_over()},
          {"results", strategies},
          {"filter_path_hits", stats.filter_path_hits()},
          {"filter_settled", stats.filter_settled()},
          {"filter_fall_failures", stats.filter_fall_failures()},
          {"events", events},
          {"work_units", stats.work_units()},
          {"commit_work_units", stats.commit_work_units()},
          {"frames_over_budget", stats.frames_over_budget()},
          {"search_state_bytes", stats.search_state_bytes()},
          {"evictions", stats.evictions()},
          {"map_bytes", stats.map_bytes()},
          {"fields", stats.fields()},
          {"frame_budget_work_units", stats.frame_budget_work_units()},
          {"first_legs", stats.first_legs()},
          {"leg_work_units", stats.leg_work_units()},
          {"work_units_per_us", stats.work_units_per_us()},
          {"frame_us", {{"p50", stats.frame_us_p50()}, {"p99", stats.frame_us_p99()}}}};
}

void print_stats(const v1::GetStatsResponse& stats) {
  std::cout << "revision " << stats.revision() << ", frame " << stats.frame() << '\n';
  std::cout << "agents   " << stats.agents() << ", waiting " << stats.waiting() << ", late "
            << stats.late() << "; waited at most " << counted(stats.longest_wait_frames(), "frame")
            << ", passed over at most " << counted(stats.max_passed_over(), "time") << '\n';
  std::cout << "filters  settled " << stats.filter_settled() << " without a search; "
            << stats.filter_path_hits() << " on the path, " << stats.filter_fall_failures()
            << " by a fall went to the queue\n";
  std::cout << "work     " << stats.work_units() << " units planning, " << stats.commit_work_units()
            << " committing; " << stats.frame_budget_work_units() << " granted in the last frame\n";
  std::cout << "frames   p50 " << fixed2(stats.frame_us_p50()) << " us, p99 "
            << fixed2(stats.frame_us_p99()) << " us, " << stats.frames_over_budget()
            << " over budget; " << fixed2(stats.work_units_per_us()) << " units/us\n";
  std::cout << "memory   map " << bytes(stats.map_bytes()) << ", search state "
            << bytes(stats.search_state_bytes()) << ", " << counted(stats.fields(), "shared field")
            << ", evicted " << stats.evictions() << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"STRATEGY", "SEARCHES", "REPAIRS", "CAPPED", "EXPANSIONS"}};
  for (const auto& strategy : stats.strategies()) {
    if (strategy.searches() == 0) continue;
    rows.push_back({strategy.strategy(), std::to_string(strategy.searches()),
                    std::to_string(strategy.repairs()), std::to_string(strategy.capped()),
                    std::to_string(strategy.expansions())});
  }
  if (rows.size() > 1) print_table(rows);
  const Json all = json_of_stats(stats);
  std::cout << "events  ";
  for (const auto& [type, count] : all["events"].items()) {
    if (count != 0) std::cout << ' ' << type << ' ' << count;
  }
  std::cout << std::endl;
}

}  // namespace

void add_stats_command(CLI::App& app, CommandContext& context) {
  auto world = std::make_shared<std::string>();
  CLI::App* command = add_command(
      app, context, "stats",
      "Show the server's work for one world: searches, filters, work units, frames, memory",
      "repath stats harbour");
  command->add_option("WORLD", *world, "Name of the world")->required();
  command->callback([&context, world] {
    v1::GetStatsRequest request;
    request.set_world(*world);
    grpc::ClientContext call;
    v1::GetStatsResponse stats;
    if (!context.accepted(context.stub<v1::DebugService>()->GetStats(&call, request, &stats)))
      return;
    if (context.json) {
      context.print_json(json_of_stats(stats));
    } else {
      print_stats(stats);
    }
  });
}

}  // namespace repath::cli
