#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/print.h"
#include "cli/world_settings.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

std::string size_of(const v1::World& world) {
  if (world.kind() == "grid")
    return std::to_string(world.width()) + " x " + std::to_string(world.height());
  const v1::Vec3& least = world.bounds_min();
  const v1::Vec3& most = world.bounds_max();
  return fixed2(most.x() - least.x()) + " x " + fixed2(most.z() - least.z()) + " units";
}

void print_world(const CommandContext& context, const v1::World& world) {
  if (context.json) {
    context.print_json(json_of(world));
    return;
  }
  std::cout << world.name() << ": " << world.kind() << " of " << size_of(world);
  if (world.kind() == "grid") std::cout << " cells of " << world.cell_size();
  std::cout << ", revision " << world.revision() << ", hash " << hex(world.state_hash()) << '\n';
  std::cout << "  agents " << world.agents() << ", obstacles " << world.obstacles() << ", memory "
            << bytes(world.memory_bytes()) << '\n';
  std::cout << "  frames: ";
  if (world.options().lockstep()) {
    std::cout << "lockstep";
  } else {
    std::cout << world.options().frame_rate_hz() << " a second";
  }
  if (world.options().frame_budget_work_units() > 0) {
    std::cout << ", " << world.options().frame_budget_work_units() << " work units each";
  } else if (world.options().frame_budget_us() > 0) {
    std::cout << ", " << world.options().frame_budget_us() << " us of planning each";
  }
  std::cout << "; strategy "
            << short_name(v1::Strategy_Name(world.options().strategy()), "STRATEGY_") << '\n';
  std::cout << "  history from revision " << world.oldest_revision() << ", epoch " << world.epoch()
            << '\n';
  if (world.kind() != "grid") {
    for (const auto& profile : world.profiles())
      std::cout << "  profile " << profile.name() << ": radius " << profile.radius() << '\n';
    std::cout.flush();
    return;
  }
  for (const auto& profile : world.profiles()) {
    std::cout << "  profile " << profile.name() << ": topology "
              << short_name(v1::Topology_Name(profile.topology()), "TOPOLOGY_") << ", corner rule "
              << short_name(v1::CornerRule_Name(profile.corner_rule()), "CORNER_RULE_")
              << ", radius " << profile.radius() << '\n';
  }
  std::cout << "  terrain:";
  for (const auto& terrain : world.terrain_classes()) {
    std::cout << "  " << terrain.symbol() << ' ' << terrain.name() << ' ';
    if (terrain.forbidden()) {
      std::cout << "forbidden";
    } else {
      std::cout << terrain.factor();
    }
  }
  std::cout << std::endl;
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
  std::string plan_method = "anavmg";
  v1::RecastSettings recast;
};

// --cell-size is that of the voxels where a mesh is built.
void fill_recast(const ImportOptions& options, v1::ImportWorldRequest::Header* header) {
  v1::RecastSettings* recast = header->mutable_recast();
  *recast = options.recast;
  const bool is_obj = header->format() == v1::MAP_FORMAT_OBJ ||
                      (header->format() == v1::MAP_FORMAT_UNSPECIFIED && options.file.size() > 4 &&
                       options.file.ends_with(".obj"));
  if (!is_obj) return;
  recast->set_cell_size(header->world().cell_size());
  header->mutable_world()->clear_cell_size();
}

void add_recast_options(CLI::App& command, v1::RecastSettings& recast) {
  const auto add = [&](const char* name, void (v1::RecastSettings::*set)(double),
                       const char* what) {
    command.add_option_function<double>(
        name, [&recast, set](const double& value) { (recast.*set)(value); }, what);
  };
  using R = v1::RecastSettings;
  add("--cell-height", &R::set_cell_height, "Of obj: height of a voxel (default 0.2)");
  add("--agent-radius", &R::set_agent_radius,
      "Of obj: kept clear of walls (default 0.6; below 0: none)");
  add("--agent-height", &R::set_agent_height, "Of obj: headroom wanted (default 2)");
  add("--agent-climb", &R::set_agent_climb, "Of obj: steps taken (default 0.9; below 0: none)");
  add("--slope", &R::set_slope_degrees, "Of obj: degrees that can be walked up (default 45)");
}

void import_world(CommandContext& context, const ImportOptions& options) {
  constexpr std::size_t kChunkBytes = 256 * 1024;
  v1::ImportWorldRequest message;
  *message.mutable_header()->mutable_world() = to_request(options.settings);
  message.mutable_header()->set_format(parse_format("--format", options.format));
  message.mutable_header()->set_plan_method(parse_plan_method("--plan", options.plan_method));
  fill_recast(options, message.mutable_header());
  const std::string map = read_file("FILE", options.file);

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
      {"NAME", "KIND", "SIZE", "REVISION", "AGENTS", "OBSTACLES", "MEMORY"}};
  do {
    grpc::ClientContext call;
    v1::ListWorldsResponse answer;
    if (!context.accepted(stub->ListWorlds(&call, request, &answer))) return;
    for (const auto& world : answer.worlds()) {
      worlds.push_back(json_of(world));
      rows.push_back({world.name(), world.kind(), size_of(world), std::to_string(world.revision()),
                      std::to_string(world.agents()), std::to_string(world.obstacles()),
                      bytes(world.memory_bytes())});
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

}  // namespace

void add_world_commands(CLI::App& world, CommandContext& context) {
  auto created = std::make_shared<CreateOptions>();
  CLI::App* command = add_command(world, context, "create", "Make a grid world of free ground",
                                  "repath world create arena --width 64 --height 48");
  add_world_settings(*command, created->settings);
  command->add_option("--width", created->width, "Cells")->required();
  command->add_option("--height", created->height, "Cells")->required();
  command->callback([&context, created] { create(context, *created); });

  auto imported = std::make_shared<ImportOptions>();
  command = add_command(world, context, "import", "Make a world from a map file",
                        "repath world import harbour deploy/maps/harbour.map --corner none");
  add_world_settings(*command, imported->settings);
  command->add_option("FILE", imported->file, "The map")->required();
  command
      ->add_option(
          "--format", imported->format,
          "auto, moving_ai, text, obj (a navmesh is built), mset, polyanya, floor_plan or graph")
      ->capture_default_str();
  command
      ->add_option("--plan", imported->plan_method,
                   "How a floor_plan is cut: anavmg, delaunay or shortest_diagonals")
      ->capture_default_str();
  add_recast_options(*command, imported->recast);
  command->callback([&context, imported] { import_world(context, *imported); });

  command = add_command(world, context, "list", "All worlds", "repath world list --json");
  command->callback([&context] { list(context); });

  auto shown = std::make_shared<std::string>();
  command = add_command(world, context, "show", "One world", "repath world show harbour");
  command->add_option("NAME", *shown, "The world")->required();
  command->callback([&context, shown] { show(context, *shown); });

  auto deleted = std::make_shared<std::string>();
  command = add_command(world, context, "delete", "Delete a world; its agents get REMOVED",
                        "repath world delete harbour");
  command->add_option("NAME", *deleted, "The world")->required();
  command->callback([&context, deleted] { remove(context, *deleted); });
}

}  // namespace repath::cli
