// The commands `replay` and `verify` of `repath`: they compare the server's answers with a model
// that shares no code with it. Thread rule: one thread, that of the command line.
#pragma once

#include "cli/context.h"

namespace repath::cli {

// Adds both commands to `app`. Their callbacks borrow `context`, which must outlive them, and leave
// the exit status in it: 0 everything agreed, 1 something did not, 2 wrong usage, 3 the server
// refused or is unreachable.
void add_verify_commands(CLI::App& app, CommandContext& context);

}  // namespace repath::cli
