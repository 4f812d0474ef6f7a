// `repath load`: registered as the other groups of commands are (see cli/commands.h).
#pragma once

#include <CLI/CLI.hpp>

#include "cli/context.h"

namespace repath::cli {

void add_load_commands(CLI::App& app, CommandContext& context);

}  // namespace repath::cli
