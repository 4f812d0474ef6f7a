#include "load/commands.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "load/compare.h"
#include "load/objective.h"
#include "load/options.h"
#include "load/record.h"
#include "load/report.h"
#include "load/run.h"
#include "verify/file_kind.h"

namespace repath::cli {
namespace {

using load::LoadOptions;

const std::map<std::string, load::MadeGround>& grounds() {
  static const std::map<std::string, load::MadeGround> all = {{"forest", load::MadeGround::kForest},
                                                              {"rooms", load::MadeGround::kRooms},
                                                              {"plan", load::MadeGround::kPlan}};
  return all;
}

std::string name_of(load::MadeGround ground) {
  const auto at = std::find_if(grounds().begin(), grounds().end(),
                               [&](const auto& entry) { return entry.second == ground; });
  return at == grounds().end() ? "" : at->first;
}

void add_ground_options(CLI::App& command, LoadOptions& o) {
  CLI::Option* map =
      command
          .add_option("--map", o.map,
                      std::string("Map file: ") + verify::kFilesTaken + " (default: a map is made)")
          ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--ground", [&o](const std::string& name) { o.ground = grounds().at(name); },
          "Map that is made: forest, rooms (with doors) or plan (a navmesh) (default " +
              name_of(o.ground) + ")")
      ->check(CLI::IsMember({"forest", "rooms", "plan"}).description(""))
      ->type_name("KIND")
      ->excludes(map);
  command
      .add_option("--side", o.side, "Side of a map that is made, in cells or metres, 16 to 4096")
      ->capture_default_str()
      ->excludes(map);
}

void add_game_options(CLI::App& command, LoadOptions& o) {
  const auto number = [&](const char* name, auto& value, const char* what) {
    command.add_option(name, value, what)->capture_default_str();
  };
  number("--worlds", o.worlds, "Number of worlds, 1 to 1000; the numbers below are for each world");
  number("--agents", o.agents, "Number of agents, up to 1000000");
  number("--goals", o.goals, "Number of goals, which the agents share evenly, up to 1000000");
  number("--sessions", o.sessions,
         "Number of sessions, each with its own connection, which share the agents, up to 10000");
  number("--obstacles", o.obstacles, "Maximum number of obstacles at a time, up to 100000");
  number("--events", o.events, "Changes a second, up to 10000");
  number("--storm-events", o.storm_events, "Changes a second during the storm, up to 10000");
  number("--storm-seconds", o.storm_seconds,
         "Length of the storm at the beginning, in seconds; 0: no storm");
  number("--queries", o.queries, "FindPath calls a second, up to 100000");
  number("--short-query", o.short_query,
         "Maximum distance between the ends of every second query, in cells, 1 to 4096");
  number("--slow-sessions", o.slow_sessions, "Every Nth session reads slowly; 0: none");
  number("--slowness", o.slowness, "Factor by which a slow session reads slower, 1 to 1000");
  number("--slow-worlds", o.slow_worlds,
         "Number of worlds with more load than the others, below --worlds");
  number("--slow-load", o.slow_load,
         "Factor for the agents, goals, obstacles and changes of such a world");
  number("--frame-rate", o.frame_rate, "Frames of the game a second, 1 to 1000");
  number("--speed", o.speed, "Speed of agents, in cells or metres a second, 0.01 to 1000");
  command.add_flag("--report-all", o.report_all,
                   "Report the positions of all agents each frame, not only of those that "
                   "moved to another cell");
  command.add_option("--strategy", o.strategy, "Search that keeps agents' paths up to date")
      ->check(CLI::IsMember({"auto", "astar", "lpa", "dstar_lite", "field"}))
      ->capture_default_str();
}

void add_run_options(CLI::App& command, LoadOptions& o) {
  const auto number = [&](const char* name, auto& value, const char* what) {
    command.add_option(name, value, what)->capture_default_str();
  };
  number("--duration", o.duration, "Time that is measured, in seconds, 0.5 to 86400");
  number("--warm-up", o.warm_up, "Time before the measurement, in seconds, up to 3600");
  number("--drain", o.drain,
         "Maximum time after the measurement until all agents are settled, in seconds, up to 3600");
  number("--verify", o.verify,
         "Percentage of the verdicts that are checked against a model after the load, 0 to 100");
  number("--verify-seconds", o.verify_seconds,
         "Maximum time for these checks, in seconds, 1 to 86400");
  number("--seed", o.seed, "Seed of the random choices; the same seed gives the same game");
  command.add_option("--csv", o.csv, "Write a line for each second into this file")
      ->type_name("FILE");
  command.add_option("--report", o.report, "Write a page with plots into this file")
      ->type_name("FILE.html");
  command.add_option("--plot", o.plot, "Write the first plot of that page into this file")
      ->type_name("FILE.svg");
  command
      .add_option(
          "--objective", o.objectives,
          "Key of the JSON object and a bound, as in replanned_ms.p99<=33; exit status 1 if "
          "it is missed; repeatable")
      ->type_name("KEY<=NUMBER")
      ->allow_extra_args(false);
  number("--server-pid", o.server_pid,
         "Process of the server, whose CPU time and memory are measured; 0: the one that listens "
         "at --server on this machine");
}

// Prints and writes the results of a run. A missed objective or a wrong verdict fails the check.
void tell(const LoadOptions& options, const Json& record, CommandContext& context) {
  if (context.json) {
    context.print_json(record);
  } else {
    std::cout << load::text_of(record) << std::flush;
  }
  for (const auto& [path, contents] :
       {std::pair{options.csv, &load::csv_of}, std::pair{options.report, &load::html_of},
        std::pair{options.plot, &load::plot_of}}) {
    if (!path.empty() && !load::write_file(path, contents(record)))
      return context.usage_error(path + ": it cannot be written");
  }
  if (record["wrong"].get<std::uint64_t>() > 0)
    return context.check_failed(record["wrong"].dump() + " verdicts are wrong");
  if (record["objectives_met"].get<bool>()) return;
  for (const Json& row : record["objectives"]) {
    if (!row["met"].get<bool>())
      context.check_failed("objective missed: " + row["objective"].get<std::string>() +
                           ", measured " + row["value"].dump());
  }
}

void run_load(const LoadOptions& options, CommandContext& context) {
  std::string problem = problem_in(options);
  std::vector<load::Objective> objectives;
  for (const std::string& text : options.objectives) {
    const auto objective = load::parse_objective(text, &problem);
    if (objective) objectives.push_back(*objective);
  }
  if (!problem.empty()) return context.usage_error(problem);
  load::Run run(options, context);
  if (!run.begin() || !run.drive()) return;
  Json record = record_of(options, run, run.check());
  judge(objectives, record);
  tell(options, record, context);
}

void add_compare(CLI::App& load, CommandContext& context) {
  const auto files = std::make_shared<std::pair<std::string, std::string>>();
  CLI::App* command = add_command(load, context, "compare", "Print two runs side by side",
                                  "repath load compare before.json after.json");
  command->add_option("A", files->first, "Output of --json of one run")->required();
  command->add_option("B", files->second, "Output of --json of the other run")->required();
  command->callback(
      [files, &context] { load::compare_files(files->first, files->second, context); });
}

void add_scenario(CLI::App& load, CommandContext& context, const std::string& name) {
  const auto options = std::make_shared<LoadOptions>(load::scenario(name));
  const std::string key = options->agents > 0 ? "replanned_ms.p99" : "query_ms.p99";
  CLI::App* command = add_command(
      load, context, name, options->what,
      "repath load " + name + " --duration 30 --report load.html --objective \"" + key + "<=33\"");
  add_ground_options(*command, *options);
  add_game_options(*command, *options);
  add_run_options(*command, *options);
  command->callback([options, &context] { run_load(*options, context); });
}

}  // namespace

void add_load_commands(CLI::App& app, CommandContext& context) {
  CLI::App* load =
      app.add_subcommand("load", "Put the load of a game on the server and measure the answers")
          ->require_subcommand(1);
  for (const std::string& name : load::scenario_names()) add_scenario(*load, context, name);
  add_compare(*load, context);
}

}  // namespace repath::cli
