// `repath`: the command line of a Repath server.
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/context.h"
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? repath::cli::kDone : repath::cli::kWrongUsage;
  }
  return context.exit_code;
}
