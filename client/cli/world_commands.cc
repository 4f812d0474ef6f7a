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

void print_world(const CommandContext& context, const v1::World& world) {
  if (context.json) {
    context.print_json(json_of(world));
    return;
  }
  std::cout << world.name() << ": " << world.kind() << " of " << world.width() << " x "
            << world.height() << " cells of " << world.cell_size() << ", revision "
            << world.revision() << ", hash " << hex(world.state_hash()) << '\n';
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
};

v1::MapFormat parse_format(const std::string& format) {
  if (format == "auto") return v1::MAP_FORMAT_UNSPECIFIED;
  if (format == "moving_ai") return v1::MAP_FORMAT_MOVING_AI;
  if (format == "text") return v1::MAP_FORMAT_TEXT;
  for (const char* later : {"obj", "mset", "polyanya", "floor_plan", "graph"}) {
    if (format == later) {
      throw CLI::ValidationError(
          "--format", format + " is not supported by this version; it reads moving_ai and text");
    }
  }
  throw CLI::ValidationError(
      "--format",
      "expected auto, moving_ai, text, obj, mset, polyanya, floor_plan or graph, got \"" + format +
          "\"");
}

void import_world(CommandContext& context, const ImportOptions& options) {
  constexpr std::size_t kChunkBytes = 256 * 1024;
  v1::ImportWorldRequest message;
  *message.mutable_header()->mutable_world() = to_request(options.settings);
  message.mutable_header()->set_format(parse_format(options.format));
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
      rows.push_back({world.name(), world.kind(),
                      std::to_string(world.width()) + " x " + std::to_string(world.height()),
                      std::to_string(world.revision()), std::to_string(world.agents()),
                      std::to_string(world.obstacles()), bytes(world.memory_bytes())});
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
          "auto, moving_ai or text (obj, mset, polyanya, floor_plan, graph: later versions)")
      ->capture_default_str();
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
