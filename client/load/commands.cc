#include "load/commands.h"

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

namespace repath::cli {
namespace {

using load::LoadOptions;

void add_game_options(CLI::App& command, LoadOptions& o) {
  command.add_option("--map", o.map, "Any map file that `world import` takes; else one is made")
      ->type_name("FILE");
  command
      .add_option("--ground", o.ground,
                  "What is made: forest, rooms (with doors), plan (a navmesh)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, load::MadeGround>{{"forest", load::MadeGround::kForest},
                                                  {"rooms", load::MadeGround::kRooms},
                                                  {"plan", load::MadeGround::kPlan}}))
      ->type_name("KIND");
  const auto number = [&](const char* name, auto& value, const char* what) {
    command.add_option(name, value, what)->capture_default_str();
  };
  number("--side", o.side, "Cells or metres along each side of a map that is made");
  number("--worlds", o.worlds, "Worlds; all that follows is of each one");
  number("--agents", o.agents, "Agents that walk");
  number("--goals", o.goals, "Goals, shared evenly by the agents");
  number("--sessions", o.sessions, "Sessions, each with a connection, that share the agents");
  number("--obstacles", o.obstacles, "Obstacles live at a time, at most");
  number("--events", o.events, "Changes a second");
  number("--storm-events", o.storm_events, "Changes a second in the storm");
  number("--storm-seconds", o.storm_seconds, "How long the storm is");
  number("--queries", o.queries, "FindPath calls a second");
  number("--short-query", o.short_query, "Every second one leads so far at most, cells");
  number("--slow-sessions", o.slow_sessions, "One session in so many reads slowly; 0: none");
  number("--slowness", o.slowness, "How many times slower");
  number("--slow-worlds", o.slow_worlds, "Worlds that are slow on purpose, beside the others");
  number("--slow-load", o.slow_load, "How many times the others' agents and changes they have");
  number("--frame-rate", o.frame_rate, "Frames a second of the game, Hz");
  number("--speed", o.speed, "Of agents, cells or metres a second");
  command.add_flag("--report-all", o.report_all,
                   "Tell everybody's position each frame, not only what changed");
  command.add_option("--strategy", o.strategy, "auto, astar, lpa, dstar_lite or field")
      ->check(CLI::IsMember({"auto", "astar", "lpa", "dstar_lite", "field"}))
      ->capture_default_str();
}

void add_run_options(CLI::App& command, LoadOptions& o) {
  const auto number = [&](const char* name, auto& value, const char* what) {
    command.add_option(name, value, what)->capture_default_str();
  };
  number("--duration", o.duration, "Seconds that are measured");
  number("--warm-up", o.warm_up, "Seconds before, which are not");
  number("--drain", o.drain, "Seconds after, at most, until all is settled");
  number("--verify", o.verify,
         "Percent of the verdicts that are checked by a model of its own, when the load has ended");
  number("--verify-seconds", o.verify_seconds, "Time for that, at most");
  number("--seed", o.seed, "The same seed gives the same game");
  command.add_option("--csv", o.csv, "A line for each second, into this file")->type_name("FILE");
  command.add_option("--report", o.report, "A page with plots, into this file")
      ->type_name("FILE.html");
  command.add_option("--plot", o.plot, "The page's first plot, into this file")
      ->type_name("FILE.svg");
  command
      .add_option("--objective", o.objectives,
                  "A key of the JSON object and a bound, as in replanned_ms.p99<=33; repeatable")
      ->type_name("KEY<=NUMBER")
      ->allow_extra_args(false);
  number("--server-pid", o.server_pid, "The server's process; 0: whoever listens at --server here");
}

// Prints and writes what came of a run; a missed objective or a wrong verdict fails the check.
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
  CLI::App* command = add_command(load, context, "compare", "Two runs side by side",
                                  "repath load compare before.json after.json");
  command->add_option("A", files->first, "What --json printed")->required();
  command->add_option("B", files->second, "Likewise")->required();
  command->callback(
      [files, &context] { load::compare_files(files->first, files->second, context); });
}

void add_scenario(CLI::App& load, CommandContext& context, const std::string& name) {
  const auto options = std::make_shared<LoadOptions>(load::scenario(name));
  CLI::App* command =
      add_command(load, context, name, options->what,
                  "repath load " + name +
                      " --duration 30 --report load.html --objective \"replanned_ms.p99<=33\"");
  add_game_options(*command, *options);
  add_run_options(*command, *options);
  command->callback([options, &context] { run_load(*options, context); });
}

}  // namespace

void add_load_commands(CLI::App& app, CommandContext& context) {
  CLI::App* load =
      app.add_subcommand("load", "Does the server hold my game's load?")->require_subcommand(1);
  for (const std::string& name : load::scenario_names()) add_scenario(*load, context, name);
  add_compare(*load, context);
}

}  // namespace repath::cli
