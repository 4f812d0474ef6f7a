#include "cli/path_options.h"

#include "cli/parse.h"
#include "cli/print.h"

namespace repath::cli {

void add_walker_options(CLI::App& command, WalkerOptions& walker) {
  command
      .add_option("--profile", walker.profile, "Name of the agent profile (default \"default\")")
      ->type_name("NAME");
  command.add_option("--team", walker.team, "Team, 0 to 31 (default 0)");
}

void add_from_option(CLI::App& command, std::string& from, const char* what) {
  command
      .add_option("--from", from,
                  std::string(what) + ": a cell X,Y (grids) or a point X,Y,Z in world units")
      ->type_name("PLACE")
      ->required();
}

void add_to_option(CLI::App& command, std::vector<std::string>& goals) {
  command
      .add_option("--to", goals,
                  "Goal: a cell X,Y (grids) or a point X,Y,Z in world units. With several "
                  "--to the goal that is cheapest to reach counts")
      ->type_name("PLACE")
      ->allow_extra_args(false)
      ->required();
}

void add_radius_option(CLI::App& command, double& radius) {
  command.add_option(
      "--radius", radius,
      "Radius around a goal within which the path may end, straight, in world units, up to 64 "
      "cells (default 0)");
}

void add_fallback_flags(CLI::App& command, bool& allow_partial, bool& snap_start) {
  command.add_flag(
      "--partial", allow_partial,
      "If no goal can be reached, go to the reachable place that is nearest to a goal");
  command.add_flag("--snap", snap_start,
                   "If the start is blocked, begin at the nearest free place");
}

namespace {

void add_search_options(CLI::App& command, PathOptions& options) {
  command
      .add_option(
          "--algorithm", options.algorithm,
          "auto, bfs, dijkstra, astar, jps, hpa, ida, sma, fringe, lpa, dstar, dstar_lite or "
          "floyd_warshall, or a name as in the API, such as IDA_STAR (default auto). Meshes: auto, "
          "or over cells astar, dijkstra or bfs. "
          "Graphs: all but jps and hpa")
      ->type_name("NAME");
  command.add_option(
      "--weight", options.weight,
      "Weight of A*'s heuristic, 1 to 1000 (default 1). Above 1 the path costs at most this "
      "many times the optimum, on meshes at most the bound that comes with it");
  command
      .add_option("--heuristic", options.heuristic,
                  "Heuristic of A*, Fringe, IDA*, SMA* and LPA*: auto, zero, manhattan, "
                  "chebyshev, octile or euclid (default auto). On grids and graphs one that can "
                  "overestimate requires --weight of at least 1.0625")
      ->type_name("NAME");
  command.add_option("--max-expansions", options.max_expansions,
                     "Maximum number of nodes to expand, then OUT_OF_BUDGET (default 0: no limit)");
  command.add_option(
      "--memory-limit", options.memory_limit_bytes,
      "Grids and graphs: memory that ida, sma or floyd_warshall may use, in bytes, 65536 to "
      "1073741824 (default 16777216, for floyd_warshall 268435456)");
  command.add_option("--cluster-side", options.cluster_side,
                     "Grids: side of the clusters of hpa, in cells, 8 to 64 (default 16)");
  command.add_option(
      "--levels", options.cluster_levels,
      "Grids: levels of the clusters of hpa, 1 to 3 (default 1, on large maps more)");
}

void add_shape_options(CLI::App& command, PathOptions& options) {
  command.add_option("--turn-penalty", options.turn_penalty,
                     "Grids and graphs: cost of each change of direction, in world units, up to "
                     "1000 cells, on graphs 1000 units (default 0)");
  command
      .add_option(
          "--smooth", options.smoothing,
          "Grids: none, straight (straight lines in any direction where nothing is in the way) or "
          "curves (the same with rounded corners) (default none). Meshes, with a profile that has "
          "a turning radius: curves")
      ->type_name("HOW");
  command.add_option("--deviation", options.curve_deviation,
                     "With --smooth curves: maximum distance of a curve from its chords, in "
                     "world units, 0.001 to 1 cell (default 0.05 cells); on meshes 0.001 to 1 "
                     "(default 0.05)");
}

}  // namespace

void add_path_options(CLI::App& command, PathOptions& options) {
  command.add_option("WORLD", options.world, "Name of the world")->required();
  add_from_option(command, options.from, "Start");
  add_to_option(command, options.goals);
  add_radius_option(command, options.goal_radius);
  add_walker_options(command, options.walker);
  add_fallback_flags(command, options.allow_partial, options.snap_start);
  add_search_options(command, options);
  add_shape_options(command, options);
  command.add_option(
      "--max-waypoints", options.max_waypoints,
      "Maximum number of waypoints to print, up to 100000 (default 0: all; a path of more than "
      "100000 is then refused)");
  add_revision_options(command, options.revisions);
}

void add_at_revision(CLI::App& command, std::uint64_t& revision) {
  command.add_option("--at-revision", revision,
                     "Ask the world as it was at this revision (default 0: as it is)");
}

void add_revision_options(CLI::App& command, RevisionOptions& revisions) {
  command.add_option("--min-revision", revisions.min,
                     "Refuse with REVISION_NOT_YET while the world is below this revision "
                     "(default 0)");
  add_at_revision(command, revisions.at);
}

std::string search_state_of(const v1::FindPathResponse& answer) {
  return answer.peak_bytes() == 0 ? "" : ", search state " + bytes(answer.peak_bytes());
}

std::string turns_of(const v1::FindPathResponse& answer, const PathOptions& options) {
  if (options.turn_penalty <= 0) return "";
  return "; " + counted(answer.turns(), "turn") + " for " + fixed2(answer.turn_cost());
}

void add_turns(const v1::FindPathResponse& answer, const PathOptions& options, Json& row) {
  if (options.turn_penalty <= 0) return;
  row["turns"] = answer.turns();
  row["turn_cost"] = answer.turn_cost();
}

void fill_walker(const WalkerOptions& walker, v1::Walker* to) {
  to->set_profile(walker.profile);
  to->set_team(walker.team);
}

v1::FindPathRequest to_request(const PathOptions& options) {
  v1::FindPathRequest request;
  request.set_world(options.world);
  *request.mutable_from() = parse_location("--from", options.from);
  for (const std::string& goal : options.goals) *request.add_goals() = parse_location("--to", goal);
  request.set_goal_radius(options.goal_radius);
  fill_walker(options.walker, request.mutable_walker());
  request.mutable_options()->set_algorithm(parse_algorithm("--algorithm", options.algorithm));
  request.mutable_options()->set_weight(options.weight);
  request.mutable_options()->set_heuristic(parse_heuristic("--heuristic", options.heuristic));
  request.mutable_options()->set_turn_penalty(options.turn_penalty);
  request.mutable_options()->set_smoothing(parse_smoothing("--smooth", options.smoothing));
  if (options.curve_deviation != 0 && request.options().smoothing() != v1::SMOOTHING_CURVES)
    throw CLI::ValidationError("--deviation", "is for --smooth curves");
  request.mutable_options()->set_curve_deviation(options.curve_deviation);
  request.mutable_options()->set_max_expansions(options.max_expansions);
  request.mutable_options()->set_memory_limit_bytes(options.memory_limit_bytes);
  request.mutable_options()->set_cluster_side(options.cluster_side);
  request.mutable_options()->set_cluster_levels(options.cluster_levels);
  fill_revisions(options.revisions, request.mutable_options());
  request.mutable_options()->set_every_cell(options.every_cell);
  request.mutable_options()->set_max_waypoints(options.max_waypoints);
  request.set_allow_partial(options.allow_partial);
  request.set_snap_start(options.snap_start);
  return request;
}

}  // namespace repath::cli
