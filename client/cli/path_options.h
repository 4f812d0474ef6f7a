// Options that commands share: of `path find` and `path explain`, and of all that take places.
//
// Thread rule: plain values.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.h"
#include "repath/v1/path.pb.h"

namespace repath::cli {

struct WalkerOptions {
  std::string profile;
  std::uint32_t team = 0;
};

// The revision that a command asks; 0 in `min`: any, in `at`: the present one.
struct RevisionOptions {
  std::uint64_t min = 0;
  std::uint64_t at = 0;
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
  std::uint32_t cluster_side = 0;
  std::uint32_t cluster_levels = 0;
  RevisionOptions revisions;
  std::uint32_t max_waypoints = 0;
  bool every_cell = false;
  bool allow_partial = false;
  bool snap_start = false;
};

// Each registers its options; the values must outlive the parse.
// --from PLACE; its help begins with `what`.
void add_from_option(CLI::App& command, std::string& from, const char* what);
// --to PLACE, repeatable.
void add_to_option(CLI::App& command, std::vector<std::string>& goals);
// --radius.
void add_radius_option(CLI::App& command, double& radius);
// --partial and --snap.
void add_fallback_flags(CLI::App& command, bool& allow_partial, bool& snap_start);
void add_walker_options(CLI::App& command, WalkerOptions& walker);
// --at-revision, of commands that read the world back.
void add_at_revision(CLI::App& command, std::uint64_t& revision);
// --min-revision and --at-revision.
void add_revision_options(CLI::App& command, RevisionOptions& revisions);
void add_path_options(CLI::App& command, PathOptions& options);

// ", search state 10.4 kB"; empty where the server does not count it, as on meshes.
std::string search_state_of(const v1::FindPathResponse& answer);
// With --turn-penalty: "; 2 turns for 20.00", and the same as keys of `row`. Else nothing.
std::string turns_of(const v1::FindPathResponse& answer, const PathOptions& options);
void add_turns(const v1::FindPathResponse& answer, const PathOptions& options, Json& row);

void fill_walker(const WalkerOptions& walker, v1::Walker* to);
template <class Message>
void fill_revisions(const RevisionOptions& revisions, Message* to) {
  to->set_min_revision(revisions.min);
  to->set_at_revision(revisions.at);
}
// Throws CLI::ValidationError as parse.h.
v1::FindPathRequest to_request(const PathOptions& options);

}  // namespace repath::cli
