// `repath`: the command line of a Repath server.
#include <CLI/CLI.hpp>
#include <iostream>

#include "ceiling/commands.h"
#include "ceiling/footprint_command.h"
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
#endif
  repath::cli::refuse_negatives(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    // A command that does not exist is left over, and all that is missed is "a subcommand".
    const auto left = app.remaining(/*recurse=*/true);
    if (left.empty()) return app.exit(error) == 0 ? 0 : repath::cli::kWrongUsage;
    std::cerr << "there is no command or option \"" << left.front()
              << "\" here\nRun with --help for more information.\n";
    return repath::cli::kWrongUsage;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? repath::cli::kDone : repath::cli::kWrongUsage;
  }
  return context.exit_code;
}
