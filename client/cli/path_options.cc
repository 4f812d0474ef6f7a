#include "cli/path_options.h"

#include "cli/parse.h"

namespace repath::cli {

void add_walker_options(CLI::App& command, WalkerOptions& walker) {
  command.add_option("--profile", walker.profile, "Agent profile (default \"default\")");
  command.add_option("--team", walker.team, "Team, 0 to 31");
}

void add_path_options(CLI::App& command, PathOptions& options) {
  command.add_option("WORLD", options.world, "The world")->required();
  command.add_option("--from", options.from, "Start: a cell X,Y or a point X,Y,Z")
      ->type_name("PLACE")
      ->required();
  command.add_option("--to", options.goals, "Goal, likewise; repeatable: the cheapest counts")
      ->type_name("PLACE")
      ->allow_extra_args(false)
      ->required();
  command.add_option("--radius", options.goal_radius,
                     "Any free cell so near a goal will do, world units");
  add_walker_options(command, options.walker);
  command
      .add_option(
          "--algorithm", options.algorithm,
          "auto, bfs, dijkstra, astar, jps, hpa, ida, sma, fringe, lpa, dstar, dstar_lite or "
          "floyd_warshall")
      ->capture_default_str();
  command.add_option("--weight", options.weight,
                     "Of A*'s heuristic, 1 to 1000; above 1 the answer is bounded by it");
  command
      .add_option("--heuristic", options.heuristic,
                  "What leads A* and its kin: auto, zero, manhattan, chebyshev, octile or euclid; "
                  "one that may say too much wants a weight")
      ->capture_default_str();
  command.add_option("--turn-penalty", options.turn_penalty,
                     "For each change of direction, world units");
  command
      .add_option("--smooth", options.smoothing,
                  "none, straight (ways in any direction, wherever they are in sight) or curves")
      ->capture_default_str();
  command.add_option("--deviation", options.curve_deviation,
                     "Of a curve from its chords at most, world units (default 0.05 cells)");
  command.add_option("--max-expansions", options.max_expansions, "Give up after so many nodes");
  command.add_option("--memory-limit", options.memory_limit_bytes,
                     "Bytes that ida and sma keep to, 65536 to 1073741824");
  command.add_option("--min-revision", options.min_revision, "Read at least this revision");
  command.add_option("--max-waypoints", options.max_waypoints,
                     "Only the first so many; a path of more than 100000 has to be asked for so");
  command.add_flag("--partial", options.allow_partial,
                   "If no goal can be reached: to the nearest reachable cell");
  command.add_flag("--snap", options.snap_start,
                   "If the start is blocked: from the nearest free cell");
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
  request.mutable_options()->set_curve_deviation(options.curve_deviation);
  request.mutable_options()->set_max_expansions(options.max_expansions);
  request.mutable_options()->set_memory_limit_bytes(options.memory_limit_bytes);
  request.mutable_options()->set_min_revision(options.min_revision);
  request.mutable_options()->set_every_cell(options.every_cell);
  request.mutable_options()->set_max_waypoints(options.max_waypoints);
  request.set_allow_partial(options.allow_partial);
  request.set_snap_start(options.snap_start);
  return request;
}

}  // namespace repath::cli
