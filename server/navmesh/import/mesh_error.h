// The errors of importers that read text: they name a line.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "base/error.h"

namespace repath {

// Returns INVALID_ARGUMENT with this reason; the message names the line, counted from 1.
inline absl::Status mesh_error(std::size_t line, const char* reason, const std::string& what) {
  return invalid_field(reason, "", "line " + std::to_string(line) + ": " + what);
}

}  // namespace repath
