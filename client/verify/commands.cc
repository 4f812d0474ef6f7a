#include "verify/commands.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "verify/replay.h"
#include "verify/verify.h"

namespace repath::cli {
namespace {

using verify::ReplayOptions;
using verify::VerifyOptions;

struct VerifyFlags {
  VerifyOptions options;
  std::vector<std::string> features = {"teams", "terrain"};
  std::string strategy = "auto";
  std::string topology = "8";
  std::string corner = "none";
};

v1::Strategy strategy_of(const std::string& name) {
  if (name == "astar") return v1::STRATEGY_ASTAR;
  if (name == "lpa") return v1::STRATEGY_LPA;
  if (name == "dstar_lite") return v1::STRATEGY_DSTAR_LITE;
  if (name == "field") return v1::STRATEGY_FIELD;
  return v1::STRATEGY_AUTO;
}

void run_verify(VerifyFlags flags, CommandContext& context) {
  VerifyOptions& options = flags.options;
  options.teams = options.terrain = options.clearance = options.hex = options.influence =
      options.fog = options.standing = options.ground = options.crowd = options.legs = false;
  for (const std::string& feature : flags.features) {
    if (feature == "teams") {
      options.teams = true;
    } else if (feature == "terrain") {
      options.terrain = true;
    } else if (feature == "clearance") {
      options.clearance = true;
    } else if (feature == "crowd") {
      options.crowd = true;
    } else if (feature == "ground") {
      options.ground = true;
    } else if (feature == "hex") {
      options.hex = true;
    } else if (feature == "legs") {
      options.legs = true;
    } else if (feature == "influence") {
      options.influence = true;
    } else if (feature == "fog") {
      options.fog = true;
    } else if (feature == "standing") {
      options.standing = true;
    } else if (feature != "none") {
      return context.usage_error("--features: there is no " + feature +
                                 "; clearance, crowd, fog, ground, hex, influence, legs, standing, "
                                 "teams, terrain or none");
    }
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
  CLI::App* command = add_command(app, context, "replay",
                                  "Ask every query of a scenario and compare with its lengths",
                                  "repath replay arena.map.scen --json");
  command->add_option("scen", options->scen, "Moving AI scenario, version 1 or 2 (dynamic)")
      ->required();
  command->add_option("--map", options->map,
                      "Map file; by default the scenario's name without .scen");
  command->callback([options, &context] { verify::replay(*options, context); });
}

void add_verify(CLI::App& app, CommandContext& context) {
  const auto flags = std::make_shared<VerifyFlags>();
  CLI::App* command = add_command(
      app, context, "verify",
      "Hold the server to its promise, by a model and a search that share no code with it",
      "repath verify --map arena.map --agents 500 --events 2000 --seed 7");
  VerifyOptions& options = flags->options;
  command->add_option("--map", options.map, "Map file: Moving AI or plain text")->required();
  command->add_option("--agents", options.agents, "Agents that walk")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--events", options.events, "Changes of the world")
      ->check(CLI::Range(0, 10'000'000))
      ->capture_default_str();
  command->add_option("--seed", options.seed, "The same seed gives the same run")
      ->capture_default_str();
  command->add_option("--strategy", flags->strategy, "Which search keeps paths right")
      ->check(CLI::IsMember({"auto", "astar", "lpa", "dstar_lite", "field"}))
      ->capture_default_str();
  command->add_option("--topology", flags->topology, "Neighbours of a cell")
      ->check(CLI::IsMember({"4", "8", "hex"}))
      ->capture_default_str();
  command->add_option("--corner", flags->corner, "How many free cells a diagonal needs beside it")
      ->check(CLI::IsMember({"none", "one"}))
      ->capture_default_str();
  command
      ->add_option(
          "--features", flags->features,
          "clearance, crowd, fog, ground, hex, influence, legs, standing, teams, terrain; or none")
      ->delimiter(',')
      ->capture_default_str();
  command->add_flag("--realtime", options.realtime, "By the server's clock instead of Tick");
  command->add_option("--trace", options.traced, "Tell all about this agent on stderr; 0: nobody");
  command->callback([flags, &context] { run_verify(*flags, context); });
}

}  // namespace

void add_verify_commands(CLI::App& app, CommandContext& context) {
  add_replay(app, context);
  add_verify(app, context);
}

}  // namespace repath::cli
