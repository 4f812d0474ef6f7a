// `repath`: the command line of a Repath server.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "ceiling/commands.h"
#include "ceiling/footprint_command.h"
#include "ceiling/many_worlds_command.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/standard_streams.h"
#ifdef REPATH_HAS_LOAD
#include "load/commands.h"
#endif
#ifdef REPATH_HAS_VERIFY
#include "verify/commands.h"
#endif

namespace {

// Returns the arguments in the order in which CLI11 takes them, and overwrites the token among
// them, because other users of the machine can list the arguments of a process.
std::vector<std::string> take_arguments(int argc, char** argv) {
  constexpr std::string_view kToken = "--token";
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument(argv[i]);
    if (argument == kToken && i + 1 < argc) std::memset(argv[i + 1], '*', std::strlen(argv[i + 1]));
    if (argument.substr(0, kToken.size() + 1) == "--token=")
      std::memset(argv[i] + kToken.size() + 1, '*', argument.size() - kToken.size() - 1);
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

// Runs the command and returns its exit status.
int run(int argc, char** argv) {
  repath::cli::CommandContext context;
  CLI::App app("repath: worlds, paths and agents of a Repath server", "repath");
  app.set_version_flag("--version", "repath " REPATH_VERSION, "Print the version and end.");
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
  repath::cli::check_numbers(app);
  try {
    app.parse(take_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    // --help ends the parse as well.
    if (error.get_exit_code() == 0) return app.exit(error);
    context.json = context.json || repath::cli::has_json_flag(argc, argv);
    context.usage_error(repath::cli::wrong_usage(app, error));
  }
  context.finish();
  return context.exit_code;
}

// Returns the exit status for all that was printed on stdout: `status`, unless part of it could not
// be written. A pipe that its reader has closed ends the program earlier, by SIGPIPE.
int after_printing(int status) {
  std::cout.flush();
  if (std::cout && std::ferror(stdout) == 0) return status;
  std::cerr << "repath: stdout cannot be written" << std::endl;
  return status == repath::cli::kDone ? repath::cli::kWrongUsage : status;
}

}  // namespace

int main(int argc, char** argv) {
  repath::cli::hold_standard_streams();
  return after_printing(run(argc, argv));
}
