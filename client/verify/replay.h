// `repath replay`: asks every query of a scenario and compares the answers with the file's lengths
// and with the checker's own model. Thread rule: one thread.
#pragma once

#include <string>

#include "cli/context.h"

namespace repath::verify {

struct ReplayOptions {
  std::string scen;  // file
  std::string map;   // file; empty: the scenario's name without .scen
};

// Prints the outcome and leaves the exit status in `context`.
void replay(const ReplayOptions& options, cli::CommandContext& context);

}  // namespace repath::verify
