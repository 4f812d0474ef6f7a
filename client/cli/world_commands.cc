#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/print.h"
#include "cli/world_settings.h"
#include "repath/internal/import.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

std::string state_of(const v1::World& world) {
  const std::string& reason = world.quarantine_reason();
  return name_of(world.state()) + (reason.empty() ? "" : ": " + reason);
}

struct CreateOptions {
  WorldSettings settings;
  std::int32_t width = 0;
  std::int32_t height = 0;
};

void create(CommandContext& context, const CreateOptions& options) {
  v1::CreateWorldRequest request = to_request(options.settings);
  request.set_width(options.width);
  request.set_height(options.height);
  grpc::ClientContext call;
  v1::World world;
  if (!context.accepted(context.stub<v1::WorldService>()->CreateWorld(&call, request, &world)))
    return;
  print_world(context, world);
}

struct ImportOptions {
  WorldSettings settings;
  std::string file;
  std::string format = "auto";
  std::string plan_method;
  double base_radius = 0;
  std::optional<double> plan_tau;
  v1::RecastSettings recast;
  std::string recast_option;  // the first one given; empty if none was
};

// Returns whether the file is of `format`. --format decides or, if that is auto, the ending of the
// file's name.
bool is_of_format(const ImportOptions& options, v1::MapFormat format, const char* ending) {
  const v1::MapFormat given = parse_format("--format", options.format);
  return given == format || (given == v1::MAP_FORMAT_UNSPECIFIED && options.file.ends_with(ending));
}

// Fills in the settings that are for files of one format, and refuses those of others. For OBJ
// files --cell-size is the side of a voxel.
void fill_format(const ImportOptions& options, const std::string& map,
                 v1::ImportWorldRequest::Header* header) {
  header->set_format(parse_format("--format", options.format));
  const auto has = [&map](const char* name) { return map.find(name) != std::string::npos; };
  const bool is_graph =  // all are JSON; plans have neither nodes nor a radius
      options.format == "auto" && (has("\"nodes\"") || has("\"radius\""));
  const bool is_plan = !is_graph && is_of_format(options, v1::MAP_FORMAT_FLOOR_PLAN, ".json");
  for (const auto& [is_given, option] :
       {std::pair{!options.plan_method.empty(), "--plan"}, {options.plan_tau.has_value(), "--tau"}})
    if (is_given && !is_plan)
      throw CLI::ValidationError(option, "is for floor plans: give --format floor_plan");
  if (!options.plan_method.empty())
    header->set_plan_method(parse_plan_method("--plan", options.plan_method));
  header->set_base_radius(options.base_radius);
  header->set_plan_tau_radians(options.plan_tau.value_or(0));
  if (!is_of_format(options, v1::MAP_FORMAT_OBJ, ".obj")) {
    if (!options.recast_option.empty())
      throw CLI::ValidationError(options.recast_option, "is for OBJ files: give --format obj");
    return;
  }
  *header->mutable_recast() = options.recast;
  header->mutable_recast()->set_cell_size(header->world().cell_size());
  header->mutable_world()->clear_cell_size();
}

void add_recast_options(CLI::App& command, ImportOptions& options) {
  const auto add = [&](const std::string& name, void (v1::RecastSettings::*set)(double),
                       const char* what) {
    command.add_option_function<double>(
        name,
        [&options, name, set](const double& value) {
          (options.recast.*set)(value);
          if (options.recast_option.empty()) options.recast_option = name;
        },
        what);
  };
  using R = v1::RecastSettings;
  add("--cell-height", &R::set_cell_height,
      "OBJ: height of a voxel, in world units, 0.01 to 10 (default 0.2)");
  add("--agent-radius", &R::set_agent_radius,
      "OBJ: distance that the mesh keeps from walls, in world units, up to 100 (default 0.6; "
      "below 0: none)");
  add("--agent-height", &R::set_agent_height,
      "OBJ: headroom that an agent needs, in world units, up to 100 (default 2)");
  add("--agent-climb", &R::set_agent_climb,
      "OBJ: highest step that an agent takes, in world units, below its height (default 0.9; "
      "below 0: none)");
  add("--slope", &R::set_slope_degrees,
      "OBJ: steepest ground that an agent walks up, in degrees, up to 89 (default 45)");
}

void import_world(CommandContext& context, const ImportOptions& options) {
  constexpr std::size_t kChunkBytes = 256 * 1024;
  v1::ImportWorldRequest message;
  *message.mutable_header()->mutable_world() = to_request(options.settings);
  const std::string map = read_given_file("FILE", options.file);
  fill_format(options, map, message.mutable_header());
  message.mutable_header()->set_size_bytes(map.size());
  message.mutable_header()->set_sha256(client::sha256_of(map));

  Progress progress("importing " + options.file + ": bytes");
  const auto stub = context.stub<v1::WorldService>();
  grpc::ClientContext call;
  v1::World world;
  const auto writer = stub->ImportWorld(&call, &world);
  bool writable = writer->Write(message);
  for (std::size_t sent = 0; writable && sent < map.size();) {
    const std::size_t next = std::min(kChunkBytes, map.size() - sent);
    message.set_chunk(map.substr(sent, next));
    writable = writer->Write(message);
    sent += next;
    progress.show(sent, map.size());
  }
  writer->WritesDone();
  const grpc::Status status = writer->Finish();
  progress.clear();
  if (context.accepted(status)) print_world(context, world);
}

void list(CommandContext& context) {
  const auto stub = context.stub<v1::WorldService>();
  v1::ListWorldsRequest request;
  Json worlds = Json::array();
  std::vector<std::vector<std::string>> rows = {
      {"NAME", "KIND", "SIZE", "REVISION", "AGENTS", "OBSTACLES", "MEMORY", "STATE"}};
  do {
    grpc::ClientContext call;
    v1::ListWorldsResponse answer;
    if (!context.accepted(stub->ListWorlds(&call, request, &answer))) return;
    for (const auto& world : answer.worlds()) {
      worlds.push_back(json_of(world));
      rows.push_back({world.name(), world.kind(), size_of(world), std::to_string(world.revision()),
                      std::to_string(world.agents()), std::to_string(world.obstacles()),
                      bytes(world.memory_bytes()), state_of(world)});
    }
    request.set_page_token(answer.next_page_token());
  } while (!request.page_token().empty());
  if (context.json) {
    context.print_json({{"worlds", worlds}});
  } else if (rows.size() == 1) {
    std::cout << "no worlds yet; make one with: repath world import NAME FILE" << std::endl;
  } else {
    print_table(rows);
  }
}

void show(CommandContext& context, const std::string& name) {
  v1::GetWorldRequest request;
  request.set_world(name);
  grpc::ClientContext call;
  v1::World world;
  if (!context.accepted(context.stub<v1::WorldService>()->GetWorld(&call, request, &world))) return;
  print_world(context, world);
}

void remove(CommandContext& context, const std::string& name) {
  v1::DeleteWorldRequest request;
  request.set_world(name);
  grpc::ClientContext call;
  v1::DeleteWorldResponse answer;
  if (!context.accepted(context.stub<v1::WorldService>()->DeleteWorld(&call, request, &answer)))
    return;
  if (context.json) {
    context.print_json({{"deleted", name}});
  } else {
    std::cout << "deleted " << name << std::endl;
  }
}

void add_import_command(CLI::App& world, CommandContext& context) {
  auto imported = std::make_shared<ImportOptions>();
  CLI::App* command = add_command(
      world, context, "import",
      "Make a world from a map file: a grid, a navmesh or a waypoint graph, by the file's format",
      "repath world import harbour deploy/maps/harbour.map --corner none\n"
      "  repath world import house deploy/maps/house.json");
  add_world_settings(*command, imported->settings);
  command->add_option("FILE", imported->file, "The map file; - is stdin")->required();
  command
      ->add_option("--format", imported->format,
                   "Format of the file: auto (by its first bytes), moving_ai or text (grids), "
                   "obj, mset, polyanya or floor_plan (navmeshes), graph, visibility (points of "
                   "visibility of obstacles) or sight (waypoints linked by sight), or repath (as "
                   "`world export` writes it, of any kind) "
                   "(default auto)")
      ->type_name("NAME");
  command
      ->add_option("--plan", imported->plan_method,
                   "Floor plans: method that cuts the ground into convex cells: anavmg, delaunay "
                   "or shortest_diagonals (default anavmg)")
      ->type_name("NAME");
  command->add_option("--base-radius", imported->base_radius,
                      "Meshes other than OBJ: radius of the agents that the mesh was made for, in "
                      "world units, 0 to 100 (default 0). Walls keep wider agents off");
  command->add_option("--tau", imported->plan_tau,
                      "Floor plans cut by anavmg: relaxed convexity, in radians, 0 to 0.5. Corners "
                      "less sharp get no portal (default 0)");
  command->add_option("--cell-size", imported->settings.cell_size,
                      "Side of a cell, in world units (default 1). OBJ: side of a voxel "
                      "(default 0.3). Other files have no cells");
  add_recast_options(*command, *imported);
  command->callback([&context, imported] { import_world(context, *imported); });
}

void add_create_command(CLI::App& world, CommandContext& context) {
  auto created = std::make_shared<CreateOptions>();
  CLI::App* command = add_command(world, context, "create", "Make a grid of free ground",
                                  "repath world create arena --width 64 --height 48");
  add_world_settings(*command, created->settings);
  command->add_option("--width", created->width, "Width in cells, 1 to 16384")->required();
  command->add_option("--height", created->height, "Height in cells, 1 to 16384")->required();
  command->add_option("--cell-size", created->settings.cell_size,
                      "Side of a cell, in world units (default 1)");
  command->callback([&context, created] { create(context, *created); });
}

}  // namespace

void add_world_commands(CLI::App& world, CommandContext& context) {
  add_create_command(world, context);
  add_import_command(world, context);

  CLI::App* command =
      add_command(world, context, "list", "List all worlds", "repath world list --json");
  command->callback([&context] { list(context); });

  auto shown = std::make_shared<std::string>();
  command = add_command(world, context, "show", "Show one world: size, state, settings, profiles",
                        "repath world show harbour");
  command->add_option("NAME", *shown, "Name of the world")->required();
  command->callback([&context, shown] { show(context, *shown); });

  auto deleted = std::make_shared<std::string>();
  command = add_command(world, context, "delete",
                        "Delete a world. Its agents get REMOVED, its watches NOT_FOUND",
                        "repath world delete harbour");
  command->add_option("NAME", *deleted, "Name of the world")->required();
  command->callback([&context, deleted] { remove(context, *deleted); });
}

}  // namespace repath::cli
