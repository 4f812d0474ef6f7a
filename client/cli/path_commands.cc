#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "repath/v1/path.grpc.pb.h"

namespace repath::cli {
namespace {

void find(CommandContext& context, const PathOptions& options) {
  const v1::FindPathRequest request = to_request(options);
  grpc::ClientContext call;
  v1::FindPathResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->FindPath(&call, request, &answer))) return;
  if (context.json) {
    Json row = json_of(answer.path());
    row["expanded"] = answer.expanded();
    row["generated"] = answer.generated();
    row["peak_bytes"] = answer.peak_bytes();
    add_turns(answer, options, row);
    context.print_json(row);
    return;
  }
  const bool is_smoothed = request.options().smoothing() > v1::SMOOTHING_NONE;
  std::cout << text_of(answer.path(), is_smoothed) << "\n  expanded " << answer.expanded()
            << " nodes" << search_state_of(answer) << turns_of(answer, options) << std::endl;
}

struct NearestOptions {
  std::string world;
  std::string from;
  std::vector<std::string> goals;
  WalkerOptions walker;
  double max_distance = 0;
  RevisionOptions revisions;
};

void nearest(CommandContext& context, const NearestOptions& options) {
  v1::FindNearestRequest request;
  request.set_world(options.world);
  *request.mutable_from() = parse_location("--from", options.from);
  for (const std::string& goal : options.goals) *request.add_goals() = parse_location("--to", goal);
  fill_walker(options.walker, request.mutable_walker());
  request.set_max_distance(options.max_distance);
  fill_revisions(options.revisions, request.mutable_options());
  grpc::ClientContext call;
  v1::FindNearestResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->FindNearest(&call, request, &answer)))
    return;
  const bool found = answer.status() == v1::PATH_STATUS_COMPLETE;
  const bool with_goals = !options.goals.empty();
  if (context.json) {
    Json row = {{"status", name_of(answer.status())},
                {"goal_index", answer.goal_index()},
                {"cell", answer.has_cell() ? json_of(answer.cell()) : Json()},
                {"position", answer.has_position() ? json_of(answer.position()) : Json()},
                {"distance", found ? Json(answer.distance()) : Json()},
                {"revision", answer.revision()}};
    if (with_goals) row["path"] = json_of(answer.path());
    context.print_json(row);
    return;
  }
  std::cout << name_of(answer.status());
  if (found && with_goals) {
    std::cout << ": goal " << options.goals[static_cast<std::size_t>(answer.goal_index())]
              << " is the nearest\n"
              << text_of(answer.path());
  } else if (found) {
    std::cout << ": " << (answer.has_cell() ? text_of(answer.cell()) : text_of(answer.position()))
              << ", " << fixed2(answer.distance()) << " away";
  }
  std::cout << std::endl;
}

struct AwayOptions {
  std::string world;
  std::string from;
  std::vector<std::string> threats;
  double distance = 0;
  WalkerOptions walker;
  bool allow_partial = false;
  bool snap_start = false;
  RevisionOptions revisions;
};

void away(CommandContext& context, const AwayOptions& options) {
  v1::FindAwayRequest request;
  request.set_world(options.world);
  *request.mutable_from() = parse_location("--from", options.from);
  for (const std::string& threat : options.threats)
    *request.add_threats() = parse_location("--threat", threat);
  request.set_distance(options.distance);
  fill_walker(options.walker, request.mutable_walker());
  request.set_allow_partial(options.allow_partial);
  request.set_snap_start(options.snap_start);
  fill_revisions(options.revisions, request.mutable_options());
  grpc::ClientContext call;
  v1::FindAwayResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->FindAway(&call, request, &answer))) return;
  if (context.json) {
    context.print_json({{"status", name_of(answer.status())},
                        {"cell", answer.has_cell() ? json_of(answer.cell()) : Json()},
                        {"position", answer.has_position() ? json_of(answer.position()) : Json()},
                        {"distance", answer.has_position() ? Json(answer.distance()) : Json()},
                        {"revision", answer.revision()},
                        {"expanded", answer.expanded()},
                        {"path", json_of(answer.path())}});
    return;
  }
  std::cout << name_of(answer.status());
  if (answer.has_position()) {
    std::cout << ": " << (answer.has_cell() ? text_of(answer.cell()) : text_of(answer.position()))
              << " is " << fixed2(answer.distance()) << " away\n"
              << text_of(answer.path());
  }
  std::cout << std::endl;
}

void add_find(CLI::App& path, CommandContext& context) {
  auto found = std::make_shared<PathOptions>();
  CLI::App* command =
      add_command(path, context, "find", "Find the cheapest path to the nearest of the goals",
                  "repath path find square --from 0,0 --to 9,4 --algorithm dijkstra\n"
                  "  repath path find house --from 2,0,14 --to 20,4,2");
  add_path_options(*command, *found);
  command->add_flag("--every-cell", found->every_cell,
                    "Grids: print a waypoint for each cell instead of one for each turn");
  command->callback([&context, found] { find(context, *found); });
}

void add_nearest(CLI::App& path, CommandContext& context) {
  auto near = std::make_shared<NearestOptions>();
  CLI::App* command = add_command(path, context, "nearest",
                                  "Find the goal that is cheapest to reach; without --to, the "
                                  "free place nearest to --from",
                                  "repath path nearest square --from 0,0 --to 9,4 --to 0,4\n"
                                  "  repath path nearest square --from 4,2");
  command->add_option("WORLD", near->world, "Name of the world")->required();
  add_from_option(*command, near->from, "Start");
  add_to_option(*command, near->goals);
  CLI::Option* goals = command->get_option("--to")->required(false);
  command
      ->add_option(
          "--max-distance", near->max_distance,
          "Without --to: maximum straight distance of the free place, in world units, up to 4096 "
          "cells (default 64 cells; meshes and graphs: 64)")
      ->excludes(goals);
  add_walker_options(*command, near->walker);
  add_revision_options(*command, near->revisions);
  command->callback([&context, near] { nearest(context, *near); });
}

void add_away(CLI::App& path, CommandContext& context) {
  auto fled = std::make_shared<AwayOptions>();
  CLI::App* command =
      add_command(path, context, "away",
                  "Flee: find the cheapest path to a place that is far enough from every threat",
                  "repath path away square --from 4,1 --threat 4,0 --distance 3");
  command->add_option("WORLD", fled->world, "Name of the world")->required();
  add_from_option(*command, fled->from, "Start");
  command
      ->add_option("--threat", fled->threats,
                   "Place to flee from: a cell X,Y (grids) or a point X,Y,Z in world units. "
                   "With several --threat the nearest one counts")
      ->type_name("PLACE")
      ->allow_extra_args(false)
      ->required();
  command
      ->add_option("--distance", fled->distance,
                   "Distance to keep from every threat, straight, in world units")
      ->required();
  command->add_flag("--partial", fled->allow_partial,
                    "If no reachable place is that far away, go to the farthest reachable place");
  command->add_flag("--snap", fled->snap_start,
                    "If the start is blocked, begin at the nearest free place");
  add_walker_options(*command, fled->walker);
  add_revision_options(*command, fled->revisions);
  command->callback([&context, fled] { away(context, *fled); });
}

}  // namespace

void add_path_commands(CLI::App& path, CommandContext& context) {
  add_find(path, context);
  add_nearest(path, context);
  add_away(path, context);
}

}  // namespace repath::cli
