// Reads whole files, for every command that takes one.
//
// Thread rule: free functions.
#pragma once

#include <optional>
#include <string>
#include <system_error>

namespace repath::cli {

// Returns the file at `path`. If it cannot be read, as a folder cannot, returns nothing, with the
// cause in `error`.
std::optional<std::string> read_file(const std::string& path, std::error_code& error);

// Returns the rest of stdin; nothing, with the cause in `error`, if it cannot be read.
std::optional<std::string> read_stdin(std::error_code& error);

// Returns the message for a file that could not be read: "arena.map: cannot be read: Permission
// denied".
std::string unreadable(const std::string& path, const std::error_code& error);

}  // namespace repath::cli
