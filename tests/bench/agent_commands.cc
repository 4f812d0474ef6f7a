#include "bench/agent_commands.h"

#include <string_view>
#include <vector>

#include "bench/scapes.h"
#include "bench/without.h"

namespace repath::bench {
namespace {

void add_grid(CLI::App* command, DynamicOptions* options) {
  std::vector<std::string> scapes = scape_names();
  const auto& fixed = fixed_scape_names();
  scapes.insert(scapes.end(), fixed.begin(), fixed.end());
  CLI::Option_group* ground = command->add_option_group("ground", "A map file or a generated map");
  CLI::Option* map = ground->add_option("--map", options->map, "Map file: Moving AI or plain text")
                         ->check(CLI::ExistingFile);
  ground->add_option("--scape", options->scape, "Name of a generated map, with random queries")
      ->check(CLI::IsMember(scapes));
  ground->require_option(1);
  CLI::Option* scen = command->add_option("--scen", options->scen, "Moving AI scenario, version 1")
                          ->check(CLI::ExistingFile)
                          ->needs(map);
  map->needs(scen);
  command->add_option("--side", options->side, "Side of the generated map, cells")
      ->capture_default_str()
      ->check(CLI::Range(64, 4096));
  command
      ->add_option("--density", options->density,
                   "Share of blocked cells of the generated map; rooms8 and halls have their own")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
}

void add_without(CLI::App* command, std::vector<std::string>* without) {
  std::string names;
  for (const std::string_view name : kSettlerNames) names += " " + std::string(name);
  const auto check = [names](const std::string& entry) {
    return settlers_of(entry) ? std::string()
                              : "there is no settler '" + entry + "'; there are:" + names;
  };
  command
      ->add_option("--without", *without,
                   "One more side for each entry, by commas: auto without this settler, or without "
                   "several with + between them. Settlers:" +
                       names)
      ->delimiter(',')
      ->check(check);
}

}  // namespace

CLI::Option* add_peer(CLI::App* command, std::string* peer, const std::string& files) {
  return command->add_option("--peer", *peer,
                             "Command that takes " + files +
                                 " and prints 'cost us' for each query; measured in the same run");
}

CLI::App* add_dynamic(CLI::App* app, DynamicOptions* options) {
  CLI::App* command = app->add_subcommand(
      "dynamic", "Measure walking agents with changes of every kind around them");
  command->footer(
      "Examples:\n  repath-bench dynamic --map arena.map --scen arena.map.scen "
      "--strategies auto,fresh_astar\n"
      "  repath-bench dynamic --scape rooms8 --strategies auto,fresh_jps "
      "--without repair,recall+detour");
  add_grid(command, options);
  command->add_option("--events", options->events, "Number of changes")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options->seed, "Seed of the changes")->capture_default_str();
  command
      ->add_option("--passes", options->passes,
                   "Number of passes over all agents; the best time of each change counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--strategies", options->strategies,
                   "Names, separated by commas; the agents walk the paths of the first")
      ->delimiter(',')
      ->required();
  add_without(command, &options->without);
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  add_peer(command, &options->peer);
  return command;
}

CLI::App* add_field(CLI::App* app, FieldOptions* options) {
  CLI::App* command =
      app->add_subcommand("field", "Measure many agents with one goal and changes of every kind");
  command->footer(
      "Example:\n  repath-bench field --map arena.map --agents 1,100,1000 --events 200");
  command->add_option("--map", options->map, "Map file of uniform ground: Moving AI or plain text")
      ->required()
      ->check(CLI::ExistingFile);
  command
      ->add_option("--agents", options->agents,
                   "Numbers of agents, separated by commas; each is a round")
      ->delimiter(',')
      ->required()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--events", options->events, "Number of changes in each round")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options->seed, "Seed of goal, agents and changes")
      ->capture_default_str();
  options->strategies = {"field", "fresh", "filtered"};
  command
      ->add_option("--strategies", options->strategies,
                   "Names, separated by commas; changes are laid on the paths of the first")
      ->delimiter(',')
      ->capture_default_str();
  add_without(command, &options->without);
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

}  // namespace repath::bench
