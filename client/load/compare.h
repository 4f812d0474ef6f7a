// Two runs side by side: the figures that both have, and how many times the second is the first.
#pragma once

#include <string>

#include "cli/context.h"

namespace repath::load {

// [{"key", "a", "b", "ratio"}]; ratio is null where a is 0 or either is not known.
cli::Json compare(const cli::Json& a, const cli::Json& b);

// Reads two files that --json made and prints the comparison. Wrong usage if one is none.
void compare_files(const std::string& a, const std::string& b, cli::CommandContext& context);

}  // namespace repath::load
