// Work that the server's program does without serving, because it knows the formats of a data
// folder and of recordings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "repath/result.h"

namespace repath::cli {

struct ServerFacts {
  int status = 0;                            // exit status
  std::map<std::string, std::string> facts;  // what it printed, by name

  // REQUIRES: it printed a number of this name.
  std::uint64_t number(const std::string& name) const;
  // Returns the error that repathd printed. REQUIRES: its work failed.
  client::Error error() const;
};

// Returns the path of repathd for a `repath` in this folder: beside it, else in ../sbin, where
// packages put servers, else the bare name, which is looked up in PATH. An empty folder is unknown.
std::string server_program_near(const std::filesystem::path& folder);

// Runs repathd with these arguments, and waits for its end. Its errors go to our stderr.
ServerFacts ask_server_program(std::vector<std::string> arguments);

}  // namespace repath::cli
