// The options that describe the shape of an obstacle: --block, --box and so on. One table lists
// them: help, command line and errors follow from it.
//
// Thread rule: free functions.
#pragma once

#include <span>
#include <string>

#include "repath/v1/world.pb.h"

namespace repath::cli {

struct ShapeOption {
  const char* name;  // "--box"
  const char* type;  // how the help names the value
  const char* help;
  // Reads the value of the option `name` into the obstacle. Throws CLI::ValidationError, which
  // names the option, if the value is wrong.
  void (*read)(const char* name, const std::string& text, v1::Obstacle& obstacle);
};

// Returns one option for each shape, in the order of the help.
std::span<const ShapeOption> shape_options();

// Returns the names of all: "--a, --b" + `last` + "--c".
std::string shape_option_names(const std::string& last);

}  // namespace repath::cli
