// Two runs side by side: the figures that both have, and how many times the second is the first.
#pragma once

#include <string>

#include "cli/context.h"

namespace repath::load {

// [{"key", "a", "b", "ratio"}]; ratio is null if a is 0 or one of them is unknown.
cli::Json compare(const cli::Json& a, const cli::Json& b);

// Reads two outputs of --json and prints the comparison. Wrong usage if a file is not one.
void compare_files(const std::string& a, const std::string& b, cli::CommandContext& context);

}  // namespace repath::load
