#include "verify/commands.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "verify/file_kind.h"
#include "verify/replay.h"
#include "verify/verify.h"

namespace repath::cli {
namespace {

using verify::ReplayOptions;
using verify::VerifyOptions;

struct VerifyFlags {
  VerifyOptions options;
  std::vector<std::string> features;  // empty: the default for the kind of map
  std::string strategy = "auto";
  std::string topology = "8";
  std::string corner = "none";
};

// A part of the world that can be tested, and the kinds of world that have it.
struct Feature {
  const char* name;
  bool VerifyOptions::*is_wanted;
  verify::Kinds kinds;
};

constexpr verify::Kinds kOnGrids{true, false, false};

constexpr Feature kFeatures[] = {{"clearance", &VerifyOptions::clearance, {true, true, true}},
                                 {"crowd", &VerifyOptions::crowd, kOnGrids},
                                 {"flags", &VerifyOptions::flags, {false, true, false}},
                                 {"fog", &VerifyOptions::fog, kOnGrids},
                                 {"goals", &VerifyOptions::goals, {false, false, true}},
                                 {"ground", &VerifyOptions::ground, {false, true, false}},
                                 {"hex", &VerifyOptions::hex, kOnGrids},
                                 {"influence", &VerifyOptions::influence, kOnGrids},
                                 {"kinds", &VerifyOptions::kinds, {false, false, true}},
                                 {"legs", &VerifyOptions::legs, kOnGrids},
                                 {"mass", &VerifyOptions::mass, kOnGrids},
                                 {"standing", &VerifyOptions::standing, kOnGrids},
                                 {"teams", &VerifyOptions::teams, kOnGrids},
                                 {"terrain", &VerifyOptions::terrain, kOnGrids},
                                 {"turns", &VerifyOptions::turns, {true, true, false}}};

v1::Strategy strategy_of(const std::string& name) {
  if (name == "astar") return v1::STRATEGY_ASTAR;
  if (name == "lpa") return v1::STRATEGY_LPA;
  if (name == "dstar_lite") return v1::STRATEGY_DSTAR_LITE;
  if (name == "field") return v1::STRATEGY_FIELD;
  return v1::STRATEGY_AUTO;
}

// Switches on the parts that --features names. Returns an error message; empty if there is none.
std::string choose_features(const std::vector<std::string>& names, VerifyOptions& options) {
  const auto unknown = [](const std::string& name) {
    std::string known;
    for (const Feature& feature : kFeatures) known += std::string(feature.name) + ", ";
    return "--features: there is no \"" + name + "\"; give some of " + known + "or none";
  };
  for (const std::string& name : names) {
    if (name == "none") continue;
    const auto* const found = std::find_if(std::begin(kFeatures), std::end(kFeatures),
                                           [&](const Feature& f) { return name == f.name; });
    if (found == std::end(kFeatures)) return unknown(name);
    options.*(found->is_wanted) = true;
    options.given.push_back({"--features " + name, found->kinds});
  }
  return "";
}

void run_verify(VerifyFlags flags, const CLI::App& command, CommandContext& context) {
  VerifyOptions& options = flags.options;
  for (const Feature& feature : kFeatures) options.*(feature.is_wanted) = false;
  if (command.count("--features") > 0) {
    const std::string problem = choose_features(flags.features, options);
    if (!problem.empty()) return context.usage_error(problem);
  } else {
    options.teams = options.terrain = true;
  }
  for (const char* option : {"--topology", "--corner", "--realtime"}) {
    if (command.count(option) > 0) options.given.push_back({option, kOnGrids});
  }
  options.strategy = strategy_of(flags.strategy);
  options.topology = flags.topology == "4"   ? verify::Topology::k4
                     : flags.topology == "8" ? verify::Topology::k8
                                             : verify::Topology::kHex;
  options.corner = flags.corner == "one" ? verify::CornerRule::kOne : verify::CornerRule::kNone;
  verify::verify(options, context);
}

void add_replay(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* command =
      add_command(app, context, "replay",
                  "Ask the server every query of a Moving AI scenario and compare the answers "
                  "with its lengths. Makes a grid of its own and deletes it. Exit status 1 if "
                  "a length differs",
                  "repath replay arena.map.scen --json");
  command->add_option("SCEN", options->scen, "Scenario file, version 1 or 2 (a map that changes)")
      ->required();
  command
      ->add_option(
          "--map", options->map,
          "Map file of a scenario of version 1 (default: the scenario's name without .scen)")
      ->type_name("FILE");
  command->callback([options, &context] { verify::replay(*options, context); });
}

// How frames pass, what a restart of the server means, and what is printed.
void add_frame_options(CLI::App& command, VerifyOptions& options) {
  command.add_flag("--realtime", options.realtime,
                   "Grids: let frames pass by the server's clock instead of by Tick");
  command
      .add_option("--restart-s", options.restart_s,
                  "Go on when the server is killed and started again: longest wait for it, in "
                  "seconds, up to 3600 (default 0: the run fails). The world must be durable")
      ->check(CLI::Range(0.0, 3600.0));
  command.add_option("--trace", options.traced,
                     "Print all events and steps of this agent to stderr, by its id (default 0: "
                     "none)");
}

void add_verify(CLI::App& app, CommandContext& context) {
  const auto flags = std::make_shared<VerifyFlags>();
  CLI::App* command = add_command(
      app, context, "verify",
      "Check every verdict and silence of the server against a model and a search that share no "
      "code with it. Makes a world of its own and deletes it. Exit status 1 if one is wrong",
      "repath verify --map arena.map --agents 500 --events 2000 --seed 7");
  VerifyOptions& options = flags->options;
  command->add_option("--map", options.map, std::string("Map file: ") + verify::kFilesTaken)
      ->type_name("FILE")
      ->required();
  command->add_option("--agents", options.agents, "Number of agents, 1 to 100000")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--events", options.events, "Number of changes, up to 10000000")
      ->check(CLI::Range(0, 10'000'000))
      ->capture_default_str();
  command
      ->add_option("--seed", options.seed,
                   "Seed of the random choices; the same seed gives the same run")
      ->capture_default_str();
  command->add_option("--strategy", flags->strategy, "Search that keeps agents' paths up to date")
      ->check(CLI::IsMember({"auto", "astar", "lpa", "dstar_lite", "field"}))
      ->capture_default_str();
  command->add_option("--topology", flags->topology, "Grids: neighbours of a cell")
      ->check(CLI::IsMember({"4", "8", "hex"}))
      ->capture_default_str();
  command
      ->add_option("--corner", flags->corner,
                   "Grids: how many of the two cells beside a diagonal step may be blocked")
      ->check(CLI::IsMember({"none", "one"}))
      ->capture_default_str();
  command
      ->add_option(
          "--features", flags->features,
          "Parts of the world to test, separated by commas: none, or some of clearance (on graphs "
          "widths of edges), turns (squares, meshes), flags (meshes: of ground that some agents "
          "must not use), goals (graphs: two goals, partial paths), ground (meshes), kinds "
          "(graphs: "
          "parallel edges), and crowd, fog, hex, influence, legs, mass, standing, teams, terrain "
          "(grids). Default: grids teams,terrain, else none")
      ->type_name("NAMES")
      ->delimiter(',');
  add_frame_options(*command, options);
  command->callback([flags, command, &context] { run_verify(*flags, *command, context); });
}

}  // namespace

void add_verify_commands(CLI::App& app, CommandContext& context) {
  add_replay(app, context);
  add_verify(app, context);
}

}  // namespace repath::cli
