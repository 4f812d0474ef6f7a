// The command `repath load many-worlds`. Thread rule: one thread, that of the command line.
#pragma once

#include "cli/context.h"

namespace repath::cli {

// Adds it to `load`. Its callback borrows `context`, which must outlive it, and leaves the exit
// status in it: 0 measured, 2 wrong usage, 3 a server did not start or refused.
void add_many_worlds_command(CLI::App& load, CommandContext& context);

}  // namespace repath::cli
