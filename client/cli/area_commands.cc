// path reachable|flow: the ground around a start, and the ways to a goal.
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

constexpr int kPiecesShown = 20;

struct ReachableOptions {
  std::string world;
  std::string from;
  double max_cost = 0;
  std::uint32_t max_cells = 0;
  WalkerOptions walker;
  RevisionOptions revisions;
};

// Draws the costs in tenths of the maximum.
void draw_reachable(const v1::FindReachableResponse& answer, double max_cost) {
  constexpr int kWidest = 120;
  constexpr int kHighest = 60;
  int x0 = answer.cells(0), x1 = x0, y0 = answer.cells(1), y1 = y0;
  for (int i = 0; i < answer.costs_size(); ++i) {
    x0 = std::min(x0, answer.cells(2 * i));
    x1 = std::max(x1, answer.cells(2 * i));
    y0 = std::min(y0, answer.cells(2 * i + 1));
    y1 = std::max(y1, answer.cells(2 * i + 1));
  }
  if (x1 - x0 >= kWidest || y1 - y0 >= kHighest) return;
  std::vector<std::string> rows(static_cast<std::size_t>(y1 - y0 + 1),
                                std::string(static_cast<std::size_t>(x1 - x0 + 1), ' '));
  for (int i = 0; i < answer.costs_size(); ++i) {
    const double share = max_cost > 0 ? answer.costs(i) / max_cost : 0;
    const char digit =
        i == 0 ? 'S' : static_cast<char>('0' + std::min(9, static_cast<int>(share * 10)));
    rows[static_cast<std::size_t>(answer.cells(2 * i + 1) - y0)]
        [static_cast<std::size_t>(answer.cells(2 * i) - x0)] = digit;
  }
  std::cout << "tenths of the cost, upper left cell " << x0 << ',' << y0 << '\n';
  for (const std::string& row : rows) std::cout << "  " << row << '\n';
}

// Pieces of a mesh have corners and an area type, nodes of a graph an id.
Json pieces_of(const v1::FindReachableResponse& answer) {
  Json rows = Json::array();
  int corner = 0;
  for (int i = 0; i < answer.costs_size(); ++i) {
    Json row = {{"position", json_of(point_of(answer.positions(), i))},
                {"cost", answer.costs(i)},
                {"previous", answer.previous(i)}};
    if (i < answer.nodes_size()) row["node"] = answer.nodes(i);
    if (i < answer.edge_keys_size()) row["edge_key"] = answer.edge_keys(i);
    if (i < answer.areas_size()) row["area"] = answer.areas(i);
    if (i < answer.corner_counts_size()) {
      Json corners = Json::array();
      const int end = corner + static_cast<int>(answer.corner_counts(i));
      for (; corner < end; ++corner) corners.push_back(json_of(point_of(answer.corners(), corner)));
      row["corners"] = std::move(corners);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Names the edge to the node's neighbour, if it is not the one with key 0.
template <class Response>
void print_edge_key(const Response& answer, int i) {
  if (i < answer.edge_keys_size() && answer.edge_keys(i) != 0)
    std::cout << " by edge " << answer.edge_keys(i);
}

// Prints the pieces or nodes of a mesh or graph, the nearest first.
void print_reachable_pieces(CommandContext& context, const v1::FindReachableResponse& answer,
                            double max_cost) {
  const int count = answer.costs_size();
  if (context.json) {
    context.print_json({{"status", name_of(answer.status())},
                        {"pieces", count},
                        {"truncated", answer.truncated()},
                        {"optimality", name_of(answer.optimality())},
                        {"revision", answer.revision()},
                        {"results", pieces_of(answer)}});
    return;
  }
  std::cout << name_of(answer.status()) << ": " << count
            << (answer.nodes_size() > 0 ? " nodes" : " pieces") << " within " << fixed2(max_cost)
            << (answer.truncated() ? " (the nearest; there are more)" : "") << " at revision "
            << answer.revision() << ", costs " << name_of(answer.optimality()) << '\n';
  for (int i = 0; i < std::min(count, kPiecesShown); ++i) {
    std::cout << "  " << i << "  cost " << fixed2(answer.costs(i)) << " at "
              << text_of(point_of(answer.positions(), i));
    if (i < answer.nodes_size()) std::cout << " node " << answer.nodes(i);
    if (answer.previous(i) >= 0) std::cout << " from " << answer.previous(i);
    print_edge_key(answer, i);
    std::cout << '\n';
  }
  if (count > kPiecesShown) std::cout << "  ... (--json gives all)\n";
  std::cout.flush();
}

// Prints the answer for a blocked start, which has no cells or pieces.
void print_start_blocked(CommandContext& context, const v1::FindReachableResponse& answer) {
  if (context.json) {
    context.print_json({{"status", name_of(answer.status())},
                        {"revision", answer.revision()},
                        {"results", Json::array()}});
  } else {
    std::cout << name_of(answer.status()) << " at revision " << answer.revision() << std::endl;
  }
}

void print_reachable_cells(CommandContext& context, const v1::FindReachableResponse& answer,
                           double max_cost) {
  const int count = answer.costs_size();
  if (context.json) {
    Json rows = Json::array();
    for (int i = 0; i < count; ++i) {
      rows.push_back({{"cell", {answer.cells(2 * i), answer.cells(2 * i + 1)}},
                      {"cost", answer.costs(i)},
                      {"previous", answer.previous(i)}});
    }
    context.print_json({{"status", name_of(answer.status())},
                        {"cells", count},
                        {"truncated", answer.truncated()},
                        {"revision", answer.revision()},
                        {"results", rows}});
    return;
  }
  std::cout << name_of(answer.status()) << ": " << count << " cells within " << fixed2(max_cost)
            << (answer.truncated() ? " (the nearest; there are more)" : "") << " at revision "
            << answer.revision() << '\n';
  draw_reachable(answer, max_cost);
  std::cout << "farthest " << answer.cells(2 * (count - 1)) << ','
            << answer.cells(2 * (count - 1) + 1) << " at " << fixed2(answer.costs(count - 1))
            << std::endl;
}

void reachable(CommandContext& context, const ReachableOptions& options) {
  v1::FindReachableRequest request;
  request.set_world(options.world);
  *request.mutable_from() = parse_location("--from", options.from);
  request.set_max_cost(options.max_cost);
  request.set_max_cells(options.max_cells);
  fill_walker(options.walker, request.mutable_walker());
  fill_revisions(options.revisions, &request);
  grpc::ClientContext call;
  v1::FindReachableResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->FindReachable(&call, request, &answer)))
    return;
  if (answer.costs_size() == 0) {
    print_start_blocked(context, answer);
  } else if (answer.cells_size() == 2 * answer.costs_size()) {
    print_reachable_cells(context, answer, options.max_cost);
  } else {
    print_reachable_pieces(context, answer, options.max_cost);
  }
}

struct FlowOptions {
  std::string world;
  std::vector<std::string> goals;
  double goal_radius = 0;
  std::string area;
  double max_cost = 0;
  std::uint32_t first_piece = 0;
  std::uint32_t max_pieces = 0;
  WalkerOptions walker;
  RevisionOptions revisions;
};

// Draws a digit for each direction, G for goals, # for cells without a way.
void draw_flow(const v1::GetFlowFieldResponse& answer) {
  const v1::CellRect& area = answer.area();
  const auto width = static_cast<std::size_t>(area.x1() - area.x0());
  std::cout << "upper left cell " << area.x0() << ',' << area.y0() << '\n';
  std::string row = "  ";
  for (std::size_t i = 0; i < answer.directions().size(); ++i) {
    constexpr unsigned char kGoal = 254;
    constexpr unsigned char kNone = 255;
    const auto direction = static_cast<unsigned char>(answer.directions()[i]);
    row += direction == kGoal ? 'G' : direction == kNone ? '#' : static_cast<char>('0' + direction);
    if ((i + 1) % width != 0) continue;
    std::cout << row << '\n';
    row = "  ";
  }
}

// Prints the pieces or nodes of a mesh or graph, those nearest to a goal first.
void print_flow_pieces(CommandContext& context, const v1::GetFlowFieldResponse& answer) {
  const int count = answer.costs_size();
  if (context.json) {
    Json rows = Json::array();
    for (int i = 0; i < count; ++i) {
      Json row = {{"position", json_of(point_of(answer.positions(), i))},
                  {"cost", answer.costs(i)},
                  {"next", answer.next(i)}};
      if (i < answer.nodes_size()) row["node"] = answer.nodes(i);
      if (i < answer.edge_keys_size()) row["edge_key"] = answer.edge_keys(i);
      if (2 * i + 1 < answer.toward_size())
        row["toward"] = {answer.toward(2 * i), answer.toward(2 * i + 1)};
      if (i < answer.links_size() && answer.links(i) != 0) row["link"] = answer.links(i);
      rows.push_back(std::move(row));
    }
    context.print_json(
        {{"status", name_of(answer.status())},
         {"pieces", rows},
         {"next_piece", answer.has_next_piece() ? Json(answer.next_piece()) : Json()},
         {"optimality", name_of(answer.optimality())},
         {"revision", answer.revision()},
         {"expanded", answer.expanded()}});
    return;
  }
  std::cout << name_of(answer.status()) << ": " << count
            << (answer.nodes_size() > 0 ? " nodes" : " pieces") << " at revision "
            << answer.revision() << ", " << name_of(answer.optimality()) << ", expanded "
            << answer.expanded() << " nodes\n";
  for (int i = 0; i < std::min(count, kPiecesShown); ++i) {
    std::cout << "  " << i << "  cost " << fixed2(answer.costs(i)) << " at "
              << text_of(point_of(answer.positions(), i));
    if (i < answer.nodes_size()) std::cout << " node " << answer.nodes(i);
    std::cout << (answer.next(i) < 0 ? ": goal" : " -> " + std::to_string(answer.next(i)));
    if (i < answer.links_size() && answer.links(i) != 0)
      std::cout << " by link " << answer.links(i);
    print_edge_key(answer, i);
    std::cout << '\n';
  }
  if (count > kPiecesShown) std::cout << "  ... (--json gives all)\n";
  if (answer.has_next_piece())
    std::cout << "  there are more: --first " << answer.next_piece() << '\n';
  std::cout.flush();
}

void flow(CommandContext& context, const FlowOptions& options) {
  constexpr std::size_t kDrawnMax = 120 * 60;
  v1::GetFlowFieldRequest request;
  request.set_world(options.world);
  for (const std::string& goal : options.goals) *request.add_goals() = parse_location("--to", goal);
  request.set_goal_radius(options.goal_radius);
  if (!options.area.empty()) *request.mutable_area() = parse_rect("--area", options.area);
  request.set_max_cost(options.max_cost);
  request.set_first_piece(options.first_piece);
  request.set_max_pieces(options.max_pieces);
  fill_walker(options.walker, request.mutable_walker());
  fill_revisions(options.revisions, &request);
  grpc::ClientContext call;
  v1::GetFlowFieldResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->GetFlowField(&call, request, &answer)))
    return;
  if (!answer.has_area()) {
    print_flow_pieces(context, answer);
    return;
  }
  const v1::CellRect& area = answer.area();
  if (context.json) {
    Json directions = Json::array();
    Json costs = Json::array();
    for (const char c : answer.directions()) directions.push_back(static_cast<unsigned char>(c));
    for (const double cost : answer.costs()) costs.push_back(cost);  // infinity becomes null
    context.print_json({{"status", name_of(answer.status())},
                        {"area", {area.x0(), area.y0(), area.x1(), area.y1()}},
                        {"directions", directions},
                        {"costs", costs},
                        {"revision", answer.revision()},
                        {"expanded", answer.expanded()}});
    return;
  }
  std::cout << name_of(answer.status()) << ": " << answer.directions().size()
            << " cells at revision " << answer.revision() << ", expanded " << answer.expanded()
            << " nodes\n";
  if (!answer.directions().empty() && answer.directions().size() <= kDrawnMax) draw_flow(answer);
  std::cout.flush();
}

void add_flow(CLI::App& path, CommandContext& context) {
  auto flowing = std::make_shared<FlowOptions>();
  CLI::App* command = add_command(
      path, context, "flow",
      "Show the next step to the nearest goal from every cell of an area. On meshes and graphs: "
      "from every piece of ground or node from which a goal can be reached",
      "repath path flow square --to 9,4 --area 0,0,10,5\n"
      "  repath path flow house --to 22,0,2 --cost 30");
  command->add_option("WORLD", flowing->world, "Name of the world")->required();
  add_to_option(*command, flowing->goals);
  add_radius_option(*command, flowing->goal_radius);
  command
      ->add_option("--area", flowing->area,
                   "Grids: cells X0,Y0,X1,Y1 (X1 and Y1 are outside), at most 400000 "
                   "(default: the whole map)")
      ->type_name("RECT");
  command->add_option(
      "--cost", flowing->max_cost,
      "Meshes and graphs: maximum cost from a piece to a goal, in world units (default 0: no "
      "limit)");
  command->add_option("--first", flowing->first_piece,
                      "Meshes and graphs: number of the first piece to show (default 0)");
  command->add_option(
      "--max-pieces", flowing->max_pieces,
      "Meshes and graphs: maximum number of pieces to show, up to 80000 (default 20000)");
  add_walker_options(*command, flowing->walker);
  add_revision_options(*command, flowing->revisions);
  command->callback([&context, flowing] { flow(context, *flowing); });
}

void add_reachable(CLI::App& path, CommandContext& context) {
  auto reach = std::make_shared<ReachableOptions>();
  CLI::App* command = add_command(
      path, context, "reachable",
      "Show every cell that can be reached within a cost. On meshes and graphs: every piece of "
      "ground or node",
      "repath path reachable square --from 0,0 --cost 5\n"
      "  repath path reachable house --from 2,0,2 --cost 10");
  command->add_option("WORLD", reach->world, "Name of the world")->required();
  add_from_option(*command, reach->from, "Start");
  command->add_option("--cost", reach->max_cost, "Maximum cost of the way there, in world units")
      ->required();
  command->add_option(
      "--max-cells", reach->max_cells,
      "Maximum number of cells or pieces to show, the nearest first, up to 100000 (default 10000)");
  add_walker_options(*command, reach->walker);
  add_revision_options(*command, reach->revisions);
  command->callback([&context, reach] { reachable(context, *reach); });
}

}  // namespace

void add_area_commands(CLI::App& path, CommandContext& context) {
  add_reachable(path, context);
  add_flow(path, context);
}

}  // namespace repath::cli
