#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <utility>

#include "cli/canvas.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/path_options.h"
#include "cli/print.h"
#include "cli/search_film.h"
#include "cli/search_player.h"
#include "cli/search_trace.h"
#include "cli/visible_text.h"
#include "repath/v1/debug.grpc.pb.h"
#include "repath/v1/path.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

struct ExplainOptions {
  PathOptions path;
  std::uint32_t max_nodes = 0;
  std::string window;
  bool plays = false;
  std::string trace_file;
};

// The things to draw: the answer, and the ground as far as it can be known.
struct Explained {
  v1::World world;
  v1::ExplainPathResponse answer;
  v1::FindReachableResponse ground;
  std::vector<v1::Cell> ends;  // The start, then the goals.
};

v1::Cell cell_of(const v1::Location& location, const v1::World& world) {
  if (location.has_cell()) return location.cell();
  v1::Cell cell;
  cell.set_x(static_cast<std::int32_t>(location.position().x() / world.cell_size()));
  cell.set_y(static_cast<std::int32_t>(location.position().z() / world.cell_size()));
  return cell;
}

// Returns a rectangle around the start, the goals and the cells of the search, with a margin.
v1::CellRect interesting(const Explained& explained) {
  constexpr std::int32_t kMargin = 3;
  v1::CellRect rect;
  bool first = true;
  const auto include = [&](std::int32_t x, std::int32_t y) {
    rect.set_x0(first ? x : std::min(rect.x0(), x));
    rect.set_y0(first ? y : std::min(rect.y0(), y));
    rect.set_x1(first ? x + 1 : std::max(rect.x1(), x + 1));
    rect.set_y1(first ? y + 1 : std::max(rect.y1(), y + 1));
    first = false;
  };
  for (const v1::Cell& end : explained.ends) include(end.x(), end.y());
  const auto& cells = explained.answer.cells();
  for (int i = 0; i + 1 < cells.size(); i += 2) include(cells[i], cells[i + 1]);
  rect.set_x0(std::max(0, rect.x0() - kMargin));
  rect.set_y0(std::max(0, rect.y0() - kMargin));
  rect.set_x1(std::min(explained.world.width(), rect.x1() + kMargin));
  rect.set_y1(std::min(explained.world.height(), rect.y1() + kMargin));
  return rect;
}

void put_ground(Canvas& canvas, const Explained& explained, const v1::CellRect& rect) {
  const auto& ground = explained.ground;
  std::set<std::pair<std::int32_t, std::int32_t>> reached;
  for (int i = 0; i + 1 < ground.cells_size(); i += 2) {
    reached.emplace(ground.cells(i), ground.cells(i + 1));
    canvas.put(ground.cells(i), ground.cells(i + 1), Mark::kFree);
  }
  // If all reachable ground is known, the rest is blocked or out of reach; else it is unknown.
  if (reached.empty() || ground.truncated()) return;
  for (std::int32_t y = rect.y0(); y < rect.y1(); ++y) {
    for (std::int32_t x = rect.x0(); x < rect.x1(); ++x) {
      if (!reached.contains({x, y})) canvas.put(x, y, Mark::kWall);
    }
  }
}

void put_touched(Canvas& canvas, const v1::ExplainPathResponse& answer) {
  for (int i = 0; i < answer.closed_size(); ++i) {
    canvas.put(answer.cells(2 * i), answer.cells(2 * i + 1),
               answer.closed(i) ? Mark::kClosed : Mark::kOpen);
  }
}

void put_ends(Canvas& canvas, const Explained& explained) {
  for (std::size_t i = 0; i < explained.ends.size(); ++i) {
    canvas.put(explained.ends[i].x(), explained.ends[i].y(), i == 0 ? Mark::kStart : Mark::kGoal);
  }
}

void put_path(Canvas& canvas, const v1::ExplainPathResponse& answer) {
  const auto& cells = answer.result().path().cells();
  for (int i = 0; i + 3 < cells.size(); i += 2) {
    const int dx = cells[i + 2] - cells[i];
    const int dy = cells[i + 3] - cells[i + 1];
    const int steps = std::max({std::abs(dx), std::abs(dy), 1});
    for (int step = 0; step <= steps; ++step) {
      canvas.put(cells[i] + dx * step / steps, cells[i + 1] + dy * step / steps, Mark::kPath);
    }
  }
}

// Returns the part of the window that lies on the map.
v1::CellRect clipped(const std::string& window, const v1::World& world) {
  v1::CellRect rect = parse_rect("--window", window);
  if (rect.x0() >= rect.x1() || rect.y0() >= rect.y1())
    throw CLI::ValidationError("--window", "X0 must be below X1 and Y0 below Y1");
  rect.set_x0(std::max(0, rect.x0()));
  rect.set_y0(std::max(0, rect.y0()));
  rect.set_x1(std::min(world.width(), rect.x1()));
  rect.set_y1(std::min(world.height(), rect.y1()));
  if (rect.x0() >= rect.x1() || rect.y0() >= rect.y1()) {
    throw CLI::ValidationError("--window", "lies outside the map of " +
                                               std::to_string(world.width()) + " x " +
                                               std::to_string(world.height()) + " cells");
  }
  return rect;
}

v1::CellRect shown_of(const Explained& explained, const std::string& window) {
  return window.empty() ? interesting(explained) : clipped(window, explained.world);
}

void draw(const Explained& explained, const std::string& window) {
  constexpr int kLinesAround = 6;
  const v1::CellRect rect = shown_of(explained, window);
  TerminalSize size = terminal_size();
  size.rows -= kLinesAround;
  Canvas canvas(rect.x0(), rect.y0(), rect.x1(), rect.y1(), size);
  put_ground(canvas, explained, rect);
  put_touched(canvas, explained.answer);
  put_path(canvas, explained.answer);
  put_ends(canvas, explained);
  const bool colours = stdout_is_terminal();
  std::cout << "cells " << rect.x0() << ',' << rect.y0() << " to " << rect.x1() - 1 << ','
            << rect.y1() - 1;
  if (canvas.scale() > 1)
    std::cout << ", one character for " << canvas.scale() << " x " << canvas.scale() << " cells";
  std::cout << '\n' << canvas.text(colours);
  std::cout << legend({Mark::kStart, Mark::kGoal, Mark::kPath, Mark::kClosed, Mark::kOpen,
                       Mark::kFree, Mark::kWall},
                      colours)
            << '\n';
}

bool is_of_routes(const v1::ExplainPathResponse& answer) {
  return answer.searches_size() > 0 || answer.positions_size() > 0;
}

Json three_of(const google::protobuf::RepeatedField<double>& list, int first) {
  return {list[first], list[first + 1], list[first + 2]};
}

Json searches_of(const v1::ExplainPathResponse& answer) {
  Json rows = Json::array();
  for (const auto& search : answer.searches())
    rows.push_back({{"kernel", search.kernel()},
                    {"goal", search.has_goal() ? json_of(search.goal()) : Json()},
                    {"first", search.first()},
                    {"expanded", search.expanded()}});
  return rows;
}

void print_rows(const CommandContext& context, const v1::ExplainPathResponse& answer,
                const PathOptions& options) {
  Json rows = Json::array();
  for (int i = 0; i < answer.closed_size(); ++i) {
    Json node;
    if (is_of_routes(answer)) {
      node["position"] = three_of(answer.positions(), 3 * i);
    } else {
      node["cell"] = {answer.cells(2 * i), answer.cells(2 * i + 1)};
    }
    node["g"] = answer.g(i);
    node["h"] = answer.h(i);
    node["f"] = answer.f(i);
    node["closed"] = answer.closed(i);
    if (i < answer.parents_size() && answer.parents(i) != 0) node["parent"] = answer.parents(i) - 1;
    if (i < answer.nodes_size()) node["node"] = answer.nodes(i);
    if (9 * i < answer.spans_size()) {
      node["from"] = three_of(answer.spans(), 9 * i);
      node["span"] = {three_of(answer.spans(), 9 * i + 3), three_of(answer.spans(), 9 * i + 6)};
    }
    rows.push_back(std::move(node));
  }
  Json row = json_of(answer.result().path());
  row["expanded"] = answer.result().expanded();
  add_turns(answer.result(), options, row);
  row["truncated"] = answer.truncated();
  if (is_of_routes(answer)) row["searches"] = searches_of(answer);
  row["expansions"] = Json::array();
  for (const std::uint32_t node : answer.expansions()) row["expansions"].push_back(node);
  row["results"] = std::move(rows);
  context.print_json(row);
}

// Prints the searches on a mesh or graph, and the first nodes of each.
void print_searches(const v1::ExplainPathResponse& answer) {
  constexpr int kShown = 10;  // nodes of each
  std::cout << text_of(answer.result().path()) << '\n';
  for (int s = 0; s < answer.searches_size(); ++s) {
    const auto& search = answer.searches(s);
    const int first = static_cast<int>(search.first());
    const int end = s + 1 < answer.searches_size()
                        ? static_cast<int>(answer.searches(s + 1).first())
                        : answer.closed_size();
    const int told = std::min(end, answer.closed_size()) - first;
    std::cout << "  " << visible(search.kernel());
    if (search.has_goal()) std::cout << " to " << text_of(search.goal());
    std::cout << ": expanded " << search.expanded() << ", touched " << std::max(told, 0)
              << " nodes\n";
    for (int i = first; i < first + std::min(told, kShown); ++i) {
      std::cout << "    " << (answer.closed(i) ? "closed " : "open   ")
                << text_of(point_of(answer.positions(), i));
      if (i < answer.nodes_size()) std::cout << " node " << answer.nodes(i);
      std::cout << "  g " << fixed2(answer.g(i)) << "  h " << fixed2(answer.h(i)) << "  f "
                << fixed2(answer.f(i)) << '\n';
    }
    if (told > kShown) std::cout << "    ... (--json gives all)\n";
  }
  if (answer.truncated()) std::cout << "  (there are more nodes)\n";
  std::cout.flush();
}

// Asks for the ground that can be reached from the start or, if that is blocked, from the free cell
// nearest to it. Returns false after a refusal.
bool get_ground(CommandContext& context, const v1::FindPathRequest& request,
                v1::FindReachableResponse* ground) {
  constexpr std::uint32_t kMostCells = 100'000;
  const auto stub = context.stub<v1::PathService>();
  v1::FindReachableRequest wanted;
  wanted.set_world(request.world());
  *wanted.mutable_from() = request.from();
  *wanted.mutable_walker() = request.walker();
  wanted.set_max_cost(1e12);
  wanted.set_max_cells(kMostCells);
  {
    grpc::ClientContext call;
    if (!context.accepted(stub->FindReachable(&call, wanted, ground))) return false;
  }
  if (ground->status() != v1::PATH_STATUS_START_BLOCKED) return true;
  v1::FindNearestRequest snap;
  snap.set_world(request.world());
  *snap.mutable_from() = request.from();
  *snap.mutable_walker() = request.walker();
  v1::FindNearestResponse nearest;
  {
    grpc::ClientContext call;
    if (!context.accepted(stub->FindNearest(&call, snap, &nearest))) return false;
  }
  if (nearest.status() != v1::PATH_STATUS_COMPLETE) return true;
  *wanted.mutable_from()->mutable_cell() = nearest.cell();
  grpc::ClientContext call;
  return context.accepted(stub->FindReachable(&call, wanted, ground));
}

// Returns the window of a grid to draw while its search is played, and what is drawn in it.
Stage stage_of_grid(const Explained& explained, const std::string& window) {
  const v1::CellRect rect = shown_of(explained, window);
  Stage stage;
  stage.x0 = rect.x0();
  stage.y0 = rect.y0();
  stage.x1 = rect.x1();
  stage.y1 = rect.y1();
  stage.draw_ground = [&explained, rect](Canvas* canvas) { put_ground(*canvas, explained, rect); };
  stage.draw_ends = [&explained](Canvas* canvas) { put_ends(*canvas, explained); };
  return stage;
}

// Returns the same for a mesh or a graph, seen from above: a window around all nodes of the search
// and the ends of the path.
Stage stage_of_routes(const Explained& explained, const SearchFilm& film) {
  const auto& path = explained.answer.result().path().positions();
  Stage stage;
  stage.x0 = stage.y0 = HUGE_VAL;
  stage.x1 = stage.y1 = -HUGE_VAL;
  const auto include = [&stage](double x, double y) {
    stage.x0 = std::min(stage.x0, x);
    stage.y0 = std::min(stage.y0, y);
    stage.x1 = std::max(stage.x1, x);
    stage.y1 = std::max(stage.y1, y);
  };
  for (const FilmNode& node : film.nodes()) include(node.x, node.y);
  for (int i = 0; i + 2 < path.size(); i += 3) include(path[i], path[i + 2]);
  constexpr double kCharacters = 120;  // of the longer side; the canvas joins what does not fit
  stage.unit = std::max({stage.x1 - stage.x0, stage.y1 - stage.y0, 1e-3}) / kCharacters;
  stage.x1 += stage.unit;
  stage.y1 += stage.unit;
  const double unit = stage.unit;
  stage.draw_ends = [&path, unit](Canvas* canvas) {
    for (const int i : {path.size() - 3, 0}) {
      if (i < 0) continue;
      canvas->put(static_cast<int>(std::floor(path[i] / unit)),
                  static_cast<int>(std::floor(path[i + 2] / unit)),
                  i == 0 ? Mark::kStart : Mark::kGoal);
    }
  };
  return stage;
}

// Writes the trace to the file, or to stdout for "-". Returns false after an error.
bool export_trace(CommandContext& context, const v1::ExplainPathResponse& answer,
                  const std::string& file) {
  const SearchFilm film(answer);
  if (file == "-") {
    write_trace(std::cout, answer, film);
    std::cout.flush();
    return true;
  }
  std::ofstream out(file);
  write_trace(out, answer, film);
  out.close();
  if (out) return true;
  context.usage_error("--export: cannot write " + file);
  return false;
}

void explain(CommandContext& context, const ExplainOptions& options) {
  if (options.plays && !can_play())
    throw CLI::ValidationError("--play", "needs a terminal; --export and --json do not");
  if (context.json && options.trace_file == "-")
    throw CLI::ValidationError("--export", "- prints the trace alone: leave out --json");
  v1::ExplainPathRequest request;
  *request.mutable_request() = to_request(options.path);
  request.set_max_nodes(options.max_nodes);
  Explained explained;
  {
    grpc::ClientContext call;
    const auto stub = context.stub<v1::DebugService>();
    if (!context.accepted(stub->ExplainPath(&call, request, &explained.answer))) return;
  }
  if (!options.trace_file.empty()) {
    if (!export_trace(context, explained.answer, options.trace_file)) return;
    if (options.trace_file == "-") return;
  }
  if (context.json) {
    print_rows(context, explained.answer, options.path);
    return;
  }
  {
    v1::GetWorldRequest wanted;
    wanted.set_world(options.path.world);
    grpc::ClientContext call;
    if (!context.accepted(
            context.stub<v1::WorldService>()->GetWorld(&call, wanted, &explained.world)))
      return;
  }
  if (explained.world.kind() != "grid") {
    if (!options.window.empty()) {
      throw CLI::ValidationError("--window", "draws cells: \"" + visible(explained.world.name()) +
                                                 "\" is a " + visible(explained.world.kind()) +
                                                 ", which has none");
    }
    if (options.plays) {
      const SearchFilm film(explained.answer);
      play(film, stage_of_routes(explained, film), text_of(explained.answer.result().path()));
    }
    print_searches(explained.answer);
    return;
  }
  if (!get_ground(context, request.request(), &explained.ground)) return;
  explained.ends.push_back(cell_of(request.request().from(), explained.world));
  for (const auto& goal : request.request().goals())
    explained.ends.push_back(cell_of(goal, explained.world));
  if (options.plays) {
    const SearchFilm film(explained.answer);
    play(film, stage_of_grid(explained, options.window), text_of(explained.answer.result().path()));
  }
  draw(explained, options.window);
  const v1::FindPathResponse& result = explained.answer.result();
  const bool is_smoothed = request.request().options().smoothing() > v1::SMOOTHING_NONE;
  std::cout << text_of(result.path(), is_smoothed) << "\n  expanded " << result.expanded()
            << ", touched " << explained.answer.closed_size() << " nodes"
            << (explained.answer.truncated() ? " (the first in row order)" : "")
            << search_state_of(result) << turns_of(result, options.path) << std::endl;
}

}  // namespace

void add_explain_command(CLI::App& path, CommandContext& context) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = add_command(
      path, context, "explain",
      "Show the nodes that the search for a path touched: a picture on grids, a list on meshes and "
      "graphs",
      "repath path explain square --from 0,0 --to 9,4 --algorithm astar");
  add_path_options(*command, options->path);
  command->add_option("--max-nodes", options->max_nodes,
                      "Maximum number of nodes to show, up to 50000 (default 50000)");
  command
      ->add_option("--window", options->window,
                   "Grids: draw the cells X0,Y0,X1,Y1 (X1 and Y1 are outside) instead of the "
                   "part that the search touched")
      ->type_name("RECT")
      ->excludes(command->get_option("--json"));
  command
      ->add_flag("--play", options->plays,
                 "Play the search in this terminal: space plays and pauses, arrows step and change "
                 "the speed, q ends")
      ->excludes(command->get_option("--json"));
  command
      ->add_option("--export", options->trace_file,
                   "Also write the search to this file (-: to stdout, and nothing else) as a trace "
                   "of Posthoc, format 1.4")
      ->type_name("FILE");
  command->callback([&context, options] { explain(context, *options); });
}

}  // namespace repath::cli
