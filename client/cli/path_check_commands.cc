// path raycast|check|random.
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "repath/v1/path.grpc.pb.h"

namespace repath::cli {
namespace {

struct RaycastOptions {
  std::string world;
  std::string from;
  std::string to;
  WalkerOptions walker;
  RevisionOptions revisions;
};

void raycast(CommandContext& context, const RaycastOptions& options) {
  v1::RaycastRequest request;
  request.set_world(options.world);
  *request.mutable_from() = parse_location("--from", options.from);
  *request.mutable_to() = parse_location("--to", options.to);
  fill_walker(options.walker, request.mutable_walker());
  fill_revisions(options.revisions, &request);
  grpc::ClientContext call;
  v1::RaycastResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->Raycast(&call, request, &answer))) return;
  if (context.json) {
    context.print_json(
        {{"hit", answer.hit()},
         {"position", json_of(answer.position())},
         {"distance", answer.distance()},
         {"last_free", answer.has_last_free() ? json_of(answer.last_free()) : Json()},
         {"blocked", answer.has_blocked() ? json_of(answer.blocked()) : Json()},
         {"revision", answer.revision()}});
    return;
  }
  if (!answer.hit()) {
    std::cout << "CLEAR to " << options.to << ", " << fixed2(answer.distance()) << " away";
  } else {
    std::cout << "HIT at " << text_of(answer.position()) << ", " << fixed2(answer.distance())
              << " away";
    if (answer.has_blocked()) std::cout << ", blocked by cell " << text_of(answer.blocked());
    if (answer.has_last_free()) std::cout << ", free up to cell " << text_of(answer.last_free());
  }
  std::cout << "; revision " << answer.revision() << std::endl;
}

struct CheckOptions {
  std::string world;
  std::vector<std::string> waypoints;
  std::vector<std::uint64_t> links;
  WalkerOptions walker;
  bool optimal = false;
  std::uint64_t max_expansions = 0;
  RevisionOptions revisions;
};

v1::CheckPathRequest to_check(const CheckOptions& options) {
  v1::CheckPathRequest request;
  request.set_world(options.world);
  for (const std::string& text : options.waypoints) {
    const v1::Location at = parse_location("--at", text);
    if (at.has_cell()) {
      request.add_cells(at.cell().x());
      request.add_cells(at.cell().y());
    } else {
      request.add_positions(at.position().x());
      request.add_positions(at.position().y());
      request.add_positions(at.position().z());
    }
  }
  if (request.cells_size() > 0 && request.positions_size() > 0)
    throw CLI::ValidationError("--at", "give cells X,Y alone, or points X,Y,Z alone");
  for (const std::uint64_t link : options.links) request.add_links(link);
  fill_walker(options.walker, request.mutable_walker());
  request.set_check_optimal(options.optimal);
  request.mutable_options()->set_max_expansions(options.max_expansions);
  fill_revisions(options.revisions, request.mutable_options());
  return request;
}

// Says what is proved of the cost of a valid path.
std::string how_good(const v1::CheckPathResponse& answer) {
  if (answer.optimal()) return "OPTIMAL";
  if (answer.optimal_is_known()) return "the cheapest is " + fixed2(answer.optimal_cost());
  if (answer.optimal_cost() == 0) return "not known whether it is optimal";
  return "not known whether it is optimal: the search found " + fixed2(answer.optimal_cost());
}

void check(CommandContext& context, const CheckOptions& options) {
  const v1::CheckPathRequest request = to_check(options);
  grpc::ClientContext call;
  v1::CheckPathResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->CheckPath(&call, request, &answer)))
    return;
  if (context.json) {
    Json row = {{"valid", answer.valid()},
                {"first_invalid_waypoint", answer.first_invalid_waypoint()},
                {"cost", answer.valid() ? Json(answer.cost()) : Json()},
                {"revision", answer.revision()}};
    if (options.optimal) {
      row["optimal"] = answer.optimal();
      row["optimal_is_known"] = answer.optimal_is_known();
      row["optimal_cost"] = answer.optimal_cost();
    }
    context.print_json(row);
  } else if (answer.valid()) {
    std::cout << "VALID, length " << fixed2(answer.cost());
    if (options.optimal) std::cout << ", " << how_good(answer);
    std::cout << "; revision " << answer.revision() << std::endl;
  } else {
    const auto broken = static_cast<std::size_t>(answer.first_invalid_waypoint());
    std::cout << "BROKEN before waypoint " << broken << ", " << options.waypoints.at(broken)
              << "; revision " << answer.revision() << std::endl;
  }
  if (!answer.valid()) context.check_failed("the path is broken");
  if (answer.valid() && options.optimal && answer.optimal_is_known() && !answer.optimal())
    context.check_failed("the path is not optimal");
}

struct RandomOptions {
  std::string world;
  std::string near;
  double radius = 0;
  WalkerOptions walker;
  std::uint64_t seed = 0;
  RevisionOptions revisions;
};

void random_place(CommandContext& context, const RandomOptions& options) {
  v1::FindRandomPointRequest request;
  request.set_world(options.world);
  if (!options.near.empty()) *request.mutable_near() = parse_location("--near", options.near);
  request.set_radius(options.radius);
  fill_walker(options.walker, request.mutable_walker());
  request.set_seed(options.seed);
  fill_revisions(options.revisions, &request);
  grpc::ClientContext call;
  v1::FindRandomPointResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->FindRandomPoint(&call, request, &answer)))
    return;
  const bool is_found = answer.status() == v1::PATH_STATUS_COMPLETE;
  if (context.json) {
    context.print_json({{"status", name_of(answer.status())},
                        {"cell", answer.has_cell() ? json_of(answer.cell()) : Json()},
                        {"position", is_found ? json_of(answer.position()) : Json()},
                        {"node", answer.node()},
                        {"revision", answer.revision()}});
    return;
  }
  std::cout << name_of(answer.status());
  if (is_found)
    std::cout << ": " << (answer.has_cell() ? text_of(answer.cell()) : text_of(answer.position()));
  if (answer.node() != 0) std::cout << ", node " << answer.node();
  std::cout << "; revision " << answer.revision() << std::endl;
}

void add_raycast(CLI::App& path, CommandContext& context) {
  auto cast = std::make_shared<RaycastOptions>();
  CLI::App* command =
      add_command(path, context, "raycast",
                  "Follow a straight line until something blocks it. Grids and meshes only",
                  "repath path raycast square --from 0,0 --to 9,4\n"
                  "  repath path raycast house --from 2,0,2 --to 10,0,2");
  command->add_option("WORLD", cast->world, "Name of the world")->required();
  add_from_option(*command, cast->from, "Begin of the line");
  command
      ->add_option("--to", cast->to,
                   "End of the line: a cell X,Y (grids) or a point X,Y,Z in world units")
      ->type_name("PLACE")
      ->required();
  add_walker_options(*command, cast->walker);
  add_revision_options(*command, cast->revisions);
  command->callback([&context, cast] { raycast(context, *cast); });
}

void add_check(CLI::App& path, CommandContext& context) {
  auto checked = std::make_shared<CheckOptions>();
  CLI::App* command =
      add_command(path, context, "check",
                  "Check whether a path is open, and what it costs. Exit status 1 if it is broken",
                  "repath path check square --at 0,0 --at 4,0 --at 4,4 --optimal\n"
                  "  repath path check house --at 2,0,2 --at 8,0,2");
  command->add_option("WORLD", checked->world, "Name of the world")->required();
  command
      ->add_option("--at", checked->waypoints,
                   "Next waypoint: a cell X,Y (grids) or a point X,Y,Z in world units; once for "
                   "each, in the order of the path")
      ->type_name("PLACE")
      ->allow_extra_args(false)
      ->required();
  command
      ->add_option("--link", checked->links,
                   "Meshes: id of the link that leaves the waypoint, 0 for none; once for each "
                   "waypoint, or not at all")
      ->allow_extra_args(false);
  command->add_flag("--optimal", checked->optimal,
                    "Also search for the cheapest path from the first waypoint to the last. Exit "
                    "status 1 if the path is known to cost more");
  command->add_option("--max-expansions", checked->max_expansions,
                      "With --optimal: maximum number of nodes that the search may expand "
                      "(default 0: the server's limit)");
  add_walker_options(*command, checked->walker);
  add_revision_options(*command, checked->revisions);
  command->callback([&context, checked] { check(context, *checked); });
}

void add_random(CLI::App& path, CommandContext& context) {
  auto picked = std::make_shared<RandomOptions>();
  CLI::App* command = add_command(path, context, "random",
                                  "Pick a free place at random: a cell, a point of the ground, or "
                                  "a node",
                                  "repath path random square --seed 7\n"
                                  "  repath path random house --near 2,0,2 --radius 3");
  command->add_option("WORLD", picked->world, "Name of the world")->required();
  CLI::Option* near =
      command
          ->add_option("--near", picked->near,
                       "Centre of the disc to pick from: a cell X,Y (grids) or a point X,Y,Z in "
                       "world units (default: anywhere)")
          ->type_name("PLACE");
  CLI::Option* radius = command->add_option(
      "--radius", picked->radius, "With --near: radius of the disc, in world units, up to 1000000");
  near->needs(radius);
  radius->needs(near);
  command->add_option("--seed", picked->seed,
                      "The same seed picks the same place on the same revision (default 0)");
  add_walker_options(*command, picked->walker);
  add_revision_options(*command, picked->revisions);
  command->callback([&context, picked] { random_place(context, *picked); });
}

}  // namespace

void add_path_check_commands(CLI::App& path, CommandContext& context) {
  add_raycast(path, context);
  add_check(path, context);
  add_random(path, context);
}

}  // namespace repath::cli
