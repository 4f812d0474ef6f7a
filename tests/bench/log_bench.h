// `repath-bench log`: units a second and how long a unit takes to be durable, for some numbers of
// worlds of which each has one unit on its way, beside a bare SQLite writer with the same records.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace repath::bench {

struct LogOptions {
  std::string folder = "/var/tmp";  // on the disk to measure
  std::vector<std::size_t> worlds = {1, 16, 256};
  std::size_t record_bytes = 250;
  double seconds = 1;  // of one turn of one side
  int turns = 3;       // of each side, one after the other
  bool json = false;
};

CLI::App* add_log(CLI::App* app, LogOptions* options);
// Returns 0, 1 if the store did not hold what it said was durable, 2 if it cannot be opened.
int run_log(const LogOptions& options);

}  // namespace repath::bench
