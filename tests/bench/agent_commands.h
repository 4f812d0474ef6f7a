// The command lines of `dynamic` and `field`, and the option `--peer`.
#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "bench/dynamic_bench.h"
#include "bench/field_bench.h"

namespace repath::bench {

// `files`: the arguments that the command gets.
CLI::Option* add_peer(CLI::App* command, std::string* peer, const std::string& files = "MAP SCEN");
CLI::App* add_dynamic(CLI::App* app, DynamicOptions* options);
CLI::App* add_field(CLI::App* app, FieldOptions* options);

}  // namespace repath::bench
