#include "cli/commands.h"

namespace repath::cli {

void add_commands(CLI::App& app, CommandContext& context) {
  app.add_option("--server", context.server, "Where the server listens: HOST:PORT or unix:/path")
      ->type_name("ADDR")
      ->envname("REPATH_SERVER")
      ->capture_default_str();
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done, 1 the check that was asked for failed, 2 wrong usage, 3 the server "
      "refused or is\n"
      "unreachable. Every command has --help with an example, and --json.");

  CLI::App* world =
      app.add_subcommand("world", "Make, show, change and watch worlds")->require_subcommand(1);
  add_world_commands(*world, context);
  add_change_commands(*world, context);
  CLI::App* path = app.add_subcommand("path", "Ask for paths")->require_subcommand(1);
  add_path_commands(*path, context);
  add_explain_command(*path, context);
  CLI::App* agent =
      app.add_subcommand("agent", "Put agents in and see their verdicts")->require_subcommand(1);
  add_agent_commands(*agent, context);
  CLI::App* demo = app.add_subcommand("demo", "Watch verdicts at work")->require_subcommand(1);
  add_doors_demo(*demo, context);
  add_tower_demo(*demo, context);
  add_stats_command(app, context);
}

void refuse_negatives(CLI::App& app) {
  const auto check = [](const std::string& text) {
    return text.rfind('-', 0) == 0 ? "must not be negative, got " + text : std::string();
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_type_name().rfind("UINT", 0) == 0) option->check(CLI::Validator(check, ""));
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    refuse_negatives(*command);
}

}  // namespace repath::cli
