// The options that `path find` and `path explain` share.
//
// Thread rule: plain values.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "repath/v1/path.pb.h"

namespace repath::cli {

struct WalkerOptions {
  std::string profile;
  std::uint32_t team = 0;
};

struct PathOptions {
  std::string world;
  std::string from;
  std::vector<std::string> goals;
  double goal_radius = 0;
  WalkerOptions walker;
  std::string algorithm = "auto";
  double weight = 0;
  std::string heuristic = "auto";
  double turn_penalty = 0;
  std::string smoothing = "none";
  double curve_deviation = 0;
  std::uint64_t max_expansions = 0;
  std::uint64_t memory_limit_bytes = 0;
  std::uint64_t min_revision = 0;
  std::uint32_t max_waypoints = 0;
  bool every_cell = false;
  bool allow_partial = false;
  bool snap_start = false;
};

// Each registers its options; the values must outlive the parse.
void add_walker_options(CLI::App& command, WalkerOptions& walker);
void add_path_options(CLI::App& command, PathOptions& options);

void fill_walker(const WalkerOptions& walker, v1::Walker* to);
// Throws CLI::ValidationError as parse.h.
v1::FindPathRequest to_request(const PathOptions& options);

}  // namespace repath::cli
