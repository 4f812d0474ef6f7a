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
    if (options.turn_penalty > 0) {
      row["turns"] = answer.turns();
      row["turn_cost"] = answer.turn_cost();
    }
    context.print_json(row);
    return;
  }
  std::cout << text_of(answer.path()) << "\n  expanded " << answer.expanded()
            << " nodes, search state " << bytes(answer.peak_bytes());
  if (options.turn_penalty > 0)
    std::cout << "; " << answer.turns() << " turns for " << fixed2(answer.turn_cost());
  std::cout << std::endl;
}

struct NearestOptions {
  std::string world;
  std::string from;
  std::vector<std::string> goals;
  WalkerOptions walker;
  double max_distance = 0;
};

void nearest(CommandContext& context, const NearestOptions& options) {
  v1::FindNearestRequest request;
  request.set_world(options.world);
  *request.mutable_from() = parse_location("--from", options.from);
  for (const std::string& goal : options.goals) *request.add_goals() = parse_location("--to", goal);
  fill_walker(options.walker, request.mutable_walker());
  request.set_max_distance(options.max_distance);
  grpc::ClientContext call;
  v1::FindNearestResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->FindNearest(&call, request, &answer)))
    return;
  const bool found = answer.status() == v1::PATH_STATUS_COMPLETE;
  const bool with_goals = !options.goals.empty();
  if (context.json) {
    Json row = {{"status", name_of(answer.status())},
                {"goal_index", answer.goal_index()},
                {"cell", found ? json_of(answer.cell()) : Json()},
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
    std::cout << ": " << text_of(answer.cell()) << ", " << fixed2(answer.distance()) << " away";
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

struct ReachableOptions {
  std::string world;
  std::string from;
  double max_cost = 0;
  std::uint32_t max_cells = 0;
  WalkerOptions walker;
};

// The field as a picture of tenths of the cost: how far one gets, at a glance.
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

void reachable(CommandContext& context, const ReachableOptions& options) {
  v1::FindReachableRequest request;
  request.set_world(options.world);
  *request.mutable_from() = parse_location("--from", options.from);
  request.set_max_cost(options.max_cost);
  request.set_max_cells(options.max_cells);
  fill_walker(options.walker, request.mutable_walker());
  grpc::ClientContext call;
  v1::FindReachableResponse answer;
  if (!context.accepted(context.stub<v1::PathService>()->FindReachable(&call, request, &answer)))
    return;
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
  std::cout << name_of(answer.status()) << ": " << count << " cells within "
            << fixed2(options.max_cost)
            << (answer.truncated() ? " (the nearest; there are more)" : "") << " at revision "
            << answer.revision() << '\n';
  if (count > 0) {
    draw_reachable(answer, options.max_cost);
    std::cout << "farthest " << answer.cells(2 * (count - 1)) << ','
              << answer.cells(2 * (count - 1) + 1) << " at " << fixed2(answer.costs(count - 1))
              << '\n';
  }
  std::cout.flush();
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
};

// A digit for each direction, G for goals, # where no way leads from.
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

// In worlds of routes: the pieces or nodes, those nearest to a goal first.
void print_flow_pieces(CommandContext& context, const v1::GetFlowFieldResponse& answer) {
  constexpr int kShown = 20;
  const int count = answer.costs_size();
  if (context.json) {
    Json rows = Json::array();
    for (int i = 0; i < count; ++i) {
      Json row = {
          {"position",
           {answer.positions(3 * i), answer.positions(3 * i + 1), answer.positions(3 * i + 2)}},
          {"cost", answer.costs(i)},
          {"next", answer.next(i)}};
      if (i < answer.nodes_size()) row["node"] = answer.nodes(i);
      if (2 * i < answer.toward_size())
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
  for (int i = 0; i < std::min(count, kShown); ++i) {
    v1::Vec3 at;
    at.set_x(answer.positions(3 * i));
    at.set_y(answer.positions(3 * i + 1));
    at.set_z(answer.positions(3 * i + 2));
    std::cout << "  " << i << ' ' << text_of(at) << ' ' << fixed2(answer.costs(i)) << " -> "
              << (answer.next(i) < 0 ? "goal" : std::to_string(answer.next(i)));
    if (i < answer.links_size() && answer.links(i) != 0)
      std::cout << " by link " << answer.links(i);
    std::cout << '\n';
  }
  if (count > kShown) std::cout << "  ... (--json gives all)\n";
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
  CLI::App* command =
      add_command(path, context, "flow", "The next step to a goal from every cell of an area",
                  "repath path flow square --to 9,4 --area 0,0,10,5");
  command->add_option("WORLD", flowing->world, "The world")->required();
  command
      ->add_option("--to", flowing->goals,
                   "Goal: a cell X,Y or a point X,Y,Z; repeatable: the cheapest counts")
      ->type_name("PLACE")
      ->allow_extra_args(false)
      ->required();
  command->add_option("--radius", flowing->goal_radius,
                      "Any free cell so near a goal will do, world units");
  command->add_option("--area", flowing->area,
                      "X0,Y0,X1,Y1, of at most 400000 cells (default: the whole map)");
  command->add_option("--cost", flowing->max_cost,
                      "On meshes and graphs: from where no more is to be paid, world units");
  command->add_option("--first", flowing->first_piece, "There: the piece to begin with");
  command->add_option("--max-pieces", flowing->max_pieces,
                      "There: at most so many (default 20000, at most 80000)");
  add_walker_options(*command, flowing->walker);
  command->callback([&context, flowing] { flow(context, *flowing); });
}

void add_find(CLI::App& path, CommandContext& context) {
  auto found = std::make_shared<PathOptions>();
  CLI::App* command =
      add_command(path, context, "find", "The cheapest path",
                  "repath path find square --from 0,0 --to 9,4 --algorithm dijkstra");
  add_path_options(*command, *found);
  command->add_flag("--every-cell", found->every_cell,
                    "A waypoint for each cell, not for each turn");
  command->callback([&context, found] { find(context, *found); });
}

void add_nearest(CLI::App& path, CommandContext& context) {
  auto near = std::make_shared<NearestOptions>();
  CLI::App* command = add_command(
      path, context, "nearest", "The goal that is cheapest to reach, or the nearest walkable cell",
      "repath path nearest square --from 0,0 --to 9,4 --to 0,4");
  command->add_option("WORLD", near->world, "The world")->required();
  command->add_option("--from", near->from, "Start: a cell X,Y or a point X,Y,Z")
      ->type_name("PLACE")
      ->required();
  command
      ->add_option("--to", near->goals,
                   "Goal, likewise; repeatable. Without: snap to walkable ground")
      ->type_name("PLACE")
      ->allow_extra_args(false);
  command->add_option("--max-distance", near->max_distance,
                      "For snapping, world units (default 64 cells)");
  add_walker_options(*command, near->walker);
  command->callback([&context, near] { nearest(context, *near); });
}

void add_away(CLI::App& path, CommandContext& context) {
  auto fled = std::make_shared<AwayOptions>();
  CLI::App* command =
      add_command(path, context, "away", "Flee: the cheapest path to where no threat is near",
                  "repath path away square --from 4,1 --threat 4,0 --distance 3");
  command->add_option("WORLD", fled->world, "The world")->required();
  command->add_option("--from", fled->from, "Start: a cell X,Y or a point X,Y,Z")
      ->type_name("PLACE")
      ->required();
  command->add_option("--threat", fled->threats, "What to flee from, likewise; repeatable")
      ->type_name("PLACE")
      ->allow_extra_args(false)
      ->required();
  command->add_option("--distance", fled->distance, "From every threat, straight, world units")
      ->required();
  command->add_flag("--partial", fled->allow_partial,
                    "If nothing that can be reached is so far: to the farthest");
  command->add_flag("--snap", fled->snap_start,
                    "If the start is blocked: from the nearest free cell");
  add_walker_options(*command, fled->walker);
  command->callback([&context, fled] { away(context, *fled); });
}

void add_reachable(CLI::App& path, CommandContext& context) {
  auto reach = std::make_shared<ReachableOptions>();
  CLI::App* command =
      add_command(path, context, "reachable", "Every cell that can be reached within a cost",
                  "repath path reachable square --from 0,0 --cost 5");
  command->add_option("WORLD", reach->world, "The world")->required();
  command->add_option("--from", reach->from, "Start: a cell X,Y or a point X,Y,Z")
      ->type_name("PLACE")
      ->required();
  command->add_option("--cost", reach->max_cost, "World units")->required();
  command->add_option("--max-cells", reach->max_cells,
                      "At most so many, the nearest (default 10000, at most 100000)");
  add_walker_options(*command, reach->walker);
  command->callback([&context, reach] { reachable(context, *reach); });
}

}  // namespace

void add_path_commands(CLI::App& path, CommandContext& context) {
  add_find(path, context);
  add_nearest(path, context);
  add_away(path, context);
  add_reachable(path, context);
  add_flow(path, context);
}

}  // namespace repath::cli
