// world export|obstacles|terrain: reading a world back.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "cli/visible_text.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

// ---- export ----

struct ExportOptions {
  std::string world;
  std::string file;
  std::string format = "repath";
  WalkerOptions walker;
};

Json json_of_export(const v1::ExportWorldResponse::Header& header, std::uint64_t bytes) {
  Json lost = Json::array();
  for (const std::string& one : header.lost()) lost.push_back(one);
  return {{"world", header.name()},
          {"kind", header.kind()},
          {"format", short_name(v1::MapFormat_Name(header.format()), "MAP_FORMAT_")},
          {"revision", header.revision()},
          {"state_hash", hex(header.state_hash())},
          {"epoch", header.epoch()},
          {"bytes", bytes},
          {"lost", lost}};
}

void print_export(std::ostream& out, const v1::ExportWorldResponse::Header& header,
                  std::uint64_t size, const std::string& to) {
  out << visible(header.name()) << ": " << visible(header.kind()) << " at revision "
      << header.revision() << ", " << bytes(size) << " to " << to;
  if (header.state_hash() != 0) out << ", hash " << hex(header.state_hash());
  out << '\n';
  if (header.lost_size() == 0) return;
  out << "  the format leaves out:";
  for (int i = 0; i < header.lost_size(); ++i)
    out << (i == 0 ? " " : ", ") << visible(header.lost(i));
  out << '\n';
}

void export_world(CommandContext& context, const ExportOptions& options) {
  const bool is_stdout = options.file == "-";
  if (is_stdout && context.json)
    throw CLI::ValidationError("--json", "writes to stdout; give a FILE other than -");
  v1::ExportWorldRequest request;
  request.set_world(options.world);
  request.set_format(parse_format("--format", options.format));
  if (!options.walker.profile.empty() || options.walker.team != 0)
    fill_walker(options.walker, request.mutable_walker());

  std::ofstream file;
  std::ostream& out = is_stdout ? std::cout : file;
  Progress progress("exporting " + options.world + ": bytes");
  grpc::ClientContext call;
  const auto reader = context.stub<v1::WorldService>()->ExportWorld(&call, request);
  v1::ExportWorldResponse message;
  v1::ExportWorldResponse::Header header;
  std::uint64_t bytes = 0;
  while (reader->Read(&message)) {
    if (message.has_header()) {
      header = message.header();
      // A world that is refused leaves the file alone.
      if (!is_stdout) file.open(options.file, std::ios::binary | std::ios::trunc);
    } else {
      out << message.chunk();
      bytes += message.chunk().size();
      if (!is_stdout) progress.show(bytes, 0);
    }
    if (!out) break;
  }
  out.flush();
  const bool is_written = static_cast<bool>(out);
  if (!is_written) call.TryCancel();
  const grpc::Status status = reader->Finish();
  progress.clear();
  if (!is_written) throw CLI::ValidationError("FILE", "cannot write " + options.file);
  if (!status.ok() && file.is_open()) {
    file.close();
    std::remove(options.file.c_str());  // part of a file is of no use
  }
  if (!context.accepted(status)) return;
  if (context.json) {
    context.print_json(json_of_export(header, bytes));
  } else {
    print_export(is_stdout ? std::cerr : std::cout, header, bytes, options.file);
  }
}

void add_export(CLI::App& world, CommandContext& context) {
  auto exported = std::make_shared<ExportOptions>();
  CLI::App* command =
      add_command(world, context, "export",
                  "Write a world to a file, as it is at one revision. In the format repath "
                  "`world import` makes an equal world of it, with the same state hash",
                  "repath world export harbour harbour.world\n"
                  "  repath world export harbour - | repath world import copy -");
  command->add_option("NAME", exported->world, "Name of the world")->required();
  command->add_option("FILE", exported->file, "The file to write; - is stdout")->required();
  command
      ->add_option("--format", exported->format,
                   "Format of the file: repath (keeps everything but agents and history), "
                   "moving_ai or text (grids), obj (meshes), floor_plan (meshes made of a "
                   "floor plan) or graph (graphs) (default repath)")
      ->type_name("NAME");
  command
      ->add_option("--profile", exported->walker.profile,
                   "With --format obj: profile of the agents whose ground is written (default "
                   "\"default\")")
      ->type_name("NAME");
  command->add_option("--team", exported->walker.team,
                      "With --format obj: team of those agents, 0 to 31 (default 0)");
  command->callback([&context, exported] { export_world(context, *exported); });
}

// ---- obstacles ----

std::string effect_of(const v1::Obstacle& obstacle) {
  if (obstacle.effect_case() == v1::Obstacle::kCostFactor)
    return "factor " + fixed2(obstacle.cost_factor());
  if (obstacle.effect_case() == v1::Obstacle::kArea)
    return "area " + std::to_string(obstacle.area());
  return "blocks";
}

std::string text_of_xz(double x, double z) {
  v1::Vec3 at;
  at.set_x(x);
  at.set_z(z);
  const std::string text = text_of(at);  // X,0,Z
  const std::size_t first = text.find(',');
  return text.substr(0, first) + text.substr(text.find(',', first + 1));
}

template <class Message>
std::string cells_text(const Message& cells) {
  return "cells " + std::to_string(cells.x0()) + "," + std::to_string(cells.y0()) + "," +
         std::to_string(cells.x1()) + "," + std::to_string(cells.y1());
}

std::string circle_text(const v1::CylinderShape& circle) {
  return "circle " + text_of_xz(circle.center().x(), circle.center().z()) + " radius " +
         fixed2(circle.radius());
}

std::string shape_of(const v1::Obstacle& obstacle) {
  switch (obstacle.shape_case()) {
    case v1::Obstacle::kCells:
      return cells_text(obstacle.cells());
    case v1::Obstacle::kBox:
      return "box " + text_of_xz(obstacle.box().center().x(), obstacle.box().center().z()) +
             " half " + fixed2(obstacle.box().half_x()) + " x " + fixed2(obstacle.box().half_z());
    case v1::Obstacle::kCylinder:
      return circle_text(obstacle.cylinder());
    case v1::Obstacle::kPolygon:
      return "polygon of " +
             counted(static_cast<std::uint64_t>(obstacle.polygon().xz_size() / 2), "corner");
    case v1::Obstacle::kCapsule:
      return "capsule " + text_of_xz(obstacle.capsule().from().x(), obstacle.capsule().from().z()) +
             " to " + text_of_xz(obstacle.capsule().to().x(), obstacle.capsule().to().z()) +
             " radius " + fixed2(obstacle.capsule().radius());
    case v1::Obstacle::SHAPE_NOT_SET:
      break;
  }
  return "-";
}

struct ObstacleOptions {
  std::string world;
  std::string area;
  std::size_t most = 1000;
  std::uint64_t at_revision = 0;
};

void obstacles(CommandContext& context, const ObstacleOptions& options) {
  v1::ListObstaclesRequest request;
  request.set_world(options.world);
  request.set_at_revision(options.at_revision);
  if (!options.area.empty()) {
    const auto values = parse_reals("--area", options.area, 4, 4, "X0,Z0,X1,Z1");
    request.mutable_area()->set_min_x(values[0]);
    request.mutable_area()->set_min_z(values[1]);
    request.mutable_area()->set_max_x(values[2]);
    request.mutable_area()->set_max_z(values[3]);
  }
  const auto stub = context.stub<v1::WorldService>();
  Json found = Json::array();
  Json bodies = Json::array();
  std::vector<std::vector<std::string>> rows = {{"ID", "SHAPE", "EFFECT", "TEAMS", "STATE"}};
  std::uint64_t revision = 0;
  const auto is_enough = [&] { return found.size() + bodies.size() >= options.most; };
  do {
    const std::size_t left = options.most - found.size() - bodies.size();
    request.set_page_size(static_cast<std::int32_t>(std::min<std::size_t>(left, 1000)));
    grpc::ClientContext call;
    v1::ListObstaclesResponse answer;
    if (!context.accepted(stub->ListObstacles(&call, request, &answer))) return;
    for (const v1::Obstacle& one : answer.obstacles()) {
      found.push_back(json_of_message(one));
      rows.push_back({std::to_string(one.id()), shape_of(one), effect_of(one),
                      one.team_mask() == 0 ? "all" : "mask " + std::to_string(one.team_mask()),
                      one.disabled() ? "open" : "shut"});
    }
    for (const v1::Body& body : answer.bodies()) {
      bodies.push_back(json_of_message(body));
      rows.push_back({"agent " + std::to_string(body.agent_id()),
                      body.has_cells() ? cells_text(body.cells()) : circle_text(body.cylinder()),
                      "stands", "all", "shut"});
    }
    revision = answer.revision();
    request.set_page_token(answer.next_page_token());
  } while (!request.page_token().empty() && !is_enough());
  const bool is_cut = !request.page_token().empty();
  if (context.json) {
    context.print_json(
        {{"obstacles", found}, {"bodies", bodies}, {"truncated", is_cut}, {"revision", revision}});
    return;
  }
  if (rows.size() > 1) print_table(rows);
  std::cout << counted(rows.size() - 1, "obstacle") << " at revision " << revision
            << (is_cut ? "; there are more, see --max" : "") << std::endl;
}

void add_obstacles(CLI::App& world, CommandContext& context) {
  auto listed = std::make_shared<ObstacleOptions>();
  CLI::App* command = add_command(world, context, "obstacles",
                                  "List the obstacles of a world, and the bodies of standing units",
                                  "repath world obstacles square --area 0,0,5,5");
  command->add_option("NAME", listed->world, "Name of the world")->required();
  command
      ->add_option(
          "--area", listed->area,
          "Rectangle X0,Z0,X1,Z1 in world units: show the obstacles that meet it (default: all)")
      ->type_name("AREA");
  command->add_option("--max", listed->most, "Maximum number to show, from 1 (default 1000)")
      ->check(CLI::PositiveNumber);
  add_at_revision(*command, listed->at_revision);
  command->callback([&context, listed] { obstacles(context, *listed); });
}

// ---- terrain ----

struct TerrainOptions {
  std::string world;
  std::string area;
  std::uint64_t since = 0;
  std::optional<std::uint32_t> team;
  std::uint64_t at_revision = 0;
};

std::size_t terrain_at(const v1::TerrainTile& tile, int x, int y) {
  const std::string& terrain = tile.terrain();
  const std::size_t i = terrain.size() == 1 ? 0 : static_cast<std::size_t>(y * tile.width() + x);
  return static_cast<unsigned char>(terrain.at(i));
}

// Returns a row of a tile by the symbols of its classes.
std::string row_of(const v1::TerrainTile& tile, int y, const v1::World& world) {
  std::string row;
  for (int x = 0; x < tile.width(); ++x)
    row += world.terrain_classes(static_cast<int>(terrain_at(tile, x, y))).symbol();
  return row;
}

Json json_of_tile(const v1::TerrainTile& tile, const v1::World& world) {
  Json rows = Json::array();
  for (int y = 0; y < tile.height(); ++y) rows.push_back(row_of(tile, y, world));
  Json planes = Json::array();
  for (const auto& plane : tile.planes()) {
    Json levels = Json::array();
    for (std::size_t i = 0; i + 1 < plane.levels().size(); i += 2)
      levels.push_back(static_cast<unsigned char>(plane.levels()[i]) |
                       static_cast<unsigned char>(plane.levels()[i + 1]) << 8);
    planes.push_back({{"team", plane.team()}, {"layer", plane.layer()}, {"levels", levels}});
  }
  return {{"x", tile.x()},
          {"y", tile.y()},
          {"width", tile.width()},
          {"height", tile.height()},
          {"changed_revision", tile.changed_revision()},
          {"rows", rows},
          {"planes", planes}};
}

void print_tile(const v1::TerrainTile& tile, const v1::World& world) {
  std::cout << "cells " << tile.x() << ',' << tile.y() << " to " << tile.x() + tile.width() - 1
            << ',' << tile.y() + tile.height() - 1 << ", changed at revision "
            << tile.changed_revision() << '\n';
  for (int y = 0; y < tile.height(); ++y)
    std::cout << "  " << visible(row_of(tile, y, world)) << '\n';
  for (const auto& plane : tile.planes()) {
    std::size_t cells = 0;
    for (std::size_t i = 0; i + 1 < plane.levels().size(); i += 2)
      cells += plane.levels()[i] != 0 || plane.levels()[i + 1] != 0 ? 1 : 0;
    if (plane.levels().size() == 2)
      cells = static_cast<std::size_t>(tile.width()) * static_cast<std::size_t>(tile.height());
    std::cout << "  team " << plane.team() << ": " << counted(cells, "cell")
              << (plane.layer() == 16 ? " hidden"
                                      : " with influence in layer " + std::to_string(plane.layer()))
              << '\n';
  }
}

void terrain(CommandContext& context, const TerrainOptions& options) {
  const auto stub = context.stub<v1::WorldService>();
  v1::GetTerrainRequest request;
  request.set_world(options.world);
  request.set_at_revision(options.at_revision);
  if (!options.area.empty()) *request.mutable_area() = parse_rect("--area", options.area);
  request.set_changed_since_revision(options.since);
  if (options.team) request.set_team(*options.team);
  v1::GetWorldRequest asked;
  asked.set_world(options.world);
  v1::World world;
  {
    grpc::ClientContext call;
    if (!context.accepted(stub->GetWorld(&call, asked, &world))) return;
  }
  Json tiles = Json::array();
  std::uint64_t count = 0;
  v1::GetTerrainResponse answer;
  do {
    grpc::ClientContext call;
    if (!context.accepted(stub->GetTerrain(&call, request, &answer))) return;
    for (const v1::TerrainTile& tile : answer.tiles()) {
      ++count;
      context.json ? tiles.push_back(json_of_tile(tile, world)) : print_tile(tile, world);
    }
    request.set_page_token(answer.next_page_token());
  } while (!request.page_token().empty());
  if (context.json) {
    context.print_json(
        {{"tiles", tiles}, {"revision", answer.revision()}, {"epoch", answer.epoch()}});
    return;
  }
  std::cout << counted(count, "square") << " at revision " << answer.revision() << std::endl;
}

void add_terrain(CLI::App& world, CommandContext& context) {
  auto shown = std::make_shared<TerrainOptions>();
  CLI::App* command = add_command(
      world, context, "terrain",
      "Show the base map of a grid, in squares of 64 x 64 cells, without its obstacles. Grids only",
      "repath world terrain square --since 1");
  command->add_option("NAME", shown->world, "Name of the world")->required();
  command
      ->add_option("--area", shown->area,
                   "Squares with a cell in X0,Y0,X1,Y1 (X1 and Y1 are outside) (default: all)")
      ->type_name("RECT");
  command->add_option("--since", shown->since,
                      "Squares that changed after this revision (default 0: all)");
  command->add_option("--team", shown->team,
                      "Also show the influence and the hidden cells of this team, 0 to 31");
  add_at_revision(*command, shown->at_revision);
  command->callback([&context, shown] { terrain(context, *shown); });
}

}  // namespace

void add_world_read_commands(CLI::App& world, CommandContext& context) {
  add_export(world, context);
  add_obstacles(world, context);
  add_terrain(world, context);
}

}  // namespace repath::cli
