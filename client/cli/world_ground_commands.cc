// world ground|grow|graph: the ground of meshes, obstacles as meshes carve them, and graphs.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "cli/shape_options.h"
#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

struct GroundOptions {
  std::string world;
  WalkerOptions walker;
  std::uint32_t first = 0;
  std::uint32_t max_cells = 0;
  RevisionOptions revisions;
};

Json cell_of(const v1::GetGroundResponse& answer, int cell, int first_corner) {
  const auto at = static_cast<int>(cell);
  Json corners = Json::array();
  for (int k = 0; k < static_cast<int>(answer.corner_counts(at)); ++k)
    corners.push_back(json_of(point_of(answer.corners(), first_corner + k)));
  return {{"corners", corners},
          {"area", answer.areas(at)},
          {"flags", answer.flags(at)},
          {"factor", answer.factors_size() > at ? answer.factors(at) : 1.0}};
}

Json json_of_link(const v1::GetGroundResponse::Link& link) {
  return {{"id", link.id()},         {"from", json_of(link.from())},  {"to", json_of(link.to())},
          {"factor", link.factor()}, {"both_ways", link.both_ways()}, {"enabled", link.enabled()}};
}

void print_ground(const v1::GetGroundResponse& answer, std::uint32_t first) {
  std::cout << counted(static_cast<std::uint64_t>(answer.corner_counts_size()), "cell")
            << " at revision " << answer.revision();
  if (answer.has_next_cell()) std::cout << "; go on with --first " << answer.next_cell();
  std::cout << '\n';
  int corner = 0;
  for (int i = 0; i < answer.corner_counts_size(); ++i) {
    std::cout << "  " << first + static_cast<std::uint32_t>(i) << "  area " << answer.areas(i)
              << "  flags " << answer.flags(i);
    if (answer.factors_size() > i) std::cout << "  factor " << answer.factors(i);
    for (std::uint32_t k = 0; k < answer.corner_counts(i); ++k)
      std::cout << "  " << text_of(point_of(answer.corners(), corner++));
    std::cout << '\n';
  }
  for (const auto& link : answer.links())
    std::cout << "  link " << link.id() << "  " << text_of(link.from())
              << (link.both_ways() ? " <-> " : " -> ") << text_of(link.to()) << "  factor "
              << link.factor() << (link.enabled() ? "  open" : "  shut") << '\n';
  std::cout.flush();
}

void ground(CommandContext& context, const GroundOptions& options) {
  v1::GetGroundRequest request;
  request.set_world(options.world);
  fill_walker(options.walker, request.mutable_walker());
  request.set_first_cell(options.first);
  request.set_max_cells(options.max_cells);
  fill_revisions(options.revisions, &request);
  grpc::ClientContext call;
  v1::GetGroundResponse answer;
  if (!context.accepted(context.stub<v1::DebugService>()->GetGround(&call, request, &answer)))
    return;
  if (!context.json) return print_ground(answer, options.first);
  Json cells = Json::array();
  int corner = 0;
  for (int i = 0; i < answer.corner_counts_size(); ++i) {
    cells.push_back(cell_of(answer, i, corner));
    corner += static_cast<int>(answer.corner_counts(i));
  }
  Json links = Json::array();
  for (const auto& link : answer.links()) links.push_back(json_of_link(link));
  context.print_json({{"cells", cells},
                      {"links", links},
                      {"next_cell", answer.has_next_cell() ? Json(answer.next_cell()) : Json()},
                      {"revision", answer.revision()}});
}

struct GrowOptions {
  std::map<std::string, std::string> shapes;  // by option
  double radius = 0;
};

void grow(CommandContext& context, const GrowOptions& options) {
  v1::GrowObstacleRequest request;
  int given = 0;
  for (const ShapeOption& shape : shape_options()) {
    const auto text = options.shapes.find(shape.name);
    if (text == options.shapes.end() || text->second.empty()) continue;
    shape.read(shape.name, text->second, *request.mutable_obstacle());
    ++given;
  }
  if (given != 1)
    throw CLI::ValidationError("grow", "give one shape: " + shape_option_names(" or "));
  request.set_radius(options.radius);
  grpc::ClientContext call;
  v1::GrowObstacleResponse answer;
  if (!context.accepted(context.stub<v1::DebugService>()->GrowObstacle(&call, request, &answer)))
    return;
  if (context.json) {
    Json rings = Json::array();
    for (const auto& ring : answer.rings()) {
      Json corners = Json::array();
      for (int i = 0; i + 1 < ring.xz_size(); i += 2)
        corners.push_back({ring.xz(i), ring.xz(i + 1)});
      rings.push_back(corners);
    }
    context.print_json({{"rings", rings}});
    return;
  }
  std::cout << counted(static_cast<std::uint64_t>(answer.rings_size()), "ring") << '\n';
  for (const auto& ring : answer.rings()) {
    std::cout << " ";
    for (int i = 0; i + 1 < ring.xz_size(); i += 2)
      std::cout << ' ' << ring.xz(i) << ',' << ring.xz(i + 1);
    std::cout << '\n';
  }
  std::cout.flush();
}

struct GraphOptions {
  std::string world;
  std::size_t most = 10'000;
  std::uint64_t at_revision = 0;
};

void graph(CommandContext& context, const GraphOptions& options) {
  const auto stub = context.stub<v1::WorldService>();
  v1::GetGraphRequest request;
  request.set_world(options.world);
  request.set_at_revision(options.at_revision);
  std::vector<v1::GraphNode> nodes;
  std::vector<v1::GraphEdge> edges;
  v1::GetGraphResponse answer;
  do {
    const std::size_t left = options.most - nodes.size() - edges.size();
    request.set_page_size(static_cast<std::int32_t>(std::min<std::size_t>(left, 5000)));
    grpc::ClientContext call;
    if (!context.accepted(stub->GetGraph(&call, request, &answer))) return;
    nodes.insert(nodes.end(), answer.nodes().begin(), answer.nodes().end());
    edges.insert(edges.end(), answer.edges().begin(), answer.edges().end());
    request.set_page_token(answer.next_page_token());
  } while (!request.page_token().empty() && nodes.size() + edges.size() < options.most);
  const bool is_cut = !request.page_token().empty();
  if (context.json) {
    Json node_rows = Json::array();
    Json edge_rows = Json::array();
    for (const auto& node : nodes) node_rows.push_back(json_of_message(node));
    for (const auto& edge : edges) edge_rows.push_back(json_of_message(edge));
    context.print_json({{"nodes", node_rows},
                        {"edges", edge_rows},
                        {"truncated", is_cut},
                        {"revision", answer.revision()}});
    return;
  }
  std::vector<std::vector<std::string>> rows = {{"NODE", "POSITION", "AREA", "FLAGS", "STATE"}};
  for (const auto& node : nodes)
    rows.push_back({std::to_string(node.id()), text_of(node.position()),
                    std::to_string(node.area()), std::to_string(node.flags()),
                    node.disabled() ? "shut" : "open"});
  print_table(rows);
  rows = {{"EDGE", "COST", "AREA", "FLAGS", "STATE"}};
  for (const auto& edge : edges)
    rows.push_back({std::to_string(edge.from()) + " -> " + std::to_string(edge.to()),
                    fixed2(edge.cost()), std::to_string(edge.area()), std::to_string(edge.flags()),
                    edge.disabled() ? "shut" : "open"});
  print_table(rows);
  std::cout << counted(nodes.size(), "node") << " and " << counted(edges.size(), "edge")
            << " at revision " << answer.revision() << (is_cut ? "; there are more, see --max" : "")
            << std::endl;
}

void add_graph(CLI::App& world, CommandContext& context) {
  auto shown = std::make_shared<GraphOptions>();
  CLI::App* command = add_command(world, context, "graph",
                                  "Show the nodes and edges of a waypoint graph. Graphs only",
                                  "repath world graph streets --json");
  command->add_option("NAME", shown->world, "Name of the world")->required();
  command
      ->add_option("--max", shown->most,
                   "Maximum number of nodes and edges to show, from 1 (default 10000)")
      ->check(CLI::PositiveNumber);
  add_at_revision(*command, shown->at_revision);
  command->callback([&context, shown] { graph(context, *shown); });
}

}  // namespace

void add_world_ground_commands(CLI::App& world, CommandContext& context) {
  auto shown = std::make_shared<GroundOptions>();
  CLI::App* command = add_command(
      world, context, "ground",
      "Show the cells of a mesh as a profile and a team walk them, obstacles carved out, and its "
      "links. Meshes only",
      "repath world ground house --max-cells 20");
  command->add_option("NAME", shown->world, "Name of the world")->required();
  command->add_option("--first", shown->first, "Number of the first cell to show (default 0)");
  command->add_option("--max-cells", shown->max_cells,
                      "Maximum number of cells to show, up to 20000 (default 5000)");
  add_revision_options(*command, shown->revisions);
  add_walker_options(*command, shown->walker);
  command->callback([&context, shown] { ground(context, *shown); });

  auto grown = std::make_shared<GrowOptions>();
  command = add_command(world, context, "grow",
                        "Show the polygons that an obstacle takes from walkers with a radius on "
                        "meshes. Asks no world",
                        "repath world grow --box 10,10,2,1 --radius 0.5");
  for (const ShapeOption& shape : shape_options())
    command->add_option(shape.name, grown->shapes[shape.name], shape.help)->type_name(shape.type);
  command->add_option("--radius", grown->radius,
                      "Radius of the walkers, in world units, up to 64 (default 0)");
  command->callback([&context, grown] { grow(context, *grown); });

  add_graph(world, context);
}

}  // namespace repath::cli
