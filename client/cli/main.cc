// `repath`: the command line of a Repath server.
#include <CLI/CLI.hpp>
#include <iostream>

#include "ceiling/commands.h"
#include "ceiling/footprint_command.h"
#include "ceiling/many_worlds_command.h"
#include "cli/commands.h"
#include "cli/context.h"
#ifdef REPATH_HAS_LOAD
#include "load/commands.h"
#endif
#ifdef REPATH_HAS_VERIFY
#include "verify/commands.h"
#endif

int main(int argc, char** argv) {
  repath::cli::CommandContext context;
  CLI::App app("repath: worlds, paths and agents of a Repath server", "repath");
  repath::cli::add_commands(app, context);
#ifdef REPATH_HAS_VERIFY
  repath::cli::add_verify_commands(app, context);
#endif
#ifdef REPATH_HAS_LOAD
  repath::cli::add_load_commands(app, context);
  repath::cli::add_ceiling_command(*app.get_subcommand("load"), context);
  repath::cli::add_footprint_command(*app.get_subcommand("load"), context);
  repath::cli::add_many_worlds_command(*app.get_subcommand("load"), context);
#endif
  repath::cli::refuse_negatives(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help ends the parse as well.
    if (error.get_exit_code() == 0) return app.exit(error);
    context.json = context.json || repath::cli::has_json_flag(argc, argv);
    context.usage_error(repath::cli::wrong_usage(app, error));
  }
  context.finish();
  return context.exit_code;
}
